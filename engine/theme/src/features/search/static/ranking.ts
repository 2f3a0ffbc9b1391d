// The order of hits; `octavo/search/ranking/rank.py`, `worth.py` and `spread.py` say why it is as it is.
import {
  ABOVE_HEADING,
  ABOVE_TEXT,
  ABOVE_TEXT_FAR,
  CHANGES_RANK,
  CODE_LOSS,
  DATA_RANK,
  DEFINED_SHARE,
  FARTHEST,
  FARTHEST_WORD,
  FIRST_SHARE,
  FIRST_TEXT,
  FULL_SHARE,
  GENERATED_LOSS,
  HEADING_SHARE,
  LEVEL_WEIGHTS,
  LIST_LOSS,
  LIST_STEPS,
  MOST_COUNTED,
  MOST_GENERATED,
  MOST_OCCURRENCES,
  MOST_OF_PAGE,
  MOST_WORTH,
  NAMED_SHARE,
  NEAR_SHARE,
  OTHER_CODE,
  OTHER_TEXT,
  OWN_HEADING,
  OWN_TITLE,
  PAGE_SHARE,
  QUALITIES,
  RELATED,
  STEPS,
  SUPPORT,
  TEXT_GAIN,
  TEXT_SHARE,
  TITLE_AND_TEXT,
  TITLE_SHARE,
  TITLED,
  TYPED_SHARE,
  TYPO,
  UNRELATED,
  UNRELATED_STEPS,
  WORD_FOR_WORD,
  WITHOUT_NAME,
  WORTH_STEPS,
} from "./criteria.gen";
import { isInParts, isStopWord, type Plan } from "./plan";
import { EXACT, FORM } from "./vocabulary";

const TITLE = 1;
export const CONTENT = 7;

/** Attribute, position in it, token. */
export type Sighting = readonly [number, number, string];

/** What ranking knows of a record. */
export interface Candidate {
  page: number;
  record: number;
  /** Index of the attribute that it is about. */
  own: number;
  /** Index of its kind where that differs from its page's; 0 where not. */
  kind: number;
  isCode: boolean;
  /** It is part of a page that was made from a description. */
  isGenerated: boolean;
  pageRank: number;
  /** Words of its heading, or of the title of its page. */
  size: number;
  sightings: readonly Sighting[];
  /** Record whose address it has. */
  address: number;
}

/** Place of a record in the order: smaller is better, number by number; the first ten, then page rank, size, level, position. */
type Rank = readonly number[];

/** Numbers of a rank that make a tier, in which hits of different pages take turns. */
const TIER = 6;
const IDENTIFIERS = 1;
const LAST = 5;
const PROXIMITY = 6;
const ATTRIBUTE = 7;
const EXACTNESS = 8;
const ADJACENCY = 9;

const PLACE = 1 << 20;
const UNMATCHED = 1 << 20;
const MOST_PAIRS = 16;

interface Words {
  qualities: readonly number[];
  weights: readonly number[];
  places: readonly (readonly number[])[];
}

/** The identifier itself, or what begins with it where the index has none and it may be unfinished. */
function holding(name: string, { query, words }: Plan): ReadonlySet<string> {
  if (words.has(name)) return new Set(isInParts(name) ? [name, name.replaceAll("-", "")] : [name]);
  const isOpen = query.groups.some((group) => group.isPrefix && group.name === name);
  const begun = isOpen ? [...words.keys()].filter((token) => token.startsWith(name)) : [];
  return new Set(begun.length > 0 ? begun : [name]);
}

