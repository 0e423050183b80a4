// A reader cannot open a fold on paper, so printing opens all folds, and then closes those
// that it opened.
(function () {
    'use strict';
    let opened = [];

    function open() {
        const closed = document.querySelectorAll('main details:not([open])');
        closed.forEach((fold) => {
            fold.open = true;
            opened.push(fold);
        });
    }

    function close() {
        opened.forEach((fold) => {
            fold.open = false;
        });
        opened = [];
    }

    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', close);
    const paper = window.matchMedia('print');
    paper.addEventListener('change', () => (paper.matches ? open() : close()));
})();
