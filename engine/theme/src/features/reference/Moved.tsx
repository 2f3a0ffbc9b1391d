/**
 * Ids that were on this page before its parts had pages of their own. A browser without script scrolls to the entry that
 * they are in, which links to the new place; the script in `followMoved.ts` goes there.
 */
export function Moved({ ids }: { ids: readonly string[] }) {
  // The id first: the check of links passes over `<span class`, which highlighted code is full of.
  return ids.map((id) => <span key={id} id={id} className="api-moved" />);
}
