// Answers requests of the theme from the files of an index, in the shape of the protocol.
import type { SearchRequest, WireHit, WireResult } from "../client/wire";
import { HEADING, MOST_HITS } from "./criteria.gen";
import { combinationOf } from "./candidates";
import { Engine, type Found } from "./engine";
import { facetValue, makeFilter } from "./filters";
import type { Ranked } from "./ranking";
import { type Marks, snippet } from "./snippets";
import type { Shown, Store } from "./store";

const LEVELS = ["lvl0", "lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6"] as const;

/** Answers searches one after the other; rejects where a file of the index cannot be loaded. */
export class StaticSearch {
  readonly #store: Store;
  readonly #engine: Engine;

  constructor(store: Store) {
    this.#store = store;
    this.#engine = new Engine(store);
  }

  /** `perGroup`: hits of one section and category that are needed; null for all. */
  async search(requests: readonly SearchRequest[], perGroup: number | null = null): Promise<WireResult[]> {
    const results: WireResult[] = [];
    for (const request of requests) results.push(await this.#store.complete(() => this.#answer(request, perGroup)));
    return results;
  }

  #answer(request: SearchRequest, perGroup: number | null): WireResult {
    const { root } = this.#store;
    const filter = makeFilter(root, (request.facetFilters ?? []) as (string | string[])[]);
    const start = ((request.page ?? 0) as number) * request.hitsPerPage;
    const found = this.#engine.search(request.query, filter, start + request.hitsPerPage);
    this.#store.check();
    const asked = found.ranked.slice(start, start + request.hitsPerPage);
    const chosen = perGroup === null ? asked : this.#firstOfGroups(asked, perGroup);
    const texts = chosen.map(({ candidate }) => this.#store.shown(candidate.page, candidate.record));
    this.#store.check();
    const count = Math.min(found.count, MOST_HITS);
    return {
      hits: chosen.map((item, index) => this.#hit(item, texts[index], found, request)),
      nbHits: found.count,
      exhaustiveNbHits: true,
      nbPages: request.hitsPerPage > 0 ? Math.ceil(count / request.hitsPerPage) : 0,
      facets: this.#counts(found.counted, (request.facets ?? []) as string[]),
    };
  }

  /** Without those hits of a group that come after as many of it. */
  #firstOfGroups(ranked: readonly Ranked[], most: number): Ranked[] {
    const counts = new Map<string, number>();
    return ranked.filter(({ candidate: { page } }) => {
      const group = combinationOf(this.#store.root, page)[4] ?? "";
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return count <= most;
    });
  }

  #counts(hits: Found["counted"], facets: readonly string[]): Record<string, Record<string, number>> {
    return Object.fromEntries(
      facets.map((facet) => {
        const counts = new Map<string, number>();
        for (const [page, kind] of hits) {
          const value = facetValue(this.#store.root, facet, page, kind);
          if (value !== null && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        const sorted = [...counts].sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1));
        return [facet, Object.fromEntries(sorted)];
      }),
    );
  }

  #hit({ candidate }: Ranked, shown: Shown | undefined, { plan }: Found, request: SearchRequest): WireHit {
    const { page, record } = candidate;
    const { root } = this.#store;
    const { url = "", anchor = "", kind: ownKind = "", titles = [], content = null } = shown ?? {};
    const [, version, , , group, kind] = root.combinations[root.combinationOf[page] ?? 0] ?? [];
    const hierarchy: Record<string, string | null> = { lvl0: group ?? null };
    LEVELS.slice(1).forEach((level, index) => (hierarchy[level] = titles[index + 1] ?? null));
    const words = wordsOf(request);
    const marks: Marks = {
      before: (request.highlightPreTag ?? "<em>") as string,
      after: (request.highlightPostTag ?? "</em>") as string,
      ellipsis: (request.snippetEllipsisText ?? "…") as string,
    };
    const cut = (value: string): { value: string } => ({ value: snippet(value, plan, marks, words) });
    return {
      objectID: `${page}-${record}`,
      url: anchor === "" ? url : `${url}#${anchor}`,
      type: record % HEADING > 0 ? "content" : `lvl${titles.length - 1}`,
      kind: ownKind !== "" ? ownKind : (kind ?? "guide"),
      version: version ?? null,
      hierarchy,
      _snippetResult: {
        hierarchy: Object.fromEntries(
          Object.entries(hierarchy)
            .filter(([level, value]) => level !== "lvl0" && value !== null)
            .map(([level, value]) => [level, cut(value ?? "")]),
        ),
        ...(content !== null && { content: cut(content) }),
      },
    };
  }
}

function wordsOf(request: SearchRequest): number {
  const [first = ""] = (request.attributesToSnippet ?? []) as string[];
  return Number(first.split(":")[1] ?? 10);
}
