import { word } from "../../ui/words";

const NAMED = ["reference", "command", "api", "code"] as const;
const ALL = ["guide", ...NAMED] as const;

/** What a kind of record is called on a hit; guides are what one expects and need no name. */
export function kindName(kind: string): string | null {
  const known = NAMED.find((name) => name === kind);
  return known === undefined ? null : word(`kind.${known}`);
}

/** Name of a facet's value on its chip. */
export function valueName(facet: string, value: string): string {
  const known = facet === "kind" ? ALL.find((name) => name === value) : undefined;
  return known === undefined ? value : word(`kinds.${known}`);
}

/** Place of a kind among the others; unknown ones come last. */
export function kindOrder(kind: string): number {
  const place = ALL.findIndex((name) => name === kind);
  return place === -1 ? ALL.length : place;
}
