import { getCurrent } from "../../data/current";
import { isPagePath, normalisePath } from "./address";

/** The page of this site that a link leads to; null where the browser should follow it by itself. */
export function pageOfLink(link: HTMLAnchorElement): URL | null {
  const isNative = link.hasAttribute("download") || (link.target !== "" && link.target !== "_self");
  if (isNative || !link.hasAttribute("href") || link.origin !== location.origin) return null;
  if (!isPagePath(getCurrent().site.baseUrl, link.pathname)) return null;
  const url = new URL(link.href);
  url.pathname = normalisePath(url.pathname);
  return url;
}

/** Follow plain clicks on links to pages. A link to an anchor of the same page stays the browser's. */
export function listenForClicks(onFollow: (url: URL) => void): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    const url = link === null ? null : pageOfLink(link);
    if (link === null || url === null || isAnchorHere(url)) return;
    event.preventDefault();
    if (link.dataset.keepsQuery !== undefined) {
      url.search = location.search;
      url.hash = location.hash;
    }
    onFollow(url);
  });
}

function isAnchorHere(url: URL): boolean {
  return url.hash !== "" && url.pathname === location.pathname && url.search === location.search;
}
