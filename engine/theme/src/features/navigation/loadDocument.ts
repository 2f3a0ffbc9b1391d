import { errorMessages } from "../../ui/errorMessages";
import { word } from "../../ui/words";

const NOTICE_ID = "not-loaded";

/**
 * Let the browser load a document, if the site answers at all.
 *
 * Without an answer the browser would replace what the reader has with an error page of its own: the page stays, and
 * says what has failed.
 *
 * @param address Of the document, probed before it is loaded.
 * @param load Loads it, by `location`.
 */
export async function loadDocument(address: string, load: () => void): Promise<void> {
  try {
    // Any status will do: what the site has to say about the address, it says in its own page.
    await fetch(address, { method: "HEAD", cache: "no-store" });
  } catch {
    showNotice(word("offline"), () => {
      void loadDocument(address, load);
    });
    return;
  }
  load();
}

/**
 * Answer an act of the reader whose code did not come: browsers ask for a script again only for a document that is
 * loaded anew. Once, and if the site answers; otherwise the page stays, and says what has failed.
 */
export function loadAnew(error: unknown): void {
  const reload = (): void => {
    location.reload();
  };
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (navigator.onLine && entry?.type === "reload") showNotice(errorMessages(error).join(" "), reload);
  else void loadDocument(location.href, reload);
}

/** Take the notice away: another page has been loaded. */
export function hideNotice(): void {
  document.getElementById(NOTICE_ID)?.remove();
}

function showNotice(message: string, retry: () => void): void {
  hideNotice();
  const box = document.createElement("div");
  box.id = NOTICE_ID;
  box.className = "chunk-error not-loaded";
  box.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = message;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = word("retry");
  button.addEventListener("click", retry);
  box.append(text, button);
  document.body.append(box);
}
