// Wide listings scroll inside their block. To be scrolled by keyboard they can be focused,
// and they then get the arrow keys: mdBook changes the page on ArrowLeft and ArrowRight
// wherever the focus is.
(function () {
    'use strict';
    const main = document.querySelector('main');
    if (!main) {
        return;
    }
    const SCROLLERS = 'pre > code, .table-wrapper, .picture-scroll';
    const KEEPS_ARROWS = SCROLLERS + ', pre, .player, input, textarea, select';

    function label(scroller) {
        if (scroller.matches('.table-wrapper')) {
            return 'Table';
        }
        if (scroller.matches('.picture-scroll')) {
            return 'Picture';
        }
        const language = /language-([\w-]+)/.exec(scroller.className);
        const name = language && language[1] !== 'text' ? language[1] + ' ' : '';
        return name + 'listing';
    }

    function makeFocusable(scroller) {
        const wide = scroller.scrollWidth > scroller.clientWidth;
        const tall = scroller.scrollHeight > scroller.clientHeight + 1;
        if (!wide && !tall) {
            scroller.removeAttribute('tabindex');
            return;
        }
        scroller.tabIndex = 0;
        if (!scroller.hasAttribute('aria-label')) {
            scroller.setAttribute('role', scroller.getAttribute('role') || 'group');
            scroller.setAttribute('aria-label', label(scroller) + ', scrolls');
        }
    }

    main.querySelectorAll('figure.picture > svg').forEach((picture) => {
        const scroller = document.createElement('div');
        scroller.className = 'picture-scroll';
        picture.replaceWith(scroller);
        scroller.append(picture);
    });

    const sizes = new ResizeObserver((entries) => {
        entries.forEach((entry) => makeFocusable(entry.target));
    });
    main.querySelectorAll(SCROLLERS).forEach((scroller) => {
        makeFocusable(scroller);
        sizes.observe(scroller);
    });

    // mdBook listens on the document, so an event that is stopped here does not reach it.
    main.addEventListener('keydown', (event) => {
        const arrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
        if (arrow && event.target.closest(KEEPS_ARROWS)) {
            event.stopPropagation();
        }
    });
})();
