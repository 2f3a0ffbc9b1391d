// How well whole pages answer a query: the score of the native index, by the words of all their records.
import { MOST_PAGE_VARIANTS, PAGE_TIMES, RANKED_PAGES, TYPO, VARIANT_BOOST } from "./criteria.gen";
import { K1, type Seen } from "./drafts";
import type { Filter } from "./filters";
import type { Plan } from "./plan";
import type { Occurrence, Postings } from "./postings";
import type { Root, Store, Word } from "./store";
import { EXACT, mostFrequent, NOTHING } from "./vocabulary";

/** The words of a query on each page that holds any. */
export type Pages = ReadonlyMap<number, readonly Seen[]>;

export interface Places {
  pages: Pages;
  /** Tokens so frequent that they were looked for in the texts of the best pages alone. */
  left: ReadonlySet<string>;
}

/** How much the length of a page matters: of the native index. */
const B = 0.75;

/** How well whole pages answer, beside the best. */
export function sharesOf(scores: readonly (readonly [number, number])[]): Map<number, number> {
  const best = scores[0]?.[1] ?? 1;
  return new Map(scores.map(([page, score]) => [page, score / best]));
}

/** The best pages by the words of all their records, best first: the score of the native index. */
export function scorePages(
  store: Store,
  plan: Plan,
  { pages, left }: Places,
  filter: Filter,
): (readonly [number, number])[] {
  const { root } = store;
  const average = root.pageTokens / root.records;
  const clauses = plan.core
    .flatMap((index) => clausesOf(root, plan, index))
    .filter(({ words }) => !words.some(({ token }) => left.has(token)));
  const pagesOf = new Map<string, number>();
  for (const { token } of clauses.flatMap(({ words }) => words)) {
    const word = plan.words.get(token);
    if (word !== undefined) pagesOf.set(token, pagesWith(store.postings(word)));
  }
  const scores: (readonly [number, number])[] = [];
  for (const [page, seen] of pages) {
    if (!filter(page, 0)) continue;
    const counts = new Map<string, number>();
    for (const { token, occurrences } of seen) counts.set(token, countOf(occurrences));
    const norm = K1 * (1 - B + (B * lengthOf(store.norms[page] ?? 0)) / average);
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
  return scores.sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, RANKED_PAGES);
}

/** What counts for one word of a query: words, each with its weight, or null where the native score counts. */
function clausesOf(root: Root, plan: Plan, index: number): { words: readonly Word[]; weight: number | null }[] {
  const meanings = plan.meanings[index] ?? NOTHING;
  const weight = weightOf(root, meanings.frequency);
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

/** How much each word of a query tells: the rarer, the more. */
export function weightsOf(root: Root, plan: Plan): number[] {
  return plan.meanings.map(({ frequency }) => weightOf(root, frequency));
}

function weightOf({ records }: Root, frequency: number): number {
  const count = Math.min(records, frequency);
  return Math.log(1 + (records - count + 0.5) / (count + 0.5));
}

/** How often a word counts on its page. */
function countOf(occurrences: readonly Occurrence[]): number {
  let count = COUNTS.get(occurrences);
  if (count !== undefined) return count;
  count = 0;
  for (const { attribute, times } of occurrences) if (attribute > 0) count += times * (PAGE_TIMES[attribute - 1] ?? 1);
  COUNTS.set(occurrences, count);
  return count;
}

/** Searches ask for the same counts again with each letter that is typed. */
const COUNTS = new WeakMap<readonly Occurrence[], number>();

function pagesWith({ pages }: Postings): number {
  let count = 0;
  for (const occurrences of pages.values()) if (countOf(occurrences) > 0) count++;
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
