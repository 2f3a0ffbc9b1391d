import { reportRecoverable } from "../../ui/reportRecoverable";
import { isSingleKey } from "./singleKeys";

/** "?" shows which keys do what; the code of the dialog is loaded with the first one. */
export function listenForHelp(): void {
  window.addEventListener("keydown", (event) => {
    if (!isSingleKey(event, "?") || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    openHelp();
  });
}

/** Show the help. */
function openHelp(): void {
  import("./helpDialog").then(({ showHelp }) => {
    showHelp();
  }, reportRecoverable);
}
