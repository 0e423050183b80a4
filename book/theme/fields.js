// For each character of a JSON text, the path of its member: `params.arguments.text`.
window.jsonFields = (function () {
    'use strict';
    const PUNCTUATION = /[{}[\]:,]/y;
    const STRING = /"(?:[^"\\]|\\.)*"/y;
    const OTHER = /[^\s{}[\]:,"]+/y;

    // One path for each UTF-16 code unit of `text`; empty outside members.
    function paths(text) {
        const all = new Array(text.length).fill('');
        const open = []; // the enclosing objects and arrays
        let at = 0;

        function match(pattern) {
            pattern.lastIndex = at;
            const found = pattern.exec(text);
            return found ? found[0] : '';
        }

        // The current path.
        function path() {
            return open.map((level) => level.name).filter(Boolean).join('.');
        }

        function mark(length, name) {
            all.fill(name, at, at + length);
            at += length;
        }

        function top() {
            return open[open.length - 1] || {};
        }

        while (at < text.length) {
            const token = match(STRING) || match(OTHER) || match(PUNCTUATION);
            const level = top();
            if (token === '{' || token === '[') {
                mark(1, path());
                const isArray = token === '[';
                const name = isArray ? '0' : '';
                open.push({ isArray, index: 0, name, wantsName: !isArray });
            } else if (token === '}' || token === ']') {
                open.pop();
                mark(1, path());
            } else if (token === ',') {
                mark(1, '');
                level.index += 1;
                level.name = level.isArray ? String(level.index) : '';
                level.wantsName = !level.isArray;
            } else if (level.wantsName && token[0] === '"') {
                level.name = token.slice(1, -1);
                level.wantsName = false;
                mark(token.length, path());
            } else {
                mark(token.length || 1, path());
            }
        }
        return all;
    }

    return { paths };
})();
