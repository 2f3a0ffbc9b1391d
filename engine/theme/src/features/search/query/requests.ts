import type { SearchRequest } from "../client/wire";
import { MARK_END, MARK_START } from "./marks";
import { FACETS, type Facet, NOTHING_CHOSEN, type Question } from "./question";
import { type NamedVersion, type Scope, scopeFilters } from "./scope";

/** Hits of one request. */
const PAGE_SIZE = 20;

/** Hits of another site. */
const OTHER_HITS = 5;

/** What is the same in all searches of a reader on a page. */
export interface RequestSettings {
  indexName: string;
  scope: Scope;
  /** Whose hits are counted beside those that are shown; none where there is only one. */
  versions: readonly NamedVersion[];
  /** Index of each further site whose hits follow → its name. */
  otherSites: Readonly<Record<string, string>>;
  /** Words in a snippet of text. */
  snippetWords: number;
  /** Request the id with which clicks on hits are reported. */
  hasInsights: boolean;
}

/** Words in a title, at any width: two titles of which only the middle is shown look alike. */
const TITLE_WORDS = 10;

const LEVELS = ["lvl0", "lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6"].map((level) => `hierarchy.${level}`);

/**
 * Searches that answer a question: the hits, then for each facet in which something is chosen the counts of its
 * other values, and last the counts of the versions (`countsVersions`).
 */
export function makeRequests(settings: RequestSettings, question: Question, page: number): SearchRequest[] {
  const narrowed = FACETS.filter((facet) => question.chosen[facet].length > 0);
  return [
    {
      ...count(settings, question, null),
      hitsPerPage: PAGE_SIZE,
      page,
      facets: [...FACETS],
      ...shape(settings),
      clickAnalytics: settings.hasInsights,
      // Further pages are the same search.
      analytics: page === 0,
    },
    ...(page === 0 ? narrowed.map((facet) => ({ ...count(settings, question, facet), facets: [facet] })) : []),
    ...(page === 0 && countsVersions(settings, question) ? [countVersions(settings, question)] : []),
  ];
}

/** A search of another site. Its versions and sections are its own: only the language is that of the reader. */
export function makeOtherRequest(settings: RequestSettings, question: Question, indexName: string): SearchRequest {
  return {
    ...count(settings, question, null),
    indexName,
    facetFilters: [`language:${settings.scope.language}`],
    hitsPerPage: OTHER_HITS,
    ...shape(settings),
  };
}

/** What a hit has. */
function shape({ snippetWords }: RequestSettings): Partial<SearchRequest> {
  return {
    attributesToRetrieve: [...LEVELS, "type", "url", "kind", "version"],
    attributesToSnippet: [...LEVELS.slice(1).map((name) => `${name}:${TITLE_WORDS}`), `content:${snippetWords}`],
    attributesToHighlight: [],
    snippetEllipsisText: "…",
    highlightPreTag: MARK_START,
    highlightPostTag: MARK_END,
  };
}

/** Whether to show the number of hits of each version: if the reader searches one of several versions. */
export function countsVersions({ versions }: RequestSettings, question: Question): boolean {
  return versions.length > 1 && !question.isEverywhere;
}

function countVersions(settings: RequestSettings, question: Question): SearchRequest {
  return {
    ...count(settings, question, null),
    facetFilters: [`language:${settings.scope.language}`, ...chosenFilters(question, null)],
    facets: ["version"],
  };
}

/** How many hits a question has elsewhere, and each of some other queries right here. */
export function makeFallbackRequests(
  settings: RequestSettings,
  question: Question,
  candidates: readonly string[],
): SearchRequest[] {
  const everywhere = { query: question.query, chosen: NOTHING_CHOSEN, isEverywhere: true, version: null };
  return [
    count(settings, everywhere, null),
    ...candidates.map((query) => count(settings, { ...question, query }, null)),
  ];
}

/** A search without hits: readers did not ask it, so it counts for no statistics. */
function count(settings: RequestSettings, question: Question, ignored: Facet | null): SearchRequest {
  const filters = chosenFilters(question, ignored);
  return {
    indexName: settings.indexName,
    query: question.query,
    hitsPerPage: 0,
    // "These words" together, and -none of these: whatever the index's own settings say.
    advancedSyntax: true,
    facetFilters: [...(question.isEverywhere ? [] : scopeFilters(scopeOf(settings, question))), ...filters],
    analytics: false,
    clickAnalytics: false,
  };
}

function chosenFilters({ chosen }: Question, ignored: Facet | null): string[][] {
  return FACETS.filter((facet) => facet !== ignored && chosen[facet].length > 0).map((facet) =>
    chosen[facet].map((value) => `${facet}:${value}`),
  );
}

function scopeOf({ scope }: RequestSettings, { version }: Question): Scope {
  return version === null ? scope : { ...scope, version };
}
