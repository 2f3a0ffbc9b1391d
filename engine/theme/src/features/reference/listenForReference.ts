import { readStored, writeStored } from "../../ui/storage";
import { reportRecoverable } from "../../ui/reportRecoverable";
import { decodeHash } from "../navigation/address";
import { loadAnew } from "../navigation/loadDocument";
import { LANGUAGE_KEY } from "./languageKey";

/** Do what a reader asks for on a page of an API. The code for it comes only then. */
export function listenForReference(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>(".api-try, .api-copy") : null;
    if (button === null) return;
    const isDone = button.matches(".api-copy")
      ? import("./copyOperation").then(({ copyOperation }) => copyOperation(button), loadAnew)
      : import("./console/mountConsole").then(({ mountConsole }) => {
          mountConsole(button);
        }, loadAnew);
    isDone.catch(reportRecoverable);
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest("[data-language]") === null) return;
    // At once: the browser shows the choice itself, and a reader who goes on before the code comes has made it.
    writeStored(LANGUAGE_KEY, target.value);
    void import("./language")
      .then(({ followChoice }) => {
        followChoice(target);
      }, loadAnew)
      .catch(reportRecoverable);
  });
  window.addEventListener("hashchange", followMoved);
}

/** Bring a page that has just come into the form that the reader has chosen, or go to where its anchor has moved. */
export function enterReference(article: HTMLElement): void {
  followMoved();
  if (readStored(LANGUAGE_KEY) === null || article.querySelector("[data-language]") === null) return;
  void import("./language")
    .then(({ showLanguage }) => {
      showLanguage(article);
    })
    .catch(reportRecoverable);
}

function followMoved(): void {
  const target = document.getElementById(decodeHash(location.hash));
  for (let folded = target?.closest("details"); folded != null; folded = folded.parentElement?.closest("details"))
    folded.open = true; // browsers unfold what is around an anchor, and not the anchor itself
  if (location.hash === "" || document.querySelector(".api-moved,.api-elsewhere,.api-list>[id]") === null) return;
  void import("./followMoved")
    .then(({ followHash }) => {
      followHash();
    })
    .catch(reportRecoverable);
}
