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
  OUTLINE_PAGES,
  OWN_ANCHOR,
  PAGE_TIMES,
  PARTIAL_PAGES,
  PARTIAL_RECORDS,
  RANKED_PAGES,
  TYPO,
  VARIANT_BOOST,
} from "./criteria.gen";
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
  isExact: boolean;
}

/** Files of postings that are read for the words that begin as one does. */
const MOST_BEGUN = 6;
/** Pages of which all headings are looked through, where what is above these matches. */
const MOST_OUTLINES = 96;

/** Numbers of the native index: how fast more of a word counts less, and how much the length of a text matters. */
const K1 = 1.2;
const B = 0.75;

/** A word's occurrences on one page. */
interface Seen {
  token: string;
  occurrences: readonly Occurrence[];
}

type Pages = ReadonlyMap<number, readonly Seen[]>;

export class Engine {
  readonly #store: Store;
  readonly #vocabulary: Vocabulary;

  constructor(store: Store) {
    this.#store = store;
    this.#vocabulary = new Vocabulary(store);
  }

  search(text: string, filter: Filter): Found {
    const rules = this.#rulesFor(text);
    const hidden = new Set(rules.flatMap((rule) => rule.hidden));
    const found = this.#search(text, (page, kind) => !hidden.has(page) && filter(page, kind));
    const pinned = rules.flatMap((rule) => rule.pinned);
    return pinned.length === 0 ? found : this.#pinned(found, pinned, filter);
  }

  #search(text: string, filter: Filter): Found {
    const query = parseQuery(text);
    if (query.terms.length === 0) return { plan: this.#plan(query, "none"), ranked: [], isExact: true };
    let plan = this.#plan(query, "none");
    let pages: Pages = new Map();
    let ranked: Ranked[] = [];
    for (const typos of ["none", "unknown", "all"] as const) {
      plan = this.#plan(query, typos);
      this.#store.check();
      pages = this.#pages(plan);
      this.#store.check();
      ranked = this.#matches(plan, pages, filter);
      this.#store.check();
      const isAllKnown = plan.core.every((index) => isKnown(plan.meanings[index] ?? NOTHING));
      if (ranked.length >= (typos !== "none" || isAllKnown ? 1 : ENOUGH)) break;
    }
    const ofPages = new Set(ranked.map(({ candidate }) => candidate.page));
    const partial =
      ofPages.size < ENOUGH_PAGES && plan.core.length > 1 ? this.#partial(plan, pages, filter, ranked) : [];
    return { plan, ranked: [...ranked, ...partial], isExact: true };
  }

  #plan(query: Plan["query"], typos: Typos): Plan {
    return makePlan(query, this.#vocabulary, typos, this.#store.root.synonyms);
  }

