import { reportRecoverable } from "../../ui/reportRecoverable";

/** Open the request console where a reader asks for one. Its code, and the description, come only then. */
export function listenForConsole(): void {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button.api-try") : null;
    if (button === null) return;
    void import("./console/mountConsole")
      .then(({ mountConsole }) => {
        mountConsole(button);
      })
      .catch(reportRecoverable);
  });
}
