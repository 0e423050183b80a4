// The books under test, and a server for their files.
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../../../target/', import.meta.url));

// Not pages of the text: the whole book in one page, the sidebar without scripts, and the
// page for unknown addresses.
const OTHER = ['print.html', 'toc.html', '404.html'];

function pages(folder) {
    const files = readdirSync(folder, { recursive: true });
    const isPage = (file) => file.endsWith('.html') && !OTHER.includes(file);
    return files.filter(isPage).sort();
}

export const book = { name: 'book', folder: join(target, 'book') };
export const sample = { name: 'sample', folder: join(target, 'book-sample', 'book') };
export const books = [book, sample];
for (const each of books) {
    each.pages = pages(each.folder);
}

const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.woff2': 'font/woff2',
};

// Serves a folder on a free local port.
export async function serve(folder) {
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://x/').pathname);
        const file = join(folder, normalize(path));
        if (!existsSync(file)) {
            response.writeHead(404).end();
            return;
        }
        const type = TYPES[extname(file)] || 'text/plain';
        response.writeHead(200, { 'content-type': type });
        createReadStream(file).pipe(response);
    });
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    const address = `http://127.0.0.1:${server.address().port}`;
    return { address, close: () => server.close() };
}
