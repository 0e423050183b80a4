// One browser for a file of tests, and pages that record their errors.
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { books, serve } from './books.js';

export const THEMES = ['light', 'navy'];
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 740 };

export function browser() {
    const it = { addresses: {} };
    const servers = [];
    before(async () => {
        it.chromium = await chromium.launch({
            executablePath: process.env.CHROMIUM,
            args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
        });
        for (const book of books) {
            const server = await serve(book.folder);
            servers.push(server);
            it.addresses[book.name] = server.address;
        }
    });
    after(async () => {
        await it.chromium.close();
        servers.forEach((server) => server.close());
    });

    it.address = (book, page) => `${it.addresses[book.name]}/${page}`;

    // Runs `work` with a new page in a separate context, and closes it.
    it.with = async (options, work) => {
        const { theme = 'light', viewport = WIDE, ...rest } = options;
        const context = await it.chromium.newContext({ viewport, ...rest });
        await context.addInitScript((name) => {
            try {
                localStorage.setItem('mdbook-theme', name);
            } catch {
                // A page without an origin has no storage.
            }
        }, theme);
        const page = await context.newPage();
        page.wrong = [];
        page.requested = [];
        page.on('console', (message) => {
            if (message.type() === 'error') {
                page.wrong.push(message.text());
            }
        });
        page.on('pageerror', (error) => page.wrong.push(String(error)));
        page.on('request', (request) => page.requested.push(request.url()));
        try {
            return await work(page);
        } finally {
            await context.close();
        }
    };

    it.open = (book, name, options, work) => it.with(options, async (page) => {
        await page.goto(it.address(book, name));
        return work(page);
    });
    return it;
}
