import type { SiteHits } from "./answer";
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

/** Hits of one kind that may come before the first of another. */
const LEAD = 3;

/**
 * Group hits by section and category, and within by page, in the order in which they were found.
 * A group keeps its `limit` best hits. Where several kinds were found, the further hits of a kind that would push the
 * first of another down come after it, in a group of the same name.
 */
export function groupHits(hits: readonly Hit[], limit: number): HitGroup[] {
  const groups = [...gather(hits, (hit) => hit.group)].map(([label, members]) => ({
    label,
    hits: ofPages(members.slice(0, limit)).flatMap((page) => page.hits),
  }));
  return inTurn(groups).map((group) => ({ label: group.label, pages: ofPages(group.hits) }));
}

/** The groups of a site, and below them those of others, under the names of these. */
export function groupAll(hits: readonly Hit[], otherSites: readonly SiteHits[], limit: number): HitGroup[] {
  const others = otherSites.flatMap((site) =>
    groupHits(site.hits, limit).map(({ label, pages }) => ({
      label: [site.label, label].filter(Boolean).join(" / "),
      pages,
    })),
  );
  return [...groupHits(hits, limit), ...others];
}

interface FlatGroup {
  label: string;
  hits: readonly Hit[];
}

/** Put off what would hide a kind of hits behind another. */
function inTurn(groups: readonly FlatGroup[]): FlatGroup[] {
  const unseen = new Set(groups.flatMap((group) => group.hits.map((hit) => hit.kind)));
  const shown = new Map<string, number>();
  const later: FlatGroup[] = [];
  const first = groups.map(({ label, hits }) => {
    const isNow = (hit: Hit): boolean => {
      unseen.delete(hit.kind);
      const count = (shown.get(hit.kind) ?? 0) + 1;
      shown.set(hit.kind, count);
      return unseen.size === 0 || count <= LEAD;
    };
    const [now, rest] = split(hits, isNow);
    if (rest.length > 0) later.push({ label, hits: rest });
    return { label, hits: now };
  });
  return [...first, ...later].filter((group) => group.hits.length > 0);
}

function split<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const value of values) parts[isFirst(value) ? 0 : 1].push(value);
  return parts;
}

function ofPages(hits: readonly Hit[]): PageGroup[] {
  return [...gather(hits, (hit) => hit.pageTitle)].map(([title, members]) => ({
    title,
    hits: [...members.filter(isPage), ...members.filter((hit) => !isPage(hit))],
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
