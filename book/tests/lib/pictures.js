// `node pictures.js FOLDER [WORD]`: screenshots of the pages whose name contains WORD.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { books } from './books.js';

const THEMES = ['light', 'navy'];
const WIDTHS = { wide: 1280, narrow: 360 };
const [folder, word = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
let count = 0;
for (const book of books) {
    const wanted = book.pages.filter((name) => `${book.name}/${name}`.includes(word));
    for (const name of wanted) {
        for (const [label, width] of Object.entries(WIDTHS)) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(pathToFileURL(join(book.folder, name)).href);
            for (const theme of THEMES) {
                await page.evaluate((id) => document.getElementById(id).click(),
                    `mdbook-theme-${theme}`);
                const file = `${book.name}/${name}`.replace('.html', '');
                const png = `${file.replaceAll('/', '-')}-${theme}-${label}.png`;
                const path = join(folder, png);
                await page.screenshot({ path, fullPage: true });
                count += 1;
            }
        }
    }
}
await browser.close();
console.log(`${count} pictures in ${folder}`);
