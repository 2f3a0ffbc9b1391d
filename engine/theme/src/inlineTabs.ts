// Runs in the head of pages with tabs, before anything is painted: shows the tabs that the reader has chosen before,
// so that nothing moves when the tabs are hydrated and read the same.
import { decodeHash } from "./features/navigation/address";
import { groupOfKey } from "./features/tabs/tabKeys";

let rules = "";

/** Choose a tab in all sets that have it and are not hydrated yet. A later choice goes before an earlier one. */
function choose(attribute: "group" | "query", name: string, value: string): void {
  const tab = `[data-value="${CSS.escape(value)}"]`;
  const set = `.tabs:not([data-live])[data-${attribute}="${CSS.escape(name)}"]:has(>${tab})>`;
  rules +=
    `${set}.tab-panel{display:none}${set}${tab}{display:block}` +
    `${set}*>.tab{--tab-ink:initial;--tab-line:initial}${set}*>${tab}{--tab-ink:var(--heading);--tab-line:var(--rubric)}`;
}

try {
  for (const [key, value] of Object.entries(localStorage) as [string, string][]) {
    const group = groupOfKey(key);
    if (group !== null) choose("group", group, value);
  }
} catch {
  // Storage is forbidden: the tabs keep their defaults.
}
for (const [name, value] of new URLSearchParams(location.search)) choose("query", name, value);
// The place that the address leads to may lie in a tab which is not the first.
const place = CSS.escape(decodeHash(location.hash));
if (place) {
  const set = `.tabs:not([data-live]):has(>.tab-panel#${place},>.tab-panel #${place})>.tab-panel`;
  rules += `${set}{display:none}${set}:is(#${place},:has(#${place})){display:block}`;
}
const sheet = new CSSStyleSheet();
sheet.replaceSync(`@media screen{${rules}}`);
document.adoptedStyleSheets.push(sheet);
