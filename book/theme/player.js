// The frame player: a recording of a real conversation, step by step. A figure of the class
// `frame-player` contains the recording as JSON, and the transcript for browsers without
// scripts. The book's README.md shows how to write one.
(function () {
    'use strict';
    // Bounds of the pauses in playback, in ms; in between they are as recorded.
    const SHORTEST = 700;
    const LONGEST = 2000;

    function element(tag, name, text) {
        const made = document.createElement(tag);
        made.className = name;
        if (text !== undefined) {
            made.textContent = text;
        }
        return made;
    }

    function title(step) {
        if (step.event !== undefined) {
            return step.event;
        }
        if (step.noise !== undefined) {
            return 'bytes outside any frame';
        }
        let message = {};
        try {
            message = JSON.parse(step.body);
        } catch {
            return 'a frame that is not valid JSON';
        }
        const id = 'id' in message ? ` id ${JSON.stringify(message.id)}` : '';
        if (message.method !== undefined) {
            return (id ? `request${id}: ` : 'notification: ') + message.method;
        }
        return (message.error ? `error${id}: ${message.error.code}` : `result${id}`);
    }

    class Player {
        constructor(figure, recording) {
            this.steps = recording.steps;
            this.at = 0;
            this.timer = null;
            this.root = this.build(figure, recording);
            this.show();
        }

        build(figure, recording) {
            const root = element('div', 'player');
            root.setAttribute('role', 'group');
            const label = figure.getAttribute('aria-label') || 'Frames';
            root.setAttribute('aria-label', label);
            root.tabIndex = -1;
            this.client = this.lane('client', recording.client);
            this.server = this.lane('server', recording.server);
            this.arrow = element('div', 'player-arrow');
            const lanes = element('div', 'player-lanes');
            lanes.append(this.client.lane, this.arrow, this.server.lane);
            this.status = element('p', 'player-status');
            this.status.setAttribute('aria-live', 'polite');
            this.bytes = element('div', 'player-bytes');
            root.append(this.buttons(), lanes, this.status, this.bytes);
            root.addEventListener('keydown', (event) => this.key(event));
            return root;
        }

        lane(side, program) {
            const lane = element('div', `player-lane is-${side}`);
            const state = element('span', 'player-state');
            const pending = element('span', 'player-pending');
            lane.append(
                element('strong', 'player-side', side),
                element('span', 'player-program', program),
                state,
                pending,
            );
            return { lane, state, pending };
        }

        buttons() {
            const bar = element('div', 'player-buttons');
            const add = (label, sign, act) => {
                const button = element('button', 'player-button', sign);
                button.type = 'button';
                button.setAttribute('aria-label', label);
                button.title = label;
                button.addEventListener('click', act);
                bar.append(button);
                return button;
            };
            this.first = add('First frame', '|◀\ufe0e', () => this.go(0));
            this.back = add('Previous frame', '◀\ufe0e', () => this.go(this.at - 1));
            this.playButton = add('Play', 'Play', () => this.toggle());
            this.next = add('Next frame', '▶\ufe0e', () => this.go(this.at + 1));
            this.last = add('Last frame', '▶\ufe0e|', () => this.go(this.end()));
            this.place = element('span', 'player-place');
            bar.append(this.place);
            return bar;
        }

        end() {
            return this.steps.length - 1;
        }

        go(to) {
            this.pause();
            this.at = Math.max(0, Math.min(this.end(), to));
            this.show();
        }

        toggle() {
            if (this.timer) {
                this.pause();
                return;
            }
            if (this.at === this.end()) {
                this.at = 0;
                this.show();
            }
            this.schedule();
        }

        schedule() {
            if (this.at === this.end()) {
                this.pause();
                return;
            }
            const gap = this.steps[this.at + 1].ms - this.steps[this.at].ms;
            const wait = Math.max(SHORTEST, Math.min(LONGEST, gap));
            this.timer = setTimeout(() => {
                this.at += 1;
                this.show();
                this.schedule();
            }, wait);
            this.label('Pause');
        }

        pause() {
            clearTimeout(this.timer);
            this.timer = null;
            this.label('Play');
        }

        label(name) {
            this.playButton.setAttribute('aria-label', name);
            this.playButton.title = name;
            this.playButton.textContent = name;
        }

        key(event) {
            const keys = {
                ArrowLeft: () => this.go(this.at - 1),
                ArrowRight: () => this.go(this.at + 1),
                Home: () => this.go(0),
                End: () => this.go(this.end()),
            };
            if (event.altKey || event.ctrlKey || event.metaKey) {
                return;
            }
            // Space on a button activates that button.
            if (event.key === ' ' && event.target.tagName !== 'BUTTON') {
                keys[' '] = () => this.toggle();
            }
            if (keys[event.key]) {
                keys[event.key]();
                event.preventDefault();
                event.stopPropagation();
            }
        }

        show() {
            const step = this.steps[this.at];
            this.client.state.textContent = step.client;
            this.server.state.textContent = step.server;
            const waiting = step.pending.map((id) => JSON.stringify(id)).join(', ');
            this.client.pending.textContent = `pending: ${waiting || 'none'}`;
            const there = step.from === 'client' ? '→' : '←';
            this.arrow.className = `player-arrow is-${step.from}`;
            this.arrow.replaceChildren(
                element('span', 'player-title', title(step)),
                element('span', 'player-line', there),
                element('span', 'player-time', `${step.ms} ms`),
            );
            this.arrow.children[1].setAttribute('aria-hidden', 'true');
            const count = `${this.at + 1} of ${this.steps.length}`;
            this.place.textContent = count;
            this.status.textContent = `${count}, from ${step.from}: ${title(step)}`;
            this.first.disabled = this.back.disabled = this.at === 0;
            this.next.disabled = this.last.disabled = this.at === this.end();
            this.keepFocus();
            if (step.event !== undefined) {
                this.bytes.replaceChildren(element('p', 'bytes-note', 'no bytes'));
            } else {
                window.frameBytes.show(this.bytes, step);
            }
        }

        // When a focused button is disabled, the focus would leave the player.
        keepFocus() {
            const focused = document.activeElement;
            if (focused && focused.disabled && this.root.contains(focused)) {
                this.playButton.focus();
            }
        }
    }

    document.querySelectorAll('.frame-player').forEach((figure) => {
        const script = figure.querySelector('script[type="application/json"]');
        const player = new Player(figure, JSON.parse(script.textContent));
        const transcript = element('details', 'player-transcript');
        transcript.append(element('summary', '', 'Transcript'));
        [...figure.children].forEach((child) => {
            if (child !== script && child.tagName !== 'FIGCAPTION') {
                transcript.append(child);
            }
        });
        figure.prepend(player.root, transcript);
    });
})();
