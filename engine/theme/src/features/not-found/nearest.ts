/** Words of an address, in lower case. */
function words(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\.html$/, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Changes of one character that turn a word into another (Levenshtein), at most `limit` + 1. */
export function distance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const swap = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** How much of an address's words another one has: 0 to 1; near misses count half. */
function likeness(wanted: readonly string[], path: string): number {
  const there = words(path);
  let score = 0;
  for (const [index, word] of wanted.entries()) {
    // The last words name the page, the first only its section.
    const weight = index + 1;
    if (there.includes(word)) score += weight;
    else if (there.some((other) => distance(word, other, 2) <= Math.min(2, word.length / 3))) score += weight / 2;
  }
  const all = (wanted.length * (wanted.length + 1)) / 2;
  return all === 0 ? 0 : score / all - there.length / 100;
}

/** The addresses most like one that does not exist, best first; none that has nothing in common with it. */
export function nearestPaths(wanted: string, paths: readonly string[], limit: number): string[] {
  const asked = words(wanted);
  return paths
    .map((path) => ({ path, score: likeness(asked, path) }))
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ path }) => path);
}
