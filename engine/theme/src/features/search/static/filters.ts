import { KINDS, OWN_ANCHOR } from "./criteria.gen";
import type { Root } from "./store";

/** Tells whether records of a page meet what a request asks for; `kind` is that of the record, 0 for its page's. */
export type Filter = (page: number, kind: number) => boolean;

/** Value of a facet of a record: page, and its kind as above. */
export function facetValue(root: Root, facet: string, page: number, kind: number): string | null {
  const [language, version, tag, section, group, pageKind] = root.combinations[root.combinationOf[page] ?? 0] ?? [];
  switch (facet) {
    case "language":
    case "lang":
      return language ?? null;
    case "version":
      return version ?? null;
    case "docusaurus_tag":
      return tag ?? null;
    case "section":
      return section ?? null;
    case "hierarchy.lvl0":
      return group ?? null;
    case "kind":
      return KINDS[(kind & (OWN_ANCHOR - 1)) - 1] ?? pageKind ?? null;
    default:
      return null;
  }
}

/** All of a list of `attribute:value` must hold, any of an inner list. */
export function makeFilter(root: Root, conditions: readonly (string | readonly string[])[]): Filter {
  const groups = conditions.map((group) =>
    (typeof group === "string" ? [group] : group).map((condition) => {
      const colon = condition.indexOf(":");
      return [condition.slice(0, colon), condition.slice(colon + 1)] as const;
    }),
  );
  return (page, kind) =>
    groups.every((group) => group.some(([facet, value]) => facetValue(root, facet, page, kind) === value));
}