export class Ranker {
  readonly #plan: Plan;
  /** For each identifier of the query the tokens that hold it. */
  readonly #held: readonly ReadonlySet<string>[];
  readonly #identifiers: ReadonlySet<string>;
  readonly #isName: boolean;
  readonly #hasNumber: boolean;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#held = plan.query.identifiers.map((name) => holding(name, plan));
    this.#identifiers = new Set(this.#held.flatMap((tokens) => [...tokens]));
    this.#hasNumber = plan.query.terms.some(({ form }) => /\p{Nd}/u.test(form));
    this.#isName = this.#held.length === 1 && plan.query.terms.every(({ names }) => names.length > 0);
  }

  /** Null: it matches no word, or breaks a quoted phrase. `page`: how well its page answers, 0 to 1. */
  rank(candidate: Candidate, page: number): Rank | null {
    const isHeading = this.#isHeading(candidate);
    const rank = this.#rank(candidate, this.#note(candidate, isHeading), page, isHeading);
    if (rank === null || !this.#defines(candidate, isHeading)) return rank;
    return [...rank.slice(0, ATTRIBUTE), 0, ...rank.slice(ATTRIBUTE + 1)]; // tables of guides name flags as well; the reference explains each
  }

  /** The same by what a match is worth; `weights`: how much each word of the query tells, `full`: it holds all of them. */
  rankByWorth(candidate: Candidate, page: number, weights: readonly number[], full?: "first" | "later"): Rank | null {
    const isHeading = this.#isHeading(candidate);
    const words = this.#note(candidate, isHeading);
    const rank = this.#rank(candidate, words, 1, isHeading);
    if (rank === null) return null;
    const { core } = this.#plan;
    const most = core.reduce((sum, index) => sum + (weights[index] ?? 0), 0) || 1;
    let value = 0;
    for (const index of core) {
      const quality = words.qualities[index] ?? UNMATCHED;
      if (quality >= TYPO * TYPO) continue;
      const share = (words.weights[index] ?? 0) < FIRST_TEXT ? HEADING_SHARE : TEXT_SHARE;
      value += ((weights[index] ?? 0) * (QUALITIES[quality % TYPO] ?? 0) * share) / (1 + Math.floor(quality / TYPO));
    }
    const { pageRank, isGenerated, isCode, own, size } = candidate;
    const isTheQuery = this.#isTheQuery(candidate);
    // Such a heading is as good as the title of the best page.
    let worth =
      value / most + PAGE_SHARE * (isTheQuery ? 1 : page) - (TYPED_SHARE * (rank[EXACTNESS] ?? 0)) / core.length;
    const inside = core.filter((index) => isIn(own, words.places[index]));
    const titled = own === TITLE ? inside : core.filter((index) => isIn(TITLE, words.places[index]));
    const share = (terms: readonly number[]): number =>
      terms.reduce((sum, index) => sum + (weights[index] ?? 0), 0) / most;
    const heading = own === CONTENT ? titled : inside;
    worth +=
      TITLE_SHARE * share(isTheQuery ? inside : titled) + NAMED_SHARE * Math.min(1, heading.length / Math.max(1, size));
    worth += own === CONTENT ? TEXT_GAIN * share(inside) : 0;
    if (full !== undefined) {
      const apart = ((rank[ADJACENCY] ?? 0) / Math.max(1, core.length - 1) - 1) / (FARTHEST - 1);
      worth += NEAR_SHARE * (1 - apart) + (full === "first" ? FIRST_SHARE : 0);
      worth += FULL_SHARE * (isCode ? 1 - apart : 1) + (this.#defines(candidate, isHeading) ? DEFINED_SHARE : 0);
    }
    const hasOwnPlace = full !== undefined && rank[LAST] === 1; // behind the others
    if (this.#isList(pageRank) && !hasOwnPlace) worth -= LIST_LOSS;
    worth -= (isCode ? CODE_LOSS : 0) + (isGenerated ? GENERATED_LOSS : 0);
    const missing = 1 + Math.max(0, Math.round(WORTH_STEPS * (MOST_WORTH - worth)));
    return [missing + WITHOUT_NAME * (rank[IDENTIFIERS] ?? 0), ...rank.slice(1)];
  }

  #isList(pageRank: number): boolean {
    return pageRank <= DATA_RANK || (pageRank === CHANGES_RANK && !this.#hasNumber);
  }

  #isHeading(candidate: Candidate): boolean {
    // A text that begins with an identifier of the query defines it.
    return candidate.own !== CONTENT || (!candidate.isCode && this.#begins(candidate));
  }

  /** A text of a generated reference that defines the name which the query is. */
  #defines({ own, isGenerated }: Candidate, isHeading: boolean): boolean {
    return isHeading && own === CONTENT && isGenerated && this.#isName;
  }

  #begins({ own, sightings }: Candidate): boolean {
    return sightings.some(
      ([attribute, position, token]) => attribute === own && position === 0 && this.#identifiers.has(token),
    );
  }

  #rank(candidate: Candidate, words: Words, page: number, isHeading: boolean): Rank | null {
    const plan = this.#plan;
    const { own, pageRank, sightings, record } = candidate;
    const { qualities, weights, places } = words;
    const level = own === CONTENT ? 0 : (LEVEL_WEIGHTS[own - 1] ?? 0);
    const isLast = pageRank <= 0 ? 1 : 0;
    const matched = plan.core.filter((index) => qualities[index] !== UNMATCHED);
    if (matched.length === 0)
      return plan.query.terms.length > 0 ? null : [0, 0, 0, 0, 0, isLast, 0, 0, 0, 0, -pageRank, 0, -level, record];
    for (const [first, count] of plan.query.phrases) if (!holdsPhrase(places.slice(first, first + count))) return null;
    let typos = 0;
    let weight = 0;
    let steps = 0;
    let distance = 0;
    let before: readonly number[] = [];
    for (const index of matched) {
      typos += Math.floor((qualities[index] ?? 0) / TYPO);
      weight += weights[index] ?? 0;
      const after = places[index] ?? [];
      if (before.length > 0) {
        const near = distanceOf(before, after, isHeading ? own : -1);
        const apart = near === FARTHEST && !isHeading && areTitleAndText(before, after) ? TITLE_AND_TEXT : near;
        steps += STEPS[apart] ?? 0;
        distance += apart;
      }
      before = after;
    }
    const exact = plan.core.filter((index) => qualities[index] === EXACT).length;
    const isWhole = this.#isWhole(candidate);
    const isList = this.#isList(pageRank);
    const isOther =
      this.#identifiers.size > 0 && own !== TITLE && (own === CONTENT || !this.#begins(candidate)) ? 1 : 0;
    const elsewhere = isHeading ? isOther : Math.floor((1 - page) * UNRELATED_STEPS) * UNRELATED;
    const isWordForWord = isWhole && candidate.size > plan.core.length; // its small words are in the heading as well
    const isNamed = page >= RELATED || this.#isTheQuery(candidate);
    const isSubject = isWhole && candidate.size > 1 && (own === TITLE || isNamed);
    const attribute = isSubject ? 0 : weight + elsewhere;
    const isApart = page < RELATED && !(isWhole && candidate.size === 1);
    const far = attribute > 0 ? (isApart ? 1 : 0) + (isList ? LIST_STEPS : 0) : 0;
    const misses = this.#held.some((tokens) => !sightings.some(([, , token]) => tokens.has(token)));
    const namesPage = sightings.find(([attribute]) => attribute >= TITLE)?.[0] === TITLE;
    return [
      0,
      this.#held.length === 0 || misses ? 1 : 0,
      typos,
      -matched.length,
      0,
      isLast,
      (candidate.isCode ? steps * 2 : steps) + far,
      attribute,
      -exact - (isWhole ? 1 : 0) - (isWordForWord ? 1 : 0),
      distance,
      -pageRank,
      own !== CONTENT || namesPage ? candidate.size : 0,
      -level,
      record,
    ];
  }

  #note({ own, isCode, record, sightings }: Candidate, isHeading: boolean): Words {
    const { senses, query } = this.#plan;
    const qualities = query.terms.map(() => UNMATCHED);
    const weights = query.terms.map(() => UNMATCHED);
    const places = query.terms.map((): number[] => []);
    const begins = isCode ? OTHER_CODE : record === 1 ? FIRST_TEXT : OTHER_TEXT;
    const titled = new Set<number>();
    for (const [attribute, position, token] of sightings) {
      let weight: number;
      if (attribute === TITLE && own !== TITLE && !isHeading)
        for (const [term] of senses.get(token) ?? []) titled.add(term);
      if (attribute !== own)
        weight = isHeading ? ABOVE_HEADING - attribute : attribute === 0 ? ABOVE_TEXT_FAR : ABOVE_TEXT - attribute;
      else if (attribute === TITLE) weight = OWN_TITLE;
      else if (isHeading && (attribute !== CONTENT || position === 0)) weight = OWN_HEADING;
      else weight = begins + Math.min(position, FARTHEST_WORD);
      for (const [term, offset, quality] of senses.get(token) ?? []) {
        if (quality < (qualities[term] ?? 0)) qualities[term] = quality;
        if (weight < (weights[term] ?? 0)) weights[term] = weight;
        const found = places[term];
        if (found !== undefined && found.length < MOST_OCCURRENCES) found.push(attribute * PLACE + position + offset);
      }
    }
    for (const term of titled) {
      const weight = weights[term] ?? UNMATCHED;
      if (weight < ABOVE_TEXT - CONTENT) weights[term] = weight - TITLED; // it is in the text as well
    }
    return { qualities, weights, places };
  }

  /** Whether the heading is a query of several words, small ones among them, word for word. */
  #isTheQuery(candidate: Candidate): boolean {
    return candidate.size >= Math.max(WORD_FOR_WORD, this.#plan.core.length + 1) && this.#isWhole(candidate);
  }

  /** The record's heading is the query word for word, with or without its small words; with them, in any order. */
  #isWhole({ own, size, sightings }: Candidate): boolean {
    const { core, query, senses, stops } = this.#plan;
    const hasAll = size === query.terms.length;
    if (own === CONTENT || (!hasAll && size !== core.length)) return false;
    const terms = hasAll ? query.terms.map((_, index) => index) : core;
    const missing = new Set(
      terms.filter((term) => {
        const typed = query.terms[term];
        return core.includes(term) || (typed && isStopWord(typed, stops));
      }),
    );
    // The title of a page may have other forms of the words.
    const isRight = (quality: number): boolean =>
      quality === EXACT || (own === TITLE && (quality === FORM || quality === TYPO + FORM));
    const taken = new Set<number>();
    for (const [attribute, position, token] of sightings) {
      if (attribute !== own || taken.has(position)) continue;
      for (const [term, offset, quality] of senses.get(token) ?? []) {
        const isPlaced = terms.length > core.length || term === terms[position];
        if (offset !== 0 || !isRight(quality) || !isPlaced || !missing.delete(term)) continue;
        taken.add(position);
        break;
      }
    }
    return missing.size === 0;
  }
}

