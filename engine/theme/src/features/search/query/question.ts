/** Facets by which readers narrow a search down. */
export const FACETS = ["section", "kind"] as const;
export type Facet = (typeof FACETS)[number];

/** Values chosen in each facet; any of them will do, none means all. */
export type Chosen = Readonly<Record<Facet, readonly string[]>>;

export interface Question {
  query: string;
  chosen: Chosen;
  /** Also outside of the reader's language and version. */
  isEverywhere: boolean;
  /** Name of the version that is searched in place of the reader's; null for theirs. */
  version: string | null;
}

export const NOTHING_CHOSEN: Chosen = { section: [], kind: [] };
export const NO_QUESTION: Question = { query: "", chosen: NOTHING_CHOSEN, isEverywhere: false, version: null };

/** Longest query, in characters, in the dialog's field and on the page; a longer one can be pasted into the dialog. */
export const LONGEST_IN_DIALOG = 64;
const LONGEST_ON_PAGE = 512;

/** Cut text to so many characters; half of one that takes two, such as an emoji, is left out, for it is not text to a server. */
export function cut(text: string, most: number = LONGEST_ON_PAGE): string {
  return text.slice(0, most).replace(/\p{Cs}/gu, "");
}

/** Put pasted text into a query in place of a selection; lines become words. */
export function pasted(query: string, text: string, start: number, end: number): string {
  const words = text.trim().replace(/\s+/g, " ");
  return cut(query.slice(0, start) + words + query.slice(end));
}

export function isNarrowed({ chosen, isEverywhere }: Question): boolean {
  return !isEverywhere || FACETS.some((facet) => chosen[facet].length > 0);
}

/** Choose a value, or take the choice back. */
export function toggle(chosen: Chosen, facet: Facet, value: string): Chosen {
  const values = chosen[facet];
  return { ...chosen, [facet]: values.includes(value) ? values.filter((one) => one !== value) : [...values, value] };
}

/** Read a question from the query of an address; what is not understood is left out. */
export function parseQuestion(search: string): Question {
  const parameters = new URLSearchParams(search);
  return {
    query: cut(parameters.get("q") ?? ""),
    chosen: { section: parameters.getAll("section"), kind: parameters.getAll("kind") },
    isEverywhere: parameters.get("scope") === "all",
    version: parameters.get("version"),
  };
}

/** Address of the search page with a question; `parseQuestion` reads it. */
export function questionHref(pageHref: string, { query, chosen, isEverywhere, version }: Question): string {
  const parameters = new URLSearchParams();
  if (query !== "") parameters.set("q", query);
  for (const facet of FACETS) for (const value of chosen[facet]) parameters.append(facet, value);
  if (isEverywhere) parameters.set("scope", "all");
  if (version !== null) parameters.set("version", version);
  const text = parameters.toString();
  return text === "" ? pageHref : `${pageHref}?${text}`;
}
