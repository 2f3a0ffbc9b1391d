import { getCurrent } from "../../data/current";
import { whenIdle } from "../../ui/whenIdle";
import { isSingleKey } from "../keyboard/singleKeys";
import { loadDocument } from "../navigation/loadDocument";
import { isWelcomeNow } from "../navigation/prefetch";
import { NO_QUESTION, questionHref } from "./query/question";
import { findTypeAhead, takeTypeAhead, type TypeAhead } from "./typeAhead";

type DialogModule = typeof import("./dialog/openDialog");

let loaded: DialogModule | null = null;
let isLoading = false;

/**
 * Open the search dialog, whose code is loaded on first use. Where it can't be loaded the search page opens.
 * What is typed meanwhile goes into the dialog's field.
 */
export function openSearch(): void {
  const { search } = getCurrent().site;
  if (search === null) return;
  if (loaded !== null) {
    loaded.openDialog(search, endTypeAhead() ?? { text: "", isEntered: false, selected: String(getSelection()) });
    return;
  }
  beginTypeAhead();
  if (isLoading) return;
  isLoading = true;
  load()
    .then(
      ({ openDialog }) => {
        const typed = endTypeAhead();
        if (typed !== null) openDialog(search, typed);
      },
      () => {
        const typed = endTypeAhead();
        if (typed === null) return;
        const address = questionHref(search.pageHref, { ...NO_QUESTION, query: typed.text });
        void loadDocument(address, () => {
          location.assign(address);
        });
      },
    )
    .finally(() => {
      isLoading = false;
    });
}

/** Have the dialog's code at hand: the reader is about to want it. */
export function prepareSearch(): void {
  load().catch(() => {
    // Told when it is wanted.
  });
}

/** Fetch the dialog's code in an idle moment once the page is used: not for those who only glance at it. */
function prepareWhenUsed(): void {
  const end = new AbortController();
  for (const sign of ["pointermove", "touchstart", "keydown"]) {
    window.addEventListener(
      sign,
      () => {
        end.abort();
        whenIdle(prepareSearch);
      },
      { signal: end.signal, passive: true },
    );
  }
}

async function load(): Promise<DialogModule> {
  loaded = await import("./dialog/openDialog");
  return loaded;
}

let returnsTo: Element | null = null;

function beginTypeAhead(): void {
  if (document.activeElement !== findTypeAhead()) returnsTo = document.activeElement;
  takeTypeAhead();
}

/** Give what was typed, and the focus to where it was before. Null: the reader has changed their mind. */
function endTypeAhead(): TypeAhead | null {
  const field = findTypeAhead();
  if (field === null) return null;
  const { key, selected = "" } = field.dataset;
  const typed = { text: field.value, isEntered: key === "Enter", selected };
  field.remove();
  if (returnsTo instanceof HTMLElement) returnsTo.focus({ preventScroll: true });
  return typed;
}

/** Ctrl+K or Command+K anywhere; "/" outside of text fields. */
export function listenForSearchKeys(): void {
  if (getCurrent().site.search !== null && isWelcomeNow()) prepareWhenUsed();
  window.addEventListener("keydown", (event) => {
    if (!isSearchKey(event)) return;
    event.preventDefault();
    openSearch();
  });
}

function isSearchKey(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return !event.altKey && !event.shiftKey;
  return isSingleKey(event, "/");
}
