import type { PagePayload, SiteData } from "../../payload.gen";

/** Bring the head in step with the page. */
export function updateHead(page: PagePayload, site: SiteData): void {
  document.title = page.documentTitle;
  setAttribute('meta[name="description"]', "content", page.description);
  setAttribute('meta[property="og:title"]', "content", page.documentTitle);
  setAttribute('meta[property="og:description"]', "content", page.description);
  setAttribute('meta[property="og:url"]', "content", site.url + page.path);
  setAttribute('link[rel="canonical"]', "href", site.url + page.path);
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}
