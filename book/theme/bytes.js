// The bytes of one frame, as text and as hex, part by part. Hovering over a byte, or moving
// to it with the arrow keys, highlights it in both views, highlights its JSON member, and
// describes its position.
window.frameBytes = (function () {
    'use strict';
    const ROW = 16;
    const encoder = new TextEncoder();

    // A part is a run of bytes of one kind. The end of a header is a separate part.
    function parts(step) {
        const all = [];
        let at = 0;
        function add(kind, text) {
            if (text) {
                const bytes = encoder.encode(text);
                all.push({ kind, text, bytes, at });
                at += bytes.length;
            }
        }
        if (step.noise !== undefined) {
            add('noise', step.noise);
            return all;
        }
        const end = step.header.indexOf('\r\n\r\n');
        add('header', end < 0 ? step.header : step.header.slice(0, end));
        add('header end', end < 0 ? '' : step.header.slice(end));
        add('body', step.body);
        add('line end', step.end);
        return all;
    }

    // Each byte with its part and its character.
    function cells(parts) {
        const all = [];
        for (const part of parts) {
            const fields = part.kind === 'body' ? window.jsonFields.paths(part.text) : [];
            let unit = 0;
            for (const character of part.text) {
                const bytes = encoder.encode(character);
                const first = all.length;
                const of = bytes.length;
                const field = fields[unit] || '';
                bytes.forEach((value, nth) => {
                    all.push({ value, part, character, first, of, nth, field });
                });
                unit += character.length;
            }
        }
        return all;
    }

    const NAMES = { '\n': '\\n', '\r': '\\r', '\t': '\\t', ' ': 'space' };

    function name(character) {
        return NAMES[character] || character;
    }

    function hex(value) {
        return value.toString(16).padStart(2, '0');
    }

    function range(from, length) {
        return length === 1 ? `byte ${from}` : `bytes ${from}–${from + length - 1}`;
    }

    function count(number, what) {
        return `${number} ${what}${number === 1 ? '' : 's'}`;
    }

    // "bytes 0–18: header, 19 bytes · bytes 23–123: body, 101 bytes, 97 characters"
    function caption(parts) {
        return parts.map(({ text, bytes, at, kind }) => {
            const characters = [...text].length;
            const differs = characters !== bytes.length;
            const note = differs ? `, ${count(characters, 'character')}` : '';
            const length = count(bytes.length, 'byte');
            return `${range(at, bytes.length)}: ${kind}, ${length}${note}`;
        }).join(' · ');
    }

    function describe(cell, at) {
        const place = `byte ${at}, ${hex(cell.value)}, in the ${cell.part.kind}`;
        const field = cell.field ? `, in ${cell.field}` : '';
        const nth = cell.of === 1 ? '' : `${cell.nth + 1} of the ${cell.of} bytes of `;
        return `${place}: ${nth}${name(cell.character)}${field}`;
    }

    function element(tag, name, text) {
        const made = document.createElement(tag);
        made.className = name;
        if (text !== undefined) {
            made.textContent = text;
        }
        return made;
    }

    function kind(part) {
        return 'is-' + part.kind.replace(' ', '-');
    }

    function textView(all) {
        const view = element('div', 'bytes-text');
        view.tabIndex = 0; // it scrolls
        view.setAttribute('role', 'group');
        view.setAttribute('aria-label', 'Bytes as text');
        let at = 0;
        while (at < all.length) {
            const cell = all[at];
            const shown = NAMES[cell.character] && cell.character !== ' '
                ? NAMES[cell.character] : cell.character;
            const letter = element('span', kind(cell.part), shown);
            letter.dataset.at = at;
            view.append(letter);
            if (cell.character === '\n' && at + 1 < all.length) {
                view.append(document.createElement('br'));
            }
            at += cell.of;
        }
        return view;
    }

    function hexView(all) {
        const view = element('div', 'bytes-hex');
        for (let from = 0; from < all.length; from += ROW) {
            const row = element('div', 'bytes-row');
            row.append(element('span', 'bytes-offset', String(from).padStart(4, '0')));
            all.slice(from, from + ROW).forEach((cell, nth) => {
                const byte = element('span', kind(cell.part), hex(cell.value));
                byte.dataset.at = from + nth;
                row.append(byte);
            });
            view.append(row);
        }
        return view;
    }

    const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ROW, ArrowDown: ROW };

    function show(into, step) {
        const made = parts(step);
        const all = cells(made);
        const text = textView(all);
        const bytes = hexView(all);
        const note = element('p', 'bytes-note', caption(made));
        const here = element('p', 'bytes-here', '\u00a0');
        let current = -1;

        function light(at) {
            into.querySelectorAll('.lit, .in-field').forEach((lit) =>
                lit.classList.remove('lit', 'in-field'));
            current = at;
            const cell = all[at];
            for (const span of into.querySelectorAll('[data-at]')) {
                const field = all[span.dataset.at].field;
                span.classList.toggle('in-field', field !== '' && field === cell.field);
            }
            text.querySelector(`[data-at="${cell.first}"]`).classList.add('lit');
            bytes.querySelector(`[data-at="${at}"]`).classList.add('lit');
            here.textContent = describe(cell, at);
        }

        function hover(event) {
            if (event.target.dataset.at !== undefined) {
                light(Number(event.target.dataset.at));
            }
        }

        function walk(event) {
            if (event.key === 'Home' || event.key === 'End') {
                light(event.key === 'Home' ? 0 : all.length - 1);
            } else if (MOVES[event.key]) {
                const to = Math.max(0, current + MOVES[event.key]);
                light(Math.min(all.length - 1, to));
            } else {
                return;
            }
            bytes.querySelector('.lit').scrollIntoView({ block: 'nearest' });
            event.preventDefault();
            event.stopPropagation();
        }

        bytes.tabIndex = 0;
        bytes.setAttribute('role', 'application');
        bytes.setAttribute('aria-roledescription', 'byte view');
        bytes.setAttribute('aria-label', 'Bytes in hex; use the arrow keys to move');
        here.setAttribute('aria-live', 'polite');
        bytes.addEventListener('keydown', walk);
        bytes.addEventListener('focus', () => light(Math.max(0, current)));
        for (const view of [text, bytes]) {
            view.addEventListener('mouseover', hover);
        }
        into.replaceChildren(note, text, bytes, here);
    }

    return { parts, caption, show };
})();
