// Finds and ranks the records of an index in the browser, as `octavo/search/ranking` does on the server.
import {
  boostOf,
  addressOf,
  combinationOf,
  distinct,
  draftFor,
  headingsOf,
  holdsAll,
  isExcluded,
  keyOf,
  kindOf,
  makeCandidate,
  matchesAll,
  smallWordsOf,
  withSmallWords,
} from "./candidates";
import {
  BOOSTS,
  ENOUGH,
  ENOUGH_PAGES,
  HEADING,
  MOST_PARTIAL,
  MOST_PARTIAL_OF_PAGE,
  MOST_VALUED,
  OWN_ANCHOR,
  PARTIAL_PAGES,
  PARTIAL_RECORDS,
  TYPO,
} from "./criteria.gen";
import { addressOf as addressOfDraft, allBits, type Draft, draftsOf, K1, type Seen, sensesOf } from "./drafts";
import type { Filter } from "./filters";
import { type Pages, type Places, scorePages, sharesOf, weightsOf } from "./pageScores";
import { canRead, inOrderOfRarity, refined } from "./refining";
import { makePlan, parseQuery, type Plan, siteNameWords, stopsOf, takenApart, type Typos } from "./plan";
import {
  type Candidate,
  compareRanked,
  CONTENT,
  countBest,
  inOrderOfWorth,
  type Ranked,
  Ranker,
  spread,
  supported,
} from "./ranking";
import { type Applied, Rules } from "./rules";
import type { Store, Word } from "./store";
import { EXACT, isKnown, mostFrequent, NOTHING, Vocabulary } from "./vocabulary";

/** What a search has found, best first. */
export interface Found {
  plan: Plan;
  ranked: readonly Ranked[];
  /** Hits; more than are ranked where they are many. */
  count: number;
  /** Page and kind of each hit that facets count. */
  counted: readonly (readonly [number, number])[];
}

/** Files of postings that are read for the words that begin as one does. */
const MOST_BEGUN = 12;
/** The same where the one is frequent. */
const MOST_BEGUN_OF_FREQUENT = 3;
/** Pages of which all headings are looked through, where what is above these matches. */
const MOST_OUTLINES = 16;
/** Headings of as many words as the query that are looked through for its small words. */
const MOST_HEADINGS_READ = 12;
/** Records that are ranked: those that hold all words, chosen by what costs little to know of each. */
const MOST_RANKED = 400;
/** Records that are scored as partial matches, chosen in the same way. */
const MOST_SCORED = 4 * PARTIAL_RECORDS;

const NO_WORDS: ReadonlySet<number> = new Set();
/** Place of `exact` in a rank. */
const EXACT_WORDS = 8;

/** Whether the best hit is the heading that the query is, word for word. */
function isHeading({ plan, ranked }: Found): boolean {
  return -(ranked[0]?.rank[EXACT_WORDS] ?? 0) > plan.core.length;
}

export class Engine {
  readonly #store: Store;
  readonly #vocabulary: Vocabulary;
  readonly #stops: ReadonlySet<string>;
  readonly #rules: Rules;

  constructor(store: Store) {
    this.#store = store;
    this.#rules = new Rules(store.root.rules);
    this.#vocabulary = new Vocabulary(store);
    this.#stops = stopsOf(store.root);
  }

  /** `enough`: hits that are to be in their order, where there are as many. */
  search(text: string, filter: Filter, enough: number): Found {
    const { hidden, pinned } = this.#rules.of(text);
    const isShown: Filter = (page, kind) => !hidden.has(page) && filter(page, kind);
    const found = this.#search(text, isShown, enough);
    return pinned.length === 0 ? found : this.#pinned(found, pinned, isShown);
  }

