// Runs in the head, before anything is painted. Its size is counted: only what the first paint needs.
import { isDismissed } from "./features/announcements/memory";
import {
  effectiveMode,
  initialChoice,
  parseChoice,
  preferredMode,
  QUERY_KEY,
  STORAGE_KEY,
} from "./features/color-mode/choice";
import { BESIDE, HELD, layNext, NEAR, SEEN, STEP } from "./features/page-load/steps";
import { showCurrent } from "./features/sidebar/sidebarBox";
import { takeTypeAhead } from "./features/search/typeAhead";
import type { BootData } from "./payload.gen";

const doc = document;
const html = doc.documentElement;
const root = html.dataset;
// Python writes it right before this script.
// eslint-disable-next-line @typescript-eslint/non-nullable-type-assertion-style
const boot = JSON.parse((doc.getElementById("octavo-boot") as HTMLElement).textContent) as BootData;

function read(key: string): string | undefined {
  try {
    return localStorage[key] as string | undefined;
  } catch {}
}

const kept = parseChoice(new URLSearchParams(location.search).get(QUERY_KEY)) ?? parseChoice(read(STORAGE_KEY));
const choice = initialChoice(kept, boot.mode, boot.system);
root.themeChoice = choice;
root.theme = effectiveMode(choice, preferredMode(boot.mode));
// A constructed sheet: attributes of style would need a hole in the content security policy.
const sheet = new CSSStyleSheet();
boot.announcements.forEach(({ id, background, color }, index) => {
  // `undefined` and `null` are not values, and CSS passes over them.
  sheet.insertRule(
    `[data-announcement="${index}"]{background:${background};color:${color};display:${isDismissed(read, index, id) ? "none" : null}}`,
  );
});
doc.adoptedStyleSheets = [sheet];

// Empty: the visible part of the page is laid out in several frames. A link to a place in the page needs all that is above
// it, and a page in a background tab gets no frames.
// In WebKit content that is hidden by `content-visibility` has kept long pages from being painted at all: nothing waits there.
root.place = history.state || doc.hidden || navigator.vendor.startsWith("A") ? "1" : location.hash;

/** The current item of a long sidebar is in view from the first frame in which it is there. */
function placeCurrent(): void {
  showCurrent(doc.querySelector(".sidebar"));
}

/** Mark some of what is held back or may wait and begins within so many screens; it is laid out when a place is asked next. */
function layOut(selector: string, screens: number): number {
  return layNext(
    [...doc.querySelectorAll<HTMLElement>(`:is(${selector}):not([data-laid=""])`)],
    STEP,
    (block) => block.getBoundingClientRect().top < innerHeight * screens,
  );
}

// One frame with the styles, the layout and the painting of a page is a long task on a slow machine. So `prose.css` hides
// all content from the browser's own frames, and styles and layout of what is seen are worked out here, as the document
// comes, in tasks of their own. Asking for a place in hidden content lays out all of it that is not held back.
let known = 0;
function prepare(): void {
  try {
    if (isPrepared()) requestAnimationFrame(later);
    else setTimeout(prepare);
  } catch (error) {
    // Nothing is held back then.
    root.place = "1";
    throw error;
  }
}

function isPrepared(): boolean {
  const main = doc.getElementById("main");
  if (!main && doc.readyState === "loading") return false;
  if (!root.place && main) {
    const isLonger = known < (known = html.getElementsByTagName("*").length);
    if (isLonger)
      for (const block of doc.querySelectorAll<HTMLElement>(`:is(${HELD}):not([data-laid])`)) block.dataset.laid = "0";
    main.getBoundingClientRect();
    if (isLonger || layOut(SEEN, NEAR)) return false;
  }
  if (root.place) placeCurrent();
  // What is still held back waits like all that is far below; changed after the first frame, a box that scrolls would
  // count as moved.
  for (const block of doc.querySelectorAll<HTMLElement>(`[data-laid="0"]:not(${BESIDE})`)) block.dataset.laid = "1";
  root.shown = "";
  return true;
}
setTimeout(prepare);

function later(): void {
  setTimeout(reveal);
}

// Beside the text, in the frames after the first.
function reveal(): void {
  const isMore = layOut(BESIDE, Infinity);
  placeCurrent();
  if (isMore || doc.readyState === "loading") requestAnimationFrame(later);
}

function loadScript(): void {
  if (root.loads) return;
  root.loads = "1";
  const script = doc.createElement("script");
  script.src = boot.client;
  doc.head.append(script);
}

function load(): void {
  // Always the same module, however often it is imported. From disk, browsers load classic scripts only.
  if (__OFFLINE__) loadScript();
  else void import(/* @vite-ignore */ boot.client);
}

// After the load event and the first paint of content, whichever is later: the first paint of all may show the bare
// background. A page that is not painted waits for the other two.
addEventListener("load", () => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length) load();
  }).observe({ type: "paint", buffered: true });
});
addEventListener("DOMContentLoaded", () => setTimeout(load, 2000));

// A control that is used before the page is hydrated is used again afterwards.
function onIntent(event: KeyboardEvent): void {
  load();
  const target = event.target as Element;
  const isSearch =
    (event.key === "k" && (event.ctrlKey || event.metaKey)) ||
    (event.key === "/" && !target.closest("input,textarea,select"));
  const control = isSearch
    ? doc.querySelector<HTMLElement>("[data-intent=search]")
    : event.type === "click" && target.closest<HTMLElement>("[data-intent]");
  if (root.hydrated || !control) return;
  event.preventDefault();
  window.octavoIntent = control;
  if (control.dataset.intent) takeTypeAhead();
}
// The two others are not keys, and read as if none was pressed.
for (const type of ["keydown", "focusin", "click"]) addEventListener(type, onIntent as EventListener);
