// Rules for every page of both books.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { book, books, sample } from './lib/books.js';
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

// The violations that axe finds in each theme, as text; '' if there are none.
async function violations(page) {
    await page.addScriptTag({ content: axe });
    const all = [];
    for (const theme of THEMES) {
        // The buttons work although the menu of themes is closed.
        await page.evaluate((id) => document.getElementById(id).click(),
            `mdbook-theme-${theme}`);
        const { violations } = await page.evaluate(() => window.axe.run());
        all.push(...violations.map((violation) => `${theme}: ${inWords(violation)}`));
    }
    return all.join('\n');
}

for (const viewport of [WIDE, NARROW]) {
    const title = `no violation in any theme, ${viewport.width} px`;
    eachPage(title, { viewport }, async (page) => {
        await page.evaluate(() => {
            document.querySelectorAll('main details').forEach((fold) => {
                fold.open = true;
            });
            // Two frames: in the second the listings have their new size.
            return new Promise((done) => {
                requestAnimationFrame(() => requestAnimationFrame(done));
            });
        });
        assert.equal(await violations(page), '');
    });
}

test('no violation with a highlighted byte or with noise', () =>
    it.open(sample, 'player.html', {}, async (page) => {
        const player = page.locator('.player').last();
        for (let step = 0; step < 4; step += 1) {
            await player.press('ArrowRight');
        }
        await player.locator('.bytes-hex').focus();
        assert.equal(await player.locator('.bytes-note').innerText(),
            'bytes 0–3: noise, 4 bytes');
        assert.equal(await violations(page), '');
    }));

test('no violation in the search results', () =>
    it.open(sample, 'start.html', {}, async (page) => {
        await page.keyboard.press('/');
        await page.locator('#mdbook-searchbar').fill('heliotrope');
        await page.locator('#mdbook-searchresults li').first().waitFor();
        assert.equal(await violations(page), '');
    }));

eachPage('no error in the console, no request to another site', {}, async (page, book) => {
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

const language = (page) => page.evaluate(() => document.documentElement.lang);

test('the Chinese and the English page declare their languages', async () => {
    await it.open(book, 'start.zh.html', {}, async (page) =>
        assert.equal(await language(page), 'zh-CN'));
    await it.open(book, 'start.html', {}, async (page) =>
        assert.equal(await language(page), 'en'));
});

test("the glossary's Chinese words declare their language", () =>
    it.open(book, 'glossary.html', {}, async (page) => {
        const rows = await page.locator('main tr').evaluateAll((all) =>
            all.map((row) => Array.from(row.cells, (cell) => cell.lang)));
        assert.ok(rows.length > 30, `${rows.length} rows`);
        for (const row of rows) {
            assert.deepEqual(row, ['', '', 'zh-CN', '']);
        }
    }));