function distanceOf(before: readonly number[], after: readonly number[], heading: number): number {
  if (heading >= 0) {
    const start = heading * PLACE;
    const own = (before.at(-1) ?? 0) >= start || (after.at(-1) ?? 0) >= start;
    if (own && ((before[0] ?? 0) < start || (after[0] ?? 0) < start)) return 1;
  }
  if (before.length * after.length > MOST_PAIRS) {
    const places = new Set(after);
    for (let distance = 1; distance < FARTHEST; distance++)
      for (const position of before)
        if (places.has(position + distance) || places.has(position + 1 - distance)) return distance;
    return FARTHEST;
  }
  let nearest: number = FARTHEST;
  for (const place of before)
    for (const other of after) nearest = Math.min(nearest, other > place ? other - place : place - other + 1);
  return nearest;
}

/** One of the places of a word is in an attribute. */
function isIn(attribute: number, places: readonly number[] | undefined): boolean {
  return places?.some((place) => Math.floor(place / PLACE) === attribute) ?? false;
}

/** One of two words is in the title of a page, and the other in a text of it. */
function areTitleAndText(before: readonly number[], after: readonly number[]): boolean {
  const endsInText = (places: readonly number[]): boolean => isIn(CONTENT, places.slice(-1));
  return (endsInText(after) && isIn(TITLE, before)) || (endsInText(before) && isIn(TITLE, after));
}