  #search(text: string, filter: Filter, enough: number): Found {
    const query = parseQuery(text);
    if (query.terms.length === 0)
      return { plan: this.#plan(query, "none", NO_WORDS), ranked: [], count: 0, counted: [] };
    const found = this.#searchWith(query, NO_WORDS, filter, enough);
    const named = siteNameWords(query, this.#store.root.name, this.#stops);
    return named.size === 0 || isHeading(found) ? found : this.#searchWith(query, named, filter, enough);
  }

  /** `unneeded`: words that a record need not hold, besides small ones. */
  #searchWith(query: Plan["query"], unneeded: ReadonlySet<number>, filter: Filter, enough: number): Found {
    let plan = this.#plan(query, "none", unneeded);
    let places: Places = { pages: new Map(), left: new Set() };
    let full: Full = { ranked: [], drafts: [] };
    for (const typos of ["none", "unknown", "all"] as const) {
      plan = this.#plan(query, typos, unneeded);
      this.#store.check();
      const isAllKnown = plan.core.every((index) => isKnown(plan.meanings[index] ?? NOTHING));
      if (!isAllKnown && typos !== "all") continue; // no record holds all words
      places = this.#places(plan, filter);
      this.#store.check();
      full = this.#matches(plan, places, filter, enough);
      this.#store.check();
      if (Math.max(full.ranked.length, full.drafts.length) >= (typos !== "none" || isAllKnown ? 1 : ENOUGH)) break;
    }
    const apart = full.ranked.length + full.drafts.length > 0 ? null : takenApart(plan);
    if (apart !== null) {
      plan = apart;
      places = this.#places(plan, filter);
      this.#store.check();
      full = this.#matches(plan, places, filter, enough);
      this.#store.check();
    }
    const ofPages = new Set(full.ranked.map(({ candidate }) => candidate.page));
    const isFilled = ofPages.size < ENOUGH_PAGES && full.drafts.length === 0 && plan.core.length > 1;
    const ranked = isFilled ? this.#filledUp(plan, places, filter, full.ranked) : full.ranked;
    const counted =
      full.drafts.length > 0
        ? full.drafts.map(({ page, flags }) => [page, flags & (OWN_ANCHOR - 1)] as const)
        : ranked.map(({ candidate }) => [candidate.page, candidate.kind] as const);
    return { plan, ranked, count: counted.length, counted };
  }

  #plan(query: Plan["query"], typos: Typos, unneeded: ReadonlySet<number>): Plan {
    return makePlan(query, this.#vocabulary, typos, this.#store.root.synonyms, unneeded, this.#stops);
  }

