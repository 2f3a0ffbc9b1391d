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

// Empty, the page is laid out as far as it is seen (`unfold.ts`). Who comes to a place in it needs all that is above.
root.place = history.state ? "1" : location.hash;

// The current item of a long sidebar is in view from the first frame in which it is there.
function place(): void {
  if (doc.querySelector(".sidebar [aria-current]")) showCurrent(doc.querySelector(".sidebar"));
  else if (doc.readyState === "loading") requestAnimationFrame(place);
}
requestAnimationFrame(place);

// Asks for styles and for places in tasks of their own, as the document comes: the first frame would work out both of
// the whole document, and paint, in one.
let styled = 0;
function prepare(): void {
  const all = html.getElementsByTagName("*");
  const last = all[all.length - 1];
  const isWhole = doc.readyState !== "loading";
  // Only an element that is new itself gets the browser to style what is new. To ask for the color lays nothing out.
  if (all.length > styled && last && getComputedStyle(last).color) styled = all.length;
  else if (html.offsetTop || isWhole) return;
  setTimeout(prepare);
}
setTimeout(prepare);

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

// After the load event and the first paint, whichever is later; a page that is not painted waits for the other two.
addEventListener("load", () => {
  new PerformanceObserver(load).observe({ type: "paint", buffered: true });
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
