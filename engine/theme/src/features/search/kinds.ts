/** What a kind of record is called on a hit; guides are what one expects and need no name. */
const NAMES: Readonly<Partial<Record<string, string>>> = {
  reference: "Reference",
  command: "Command",
  api: "API",
  code: "Code",
};

const PLURALS: Readonly<Partial<Record<string, string>>> = {
  guide: "Guides",
  reference: "Reference",
  command: "Commands",
  api: "API",
  code: "Code",
};

export function kindName(kind: string): string | null {
  return NAMES[kind] ?? null;
}

/** Name of a facet's value on its chip. */
export function valueName(facet: string, value: string): string {
  return facet === "kind" ? (PLURALS[value] ?? value) : value;
}

/** Place of a kind among the others; unknown ones come last. */
export function kindOrder(kind: string): number {
  const place = Object.keys(PLURALS).indexOf(kind);
  return place === -1 ? Object.keys(PLURALS).length : place;
}
