import { getCurrent } from "../../data/current";
import { loadDocument } from "../navigation/loadDocument";

let isLoading = false;

/** Open the search dialog, whose code is loaded on first use. Where it can't be loaded the search page opens. */
export function openSearch(): void {
  const { search } = getCurrent().site;
  if (search === null || isLoading) return;
  isLoading = true;
  load().then(
    ({ openDialog }) => {
      isLoading = false;
      openDialog(search);
    },
    () => {
      isLoading = false;
      void loadDocument(search.pageHref, () => {
        location.assign(search.pageHref);
      });
    },
  );
}

/** Have the dialog's code at hand: the reader is about to want it. */
export function prepareSearch(): void {
  load().catch(() => {
    // Told when it is wanted.
  });
}

function load(): Promise<typeof import("./dialog/openDialog")> {
  return import("./dialog/openDialog");
}

/** Ctrl+K or Command+K anywhere; "/" outside of text fields. */
export function listenForSearchKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (!isSearchKey(event)) return;
    event.preventDefault();
    openSearch();
  });
}

function isSearchKey(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return !event.altKey && !event.shiftKey;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]"));
}
