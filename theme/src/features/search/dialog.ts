import type { SearchData } from "../../payload.gen";

let dialog: HTMLDialogElement | null = null;

/** Open a small dialog with a search field, which leads to the search page. */
export function openDialog(search: SearchData): void {
  dialog ??= makeDialog(search);
  if (dialog.open) {
    dialog.close();
    return;
  }
  dialog.showModal();
  dialog.querySelector("input")?.select();
}

/** The native dialog brings the focus trap, Escape, the inert page behind, and the return of the focus. */
function makeDialog(search: SearchData): HTMLDialogElement {
  const element = document.createElement("dialog");
  element.className = "search-dialog";
  element.setAttribute("aria-label", "Search");
  const form = document.createElement("form");
  form.action = search.pageHref;
  const input = document.createElement("input");
  input.type = "search";
  input.name = "q";
  input.className = "search-input";
  input.placeholder = search.placeholder;
  input.maxLength = 64;
  input.autocomplete = "off";
  input.required = true;
  input.setAttribute("aria-label", "Search");
  form.append(input);
  element.append(form);
  element.addEventListener("mousedown", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  return element;
}
