// Runs in the head of pages with tabs, before anything is painted: shows the tabs that the reader has chosen before,
// so that nothing moves when the tabs are hydrated and read the same.
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
const sheet = new CSSStyleSheet();
sheet.replaceSync(`@media screen{${rules}}`);
document.adoptedStyleSheets.push(sheet);
