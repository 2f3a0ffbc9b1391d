import { getCurrent } from "../../data/current";
import { whenIdle } from "../../ui/whenIdle";
import { payloadAddress } from "./address";
import { pageOfLink } from "./links";
import { findPage, isPageLoaded } from "./pages";

/** A pointer that rests this long on a link means it, in ms. */
const HOVER_MS = 60;
/** Pages fetched at most because their links are in view, for each page that is read. */
const VIEW_LIMIT = 12;
/** Of these, fetched at the same time. */
const VIEW_PARALLEL = 2;

interface Connection {
  effectiveType?: string;
  saveData?: boolean;
}

/** Whether fetching ahead is welcome: not on slow lines, not where data is saved. */
export function isPrefetchWelcome(connection: Connection | undefined): boolean {
  return connection?.saveData !== true && !(connection?.effectiveType ?? "").includes("2g");
}

export function isWelcomeNow(): boolean {
  return isPrefetchWelcome((navigator as Navigator & { connection?: Connection }).connection);
}

/** Fetch pages ahead: on hover, on touch, on focus, and a few whose links are in view. */
export function startPrefetch(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("pointerover", (event) => {
    clearTimeout(timer);
    const link = linkOf(event);
    if (link !== null) timer = setTimeout(() => void prefetch(link), HOVER_MS);
  });
  for (const type of ["pointerdown", "focusin"]) {
    document.addEventListener(type, (event) => {
      const link = linkOf(event);
      if (link !== null) void prefetch(link);
    });
  }
  watchLinks();
}

function linkOf(event: Event): HTMLAnchorElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
}

/** Fetch the page of a link; null where there is none to be fetched. */
function prefetch(link: HTMLAnchorElement): Promise<unknown> | null {
  const url = pageOfLink(link);
  if (url === null || url.pathname === location.pathname || !isWelcomeNow()) return null;
  const { baseUrl } = getCurrent().site;
  if (isPageLoaded(payloadAddress(baseUrl, url.pathname))) return null;
  // The reader has not requested it yet: an error is shown when the link is followed.
  return findPage(baseUrl, url.pathname).catch(() => undefined);
}

let observer: IntersectionObserver | null = null;
let callOff: (() => void) | undefined;

/** Watch the links of the page that is shown now, once there is time for it. */
export function watchLinks(): void {
  observer?.disconnect();
  callOff?.();
  if (isWelcomeNow()) callOff = whenIdle(observeLinks);
}

function observeLinks(): void {
  const waiting: HTMLAnchorElement[] = [];
  let left = VIEW_LIMIT;
  let running = 0;
  const run = (): void => {
    while (running < VIEW_PARALLEL && left > 0) {
      const link = waiting.shift();
      if (link === undefined) return;
      const fetching = prefetch(link);
      if (fetching === null) continue;
      left -= 1;
      running += 1;
      void fetching.then(() => {
        running -= 1;
        run();
      });
    }
  };
  const own = new IntersectionObserver((found) => {
    for (const { isIntersecting, target } of found) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
      own.unobserve(target);
      waiting.push(target);
    }
    whenIdle(run);
  });
  observer = own;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".prose a[href], .pager a[href]")) own.observe(link);
}
