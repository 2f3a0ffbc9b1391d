import { flushSync } from "react-dom";
import type { PagePayload, SiteData } from "../../payload.gen";
import { currentStore, getCurrent } from "../../data/current";
import { keepLinksInCopy } from "../../data/offlineCopy";
import { loadShared } from "../../data/sharedData";
import { focusPageStart } from "../../ui/pageStart";
import { afterPaint } from "../../ui/afterPaint";
import { announce } from "./Announcer";
import { updateHead } from "./head";
import { listenForClicks } from "./links";
import { hideNotice, loadDocument } from "./loadDocument";
import { findPage } from "./pages";
import { startPrefetch, watchLinks } from "./prefetch";
import { endProgress, startProgress } from "./progress";
import { queryStore } from "./query";
import { enterEntry, pushEntry, restorePosition, savePosition, scrollToAnchor, startScrollMemory } from "./scroll";

/** How the reader came to the next address: by a link, or by the browser's back and forward. */
type Way = "push" | "traverse";

type Listener = (page: PagePayload) => void;

const listeners = new Set<Listener>();

/** Hear of each page that is shown after the first. */
export function onNavigated(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let latest = 0;
/** Path of what is shown, as the address bar has it. */
let shownPath = "";

/** Take over links and history. */
export function startNavigation(): void {
  queryStore.set(location.search);
  if (__OFFLINE__) {
    keepLinksInCopy();
    return;
  }
  shownPath = location.pathname;
  startScrollMemory();
  listenForClicks(follow);
  startPrefetch();
  window.addEventListener("popstate", (event) => {
    traverse(event.state);
  });
}

function follow(url: URL): void {
  if (url.pathname !== shownPath) {
    void navigate(url, "push");
    return;
  }
  // This page, from its top, perhaps with another query: nothing is to be loaded.
  latest += 1;
  endProgress();
  savePosition();
  if (url.href !== location.href) pushEntry(url);
  queryStore.set(location.search);
  scrollToAnchor("");
}

function traverse(state: unknown): void {
  const wasHere = enterEntry(state);
  if (location.pathname !== shownPath) {
    void navigate(new URL(location.href), "traverse");
    return;
  }
  latest += 1;
  endProgress();
  queryStore.set(location.search);
  // An entry without a key is a new one: a link to an anchor, to which the browser scrolls by itself.
  if (wasHere) restorePosition(location.hash);
}

/** Show another page: the old one stays until all of the new one is here. */
async function navigate(url: URL, way: Way): Promise<void> {
  latest += 1;
  const ticket = latest;
  const { page, site } = getCurrent();
  startProgress();
  try {
    const next = await findPage(site.baseUrl, url.pathname);
    if (ticket !== latest) return;
    // Another deployment: its script and style may differ too.
    if (next.site !== page.site) {
      leave(url, way);
      return;
    }
    // Also the sidebar of the old page: one that still waits for its data can't be exchanged.
    await Promise.all([page.sidebar, next.sidebar].filter((address) => address !== null).map(loadShared));
    if (ticket === latest) show(next, url, way);
  } catch {
    // No such page, or no network: the browser knows how to say so.
    if (ticket === latest) leave(url, way);
  }
}

function show(page: PagePayload, url: URL, way: Way): void {
  if (way === "push") {
    // As the page itself writes it, however the link did.
    url.pathname = page.path;
    savePosition();
    pushEntry(url);
  }
  shownPath = url.pathname;
  queryStore.set(location.search);
  const { site } = getCurrent();
  change(site, () => {
    flushSync(() => {
      currentStore.set({ page, site, html: page.html });
    });
    updateHead(page, site);
    hideNotice();
    endProgress();
    if (way === "traverse") {
      restorePosition(url.hash);
    } else {
      if (url.hash === "") focusPageStart();
      scrollToAnchor(url.hash);
    }
    afterPaint(() => {
      announce(page.title);
    });
    watchLinks();
    for (const listener of listeners) listener(page);
  });
}

/** Change what is shown: as a fade where the site wants it, the browser can, and the reader allows motion. */
function change(site: SiteData, update: () => void): void {
  const canFade = "startViewTransition" in document && matchMedia("(prefers-reduced-motion: no-preference)").matches;
  if (!site.hasTransitions || !canFade) {
    update();
    return;
  }
  // A fade that the next one cuts short, or for which the window is hidden, is not an error; the update runs all the same.
  document.startViewTransition(update).ready.catch(() => undefined);
}

function leave(url: URL, way: Way): void {
  endProgress();
  void loadDocument(url.href, () => {
    if (way === "push") location.assign(url);
    else location.reload();
  });
}
