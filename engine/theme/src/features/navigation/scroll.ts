import { decodeHash } from "./address";

/** Where a reader was on an entry of the history, in px. */
interface Position {
  x: number;
  y: number;
}

const STORAGE_KEY = "octavo.scroll";

let positions = new Map<string, Position>();
let entryKey = "";
/** A link to an anchor was clicked, and where the reader was is known. */
let isLeaving = false;

/** Take over the browser's scroll restoration as long as this document is shown. */
export function startScrollMemory(): void {
  positions = new Map(readPositions());
  entryKey = keyOf(history.state) ?? adoptEntry();
  history.scrollRestoration = "manual";
  // Firefox and WebKit scroll to the anchor before they tell of the new entry.
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (link === null || link.hash === "" || link.pathname !== location.pathname) return;
    savePosition();
    isLeaving = true;
  });
  window.addEventListener("pagehide", () => {
    savePosition();
    // Whatever document comes back to this entry: the browser knows where it was.
    history.scrollRestoration = "auto";
    writePositions();
  });
  window.addEventListener("pageshow", () => {
    history.scrollRestoration = "manual";
  });
}

/** Remember where the reader is on the current entry. */
export function savePosition(): void {
  positions.set(entryKey, { x: window.scrollX, y: window.scrollY });
}

/** Make a new entry of the history; an overlay's entry gives way to it. */
export function pushEntry(url: URL): void {
  const isReplacing = isOverlay(history.state);
  entryKey = makeKey();
  if (isReplacing) history.replaceState({ key: entryKey }, "", url);
  else history.pushState({ key: entryKey }, "", url);
}

/** Make an entry for something that lies over the page, so that the back button closes it. */
export function pushOverlayEntry(): void {
  savePosition();
  entryKey = makeKey();
  savePosition();
  history.pushState({ key: entryKey, isOverlay: true }, "");
}

/** Take an overlay's entry away again, if it is the current one. */
export function dropOverlayEntry(): void {
  if (isOverlay(history.state)) history.back();
}

/** Follow the browser from the current entry to another one. True when the reader has been there: its position is known. */
export function enterEntry(state: unknown): boolean {
  const key = keyOf(state);
  if (key !== null || !isLeaving) savePosition();
  isLeaving = false;
  entryKey = key ?? adoptEntry();
  return key !== null;
}

/** Scroll to where the reader was on the current entry, else to the anchor, else to the top. */
export function restorePosition(hash: string): void {
  const position = positions.get(entryKey);
  if (position === undefined) scrollToAnchor(hash);
  else window.scrollTo({ left: position.x, top: position.y, behavior: "instant" });
}

/** Scroll to an anchor and put the focus there, or to the top. */
export function scrollToAnchor(hash: string): void {
  const target = hash.length > 1 ? document.getElementById(decodeHash(hash)) : null;
  if (target === null) {
    window.scrollTo({ left: 0, top: 0, behavior: "instant" });
    return;
  }
  for (
    let parent = target.closest("details");
    parent !== null;
    parent = parent.parentElement?.closest("details") ?? null
  ) {
    parent.open = true;
  }
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ behavior: "instant" });
}

/** Give a key to an entry that the browser made by itself (a link to an anchor). */
function adoptEntry(): string {
  const key = makeKey();
  history.replaceState({ key }, "");
  return key;
}

function makeKey(): string {
  return Math.random().toString(36).slice(2, 10);
}

function keyOf(state: unknown): string | null {
  const key: unknown = typeof state === "object" && state !== null && "key" in state ? state.key : null;
  return typeof key === "string" ? key : null;
}

function isOverlay(state: unknown): boolean {
  return typeof state === "object" && state !== null && "isOverlay" in state;
}

function readPositions(): [string, Position][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as [string, Position][];
  } catch {
    // Storage is forbidden or its content is broken: start empty.
    return [];
  }
}

function writePositions(): void {
  try {
    // The latest hundred are more than anybody goes back.
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions].slice(-100)));
  } catch {
    // Without storage only this document's own entries are restored.
  }
}
