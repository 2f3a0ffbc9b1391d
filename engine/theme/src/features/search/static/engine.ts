// Finds and ranks the records of an index in the browser, as `octavo/search/ranking` does on the server.
import {
  BOOSTS,
  ENOUGH,
  ENOUGH_PAGES,
  GENERATED,
  HEADING,
  MOST_PAGE_VARIANTS,
  MOST_PARTIAL,
  MOST_PARTIAL_OF_PAGE,
  OWN_ANCHOR,
  PAGE_TIMES,
  PARTIAL_PAGES,
  PARTIAL_RECORDS,
  RANKED_PAGES,
  TYPO,
  VARIANT_BOOST,
} from "./criteria.gen";
import { addressOf as addressOfDraft, allBits, type Draft, draftsOf, K1, type Seen, sensesOf } from "./drafts";
import type { Filter } from "./filters";
import { makePlan, parseQuery, type Plan, type Typos } from "./plan";
import { type Candidate, compareRanked, CONTENT, type Ranked, Ranker, type Sighting, spread } from "./ranking";
import type { Occurrence } from "./postings";
import type { Rule, Store, Word } from "./store";
import { stemEnglish } from "./stemming";
import { parts } from "./tokens";
import { EXACT, isKnown, mostFrequent, Vocabulary } from "./vocabulary";

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
const MOST_BEGUN = 6;
/** Pages of which all headings are looked through, where what is above these matches. */
const MOST_OUTLINES = 16;
/** Records that are ranked: those that hold all words, chosen by what costs little to know of each. */
const MOST_RANKED = 400;
/** Records that are scored as partial matches, chosen in the same way. */
const MOST_SCORED = 4 * PARTIAL_RECORDS;

/** How much the length of a page matters: of the native index. */
const B = 0.75;

type Pages = ReadonlyMap<number, readonly Seen[]>;

export class Engine {
  readonly #store: Store;
  readonly #vocabulary: Vocabulary;

  constructor(store: Store) {
    this.#store = store;
    this.#vocabulary = new Vocabulary(store);
  }

  /** `enough`: hits that are to be in their order, where there are as many. */
  search(text: string, filter: Filter, enough: number): Found {
    const rules = this.#rulesFor(text);
    const hidden = new Set(rules.flatMap((rule) => rule.hidden));
    const found = this.#search(text, (page, kind) => !hidden.has(page) && filter(page, kind), enough);
    const pinned = rules.flatMap((rule) => rule.pinned);
    return pinned.length === 0 ? found : this.#pinned(found, pinned, filter);
  }

  #search(text: string, filter: Filter, enough: number): Found {
    const query = parseQuery(text);
    if (query.terms.length === 0) return { plan: this.#plan(query, "none"), ranked: [], count: 0, counted: [] };
    let plan = this.#plan(query, "none");
    let pages: Pages = new Map();
    let full: Full = { ranked: [], drafts: [] };
    for (const typos of ["none", "unknown", "all"] as const) {
      plan = this.#plan(query, typos);
      this.#store.check();
      pages = this.#pages(plan);
      this.#store.check();
      full = this.#matches(plan, pages, filter, enough);
      this.#store.check();
      const isAllKnown = plan.core.every((index) => isKnown(plan.meanings[index] ?? NOTHING));
      if (Math.max(full.ranked.length, full.drafts.length) >= (typos !== "none" || isAllKnown ? 1 : ENOUGH)) break;
    }
    const ofPages = new Set(full.ranked.map(({ candidate }) => candidate.page));
    const partial =
      ofPages.size < ENOUGH_PAGES && full.drafts.length === 0 && plan.core.length > 1
        ? this.#partial(plan, pages, filter, full.ranked)
        : [];
    const ranked = [...full.ranked, ...partial];
    const counted =
      full.drafts.length > 0
        ? full.drafts.map(({ page, flags }) => [page, flags & (OWN_ANCHOR - 1)] as const)
        : ranked.map(({ candidate }) => [candidate.page, candidate.kind] as const);
    return { plan, ranked, count: counted.length, counted };
  }

  #plan(query: Plan["query"], typos: Typos): Plan {
    return makePlan(query, this.#vocabulary, typos, this.#store.root.synonyms);
  }

