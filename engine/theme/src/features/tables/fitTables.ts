import { word } from "../../ui/words";
import { followPage } from "./followPage";

/** Tables, formulas, and paragraphs with formulas. */
const BOXES = ".table-wrap, .formula, .prose p:has(> math)";

/**
 * Tell tables and formulas that fit from those that scroll, as long as the article is shown.
 *
 * A table that fits is not a scroll container, so its header can stay below the top bar, and it is not a stop of the keyboard.
 * One that scrolls is a group with a name, which screen readers announce when the keyboard reaches it.
 */
export function fitTables(article: HTMLElement): () => void {
  const laidOut = new Set<Element>();
  const observer = new ResizeObserver((entries) => {
    const boxes = new Set<HTMLElement>();
    for (const { target, contentRect } of entries) {
      const box = target.closest<HTMLElement>(BOXES);
      if (box === null) continue;
      if (target !== box && contentRect.width > 0) laidOut.add(box);
      // A box whose table waits to be laid out (`prose.css`) seems to hold nothing: it would be called one that fits.
      if (laidOut.has(box)) boxes.add(box);
    }
    // All are measured before any is changed: each change would cost a layout of its own.
    for (const describe of [...boxes].map(measure)) describe();
  });
  for (const box of article.querySelectorAll<HTMLElement>(BOXES)) {
    observer.observe(box);
    // A table can outgrow a box that stays as it is: when a font arrives, or text that had not been laid out.
    const table = box.querySelector("table");
    if (table === null) laidOut.add(box);
    else observer.observe(table);
  }
  const stop = CSS.supports("animation-timeline: --table") ? null : followPage(article);
  article.addEventListener("focusin", showWhole);
  return () => {
    observer.disconnect();
    article.removeEventListener("focusin", showWhole);
    stop?.();
  };
}

/** Scroll a table to what the keyboard has reached: a browser leaves a link where it is if its edge is seen. */
function showWhole({ target }: FocusEvent): void {
  if (!(target instanceof Element) || target.closest(".table-wrap:not([data-fits])") === null) return;
  if (target.matches("a:focus-visible, button:focus-visible"))
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Measure a table's box; what is given back describes it. */
function measure(box: HTMLElement): () => void {
  const fits = box.scrollWidth <= box.clientWidth;
  // How far its header may follow the reader (`prose.css`).
  const rows = box.clientHeight - (box.querySelector("thead")?.clientHeight ?? 0);
  return () => {
    box.toggleAttribute("data-fits", fits);
    if (fits) {
      for (const name of ["tabindex", "role", "aria-label", "style"]) box.removeAttribute(name);
      return;
    }
    box.style.setProperty("--rows", `${rows}px`);
    box.tabIndex = 0;
    // Not a landmark: a page may have many.
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", word(box.matches(".table-wrap") ? "table.scrolls" : "formula.scrolls"));
  };
}
