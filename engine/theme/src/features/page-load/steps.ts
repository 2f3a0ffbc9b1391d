// What the inline script lays out, and in which steps. `prose.css` holds it back until it is marked with `data-laid`.

/** Elements laid out at a time: some ten milliseconds of work on a slow machine. */
export const STEP = 60;

/** Heights of the window, from its top, within which browsers lay out what may wait. */
export const NEAR = 2.5;

export const ARTICLE = ".prose>:nth-child(n+6)";
export const BESIDE = ":is(.sidebar,.toc)";
