// The records of a page that hold words of a query, found in one pass over the words' places: cheap enough for thousands.
import {
  ABOVE_HEADING,
  ABOVE_TEXT,
  FARTHEST_WORD,
  FIRST_TEXT,
  HEADING,
  OTHER_CODE,
  OTHER_TEXT,
  OWN_ANCHOR,
  TYPO,
  VARIANT_BOOST,
} from "./criteria.gen";
import type { Plan } from "./plan";
import type { Occurrence } from "./postings";
import { CONTENT } from "./ranking";
import { EXACT } from "./vocabulary";

/** How fast more of a word counts less: of the native index. */
export const K1 = 1.2;

/** A word's occurrences on one page. */
export interface Seen {
  token: string;
  occurrences: readonly Occurrence[];
}

/** What a word says of the query. */
export interface Sense {
  /** Words of the core that it may mean, a bit for each. */
  bits: number;
  /** What a match costs beside an exact one: a misspelling more than anything else. */
  cost: number;
  /** What one exact occurrence, or any other, adds to a score. */
  score: number;
  isExact: boolean;
}

/** What a record holds of a query, roughly: enough to choose those that are ranked. */
export interface Draft {
  page: number;
  record: number;
  /** A bit for each word of the core that it may hold itself or in a heading above it. */
  bits: number;
  /** About the weights of the best places of its words; smaller is better. */
  cost: number;
  /** About the score of the native index. */
  score: number;
  own: number;
  flags: number;
  size: number;
}

/** Cost of a word with a typing mistake; of one in another form. */
const MISSPELT = 10_000;
const OTHER_FORM = 3;

/** What the words of a plan say, by token. */
export function sensesOf(plan: Plan, weights: readonly number[]): ReadonlyMap<string, Sense> {
  const bitOf = new Map(plan.core.map((term, index) => [term, 1 << index]));
  const found = new Map<string, Sense>();
  for (const [token, senses] of plan.senses) {
    const sense: Sense = { bits: 0, cost: Infinity, score: 0, isExact: false };
    for (const [term, , quality] of senses) {
      const bit = bitOf.get(term);
      if (bit === undefined) continue;
      const typos = Math.floor(quality / TYPO);
      sense.bits |= bit;
      sense.isExact ||= quality === EXACT;
      sense.cost = Math.min(sense.cost, quality === EXACT ? 0 : OTHER_FORM + MISSPELT * typos);
      sense.score += (weights[term] ?? 0) * (quality === EXACT ? 1 : VARIANT_BOOST / (1 + typos));
    }
    found.set(token, sense);
  }
  return found;
}

/** The bits of all words of a plan's core. */
export function allBits(plan: Plan): number {
  return 2 ** plan.core.length - 1;
}

/** The records of a page that hold words themselves. */
export function draftsOf(
  page: number,
  seen: readonly Seen[],
  senses: ReadonlyMap<string, Sense>,
  all: number,
): Draft[] {
  const own = new Map<number, Draft>();
  const above: [start: number, end: number, bits: number, score: number][] = [];
  for (const { token, occurrences } of seen) {
    const sense = senses.get(token);
    if (sense === undefined || sense.bits === 0) continue;
    for (const { record, attribute, end, size, flags, positions, times } of occurrences) {
      const score = sense.isExact ? (sense.score * (K1 + 1) * times) / (times + K1) : sense.score;
      if (attribute < CONTENT) above.push([record, end, sense.bits, score]);
      if (attribute === 0) continue;
      let draft = own.get(record);
      if (draft === undefined) {
        draft = { page, record, bits: 0, cost: 0, score: 0, own: attribute, flags, size };
        own.set(record, draft);
      }
      if ((draft.bits | sense.bits) !== draft.bits) draft.cost += sense.cost + placeCost(draft, positions[0] ?? 0);
      draft.bits |= sense.bits;
      draft.score += score;
    }
  }
  // Headings enclose what is below them, so the open ones are a stack while records are passed in their order.
  above.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  const open: [end: number, bits: number, score: number][] = [];
  const drafts = [...own.values()].sort((one, other) => one.record - other.record);
  let next = 0;
  for (const draft of drafts) {
    for (let one = above[next]; one !== undefined && one[0] < draft.record; one = above[++next]) {
      while (open.length > 0 && (open.at(-1)?.[0] ?? 0) <= one[0]) open.pop();
      const before = open.at(-1);
      open.push([one[1], one[2] | (before?.[1] ?? 0), one[3] + (before?.[2] ?? 0)]);
    }
    while (open.length > 0 && (open.at(-1)?.[0] ?? 0) <= draft.record) open.pop();
    const [, bits, score] = open.at(-1) ?? [0, 0, 0];
    draft.cost += bitCount(bits & ~draft.bits & all) * (draft.own === CONTENT ? ABOVE_TEXT : ABOVE_HEADING);
    draft.bits |= bits;
    draft.score += score;
  }
  // The section's words, of attribute 0, are above the title too.
  const section = above.filter(([start]) => start === 0);
  const title = drafts[0];
  if (title?.record === 0) for (const [, , bits] of section) title.bits |= bits;
  return drafts;
}

function placeCost({ own, flags, record }: Draft, position: number): number {
  if (own !== CONTENT) return own - 1;
  const begins = (flags & (OWN_ANCHOR - 1)) === 1 ? OTHER_CODE : record === 1 ? FIRST_TEXT : OTHER_TEXT;
  return begins + Math.min(position, FARTHEST_WORD);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Record whose address a record has. */
export function addressOf({ record, own, flags }: Pick<Draft, "record" | "own" | "flags">): number {
  return own === CONTENT && (flags & OWN_ANCHOR) === 0 ? record - (record % HEADING) : record;
}
