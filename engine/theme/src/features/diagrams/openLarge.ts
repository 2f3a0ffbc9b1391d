import { returnFocus } from "../../ui/returnFocus";
import { word } from "../../ui/words";
import "./large.css";

/**
 * Show a drawing as large as the window.
 *
 * The drawing itself moves into the dialog and back: a copy would have its ids a second time. The native dialog brings
 * Escape, the inert page behind, and the return of the focus.
 */
export function openLarge(drawing: SVGSVGElement): void {
  const place = drawing.parentElement;
  if (place === null) return;
  const dialog = document.createElement("dialog");
  dialog.className = "diagram-dialog";
  dialog.setAttribute("aria-label", drawing.getAttribute("aria-label") ?? word("diagram"));
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button";
  close.textContent = word("close");
  close.addEventListener("click", () => {
    dialog.close();
  });
  const view = document.createElement("div");
  view.className = "diagram-large";
  view.tabIndex = 0;
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", word("diagram"));
  // What is below stays where it is.
  place.style.minBlockSize = `${place.offsetHeight}px`;
  const { width, height } = drawing.viewBox.baseVal;
  drawing.style.minInlineSize = `${width}px`;
  drawing.style.minBlockSize = `${height}px`;
  view.append(drawing);
  dialog.append(close, view);
  dialog.addEventListener("close", () => {
    drawing.style.minInlineSize = "";
    drawing.style.minBlockSize = "";
    place.append(drawing);
    place.style.minBlockSize = "";
    dialog.remove();
  });
  document.body.append(dialog);
  returnFocus(dialog);
  dialog.showModal();
}