  /** Where the words of a plan occur: the rarest are looked for first, the others as long as these do not say enough. */
  #places(plan: Plan, filter: Filter): Places {
    const senses = sensesOf(plan, weightsOf(this.#store.root, plan));
    const groups = inOrderOfRarity(plan);
    const files = { names: new Set<string>(), begun: 0 };
    const pages = new Map<number, Seen[]>();
    let read = 0;
    let left = new Set<string>();
    for (const words of groups) {
      this.#read(plan, words, pages, files);
      this.#store.check();
      const rest = groups.slice(++read);
      if (!canRead(this.#store, plan, read, rest, { pages, left }, senses)) continue;
      left = new Set(rest.flat().map(({ token }) => token));
      break;
    }
    return refined(this.#store, plan, { pages, left }, read, filter, senses);
  }

  /** Add where some words occur, page by page. Of many words that begin alike, the most frequent are read. */
  #read(
    plan: Plan,
    some: readonly Word[],
    pages: Map<number, Seen[]>,
    files: { names: Set<string>; begun: number },
  ): void {
    const words = mostFrequent(some, Infinity);
    const isBegun = (word: Word): boolean =>
      (plan.senses.get(word.token) ?? []).every(([, , quality]) => quality % TYPO >= 2);
    const { frequent } = this.#store.root;
    const mostOf = (word: Word): number =>
      (plan.senses.get(word.token) ?? []).every(([term]) => frequencyOf(plan, term) >= frequent)
        ? MOST_BEGUN_OF_FREQUENT
        : MOST_BEGUN;
    for (const word of [...words.filter((one) => !isBegun(one)), ...words.filter(isBegun)]) {
      if (isBegun(word) && !files.names.has(word.file) && files.begun++ >= mostOf(word)) continue;
      files.names.add(word.file);
      for (const [page, occurrences] of this.#store.postings(word).pages) {
        const seen = pages.get(page);
        if (seen === undefined) pages.set(page, [{ token: word.token, occurrences }]);
        else seen.push({ token: word.token, occurrences });
      }
    }
  }

  /** Records that hold all words. */
  #matches(plan: Plan, places: Places, filter: Filter, enough: number): Full {
    const { pages } = places;
    const senses = sensesOf(plan, weightsOf(this.#store.root, plan));
    const all = allBits(plan);
    const drafts: Draft[] = [];
    const matching: Candidate[] = [];
    const isAbove: number[] = [];
    for (const [page, seen] of pages) {
      if (!holdsAll(plan, seen)) continue;
      for (const draft of draftsOf(page, seen, senses, all))
        if (draft.bits === all && filter(page, kindOf(draft))) drafts.push(draft);
      if (filter(page, 0) && holdsAll(plan, headingsOf(seen))) isAbove.push(page);
    }
    const { query } = plan;
    const isNarrowed = query.phrases.length > 0 || query.excluded.length > 0;
    const isMuch = drafts.length > MOST_RANKED && !isNarrowed;
    const { root } = this.#store;
    const rankOf = (page: number): number => combinationOf(root, page)[6];
    const order = (one: Draft, other: Draft): number =>
      Number(rankOf(one.page) <= 0) - Number(rankOf(other.page) <= 0) || one.cost - other.cost;
    const chosen = isMuch ? [...drafts].sort(order).slice(0, MOST_RANKED) : drafts;
    const titles = new Map<number, number>();
    for (const draft of chosen)
      matching.push(makeCandidate(this.#store.root, draft, pages.get(draft.page) ?? [], titles));
    if (!isMuch) {
      const known = new Set(drafts.map(({ page, record }) => page * 2 ** 32 + record));
      for (const page of isAbove.slice(0, MOST_OUTLINES))
        for (const candidate of this.#below(page, pages.get(page) ?? []))
          if (!known.has(keyOf(candidate))) matching.push(candidate);
    }
    this.#store.check();
    const found = matching.filter(({ sightings }) => matchesAll(plan, sightings) && !isExcluded(plan, sightings));
    const hasShares = query.identifiers.length === 0 && found.length > 1;
    const shares = hasShares ? sharesOf(scorePages(this.#store, plan, places, filter)) : null;
    const ranker = new Ranker(plan);
    const rankedOf = (candidate: Candidate): Ranked[] => {
      const rank = ranker.rank(candidate, shares === null ? 1 : (shares.get(candidate.page) ?? 0));
      return rank === null ? [] : [{ rank, candidate }];
    };
    const ranked = this.#withSmallWords(plan, found.flatMap(rankedOf).sort(compareRanked), rankedOf);
    const hits = spread(distinct(ranked.sort(compareRanked)));
    if (!isMuch) return { ranked: hits, drafts: [] };
    const left = new Map(drafts.map((draft) => [draft.page * 2 ** 32 + addressOfDraft(draft), draft]));
    if (hits.length >= Math.min(enough, left.size)) return { ranked: hits, drafts: [...left.values()] };
    // Far pages of hits: those that were not ranked follow by what is known of them.
    for (const { candidate } of hits) left.delete(addressOf(candidate));
    const rest = [...left.values()].sort(order).slice(0, enough - hits.length);
    const more = rest.map((draft) => ({
      rank: [],
      candidate: makeCandidate(this.#store.root, draft, pages.get(draft.page) ?? [], titles),
    }));
    return {
      ranked: [...hits, ...more],
      drafts: [...left.values(), ...hits.map(({ candidate }) => draftFor(candidate))],
    };
  }

  /** Looks for the small words of a query in the best of those headings that may be all of it, and ranks these again. */
  #withSmallWords(plan: Plan, ranked: readonly Ranked[], rankedOf: (candidate: Candidate) => Ranked[]): Ranked[] {
    const words = smallWordsOf(plan);
    if (words.length === 0) return [...ranked];
    let left = MOST_HEADINGS_READ;
    return ranked.flatMap((one) => {
      const { own, size } = one.candidate;
      if (own === CONTENT || size !== plan.query.terms.length || left-- <= 0) return [one];
      return rankedOf(withSmallWords(this.#store, words, one.candidate));
    });
  }

  /** All headings of a page; none as long as they are not here. */
  #below(page: number, seen: readonly Seen[]): Candidate[] {
    const outline = this.#store.outline(page) ?? [];
    const titles = new Map([[page, outline[1] ?? 0]]);
    return outline
      .filter((_, place) => place % 2 === 0)
      .map((own, heading) => {
        const size = outline[2 * heading + 1] ?? 0;
        const draft = { page, record: heading * HEADING, bits: 0, cost: 0, score: 0, own, flags: 0, size };
        return makeCandidate(this.#store.root, draft, seen, titles);
      });
  }

  /** Adds partial matches to few full ones: in order by what all are worth, unless signs or many full ones say what is first. */
  #filledUp(plan: Plan, places: Places, filter: Filter, full: Ranked[]): Ranked[] {
    const { pages } = places;
    const scores = scorePages(this.#store, plan, places, filter);
    const shares = sharesOf(scores);
    const weights = weightsOf(this.#store.root, plan);
    const ranker = new Ranker(plan);
    const valued = (candidate: Candidate, kind?: "first" | "later"): Ranked[] => {
      const rank = ranker.rankByWorth(candidate, shares.get(candidate.page) ?? 0, weights, kind);
      return rank === null ? [] : [{ rank, candidate }];
    };
    const chosen = this.#some(plan, pages, filter, weights);
    for (const [page] of scores.slice(0, PARTIAL_PAGES)) {
      if (chosen.some(({ page: other, record }) => other === page && record === 0)) continue;
      chosen.push(...this.#below(page, pages.get(page) ?? []).slice(0, 1));
    }
    this.#store.check();
    const seen = new Set(full.map(({ candidate }) => addressOf(candidate)));
    const some = chosen.filter(
      (candidate) => !seen.has(addressOf(candidate)) && !isExcluded(plan, candidate.sightings),
    );
    const matches = some.flatMap((candidate) => valued(candidate));
    const { phrases, excluded } = plan.query;
    const isNarrowed = phrases.length > 0 || excluded.length > 0 || full.length > MOST_VALUED;
    const byWorth = isNarrowed
      ? []
      : full.flatMap(({ candidate }, place) => valued(candidate, place === 0 ? "first" : "later"));
    const counts = countBest([...byWorth, ...matches]);
    const partial = firstOfPages(supported(matches, counts).sort(compareRanked));
    return isNarrowed ? [...full, ...partial] : inOrderOfWorth(supported(byWorth, counts), partial);
  }

  /** The best records that hold any word, roughly as the native index scores them. */
  #some(plan: Plan, pages: Pages, filter: Filter, weights: readonly number[]): Candidate[] {
    const senses = sensesOf(plan, weights);
    const all = allBits(plan);
    const drafts: Draft[] = [];
    let least = 0;
    for (const [page, seen] of pages)
      for (const draft of draftsOf(page, seen, senses, all)) {
        draft.score *= boostOf(draft);
        if (draft.score <= least || !filter(page, kindOf(draft))) continue;
        drafts.push(draft);
        if (drafts.length < 8 * MOST_SCORED) continue;
        drafts.sort((one, other) => other.score - one.score).length = MOST_SCORED;
        least = drafts.at(-1)?.score ?? 0;
      }
    const scored: [number, Candidate][] = [];
    const titles = new Map<number, number>();
    for (const draft of drafts.sort((one, other) => other.score - one.score).slice(0, MOST_SCORED)) {
      const candidate = makeCandidate(this.#store.root, draft, pages.get(draft.page) ?? [], titles);
      const counts = new Map<string, number>();
      for (const [, , token] of candidate.sightings) counts.set(token, (counts.get(token) ?? 0) + 1);
      let score = 0;
      for (const [token, count] of counts) {
        const sense = senses.get(token);
        if (sense !== undefined) score += sense.isExact ? (sense.score * (K1 + 1) * count) / (count + K1) : sense.score;
      }
      const boost = (BOOSTS[Math.min(candidate.own, CONTENT) - 1] ?? 1) * (candidate.isCode ? 0.7 : 1);
      if (score > 0) scored.push([score * Math.log2(2 + boost), candidate]);
    }
    scored.sort((one, other) => other[0] - one[0]);
    return scored.slice(0, PARTIAL_RECORDS).map(([, candidate]) => candidate);
  }

  #pinned(found: Found, groups: Applied["pinned"], filter: Filter): Found {
    const first: Ranked[] = [];
    for (const group of groups) {
      // Of the same page in several languages and versions that which the reader searches.
      const place = group.find(([one]) => filter(one, 0));
      if (place === undefined) continue;
      const [page, record] = place;
      if (first.some(({ candidate: one }) => one.page === page && one.record === record)) continue;
      const candidate = found.ranked.find(
        ({ candidate: one }) => one.page === page && one.record === record,
      )?.candidate;
      const plain = {
        page,
        record,
        own: 1,
        kind: 0,
        isCode: false,
        isGenerated: false,
        pageRank: 0,
        size: 0,
        address: record,
      };
      first.push({ rank: [], candidate: candidate ?? { ...plain, sightings: [] } });
    }
    const known = new Set(first.map(({ candidate }) => addressOf(candidate)));
    return {
      ...found,
      ranked: [...first, ...found.ranked.filter(({ candidate }) => !known.has(addressOf(candidate)))],
    };
  }
}

/** Records that hold a typed word as it is. */
function frequencyOf({ meanings }: Plan, term: number): number {
  return (meanings[term]?.tokens.get(EXACT) ?? []).reduce((sum, { frequency }) => sum + frequency, 0);
}

interface Full {
  ranked: Ranked[];
  /** Of many matches all, each address once; empty where all are ranked. */
  drafts: Draft[];
}

/** The best partial matches of each page, each address once. */
function firstOfPages(ranked: readonly Ranked[]): Ranked[] {
  const counts = new Map<number, number>();
  return distinct(ranked)
    .filter(({ candidate: { page } }) => {
      const count = (counts.get(page) ?? 0) + 1;
      counts.set(page, count);
      return count <= MOST_PARTIAL_OF_PAGE;
    })
    .slice(0, MOST_PARTIAL);
}
