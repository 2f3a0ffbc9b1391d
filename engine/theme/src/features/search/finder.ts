import type { SearchData } from "../../payload.gen";
import { loadPageLabels } from "../../data/pageLabels";
import type { Current } from "../../data/current";
import { makeTransport, SearchClient } from "./client/searchClient";
import type { Finder } from "./query/answer";
import { scopeOf, versionsOf } from "./query/scope";
import { chooseCandidates } from "./query/suggestions";
import { StaticBackup } from "./static/backup";

/** Width of the window up to which snippets are short, in px, and words in each. */
const NARROW = "(max-width: 768px)";
const WORDS = 10;
const WORDS_NARROW = 5;

/** Titles kept of what was found, newest first. */
const SEEN = 20;

// One client for the document: its answers and what it knows of hosts outlive the dialog.
let client: SearchClient | undefined;
let seen: string[] = [];

function hasStatic({ mode }: SearchData): boolean {
  return __OFFLINE__ || mode === "auto" || mode === "static";
}

/**
 * What searches for a reader who is on this page. `perGroup`: hits of one section and category that are shown, where there
 * is no way to more of them.
 */
export function makeFinder({ page, site }: Current, search: SearchData, perGroup: number | null = null): Finder {
  client ??= new SearchClient(() => makeTransport(search), hasStatic(search) ? new StaticBackup(search) : null);
  return {
    client,
    siteUrl: site.url,
    perGroup,
    settings: {
      indexName: search.indexName,
      scope: scopeOf({ page, site }),
      versions: versionsOf({ page }),
      // The page of all results is that of one site.
      otherSites: perGroup === null ? {} : search.otherSites,
      snippetWords: matchMedia(NARROW).matches ? WORDS_NARROW : WORDS,
      hasInsights: search.insights !== null,
    },
    titles: {
      note: (hits) => {
        seen = [...new Set([...hits.map((hit) => hit.pageTitle), ...seen])].slice(0, SEEN);
      },
      candidates: async (query) => {
        // Suggestions are an extra: what is known already will do.
        const labels = await loadPageLabels(site).catch(() => new Map<string, string>());
        return chooseCandidates(query, [...labels.values()], seen);
      },
    },
  };
}
