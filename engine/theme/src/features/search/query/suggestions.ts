import { distance } from "../../not-found/nearest";

/** Queries that are tried at most. */
const TRIED = 8;
/** Words must be so much alike, from 0 to 1, to be taken for slips of each other. */
const ALIKE = 0.5;

/**
 * Choose queries that might do instead of one that finds nothing: titles with like words, then titles seen before, then
 * the first of the site.
 */
export function chooseCandidates(query: string, titles: readonly string[], seen: readonly string[]): readonly string[] {
  const wanted = words(query);
  const like = [...new Set([...titles, ...seen])]
    .map((title) => ({ title, score: likeness(wanted, words(title)) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ title }) => title);
  const all = [...like, ...seen, ...titles];
  return [...new Set(all)].filter((title) => title.toLowerCase() !== query.trim().toLowerCase()).slice(0, TRIED);
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** Sum over the wanted words: how much the nearest word there is like each. Long titles count a little less. */
function likeness(wanted: readonly string[], there: readonly string[]): number {
  let score = 0;
  for (const word of wanted) {
    const best = Math.max(0, ...there.map((other) => wordLikeness(word, other)));
    if (best >= ALIKE) score += best;
  }
  return score === 0 ? 0 : score - there.length / 100;
}

function wordLikeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const limit = Math.floor(longest / 2);
  const steps = distance(one, other, limit);
  const shared = sharedStart(one, other) / Math.min(longest, 12);
  return Math.max(steps > limit ? 0 : 1 - steps / longest, shared);
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
