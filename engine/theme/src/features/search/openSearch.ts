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
  if (loaded !== null && findTypeAhead() === null) {
    loaded.openDialog(search, { text: "", isEntered: false, selected: String(getSelection()) });
    return;
  }
  beginTypeAhead();
  if (isLoading) return;
  isLoading = true;
  load()
    .then(
      async ({ openDialog }) => {
        const typed = await endTypeAhead();
        if (typed !== null) openDialog(search, typed);
      },
      async () => {
        const typed = await endTypeAhead();
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

/**
 * Give what was typed, and the focus to where it was before; while a character is being composed, when that is done:
 * a field that goes away takes the unfinished character with it. Null: the reader has changed their mind.
 */
async function endTypeAhead(): Promise<TypeAhead | null> {
  let field = findTypeAhead();
  if (field?.dataset.composition === "compositionstart") {
    await endOfComposition(field);
    field = findTypeAhead();
  }
  if (field === null) return null;
  const { key, selected = "" } = field.dataset;
  const typed = { text: field.value, isEntered: key === "Enter", selected };
  field.remove();
  if (returnsTo instanceof HTMLElement) returnsTo.focus({ preventScroll: true });
  return typed;
}

function endOfComposition(field: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    for (const type of ["compositionend", "blur"]) {
      // After the event: the browser then has written the character into the field.
      field.addEventListener(type, () => setTimeout(resolve), { once: true });
    }
  });
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