function holdsPhrase(words: readonly (readonly number[])[]): boolean {
  let ends = new Set(words[0]);
  for (const places of words.slice(1)) ends = new Set(places.filter((place) => ends.has(place - 1)));
  return ends.size > 0;
}

export interface Ranked {
  rank: Rank;
  candidate: Candidate;
}

/** Best first; of equal hits the one whose address comes first. */
export function compareRanked(one: Ranked, other: Ranked): number {
  return (
    compareRanks(one, other) ||
    one.candidate.page - other.candidate.page ||
    one.candidate.record - other.candidate.record
  );
}

function compareRanks(one: Ranked, other: Ranked): number {
  for (let index = 0; index < one.rank.length; index++) {
    const difference = (one.rank[index] ?? 0) - (other.rank[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Records of each page among the best matches: page → records. */
export function countBest(hits: readonly Ranked[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { candidate } of [...hits].sort(compareRanked).slice(0, MOST_COUNTED))
    counts.set(candidate.page, (counts.get(candidate.page) ?? 0) + 1);
  return counts;
}

/** Hits by their worth and by how many records of their page are among the best; `counts`: page → records. */
export function supported(hits: readonly Ranked[], counts: ReadonlyMap<number, number>): Ranked[] {
  return hits.map((hit) => {
    const count = Math.min(counts.get(hit.candidate.page) ?? 1, SUPPORT.length);
    const gain = SUPPORT[count - 1] ?? 0;
    return { ...hit, rank: [Math.max(1, (hit.rank[0] ?? 0) - gain), ...hit.rank.slice(1)] };
  });
}

/** Hits by what they are worth; a full match of a page that the site's settings put last follows all others. */
export function inOrderOfWorth(full: readonly Ranked[], partial: readonly Ranked[]): Ranked[] {
  const isLast = ({ rank }: Ranked): boolean => rank[LAST] === 1;
  const others = full.filter((hit) => !isLast(hit)).map(({ rank }) => rank[0] ?? 0);
  const least = Math.max(0, ...others) + 1;
  const order = full.map((hit) =>
    isLast(hit) ? { ...hit, rank: [Math.max(hit.rank[0] ?? 0, least), ...hit.rank.slice(1)] } : hit,
  );
  return [...order, ...partial].sort(compareRanks);
}

/** No page, no generated reference and no code takes all places among hits that match equally well in words. */
export function spread(ranked: readonly Ranked[]): Ranked[] {
  const order: Ranked[] = [];
  let start = 0;
  for (let end = 1; end <= ranked.length; end++) {
    if (end < ranked.length && sameTier(ranked[start], ranked[end])) continue;
    order.push(...mixed(behind(ranked.slice(start, end))));
    start = end;
  }
  return order;
}

function sameTier(one: Ranked | undefined, other: Ranked | undefined): boolean {
  return one?.rank.slice(0, TIER).join() === other?.rank.slice(0, TIER).join();
}

function behind(tier: readonly Ranked[]): Ranked[] {
  const counts = new Map<number, number>();
  const first: Ranked[] = [];
  const later: Ranked[] = [];
  for (const item of tier) {
    const { page } = item.candidate;
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    (count <= MOST_OF_PAGE ? first : later).push(item);
  }
  return [...first, ...later];
}

const isDetail = ({ candidate }: Ranked): boolean => candidate.isGenerated || candidate.isCode;

function mixed(tier: Ranked[]): Ranked[] {
  const generated = tier.filter(isDetail);
  if (generated.length === 0 || generated.length === tier.length) return tier;
  const placeOf = new Map(tier.map((item, place) => [item, place]));
  const written = tier.filter((item) => !isDetail(item));
  const order: Ranked[] = [];
  const best = written[0]?.rank ?? [];
  const other = generated[0]?.rank ?? [];
  const at = (rank: Rank, index: number): number => rank[index] ?? 0;
  if (at(other, ATTRIBUTE) > 0 && at(best, ATTRIBUTE) < FIRST_TEXT && at(best, PROXIMITY) <= at(other, PROXIMITY))
    order.push(...written.splice(0, 1));
  let row = 0;
  while (generated.length > 0 && written.length > 0) {
    const [one, two] = [generated[0], written[0]] as [Ranked, Ranked];
    const isNext = (placeOf.get(one) ?? 0) < (placeOf.get(two) ?? 0);
    row = isNext && row < MOST_GENERATED ? row + 1 : 0;
    order.push(...(row > 0 ? generated : written).splice(0, 1));
  }
  return [...order, ...generated, ...written];
}
