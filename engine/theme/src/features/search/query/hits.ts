import type { WireHit } from "../client/wire";
import { hitAddress } from "./address";
import { parseMarks, withoutMarks, type Stretch } from "./marks";

/** A hit as it is drawn. */
export interface Hit {
  objectId: string;
  href: string;
  leavesSite: boolean;
  /** `page` is a page's own title, `heading` one of its headings, `text` anything below them. */
  form: "page" | "heading" | "text";
  /** What it belongs to: `guide`, `reference`, `command`, `api` or `code`; other words are drawn like guides. */
  kind: string;
  /** Name of its version; null where it has none. */
  version: string | null;
  /** Section and category, outermost first. */
  group: string;
  /** Title of its page. */
  pageTitle: string;
  /** Deepest heading above or at the hit, without marks. */
  headline: string;
  title: readonly Stretch[];
  /** Headings above it, outermost first, its page's title included. */
  trail: readonly string[];
  /** Text of a page that was found by its title; null where there is none. */
  excerpt: readonly Stretch[] | null;
}

const LEVELS = ["lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6"];

/** Read a hit; null for one whose address leads nowhere. */
export function readHit(hit: WireHit, siteUrl: string): Hit | null {
  const address = hitAddress(hit.url, siteUrl);
  if (address === null) return null;
  const titles = LEVELS.map((level) => hit.hierarchy[level] ?? "");
  const headings = titles.filter(Boolean);
  const headline = headings.at(-1) ?? hit.hierarchy.lvl0 ?? hit.url;
  const content = hit._snippetResult?.content?.value ?? null;
  const isText = hit.type === "content" && content !== null;
  const level = hit.type === "content" ? LEVELS[titles.findLastIndex(Boolean)] : hit.type;
  const marked = (level === undefined ? null : hit._snippetResult?.hierarchy?.[level]?.value) ?? headline;
  return {
    objectId: hit.objectID,
    ...address,
    form: isText ? "text" : level === "lvl1" ? "page" : "heading",
    kind: hit.kind ?? "guide",
    version: hit.version ?? null,
    group: hit.hierarchy.lvl0 ?? "",
    pageTitle: headings[0] ?? headline,
    headline,
    title: parseMarks(isText ? content : marked),
    trail: isText ? headings : headings.slice(0, -1),
    excerpt: !isText && content !== null && withoutMarks(content) !== "" ? parseMarks(content) : null,
  };
}
