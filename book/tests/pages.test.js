// What holds of every page of every book.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { books } from './lib/books.js';
import { NARROW, THEMES, WIDE, browser } from './lib/browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const it = browser();

function eachPage(title, options, work) {
    for (const book of books) {
        for (const name of book.pages) {
            test(`${book.name}/${name}: ${title}`, () =>
                it.open(book, name, options, (page) => work(page, book)));
        }
    }
}

function inWords(violation) {
    const nodes = violation.nodes.slice(0, 4).map((node) =>
        `    ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`);
    return [`${violation.id}: ${violation.help}`, ...nodes].join('\n');
}

async function violations(page) {
    const { violations } = await page.evaluate(() => window.axe.run());
    return violations.map(inWords).join('\n');
}

eachPage('no violation in any theme, wide or narrow', {}, async (page) => {
    await page.evaluate(() => {
        document.querySelectorAll('main details').forEach((fold) => {
            fold.open = true;
        });
    });
    await page.addScriptTag({ content: axe });
    for (const theme of THEMES) {
        // The themes' menu is folded, and its buttons do their work all the same.
        await page.evaluate((id) => document.getElementById(id).click(),
            `mdbook-theme-${theme}`);
        for (const viewport of [WIDE, NARROW]) {
            await page.setViewportSize(viewport);
            // Two frames: by the second the listings know their new size.
            await page.evaluate(() => new Promise((done) => {
                requestAnimationFrame(() => requestAnimationFrame(done));
            }));
            const found = await violations(page);
            assert.equal(found, '', `${theme}, ${viewport.width} px:\n${found}`);
        }
    }
});

eachPage('no error in the console, no request elsewhere', {}, async (page, book) => {
    await page.waitForLoadState('networkidle');
    assert.deepEqual(page.wrong, []);
    const home = it.address(book, '');
    const elsewhere = page.requested.filter((url) =>
        !url.startsWith(home) && !url.startsWith('data:'));
    assert.deepEqual(elsewhere, []);
});

eachPage('nothing wider than a narrow window', { viewport: NARROW }, async (page) => {
    const widths = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        main: document.querySelector('#mdbook-content').scrollWidth,
    }));
    assert.ok(widths.page <= NARROW.width, `the page is ${widths.page} px wide`);
    assert.ok(widths.main <= NARROW.width, `its content is ${widths.main} px wide`);
});
