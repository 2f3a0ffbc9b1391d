/**
 * How long content of a height takes to open or close, in ms.
 *
 * Source: Material's guidance on duration by size, as the reference computes it (36 px is one row).
 */
export function collapseDuration(heightPx: number): number {
  const rows = heightPx / 36;
  return Math.round((4 + 15 * rows ** 0.25 + rows / 5) * 10);
}
