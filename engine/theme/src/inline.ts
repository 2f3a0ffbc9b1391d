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
import { ARTICLE, BESIDE, NEAR, STEP } from "./features/page-load/steps";
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
  // `null` is no value, and CSS passes over it.
  sheet.insertRule(
    `[data-announcement="${index}"]{background:${background};color:${color};display:${isDismissed(read, index, id) ? "none" : null}}`,
  );
});
doc.adoptedStyleSheets = [sheet];

// Empty, the page is laid out as far as it is seen, in some frames. Who comes to a place in it needs all that is above,
// and a page that nobody sees has no frames.
root.place = history.state || doc.hidden ? "1" : location.hash;

/** The current item of a long sidebar is in view from the first frame in which it is there. */
function placeCurrent(): void {
  showCurrent(doc.querySelector(".sidebar"));
}

/** Lay out some of what is held back and will be near the view; returns how many elements. */
function layOut(selector: string): number {
  // All are measured before one is changed.
  const near = [...doc.querySelectorAll<HTMLElement>(`${selector}:not([data-laid])`)].filter(
    (block) => block.getBoundingClientRect().top < innerHeight * NEAR,
  );
  let elements = 0;
  for (const block of near) {
    if (elements > STEP) break;
    block.dataset.laid = "";
    elements += 1 + block.getElementsByTagName("*").length;
  }
  html.getBoundingClientRect();
  return elements;
}

// One frame with the styles, the layout and the painting of a page is a long task on a slow machine. So styles and layout
// of what is seen are worked out as the document comes, in tasks of their own, and `prose.css` has it painted after them.
let styled = 0;
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
  const all = html.getElementsByTagName("*");
  const main = doc.getElementById("main");
  // Only an element that is new itself gets the browser to style what is new. To ask for the color lays nothing out.
  const newest = doc.querySelector(".prose > :last-child") ?? main;
  const isWhole = doc.readyState !== "loading";
  if (all.length > styled && newest && getComputedStyle(newest).color) styled = all.length;
  else if ((main ?? isWhole) && (root.place || !layOut(ARTICLE))) {
    if (main) main.dataset.begun = "";
    if (root.place) placeCurrent();
    html.getBoundingClientRect();
    root.shown = "";
    return true;
  }
  return false;
}
setTimeout(prepare);

function later(): void {
  setTimeout(reveal);
}

// Beside the text, in the frames after the first.
function reveal(): void {
  const elements = layOut(BESIDE);
  placeCurrent();
  if (elements || doc.readyState === "loading") requestAnimationFrame(later);
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

// A control that is used before the client lives is used again when it does.
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
// The two others are no keys, and read as if none was pressed.
for (const type of ["keydown", "focusin", "click"]) addEventListener(type, onIntent as EventListener);
