import { flushSync } from "react-dom";
import type { SiteData } from "../../payload.gen";
import { currentStore, getCurrent } from "../../shell/current";
import { loadShared } from "../../shell/sharedData";
import { updateHead } from "./head";
import { findPage, forgetPages } from "./pages";

/** Asked by the script of the author's own server: `done` settles when the page is shown as it is now. */
type RefreshEvent = CustomEvent<{ done?: Promise<void> }>;

/** Let the open page be exchanged for what has become of it. */
export function listenForRefresh(): void {
  window.addEventListener("recto:refresh", (event) => {
    (event as RefreshEvent).detail.done = refresh();
  });
}

async function refresh(): Promise<void> {
  forgetPages();
  const page = await findPage(getCurrent().site.baseUrl, location.pathname);
  const shared = [page.site, page.sidebar].filter((address) => address !== null).map(loadShared);
  const site = (await Promise.all(shared))[0] as SiteData;
  flushSync(() => {
    currentStore.set({ page, site, html: page.html });
  });
  updateHead(page, site);
}