  /** Where the words of a plan occur, page by page. Of many words that begin alike, the most frequent are read. */
  #pages(plan: Plan): Pages {
    const pages = new Map<number, Seen[]>();
    const files = new Set<number>();
    const words = mostFrequent([...plan.words.values()], Infinity);
    const isBegun = (word: Word): boolean =>
      (plan.senses.get(word.token) ?? []).every(([, , quality]) => quality % TYPO >= 2);
    for (const word of [...words.filter((one) => !isBegun(one)), ...words.filter(isBegun)]) {
      const file = this.#store.postingsFile(word);
      if (isBegun(word) && !files.has(file) && files.size >= MOST_BEGUN) continue;
      files.add(file);
      for (const [page, occurrences] of this.#store.postings(word)) {
        const seen = pages.get(page);
        if (seen === undefined) pages.set(page, [{ token: word.token, occurrences }]);
        else seen.push({ token: word.token, occurrences });
      }
    }
    return pages;
  }

  #matches(plan: Plan, pages: Pages, filter: Filter): Ranked[] {
    const matching = new Map<number, Candidate[]>();
    let outlines = 0;
    for (const [page, seen] of pages) {
      if (!this.#holdsAll(plan, seen)) continue;
      const isAbove = this.#holdsAll(plan, headingsOf(seen));
      const candidates = this.#candidates(page, seen, filter, isAbove && outlines < MOST_OUTLINES).filter(
        ({ sightings }) => matchesAll(plan, sightings) && !isExcluded(plan, sightings),
      );
      if (isAbove) outlines++;
      if (candidates.length > 0) matching.set(page, candidates);
    }
    this.#store.check();
    const all = [...matching.values()].flat();
    const hasShares = plan.core.length > 1 && plan.query.identifiers.length === 0 && all.length > 1;
    const shares = hasShares ? this.#shares(plan, pages, filter) : null;
    const ranker = new Ranker(plan);
    const ranked: Ranked[] = [];
    for (const candidate of all) {
      const rank = ranker.rank(candidate, shares === null ? 1 : (shares.get(candidate.page) ?? 0));
      if (rank !== null) ranked.push({ rank, candidate });
    }
    return spread(distinct(ranked.sort(compareRanked)));
  }

  /** Each word of the core is somewhere among these. */
  #holdsAll(plan: Plan, seen: readonly Seen[]): boolean {
    return matchesAll(
      plan,
      seen.map(({ token }) => [0, 0, token] as const),
    );
  }

  /** The records of a page that hold a word themselves, and the headings below one that does. */
  #candidates(page: number, seen: readonly Seen[], filter: Filter, hasOutline: boolean): Candidate[] {
    const { root } = this.#store;
    const [, , , , , pageKind, pageRank] = root.combinations[root.combinationOf[page] ?? 0] ?? NO_PAGE;
    const isGenerated = (GENERATED as readonly string[]).includes(pageKind);
    const own = new Map<number, Omit<Candidate, "sightings">>();
    const common = { page, pageRank, isGenerated };
    let titleSize = 0;
    for (const { occurrences } of seen)
      for (const { record, attribute, size, flags } of occurrences) {
        if (attribute === 1) titleSize = size;
        if (attribute === 0 || own.has(record)) continue;
        const isText = attribute === CONTENT;
        const kind = isText ? flags & (OWN_ANCHOR - 1) : 0;
        if (!filter(page, isText ? kind : 0)) continue;
        const isCode = kind === 1 || (pageKind === "code" && kind === 0);
        const address = isText && (flags & OWN_ANCHOR) === 0 ? record - (record % HEADING) : record;
        own.set(record, { ...common, record, own: attribute, kind, isCode, size: isText ? -1 : size, address });
      }
    if (hasOutline && filter(page, 0)) {
      const outline = this.#store.outline(page, OUTLINE_PAGES) ?? [];
      for (let place = 0; place < outline.length; place += 2) {
        const record = (place / 2) * HEADING;
        const [level = 1, size = 0] = outline.slice(place, place + 2);
        if (level === 1) titleSize = size;
        if (!own.has(record))
          own.set(record, { ...common, record, own: level, kind: 0, isCode: false, size, address: record });
      }
    }
    return [...own.values()].map((candidate) => ({
      ...candidate,
      size: candidate.size < 0 ? titleSize : candidate.size,
      sightings: sightingsOf(candidate.record, seen),
    }));
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
      const counts = new Map(seen.map(({ token, occurrences }) => [token, countOf(occurrences)]));
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
    const weights = plan.meanings.map(({ frequency }) => this.#weight(frequency));
    const chosen = this.#some(plan, pages, filter, weights);
    for (const [page] of scores.slice(0, PARTIAL_PAGES)) {
      if (chosen.some(({ page: other, record }) => other === page && record === 0)) continue;
      const outline = this.#store.outline(page, OUTLINE_PAGES);
      const [title] = this.#candidates(page, pages.get(page) ?? [], filter, true).filter(({ record }) => record === 0);
      if (outline !== undefined && title !== undefined) chosen.push(title);
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
    const scored: [number, Candidate][] = [];
    for (const [page, seen] of pages) {
      for (const candidate of this.#candidates(page, seen, filter, false)) {
        const best = new Map<number, number>();
        const counts = new Map<string, number>();
        for (const [, , token] of candidate.sightings) counts.set(token, (counts.get(token) ?? 0) + 1);
        for (const [token, count] of counts)
          for (const [term, , quality] of plan.senses.get(token) ?? []) {
            if (!plan.core.includes(term)) continue;
            const factor =
              quality === EXACT ? ((K1 + 1) * count) / (count + K1) : VARIANT_BOOST / (1 + Math.floor(quality / TYPO));
            best.set(term, (best.get(term) ?? 0) + (weights[term] ?? 0) * factor);
          }
        const boost = (BOOSTS[Math.min(candidate.own, CONTENT) - 1] ?? 1) * (candidate.isCode ? 0.7 : 1);
        const score = [...best.values()].reduce((sum, value) => sum + value, 0) * Math.log2(2 + boost);
        if (score > 0) scored.push([score, candidate]);
      }
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

function addressOf({ page, address }: Candidate): number {
  return page * 2 ** 32 + address;
}

/** How often a word counts on its page. */
function countOf(occurrences: readonly Occurrence[]): number {
  let count = 0;
  for (const { attribute, positions } of occurrences)
    if (attribute > 0) count += positions.length * (PAGE_TIMES[attribute - 1] ?? 1);
  return count;
}

function pagesWith(postings: ReadonlyMap<number, readonly Occurrence[]>): number {
  let count = 0;
  for (const occurrences of postings.values()) if (occurrences.some(({ attribute }) => attribute > 0)) count++;
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
