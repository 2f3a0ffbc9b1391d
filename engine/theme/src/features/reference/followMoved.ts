import { decodeHash } from "../navigation/address";

/** The address of what an anchor of this page has moved to; null where the anchor is here, or nowhere. */
export function movedAddress(hash: string): string | null {
  let id = decodeHash(hash);
  // The overview of a large API has one id for an operation, which stands for those of its tags and of its parts.
  if (document.getElementById(id) === null) id = id.replace(/^tag\/.*?\/(?=operation\/)/, "");
  while (document.getElementById(id) === null && id.includes("/")) id = id.slice(0, id.lastIndexOf("/"));
  const mark = document.getElementById(id);
  // A span within the entry, or the entry itself.
  const entry =
    mark?.closest(".api-moved")?.parentElement ??
    mark?.closest(".api-list > [id], .api-names > [id], .api-fields > :has(> .api-elsewhere)");
  const link = entry?.querySelector<HTMLAnchorElement>("a[href]");
  if (link == null) return null;
  const url = new URL(link.href);
  url.hash = hash;
  return url.href;
}

/** Go to what the address of this page names by an anchor that has moved; the old address leaves no entry behind. */
export function followHash(): void {
  const address = movedAddress(location.hash);
  if (address !== null) location.replace(address);
}
