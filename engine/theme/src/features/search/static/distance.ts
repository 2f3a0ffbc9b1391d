/** Tell whether at most `limit` letters were left out, added, replaced, or swapped with their neighbours. */
export function within(first: string, second: string, limit: number): boolean {
  if (first === second) return true;
  if (limit === 0 || Math.abs(first.length - second.length) > limit) return false;
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  const rest = first.slice(start);
  const other = second.slice(start);
  return (
    within(rest.slice(1), other.slice(1), limit - 1) ||
    within(rest.slice(1), other, limit - 1) ||
    within(rest, other.slice(1), limit - 1) ||
    (rest.length > 1 &&
      other.startsWith(rest.charAt(1) + rest.charAt(0)) &&
      within(rest.slice(2), other.slice(2), limit - 1))
  );
}

/** Tell whether some beginning of a text is within `limit` mistakes of another one. */
export function beginsWithin(text: string, beginning: string, limit: number): boolean {
  for (let cut = beginning.length - limit; cut <= beginning.length + limit; cut++)
    if (within(text.slice(0, cut), beginning, limit)) return true;
  return false;
}

/** A mistake in digits makes another thing, not the same one misspelt. */
export function digits(word: string): string {
  return word.replace(/\P{Nd}/gu, "");
}
