import { iconElement } from "./iconElement";
import { returnFocus } from "./returnFocus";
import { word } from "./words";

/**
 * Show a dialog above the page and take it out of the document when it is closed.
 *
 * The native element brings Escape, the inert page behind, and the return of the focus. A click closes it where
 * `closesAt` says so, by default beside its content.
 */
export function openModal(
  dialog: HTMLDialogElement,
  closesAt: (target: EventTarget | null) => boolean = (target) => target === dialog,
): void {
  dialog.addEventListener("click", ({ target }) => {
    if (closesAt(target)) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
  });
  document.body.append(dialog);
  returnFocus(dialog);
  dialog.showModal();
}

/** The button that closes the dialog around it. */
export function closeButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-button";
  button.setAttribute("aria-label", word("close"));
  button.append(iconElement("close"));
  button.addEventListener("click", () => {
    button.closest("dialog")?.close();
  });
  return button;
}
