import { loadAnew } from "../navigation/loadDocument";
import { isSingleKey } from "./singleKeys";

/** "?" and the button in the footer show which keys do what; the code of the dialog is loaded with the first use. */
export function listenForHelp(): void {
  window.addEventListener("keydown", (event) => {
    if (!isSingleKey(event, "?") || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    openHelp();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".keys-button") !== null) openHelp();
  });
}

/** Show the help. */
function openHelp(): void {
  import("./helpDialog").then(({ showHelp }) => {
    showHelp();
  }, loadAnew);
}
