// Icons of 24 by 24 units, each one path: they are drawn in the page (as masks in the style sheet they cost
// each element that shows one a share of the first layout). Those that only some pages need are with their features.
export const PICTURES = {
  check: "M5 13l4 4L19 7",
  chevron: "M9 6l6 6-6 6",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M11 9h7a2 2 0 012 2v7a2 2 0 01-2 2h-7a2 2 0 01-2-2v-7a2 2 0 012-2zM5 15V6a2 2 0 012-2h8",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  external: "M8 16L17 7M9 7h8v8",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M4.5 11a6.5 6.5 0 1013 0 6.5 6.5 0 10-13 0M16 16l4.5 4.5",
  up: "M12 19V6M6 11l6-6 6 6",
  wrap: "M4 6h16M4 12h13a3 3 0 010 6h-4m2-2l-2 2 2 2M4 18h5",
} as const;

/** Pictures of the color modes, by what the reader has chosen. */
export const MODE_PICTURES = {
  system: "M5.5 4.5h13a2 2 0 012 2v8a2 2 0 01-2 2h-13a2 2 0 01-2-2v-8a2 2 0 012-2zM8.5 20h7M12 16.5V20",
  light:
    "M8 12a4 4 0 108 0 4 4 0 10-8 0M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1",
  dark: "M20 14.5A8.5 8.5 0 019.5 4a8.5 8.5 0 1010.5 10.5z",
} as const;

/** Marks of other companies: areas, not lines. */
export const BRAND_PICTURES = {
  discord:
    "M9 4.5L8.5 4A16 16 0 004.5 5.3C2 9 1.4 12.6 1.7 16.2a16 16 0 005 2.5l1-1.7-1.6-.8.4-.3a11.5 11.5 0 0011 0l.4.3-1.6.8 1 1.7a16 16 0 005-2.5c.4-4.2-.7-7.8-2.8-10.9A16 16 0 0015.5 4l-.5.5a15 15 0 00-6 0zM8.7 14c-1 0-1.8-.9-1.8-2s.8-2 1.8-2 1.8.9 1.8 2-.8 2-1.8 2zm6.6 0c-1 0-1.8-.9-1.8-2s.8-2 1.8-2 1.8.9 1.8 2-.8 2-1.8 2z",
  github:
    "M12 2a10 10 0 00-3.2 19.5c.5.1.7-.2.7-.5v-1.7c-2.8.6-3.4-1.3-3.4-1.3-.4-1.2-1.1-1.5-1.1-1.5-.9-.6.1-.6.1-.6 1 .1 1.5 1 1.5 1 .9 1.6 2.4 1.1 2.9.9.1-.7.4-1.1.6-1.4-2.2-.2-4.5-1.1-4.5-4.9 0-1.1.4-2 1-2.7-.1-.2-.4-1.2.1-2.6 0 0 .8-.3 2.7 1a9.4 9.4 0 015 0c1.9-1.3 2.7-1 2.7-1 .5 1.4.2 2.4.1 2.6.6.7 1 1.6 1 2.7 0 3.8-2.3 4.7-4.5 4.9.4.3.7.9.7 1.9V21c0 .3.2.6.7.5A10 10 0 0012 2z",
  linkedin:
    "M4 9h3.5v11H4zM5.75 3.5a2 2 0 110 4 2 2 0 010-4zM10 9h3.3v1.5c.5-.9 1.7-1.8 3.4-1.8 3.5 0 4.1 2.3 4.1 5.3v6h-3.5v-5.3c0-1.3 0-2.9-1.8-2.9s-2 1.4-2 2.8V20H10z",
  youtube:
    "M5 5.5C8 5 16 5 19 5.5c1.5.3 2.5 1.3 2.7 2.7.4 2.5.4 5.1 0 7.6-.2 1.4-1.2 2.4-2.7 2.7-3 .5-11 .5-14 0-1.5-.3-2.5-1.3-2.7-2.7a25 25 0 010-7.6C2.5 6.8 3.5 5.8 5 5.5zM10 9v6l5.2-3z",
} as const;

export type PictureName = keyof typeof PICTURES;
export type BrandName = keyof typeof BRAND_PICTURES;
