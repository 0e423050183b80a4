// The printed book.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { books, sample } from './lib/books.js';
import { browser } from './lib/browser.js';

const it = browser();
const heading = /<h1 id="[^"]*"><a class="header"[^>]*>(.*?)<\/a><\/h1>/;

// The page opens the print dialog when it is loaded, so it is disabled.
const printed = (book, work) => it.with({}, async (page) => {
    await page.addInitScript(() => {
        window.print = () => {};
    });
    await page.goto(it.address(book, 'print.html'));
    return work(page);
});

for (const book of books) {
    test(`${book.name}: the printed book contains every page`, () =>
        printed(book, async (page) => {
            const html = await page.content();
            for (const name of book.pages) {
                const page = readFileSync(join(book.folder, name), 'utf8');
                const title = heading.exec(page);
                assert.ok(title, `${name} has a heading`);
                assert.ok(html.includes(`>${title[1]}</a></h1>`), name);
            }
            assert.deepEqual(page.wrong, []);
        }));

    test(`${book.name}: in print every fold is open`, () =>
        printed(book, async (page) => {
            const closed = () => page.locator('main details:not([open])').count();
            const before = await closed();
            await page.emulateMedia({ media: 'print' });
            await page.waitForFunction(() =>
                !document.querySelector('main details:not([open])'));
            await page.emulateMedia({ media: 'screen' });
            await page.waitForFunction((count) =>
                document.querySelectorAll('main details:not([open])').length === count,
            before);
        }));
}

test('in print a transcript replaces its player', () =>
    it.open(sample, 'player.html', {}, async (page) => {
        await page.emulateMedia({ media: 'print' });
        assert.equal(await page.locator('.player').first().isVisible(), false);
        assert.ok(await page.locator('main pre').first().isVisible());
    }));
