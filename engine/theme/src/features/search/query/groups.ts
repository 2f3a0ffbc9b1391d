import type { Hit } from "./hits";

/** Hits of one page, the page itself first where it was found. */
export interface PageGroup {
  title: string;
  hits: readonly Hit[];
}

/** Hits of one section and category. */
export interface HitGroup {
  label: string;
  pages: readonly PageGroup[];
}

/**
 * Group hits by section and category, and within by page, in the order in which they were found.
 * A group keeps its `limit` best hits.
 */
export function groupHits(hits: readonly Hit[], limit: number): HitGroup[] {
  return [...gather(hits, (hit) => hit.group)].map(([label, members]) => ({
    label,
    pages: [...gather(members.slice(0, limit), (hit) => hit.pageTitle)].map(([title, ofPage]) => ({
      title,
      hits: [...ofPage.filter(isPage), ...ofPage.filter((hit) => !isPage(hit))],
    })),
  }));
}

/** The hits of all groups in the order in which they are shown. */
export function hitsInOrder(groups: readonly HitGroup[]): Hit[] {
  return groups.flatMap(({ pages }) => pages.flatMap(({ hits }) => hits));
}

function isPage(hit: Hit): boolean {
  return hit.form === "page";
}

function gather(hits: readonly Hit[], key: (hit: Hit) => string): Map<string, Hit[]> {
  const gathered = new Map<string, Hit[]>();
  for (const hit of hits) {
    const members = gathered.get(key(hit));
    if (members === undefined) gathered.set(key(hit), [hit]);
    else members.push(hit);
  }
  return gathered;
}
