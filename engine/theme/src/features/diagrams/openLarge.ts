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
  dialog.setAttribute("aria-label", drawing.getAttribute("aria-label") ?? "Diagram");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => {
    dialog.close();
  });
  // What is below stays where it is.
  place.style.minBlockSize = `${place.offsetHeight}px`;
  dialog.append(close, drawing);
  dialog.addEventListener("close", () => {
    place.append(drawing);
    place.style.minBlockSize = "";
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
