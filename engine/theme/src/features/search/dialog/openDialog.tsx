import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import type { SearchData } from "../../../payload.gen";
import { getCurrent } from "../../../data/current";
import { makeFinder } from "../finder";
import { cut, LONGEST_IN_DIALOG } from "../query/question";
import type { TypeAhead } from "../typeAhead";
import { SearchSession } from "../query/session";
import { startInsights } from "../sendInsights";
import "../search.css";
import { SearchDialog } from "./SearchDialog";
import { returnFocus } from "../../../ui/returnFocus";
import { word } from "../../../ui/words";

let open: { element: HTMLDialogElement; close: () => void } | null = null;

/** Open the search dialog; close it, if it is open. */
export function openDialog(search: SearchData, typed: TypeAhead): void {
  // One that is closed tells so by an event, which comes later: a key between the two opens a new one.
  if (open?.element.open) open.close();
  else show(search, typed);
}

/** The native dialog brings the focus trap, the inert page behind, and the return of the focus. */
function show(search: SearchData, typed: TypeAhead): void {
  const selected = typed.text === "" ? asQuery(typed.selected) : "";
  const element = document.createElement("dialog");
  element.className = "search-dialog";
  element.setAttribute("aria-label", word("search"));
  document.body.append(element);
  const root = createRoot(element);
  const session = new SearchSession(makeFinder(getCurrent(), search, search.resultsPerGroup));
  const close = (): void => {
    element.close();
  };
  element.addEventListener("mousedown", (event) => {
    if (event.target === element) close();
  });
  element.addEventListener("close", () => {
    session.end();
    if (open?.element === element) open = null;
    remove(root, element);
  });
  const query = cut(typed.text) || selected;
  // Before the field is drawn: a key that comes between would be typed into an empty one.
  if (query !== "") session.ask({ query });
  flushSync(() => {
    root.render(<SearchDialog search={search} session={session} onClose={close} />);
  });
  open = { element, close };
  startInsights(search);
  returnFocus(element);
  element.showModal();
  const input = element.querySelector("input");
  input?.focus();
  if (selected !== "") input?.select();
  else input?.setSelectionRange(query.length, query.length);
  if (typed.isEntered) input?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}

/** After the event: a root can't be unmounted while one of its own handlers runs, nor a link be followed that is gone. */
function remove(root: Root, element: HTMLDialogElement): void {
  setTimeout(() => {
    root.unmount();
    element.remove();
  });
}

/** Text that was selected on the page, if it looks like something to search for. */
function asQuery(selected: string): string {
  const text = selected.trim();
  return text.includes("\n") || text.length > LONGEST_IN_DIALOG ? "" : text;
}
