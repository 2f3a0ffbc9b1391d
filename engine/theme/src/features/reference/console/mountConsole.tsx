import { createRoot, type Root } from "react-dom/client";
import { word } from "../../../ui/words";
import { Console } from "./Console";
import { loadWords } from "./consoleWords";
import { loadDescription, readOperation } from "./description";

/** Put the console of an operation below its address, or take it away again. */
export function mountConsole(button: HTMLButtonElement): void {
  const place = button.closest(".api-address");
  const open = place?.nextElementSibling;
  if (place == null) return;
  if (open?.classList.contains("api-console-place") === true) {
    open.dispatchEvent(new Event("close"));
    return;
  }
  const { console: address = "", words = "", command = "", key = "", title = "" } = button.dataset;
  const box = document.createElement("div");
  box.className = "api-console-place";
  place.after(box);
  const root = createRoot(box, { identifierPrefix: `console-${key}` });
  const close = (): void => {
    box.remove();
    button.setAttribute("aria-expanded", "false");
    button.focus();
  };
  box.addEventListener("close", close);
  endWith(box, root);
  button.setAttribute("aria-expanded", "true");
  root.render(<p role="status">{word("loading")}</p>);
  Promise.all([loadDescription(address), loadWords(words)]).then(
    ([description]) => {
      if (!box.isConnected) return;
      const form = readOperation(description, key);
      root.render(<Console root={description} form={form} command={command} title={title} onClose={close} />);
    },
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      root.render(
        <p role="alert">
          {word("offline")} {reason}
        </p>,
      );
    },
  );
}

/** End the console when the reader leaves the page: what it is receiving must not go on unseen. */
function endWith(box: HTMLElement, root: Root): void {
  const observer = new MutationObserver(() => {
    if (box.isConnected) return;
    observer.disconnect();
    root.unmount();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