  /** Where the words of a plan occur, page by page. Of many words that begin alike, the most frequent are read. */
  #pages(plan: Plan): Pages {
    const pages = new Map<number, Seen[]>();
    const files = new Set<string>();
    let begun = 0;
    const words = mostFrequent([...plan.words.values()], Infinity);
    const isBegun = (word: Word): boolean =>
      (plan.senses.get(word.token) ?? []).every(([, , quality]) => quality % TYPO >= 2);
    for (const word of [...words.filter((one) => !isBegun(one)), ...words.filter(isBegun)]) {
      if (isBegun(word) && !files.has(word.file) && begun++ >= MOST_BEGUN) continue;
      files.add(word.file);
      for (const [page, occurrences] of this.#store.postings(word)) {
        const seen = pages.get(page);
        if (seen === undefined) pages.set(page, [{ token: word.token, occurrences }]);
        else seen.push({ token: word.token, occurrences });
      }
    }
    return pages;
  }

  /** Records that hold all words. */
  #matches(plan: Plan, pages: Pages, filter: Filter, enough: number): Full {
    const senses = sensesOf(plan, this.#weights(plan));
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
    const rankOf = (page: number): number => (root.combinations[root.combinationOf[page] ?? 0] ?? NO_PAGE)[6];
    const order = (one: Draft, other: Draft): number =>
      Number(rankOf(one.page) <= 0) - Number(rankOf(other.page) <= 0) || one.cost - other.cost;
    const chosen = isMuch ? [...drafts].sort(order).slice(0, MOST_RANKED) : drafts;
    const titles = new Map<number, number>();
    for (const draft of chosen) matching.push(this.#candidate(draft, pages.get(draft.page) ?? [], titles));
    if (!isMuch) {
      const known = new Set(drafts.map(({ page, record }) => page * 2 ** 32 + record));
      for (const page of isAbove.slice(0, MOST_OUTLINES))
        for (const candidate of this.#below(page, pages.get(page) ?? []))
          if (!known.has(keyOf(candidate))) matching.push(candidate);
    }
    this.#store.check();
    const found = matching.filter(({ sightings }) => matchesAll(plan, sightings) && !isExcluded(plan, sightings));
    const hasShares = plan.core.length > 1 && query.identifiers.length === 0 && found.length > 1;
    const shares = hasShares ? this.#shares(plan, pages, filter) : null;
    const ranker = new Ranker(plan);
    const ranked: Ranked[] = [];
    for (const candidate of found) {
      const rank = ranker.rank(candidate, shares === null ? 1 : (shares.get(candidate.page) ?? 0));
      if (rank !== null) ranked.push({ rank, candidate });
    }
    const hits = spread(distinct(ranked.sort(compareRanked)));
    if (!isMuch) return { ranked: hits, drafts: [] };
    const left = new Map(drafts.map((draft) => [draft.page * 2 ** 32 + addressOfDraft(draft), draft]));
    if (hits.length >= Math.min(enough, left.size)) return { ranked: hits, drafts: [...left.values()] };
    // Far pages of hits: those that were not ranked follow by what is known of them.
    for (const { candidate } of hits) left.delete(addressOf(candidate));
    const rest = [...left.values()].sort(order).slice(0, enough - hits.length);
    const more = rest.map((draft) => ({
      rank: [],
      candidate: this.#candidate(draft, pages.get(draft.page) ?? [], titles),
    }));
    return {
      ranked: [...hits, ...more],
      drafts: [...left.values(), ...hits.map(({ candidate }) => draftFor(candidate))],
    };
  }

  /** A record with its words, as ranking looks at them. */
  #candidate(draft: Draft, seen: readonly Seen[], titles: Map<number, number>): Candidate {
    const { root } = this.#store;
    const { page, record, own, size } = draft;
    const [, , , , , pageKind, pageRank] = root.combinations[root.combinationOf[page] ?? 0] ?? NO_PAGE;
    const kind = kindOf(draft);
    let title = titles.get(page);
    if (title === undefined) titles.set(page, (title = titleSize(seen)));
    return {
      page,
      record,
      own,
      kind,
      isCode: kind === 1 || (pageKind === "code" && kind === 0),
      isGenerated: (GENERATED as readonly string[]).includes(pageKind),
      pageRank,
      size: own === CONTENT ? title : size,
      address: addressOfDraft(draft),
      sightings: sightingsOf(record, seen),
    };
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
        return this.#candidate(draft, seen, titles);
      });
  }

  /** How well whole pages answer, beside the best. */
  #shares(plan: Plan, pages: Pages, filter: Filter): Map<number, number> {
    const scores = this.#pageScores(plan, pages, filter).slice(0, RANKED_PAGES);
    const best = scores[0]?.[1] ?? 1;
    return new Map(scores.map(([page, score]) => [page, score / best]));
  }

  /** Pages by the words of all their records, best first: the score of the native index. */
  #pageScores(plan: Plan, pages: Pages, filter: Filter): [number, number][] {
    const { root } = this.#store;
    const average = root.pageTokens / root.records;
    const clauses = plan.core.flatMap((index) => this.#pageClauses(plan, index));
    const pagesOf = new Map<string, number>();
    for (const { token } of clauses.flatMap(({ words }) => words)) {
      const word = plan.words.get(token);
      if (word !== undefined) pagesOf.set(token, pagesWith(this.#store.postings(word)));
    }
    const scores: [number, number][] = [];
    for (const [page, seen] of pages) {
      if (!filter(page, 0)) continue;
      const counts = new Map<string, number>();
      for (const { token, occurrences } of seen) counts.set(token, countOf(occurrences));
      const norm = K1 * (1 - B + (B * lengthOf(root.norms[page] ?? 0)) / average);
      let score = 0;
      for (const { words, weight } of clauses) {
        if (!words.every(({ token }) => (counts.get(token) ?? 0) > 0)) continue;
        if (weight !== null) {
          score += weight;
          continue;
        }
        const [word] = words;
        if (word === undefined) continue;
        const count = counts.get(word.token) ?? 0;
        const holding = pagesOf.get(word.token) ?? 0;
        const rarity = Math.log(1 + (root.records - holding + 0.5) / (holding + 0.5));
        score += (rarity * (K1 + 1) * count) / (count + norm);
      }
      if (score > 0) scores.push([page, score]);
    }
    return scores.sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  }

  /** What counts for one word of a query: words, each with its weight, or null where the native score counts. */
  #pageClauses(plan: Plan, index: number): { words: readonly Word[]; weight: number | null }[] {
    const meanings = plan.meanings[index] ?? NOTHING;
    const weight = this.#weight(meanings.frequency);
    const clauses: { words: readonly Word[]; weight: number | null }[] = [];
    for (const word of meanings.tokens.get(EXACT) ?? []) clauses.push({ words: [word], weight: null });
    let room: number = MOST_PAGE_VARIANTS;
    const others = [...meanings.tokens].filter(([quality]) => quality !== EXACT).sort(([one], [other]) => one - other);
    for (const [quality, words] of others) {
      const chosen = words.length > room ? mostFrequent(words, Math.max(0, room)) : words;
      room -= chosen.length;
      const scale = (weight * VARIANT_BOOST) / (1 + Math.floor(quality / TYPO));
      for (const word of chosen) clauses.push({ words: [word], weight: scale });
    }
    for (const words of meanings.phrases) clauses.push({ words, weight: weight * VARIANT_BOOST });
    return clauses;
  }

  #weights(plan: Plan): number[] {
    return plan.meanings.map(({ frequency }) => this.#weight(frequency));
  }

  #weight(frequency: number): number {
    const { records } = this.#store.root;
    const count = Math.min(records, frequency);
    return Math.log(1 + (records - count + 0.5) / (count + 0.5));
  }

  /** Records that hold some of the words, and pages that do. */
  #partial(plan: Plan, pages: Pages, filter: Filter, full: readonly Ranked[]): Ranked[] {
    const scores = this.#pageScores(plan, pages, filter).slice(0, RANKED_PAGES);
    const best = scores[0]?.[1] ?? 1;
    const shares = new Map(scores.map(([page, score]) => [page, score / best]));
    const weights = this.#weights(plan);
    const chosen = this.#some(plan, pages, filter, weights);
    for (const [page] of scores.slice(0, PARTIAL_PAGES)) {
      if (chosen.some(({ page: other, record }) => other === page && record === 0)) continue;
      chosen.push(...this.#below(page, pages.get(page) ?? []).slice(0, 1));
    }
    this.#store.check();
    const seen = new Set(full.map(({ candidate }) => addressOf(candidate)));
    const ranker = new Ranker(plan);
    const ranked: Ranked[] = [];
    for (const candidate of chosen) {
      if (seen.has(addressOf(candidate)) || isExcluded(plan, candidate.sightings)) continue;
      const rank = ranker.rankPartial(candidate, shares.get(candidate.page) ?? 0, weights);
      if (rank !== null) ranked.push({ rank, candidate });
    }
    const counts = new Map<number, number>();
    return ranked
      .sort(compareRanked)
      .filter(({ candidate }) => {
        const count = counts.get(candidate.page) ?? 0;
        if (seen.has(addressOf(candidate)) || count >= MOST_PARTIAL_OF_PAGE) return false;
        seen.add(addressOf(candidate));
        counts.set(candidate.page, count + 1);
        return true;
      })
      .slice(0, MOST_PARTIAL);
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
      const candidate = this.#candidate(draft, pages.get(draft.page) ?? [], titles);
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

  #rulesFor(text: string): Rule[] {
    if (this.#store.root.rules.length === 0) return [];
    const typed = parts(text).map(stemEnglish);
    return this.#store.root.rules.filter(({ queries, isPart }) =>
      queries.some((query) => {
        const wanted = parts(query).map(stemEnglish);
        if (wanted.length === 0) return false;
        if (!isPart) return typed.join("\n") === wanted.join("\n");
        return typed.some((_, start) => wanted.every((stem, index) => typed[start + index] === stem));
      }),
    );
  }

  #pinned(found: Found, places: readonly (readonly [number, number])[], filter: Filter): Found {
    const first: Ranked[] = [];
    for (const [page, record] of places) {
      if (!filter(page, 0) || first.some(({ candidate: one }) => one.page === page && one.record === record)) continue;
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

interface Full {
  ranked: Ranked[];
  /** Of many matches all, each address once; empty where all are ranked. */
  drafts: Draft[];
}

function kindOf({ own, flags }: Draft): number {
  return own === CONTENT ? flags & (OWN_ANCHOR - 1) : 0;
}

function boostOf(draft: Draft): number {
  return Math.log2(2 + (BOOSTS[draft.own - 1] ?? 1) * (kindOf(draft) === 1 ? 0.7 : 1));
}

function draftFor({ page, record, own, kind, size }: Candidate): Draft {
  return { page, record, own, flags: kind, size, bits: 0, cost: 0, score: 0 };
}

function keyOf({ page, record }: Candidate): number {
  return page * 2 ** 32 + record;
}

/** Words of the title of a page, if any of them is in the query. */
function titleSize(seen: readonly Seen[]): number {
  for (const { occurrences } of seen) {
    const [first, second] = occurrences;
    if (first?.attribute === 1) return first.size;
    if (first?.attribute === 0 && second?.attribute === 1) return second.size;
  }
  return 0;
}

/** Each word of the core is somewhere among these. */
function holdsAll(plan: Plan, seen: readonly Seen[]): boolean {
  return matchesAll(
    plan,
    seen.map(({ token }) => [0, 0, token] as const),
  );
}

const NOTHING = { tokens: new Map<number, Word[]>(), frequency: 0, phrases: [] };
const NO_PAGE = ["", null, "", "", null, "guide", 0] as const;

/** It holds a word or phrase that the query does not want. */
function isExcluded({ query }: Plan, sightings: readonly Sighting[]): boolean {
  return query.excluded.some((tokens) => tokens.every((token) => sightings.some(([, , one]) => one === token)));
}

function matchesAll(plan: Plan, sightings: readonly Sighting[]): boolean {
  const held = new Set(sightings.map(([, , token]) => token));
  return plan.core.every((index) => {
    const { tokens, phrases } = plan.meanings[index] ?? NOTHING;
    for (const words of tokens.values()) if (words.some(({ token }) => held.has(token))) return true;
    return phrases.some((phrase) => phrase.every(({ token }) => held.has(token)));
  });
}

function headingsOf(seen: readonly Seen[]): Seen[] {
  return seen.filter(({ occurrences }) => occurrences.some(({ attribute }) => attribute < CONTENT));
}

/** The words of a query in one record, headings above it first. */
function sightingsOf(record: number, seen: readonly Seen[]): Sighting[] {
  const found: Sighting[] = [];
  for (const { token, occurrences } of seen)
    for (const { record: place, attribute, end, positions } of occurrences) {
      if (place > record) break;
      const isHere = place === record || (attribute < CONTENT && record < end);
      if (isHere) for (const position of positions) found.push([attribute, position, token]);
    }
  return found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

function distinct(ranked: readonly Ranked[]): Ranked[] {
  const known = new Set<number>();
  return ranked.filter(({ candidate }) => {
    const address = addressOf(candidate);
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
}

function addressOf({ page, address }: Pick<Candidate, "page" | "address">): number {
  return page * 2 ** 32 + address;
}

/** How often a word counts on its page. */
function countOf(occurrences: readonly Occurrence[]): number {
  let count = COUNTS.get(occurrences);
  if (count !== undefined) return count;
  count = 0;
  for (const { attribute, positions } of occurrences)
    if (attribute > 0) count += positions.length * (PAGE_TIMES[attribute - 1] ?? 1);
  COUNTS.set(occurrences, count);
  return count;
}

/** Searches ask for the same counts again with each letter that is typed. */
const COUNTS = new WeakMap<readonly Occurrence[], number>();

function pagesWith(postings: ReadonlyMap<number, readonly Occurrence[]>): number {
  let count = 0;
  for (const occurrences of postings.values()) if (countOf(occurrences) > 0) count++;
  return count;
}

/** The length that a norm stands for; `norm_of` of the exporter. */
function lengthOf(norm: number): number {
  if (norm <= 40) return norm;
  let start = 40;
  let step = 2;
  let left = norm - 40;
  while (left >= 8) {
    start += 8 * step;
    left -= 8;
    step *= 2;
  }
  return start + left * step;
}
