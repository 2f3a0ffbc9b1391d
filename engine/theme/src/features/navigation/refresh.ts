import { flushSync } from "react-dom";
import type { DevMessage, PagePayload, SiteData } from "../../payload.gen";
import { currentStore, getCurrent } from "../../data/current";
import { loadShared } from "../../data/sharedData";
import { payloadAddress } from "./address";
import { updateHead } from "./head";
import { withStyles } from "./pageStyles";
import { findPage, forgetPage, forgetPages, keepPage } from "./pages";
import { setLanguage } from "../../ui/words";

/** What the script of the author's own server says has changed. */
interface Change extends Pick<DevMessage, "pages" | "touched" | "isWhole"> {
  /** Set by who listens: settles when the page is shown as it is now, and tells whether it was exchanged for that. */
  done?: Promise<boolean>;
}

/** Let the open page be exchanged for what has become of it. */
export function listenForRefresh(): void {
  window.addEventListener("octavo:refresh", (event) => {
    const { detail } = event as CustomEvent<Change>;
    detail.done = refresh(detail);
  });
}

async function refresh({ pages, touched, isWhole }: Change): Promise<boolean> {
  const { page: shown, site } = getCurrent();
  if (isWhole) forgetPages();
  for (const path of touched) forgetPage(payloadAddress(site.baseUrl, path));
  for (const page of pages) keepPage(payloadAddress(site.baseUrl, page.path), page);
  // Not-found pages have no payload of their own: an address may have got its page.
  const isAsked = isWhole || touched.includes(shown.path);
  const given = pages.find(({ path }) => path === shown.path);
  const page = given ?? (isAsked ? await ask() : null);
  if (page === null || (given === undefined && isShown(page))) return false;
  const shared = [page.site, page.sidebar].filter((address) => address !== null).map(loadShared);
  // In the same moment, where nothing has to be fetched: an author waits for it.
  const next = page.site === shown.site ? site : ((await Promise.all(shared))[0] as SiteData);
  await Promise.all([...shared, withStyles(page)]);
  setLanguage(next);
  flushSync(() => {
    currentStore.set({ page, site: next, html: page.html });
  });
  updateHead(page, next);
  return true;
}

function ask(): Promise<PagePayload> {
  return findPage(getCurrent().site.baseUrl, location.pathname);
}

/** Whether a page is what is shown already; of one that came as HTML, that is not known. */
function isShown(page: PagePayload): boolean {
  return JSON.stringify(page) === JSON.stringify({ ...getCurrent().page, html: getCurrent().html });
}
