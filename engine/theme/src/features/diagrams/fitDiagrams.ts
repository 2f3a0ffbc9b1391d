import { loadAnew } from "../navigation/loadDocument";
import { word } from "../../ui/words";

/** Part of its natural size below which a drawing is worth a closer look. */
const REDUCED = 0.85;

/**
 * Tell drawings that fit from those that scroll, as long as the article is shown, and let reduced ones be opened large.
 *
 * A drawing that scrolls is a stop of the keyboard and a group with a name, as a table is.
 */
export function fitDiagrams(article: HTMLElement): () => void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target instanceof HTMLElement) describe(target);
    }
  });
  for (const view of article.querySelectorAll<HTMLElement>(".diagram-view")) observer.observe(view);
  return () => {
    observer.disconnect();
  };
}

function describe(view: HTMLElement): void {
  const drawing = view.querySelector<SVGSVGElement>(".diagram-drawing");
  // Taken out while it is open.
  if (drawing === null) return;
  const scrolls = view.scrollWidth > view.clientWidth + 1;
  if (scrolls) {
    view.tabIndex = 0;
    view.setAttribute("role", "group");
    view.setAttribute("aria-label", word("diagram.scrolls"));
  } else {
    for (const name of ["tabindex", "role", "aria-label"]) view.removeAttribute(name);
  }
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  offerLarge(view, drawing, scrolls || (scale > 0 && scale < REDUCED));
}

function offerLarge(view: HTMLElement, drawing: SVGSVGElement, isReduced: boolean): void {
  const figure = view.parentElement;
  const present = figure?.querySelector(".diagram-enlarge");
  if (figure === null || (present != null) === isReduced) return;
  if (present != null) {
    present.remove();
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "diagram-enlarge";
  button.textContent = word("diagram.enlarge");
  button.setAttribute("aria-label", word("diagram.enlarge.named", { name: drawing.getAttribute("aria-label") ?? "" }));
  button.addEventListener("click", () => {
    // The dialog and its styles are loaded with the first use.
    import("./openLarge").then(({ openLarge }) => {
      openLarge(drawing);
    }, loadAnew);
  });
  view.after(button);
}
