import type { SearchClient } from "../client/searchClient";
import type { WireResult } from "../client/wire";
import { type Hit, readHit } from "./hits";
import { FACETS, type Chosen, type Facet, isNarrowed, type Question } from "./question";
import { countsVersions, makeFallbackRequests, makeOtherRequest, makeRequests, type RequestSettings } from "./requests";
import type { NamedVersion } from "./scope";

/** Value of a facet → hits that have it. */
export type Counts = Readonly<Record<Facet, ReadonlyMap<string, number>>>;

/** Hits of a version. */
export interface VersionCount extends NamedVersion {
  count: number;
  /** It is the one whose hits are shown. */
  isShown: boolean;
}

/** Hits of another site. */
export interface SiteHits {
  label: string;
  hits: readonly Hit[];
}

export interface Answer {
  question: Question;
  hits: readonly Hit[];
  /** Of these, at the end, those that came last. */
  fresh: number;
  /** Hits in all. */
  count: number;
  /** False: the count is an estimate. */
  isExact: boolean;
  /** Pages of hits that exist, and those that are loaded. */
  pages: number;
  pagesHere: number;
  queryId: string | null;
  counts: Counts;
  /** The version that is shown, and the others that have hits; none where they are not counted. */
  versions: readonly VersionCount[];
  /** Other sites that have hits. */
  otherSites: readonly SiteHits[];
  /** Where nothing was found: hits without any filter. */
  elsewhere: number;
  /** Where nothing was found: other queries, which do find something. */
  suggestions: readonly string[];
}

export interface Finder {
  client: SearchClient;
  settings: RequestSettings;
  /** The site's configured address. */
  siteUrl: string;
  /** Hits of one section and category that are shown; null for all. */
  perGroup: number | null;
  titles: TitleMemory;
}

/** Knows titles of the site. */
interface TitleMemory {
  /** These hits have been seen. */
  note: (hits: readonly Hit[]) => void;
  /** Queries that might do instead of one that finds nothing, best first. */
  candidates: (query: string) => Promise<readonly string[]>;
}

/** Suggestions shown at most. */
const SUGGESTIONS = 3;

/** Answer a question. */
export async function find(finder: Finder, question: Question, signal: AbortSignal): Promise<Answer> {
  const { client, settings, siteUrl, perGroup } = finder;
  const [[main, ...others], otherSites] = await Promise.all([
    client.search(makeRequests(settings, question, 0), signal, perGroup),
    findInOtherSites(finder, question, signal),
  ]);
  const hits = readHits(main, siteUrl);
  const answer: Answer = {
    question,
    hits,
    fresh: hits.length,
    count: main?.nbHits ?? 0,
    isExact: main?.exhaustiveNbHits !== false,
    pages: main?.nbPages ?? 1,
    pagesHere: 1,
    queryId: main?.queryID ?? null,
    counts: readCounts(main, others, question.chosen),
    versions: countsVersions(settings, question) ? readVersions(others.at(-1), settings, question) : [],
    otherSites,
    elsewhere: 0,
    suggestions: [],
  };
  finder.titles.note(answer.hits);
  return answer.count > 0 ? answer : { ...answer, ...(await findOther(finder, question, signal)) };
}

/** One that does not answer is left out: the site's own hits do not depend on it. */
async function findInOtherSites(
  { client, settings }: Finder,
  question: Question,
  signal: AbortSignal,
): Promise<SiteHits[]> {
  // Sections and kinds are those of this site.
  if (FACETS.some((facet) => question.chosen[facet].length > 0)) return [];
  const asked = Object.entries(settings.otherSites).map(async ([indexName, label]): Promise<SiteHits> => {
    const result = await client.searchOther(makeOtherRequest(settings, question, indexName), signal);
    return { label, hits: readHits(result ?? undefined, "").map(asOfOtherSite) };
  });
  return (await Promise.all(asked)).filter(({ hits }) => hits.length > 0);
}

/** Add the next page of hits. */
export async function findMore(finder: Finder, answer: Answer, signal: AbortSignal): Promise<Answer> {
  const { client, settings, siteUrl } = finder;
  const [main] = await client.search(makeRequests(settings, answer.question, answer.pagesHere), signal);
  const known = new Set(answer.hits.map(({ objectId }) => objectId));
  const fresh = readHits(main, siteUrl).filter(({ objectId }) => !known.has(objectId));
  return { ...answer, hits: [...answer.hits, ...fresh], fresh: fresh.length, pagesHere: answer.pagesHere + 1 };
}

async function findOther(
  { client, settings, titles }: Finder,
  question: Question,
  signal: AbortSignal,
): Promise<Pick<Answer, "elsewhere" | "suggestions">> {
  const candidates = await titles.candidates(question.query);
  const [everywhere, ...tried] = await client.search(makeFallbackRequests(settings, question, candidates), signal);
  return {
    elsewhere: isNarrowed(question) ? (everywhere?.nbHits ?? 0) : 0,
    suggestions: candidates.filter((_, index) => (tried[index]?.nbHits ?? 0) > 0).slice(0, SUGGESTIONS),
  };
}

function readHits(result: WireResult | undefined, siteUrl: string): Hit[] {
  return (result?.hits ?? []).map((hit) => readHit(hit, siteUrl)).filter((hit) => hit !== null);
}

/** It may have the same origin as this one, and is another site all the same: none of its pages can be loaded into this one. */
function asOfOtherSite(hit: Hit): Hit {
  return { ...hit, href: new URL(hit.href, location.origin).href, leavesSite: true };
}

function readCounts(main: WireResult | undefined, others: readonly WireResult[], chosen: Chosen): Counts {
  const narrowed = FACETS.filter((facet) => chosen[facet].length > 0);
  const read = (facet: Facet): Map<string, number> => {
    const place = narrowed.indexOf(facet);
    const counts = new Map(Object.entries((place === -1 ? main : others[place])?.facets?.[facet] ?? {}));
    // What is chosen can be taken back, whether or not there is anything.
    for (const value of chosen[facet]) if (!counts.has(value)) counts.set(value, 0);
    return counts;
  };
  return { section: read("section"), kind: read("kind") };
}

function readVersions(
  result: WireResult | undefined,
  { scope, versions }: RequestSettings,
  question: Question,
): VersionCount[] {
  const counts = result?.facets?.version ?? {};
  const shown = question.version ?? scope.version;
  return versions
    .map(({ name, label }) => ({ name, label, count: counts[name] ?? 0, isShown: name === shown }))
    .filter(({ count, isShown }) => count > 0 || isShown);
}
