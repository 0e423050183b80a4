// The keyboard on every page: arrows, sidebar, folds, search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { book, sample } from './lib/books.js';
import { NARROW, browser } from './lib/browser.js';

const it = browser();

test('arrow keys outside listings change the page', () =>
    it.open(sample, 'player.html', {}, async (page) => {
        await page.keyboard.press('ArrowRight');
        await page.waitForURL('**/listings.html');
        await page.keyboard.press('ArrowLeft');
        await page.waitForURL('**/player.html');
    }));

test('arrow keys in a listing scroll it and do not change the page', () =>
    it.open(sample, 'listings.html', {}, async (page) => {
        const listing = page.locator('main pre > code').first();
        await listing.focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.waitForFunction(() =>
            document.querySelector('main pre > code').scrollLeft > 0);
        assert.match(page.url(), /listings\.html$/);
    }));

test('only a listing that scrolls can be focused, and it has a label', () =>
    it.open(sample, 'listings.html', {}, async (page) => {
        const all = page.locator('main pre > code');
        assert.equal(await all.nth(0).getAttribute('tabindex'), '0');
        assert.equal(await all.nth(0).getAttribute('aria-label'), 'listing, scrolls');
        assert.equal(await all.nth(1).getAttribute('tabindex'), null);
    }));

test('the sidebar can be reached and toggled by keyboard', () =>
    it.open(sample, 'start.html', {}, async (page) => {
        const toggle = page.locator('#mdbook-sidebar-button');
        const before = await toggle.getAttribute('aria-expanded');
        for (let tabs = 0; tabs < 40; tabs += 1) {
            await page.keyboard.press('Tab');
            if (await toggle.evaluate((it) => it === document.activeElement)) {
                break;
            }
        }
        for (const key of ['Enter', ' ']) {
            await page.keyboard.press(key);
            const expected = key === 'Enter' ? String(before !== 'true') : before;
            assert.equal(await toggle.getAttribute('aria-expanded'), expected, key);
        }
    }));

test('a fold can be opened and closed by keyboard', () =>
    it.open(sample, 'listings.html', {}, async (page) => {
        const fold = page.locator('main details').first();
        await fold.locator('summary').focus();
        await page.keyboard.press('Enter');
        assert.equal(await fold.evaluate((it) => it.open), true);
        await page.keyboard.press(' ');
        assert.equal(await fold.evaluate((it) => it.open), false);
    }));

async function search(page, word) {
    await page.keyboard.press('/');
    await page.locator('#mdbook-searchbar').pressSequentially(word);
    const hits = page.locator('#mdbook-searchresults li a:first-child');
    await hits.first().waitFor();
    return hits.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

for (const [language, word] of [['English', 'heliotrope'], ['Chinese', '握手协议']]) {
    test(`the search finds a word in ${language}`, () =>
        it.open(sample, 'listings.html', {}, async (page) => {
            const hits = (await search(page, word)).join(' ');
            assert.match(hits, /start\.html/);
        }));
}

test('the search finds a word of the book itself', () =>
    it.open(book, book.pages[0], {}, async (page) => {
        const hits = await search(page, 'JSON-RPC');
        assert.ok(hits.length > 0);
    }));

test('the search finds a Chinese word of the book itself', () =>
    it.open(book, book.pages[0], {}, async (page) => {
        const hits = (await search(page, '适配器')).join(' ');
        assert.match(hits, /start\.zh\.html/);
    }));

test('arrow keys in the search field do not change the page', () =>
    it.open(sample, 'player.html', { viewport: NARROW }, async (page) => {
        await search(page, 'player');
        await page.locator('#mdbook-searchbar').press('ArrowLeft');
        assert.match(page.url(), /player\.html/);
    }));
