import type { SearchRequest } from "../client/wire";
import { MARK_END, MARK_START } from "./marks";
import { FACETS, type Facet, type Question } from "./question";
import { type Scope, scopeFilters } from "./scope";

/** Hits of one request. */
const PAGE_SIZE = 20;

/** What is the same in all searches of a reader on a page. */
export interface RequestSettings {
  indexName: string;
  scope: Scope;
  /** Words in a snippet. */
  snippetWords: number;
  /** Ask for the id under which choices are told. */
  hasInsights: boolean;
}

const LEVELS = ["lvl0", "lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6"].map((level) => `hierarchy.${level}`);

/**
 * Searches that answer a question: the hits, then for each facet in which something is chosen the counts of its
 * other values.
 */
export function makeRequests(settings: RequestSettings, question: Question, page: number): SearchRequest[] {
  const narrowed = FACETS.filter((facet) => question.chosen[facet].length > 0);
  return [
    {
      ...count(settings, question, null),
      hitsPerPage: PAGE_SIZE,
      page,
      facets: [...FACETS],
      attributesToRetrieve: [...LEVELS, "type", "url", "kind", "version"],
      attributesToSnippet: [...LEVELS.slice(1), "content"].map((name) => `${name}:${settings.snippetWords}`),
      attributesToHighlight: [],
      snippetEllipsisText: "…",
      highlightPreTag: MARK_START,
      highlightPostTag: MARK_END,
      clickAnalytics: settings.hasInsights,
      // Further pages are the same search.
      analytics: page === 0,
    },
    ...(page === 0 ? narrowed.map((facet) => ({ ...count(settings, question, facet), facets: [facet] })) : []),
  ];
}

/** How many hits a question has elsewhere, and each of some other queries right here. */
export function makeFallbackRequests(
  settings: RequestSettings,
  question: Question,
  candidates: readonly string[],
): SearchRequest[] {
  const everywhere = { query: question.query, chosen: { section: [], kind: [] }, isEverywhere: true };
  return [
    count(settings, everywhere, null),
    ...candidates.map((query) => count(settings, { ...question, query }, null)),
  ];
}

/** A search without hits: readers did not ask it, so it counts for no statistics. */
function count(settings: RequestSettings, question: Question, ignored: Facet | null): SearchRequest {
  const chosen = FACETS.filter((facet) => facet !== ignored && question.chosen[facet].length > 0);
  const filters = chosen.map((facet) => question.chosen[facet].map((value) => `${facet}:${value}`));
  return {
    indexName: settings.indexName,
    query: question.query,
    hitsPerPage: 0,
    // "These words" together, and -none of these: whatever the index's own settings say.
    advancedSyntax: true,
    facetFilters: [...(question.isEverywhere ? [] : scopeFilters(settings.scope)), ...filters],
    analytics: false,
    clickAnalytics: false,
  };
}
