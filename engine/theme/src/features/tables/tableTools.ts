import { addMarkFilter } from "./markFilter";
import "./tools.css";
import { countedWord, formatNumber, word } from "../../ui/words";

/**
 * Make the tables of an article useful to somebody who fills them in or looks for a row. Without scripts they are tables.
 *
 * - `.fill-in`: the first column has placeholders, such as `YOUR_PORT`, the second one a field for each; what a reader
 *   types replaces the placeholder in all code blocks of the article.
 * - `.filter-rows`: a field above the table hides the rows that lack a word of what a reader types.
 * - Marks of versions: see `addMarkFilter`.
 */
export function addTableTools(article: HTMLElement): void {
  for (const table of article.querySelectorAll<HTMLElement>(".fill-in table")) addFields(table, article);
  for (const table of article.querySelectorAll<HTMLElement>(".filter-rows table")) addFilter(table);
  addMarkFilter(article);
}

function makeField(name: string): HTMLInputElement {
  const field = document.createElement("input");
  field.className = "table-field";
  field.setAttribute("aria-label", name);
  field.autocomplete = "off";
  field.spellcheck = false;
  return field;
}

function addFields(table: HTMLElement, article: HTMLElement): void {
  const values = new Map<string, string>();
  const places = codeTexts(article);
  const show = (): void => {
    for (const [node, source] of places) {
      const text = replacePlaceholders(source, values);
      if (node.data !== text) node.data = text;
    }
  };
  for (const row of bodyRows(table)) {
    const [placeholder, sample] = [...row.cells];
    const name = placeholder?.textContent.trim() ?? "";
    if (name === "" || sample?.querySelector("input") !== null) continue;
    const field = makeField(word("table.value", { name }));
    field.placeholder = sample.textContent.trim();
    field.addEventListener("input", () => {
      values.set(name, field.value.trim());
      show();
    });
    sample.replaceChildren(field);
  }
}

/** Replace placeholders by values; one without a value stays, and so does a longer word that contains it. */
export function replacePlaceholders(source: string, values: ReadonlyMap<string, string>): string {
  return source.replace(/[A-Z][A-Z0-9_]*/g, (word) => {
    const value = values.get(word);
    return value === undefined || value === "" ? word : value;
  });
}

/** The pieces of text in code blocks that have a word in capitals, as the page came. */
function codeTexts(article: HTMLElement): [Text, string][] {
  const found: [Text, string][] = [];
  for (const code of article.querySelectorAll("figure.code code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      if (/[A-Z]{2}/.test(node.data)) found.push([node, node.data]);
    }
  }
  return found;
}

function addFilter(table: HTMLElement): void {
  const box = table.closest(".table-wrap") ?? table;
  if (box.previousElementSibling?.classList.contains("table-field") === true) return;
  const field = makeField(word("table.filter"));
  field.type = "search";
  field.placeholder = word("table.filter");
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  count.className = "table-count";
  const rows = bodyRows(table).map((row) => ({ row, text: row.textContent.toLowerCase() }));
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent =
      words.length === 0 ? "" : countedWord("table.shown", rows.length, { shown: formatNumber(shown) });
  });
  box.before(field, count);
}

function bodyRows(table: HTMLElement): HTMLTableRowElement[] {
  return [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];
}
