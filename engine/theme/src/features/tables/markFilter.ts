import { word } from "../../ui/words";
import { decodeHash } from "../navigation/address";

const HEADINGS = "h2, h3, h4, h5, h6";
/** Set on what the chosen version hides; apart from `hidden`, which other filters and tabs set. */
const UNMARKED = "data-unmarked";

/**
 * Let readers see only what one version has added, changed or removed.
 *
 * `<Since>`, `<Changed>` and `<Removed>` mark headings, rows and text. A choice above the first of them hides the other rows
 * of tables with marks, and the sections without the chosen mark. Without scripts, all is shown.
 */
export function addMarkFilter(article: HTMLElement): void {
  const marks = [...article.querySelectorAll<HTMLElement>("[data-mark]")];
  const names = [...new Set(marks.map(({ textContent }) => textContent.trim()))];
  if (marks.length < 2 || article.querySelector(".mark-filter") !== null) return;
  const select = document.createElement("select");
  select.className = "table-field";
  select.setAttribute("aria-label", word("table.versions"));
  select.append(new Option(word("table.versions.all"), ""), ...names.map((name) => new Option(name)));
  const show = (): void => {
    for (const shown of article.querySelectorAll(`[${UNMARKED}]`)) shown.removeAttribute(UNMARKED);
    if (select.value === "") return;
    const kept = marks.filter(({ textContent }) => textContent.trim() === select.value);
    for (const element of withoutMarks(article, marks, kept)) element.setAttribute(UNMARKED, "");
  };
  select.addEventListener("change", show);
  // A link to what is hidden shows all again.
  const follow = (): void => {
    if (!article.isConnected) {
      removeEventListener("hashchange", follow);
      return;
    }
    const target = document.getElementById(decodeHash(location.hash));
    if (target?.closest(`[${UNMARKED}]`) == null) return;
    select.value = "";
    show();
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  const box = document.createElement("div");
  box.className = "mark-filter";
  box.append(select);
  firstBlock(article, marks).before(box);
}

/** List what has none of the marks that are kept: rows beside marked ones, and sections. */
function withoutMarks(article: HTMLElement, marks: readonly HTMLElement[], kept: readonly HTMLElement[]): Set<Element> {
  const found = new Set<Element>();
  for (const body of new Set(marks.map((mark) => mark.closest("tbody")))) {
    for (const row of body?.children ?? []) if (!holds([row], kept)) found.add(row);
  }
  const whole = new Set<Element>();
  for (const heading of article.querySelectorAll(HEADINGS)) {
    const section = sectionOf(heading);
    if (section.some((element) => whole.has(element))) continue;
    // What is below a marked heading is new as a whole.
    if (holds([heading], kept)) section.forEach((element) => whole.add(element));
    else if (!holds(section, kept)) section.forEach((element) => found.add(element));
  }
  return found;
}

/** A heading with what is around it, and what follows up to the next one of its level or above. */
function sectionOf(heading: Element): Element[] {
  const first = heading.closest(".heading") ?? heading;
  const section = [first];
  for (let next = first.nextElementSibling; next !== null; next = next.nextElementSibling) {
    const other = next.matches(HEADINGS) ? next : next.matches(".heading") ? next.querySelector(HEADINGS) : null;
    if (other !== null && other.tagName <= heading.tagName) break;
    section.push(next);
  }
  return section;
}

function holds(elements: readonly Element[], kept: readonly HTMLElement[]): boolean {
  return kept.some((mark) => elements.some((element) => element.contains(mark)));
}

/** The first block of the article that is a section's heading or has a mark. */
function firstBlock(article: HTMLElement, marks: readonly HTMLElement[]): Element {
  const starts = [article.querySelector(HEADINGS), marks[0] ?? null];
  const blocks = [...article.children];
  const places = starts
    .map((start) => blocks.findIndex((block) => block.contains(start)))
    .filter((place) => place >= 0);
  return blocks[Math.min(...places)] ?? article;
}
