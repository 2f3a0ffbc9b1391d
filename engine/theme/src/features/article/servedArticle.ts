import { payloadAddress } from "../navigation/address";
import { loadPage } from "../navigation/pages";
import type { PagePayload } from "../../payload.gen";
import { reportRecoverable } from "../../ui/reportRecoverable";
import { currentStore, getCurrent } from "../../data/current";

let served: { page: PagePayload; articles: readonly Element[] } | null = null;

/** Remember which articles came as HTML with the first page: React has their content nowhere else. */
export function rememberServed(root: ParentNode): void {
  served = { page: getCurrent().page, articles: [...root.querySelectorAll(".prose")] };
}

/**
 * See to it that an article has its content.
 *
 * React draws an element of its own where the served one can't be used: after an error, or where the two differ. Then
 * the content is fetched.
 */
export function restoreArticle(article: Element): void {
  const { page, site, html } = getCurrent();
  if (html !== "" || page !== served?.page || served.articles.includes(article) || page.layout === "not-found") return;
  loadPage(payloadAddress(site.baseUrl, page.path)).then((whole) => {
    if (getCurrent().page === page) currentStore.set({ page: whole, site, html: whole.html });
  }, reportRecoverable);
}
