// The frame player with the sample's recordings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sample } from './lib/books.js';
import { browser } from './lib/browser.js';

const it = browser();
const recording = (name) => JSON.parse(readFileSync(
    new URL(`../src/recordings/${name}.json`, import.meta.url), 'utf8'));
const first = recording('04-content-length');

function open(options, work) {
    return it.open(sample, 'player.html', options, (page) =>
        work(page, page.locator('.player').first()));
}

const place = (player) => player.locator('.player-place').innerText();
const of = (step) => `${step} of ${first.steps.length}`;

test('buttons step through the recording', () =>
    open({}, async (page, player) => {
        assert.equal(await place(player), of(1));
        await player.getByRole('button', { name: 'Next frame' }).click();
        assert.equal(await place(player), of(2));
        await player.getByRole('button', { name: 'Last frame' }).click();
        assert.equal(await place(player), of(first.steps.length));
        await player.getByRole('button', { name: 'Previous frame' }).click();
        assert.equal(await place(player), of(first.steps.length - 1));
        await player.getByRole('button', { name: 'First frame' }).click();
        assert.equal(await place(player), of(1));
    }));

test('keys step through the recording, and the focus stays in the player', () =>
    open({}, async (page, player) => {
        await player.getByRole('button', { name: 'Next frame' }).focus();
        const steps = [['ArrowRight', 2], ['ArrowRight', 3], ['ArrowLeft', 2]];
        for (const [key, at] of [...steps, ['End', first.steps.length], ['Home', 1]]) {
            await page.keyboard.press(key);
            assert.equal(await place(player), of(at), key);
        }
        assert.ok(await player.evaluate((it) => it.contains(document.activeElement)));
        assert.match(page.url(), /player\.html$/);
    }));

test('each step shows its frame, its time and both states', () =>
    open({}, async (page, player) => {
        for (const step of first.steps) {
            const text = await player.innerText();
            assert.ok(text.includes(`${step.ms} ms`));
            const lane = (side) =>
                player.locator(`.is-${side} .player-state`).innerText();
            assert.equal(await lane('client'), step.client);
            assert.equal(await lane('server'), step.server);
            const ids = step.pending.join(', ') || 'none';
            assert.ok(text.includes(`pending: ${ids}`));
            if (step.body) {
                const shown = await player.locator('.bytes-text').innerText();
                assert.ok(shown.replaceAll('\n', '').includes(step.body));
            }
            await player.press('ArrowRight');
        }
    }));

test('play advances and pause stops it', () =>
    open({}, async (page, player) => {
        await player.getByRole('button', { name: 'Play' }).click();
        await page.waitForFunction((text) =>
            document.querySelector('.player-place').innerText === text, of(2));
        await player.getByRole('button', { name: 'Pause' }).click();
        const stopped = await place(player);
        await page.waitForTimeout(1500);
        assert.equal(await place(player), stopped);
    }));

async function toHello(page) {
    const player = page.locator('.player').nth(1);
    for (let step = 0; step < 3; step += 1) {
        await player.getByRole('button', { name: 'Next frame' }).click();
    }
    return player;
}

test('the caption counts bytes, and characters where they differ', () =>
    open({}, async (page) => {
        const player = await toHello(page);
        assert.equal(await player.locator('.bytes-note').innerText(), [
            'bytes 0–18: header, 19 bytes',
            'bytes 19–22: header end, 4 bytes',
            'bytes 23–123: body, 101 bytes, 97 characters',
        ].join(' · '));
    }));

test('a byte under the mouse is highlighted in both views and described', () =>
    open({}, async (page) => {
        const player = await toHello(page);
        await player.locator('.bytes-hex [data-at="115"]').hover();
        const lit = await player.locator('.lit').allInnerTexts();
        assert.deepEqual(lit, ['你', 'bd']);
        const field = await player.locator('.bytes-text .in-field').allInnerTexts();
        assert.equal(field.join(''), '"text":"你好"');
        assert.equal(await player.locator('.bytes-here').innerText(),
            'byte 115, bd, in the body: 2 of the 3 bytes of 你, in params.arguments.text');
    }));

test('arrow keys move from byte to byte', () =>
    open({}, async (page) => {
        const player = await toHello(page);
        await player.locator('.bytes-hex').focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
        assert.equal(await player.locator('.bytes-here').innerText(),
            'byte 17, 30, in the header: 0');
        assert.match(page.url(), /player\.html$/);
    }));

test('the transcript is kept in a fold', () =>
    open({}, async (page) => {
        const fold = page.locator('.player-transcript').first();
        assert.equal(await fold.evaluate((it) => it.open), false);
        await fold.locator('summary').click();
        assert.ok(await fold.getByText('[mcp:send]').first().isVisible());
    }));

test('without scripts the page shows the transcript and no JSON', () =>
    open({ javaScriptEnabled: false }, async (page) => {
        assert.equal(await page.locator('.player').count(), 0);
        const text = await page.locator('main').innerText();
        assert.ok(text.includes('[mcp:send]'));
        assert.ok(!text.includes('"steps"'));
        assert.ok(text.includes('Text after the players.'));
    }));

test('it works from a file URL', () =>
    it.with({}, async (page) => {
        await page.goto(pathToFileURL(join(sample.folder, 'player.html')).href);
        const player = page.locator('.player').first();
        await player.getByRole('button', { name: 'Next frame' }).click();
        assert.equal(await place(player), of(2));
        assert.deepEqual(page.wrong, []);
        assert.ok(page.requested.every((url) => url.startsWith('file:')));
    }));
