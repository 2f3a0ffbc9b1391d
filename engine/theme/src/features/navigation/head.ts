import type { PagePayload, SiteData } from "../../payload.gen";

/** Bring the head in step with the page. */
export function updateHead(page: PagePayload, site: SiteData): void {
  document.title = page.documentTitle;
  setAttribute('meta[name="description"]', "content", page.description);
  setAttribute('meta[property="og:title"]', "content", page.documentTitle);
  setAttribute('meta[property="og:description"]', "content", page.description);
  setAttribute('meta[property="og:url"]', "content", site.url + page.path);
  setAttribute('link[rel="canonical"]', "href", site.url + page.path);
  setAttribute('link[type="text/markdown"]', "href", page.markdown ?? "");
  updateBreadcrumbData(page, site);
}

/**
 * Structured data of the breadcrumbs, as the build writes it (`document_html.py`). What it says of the page itself is for
 * programs that load the document, and goes with the first page.
 */
function updateBreadcrumbData({ breadcrumbs, layout }: PagePayload, site: SiteData): void {
  document.head.querySelectorAll('script[type="application/ld+json"]').forEach((script) => {
    script.remove();
  });
  if (breadcrumbs.length === 0 || (breadcrumbs.length === 1 && layout !== "doc" && layout !== "category")) return;
  const linked = breadcrumbs.filter(({ href }) => href !== null);
  const script = document.createElement("script");
  script.type = "application/ld+json";
  script.textContent = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: linked.map(({ label, href }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      item: `${site.url}${href ?? ""}`,
    })),
  });
  document.head.append(script);
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}
