import { originOf } from "./places";

const FRAME = /(https?:\/\/[^\s()]+\/_octavo\/components\/[^\s()]+\.js):(\d+):(\d+)/;

/** What React says of a difference between server and client, by its numbers only. */
const DIFFERENCE = /Minified React error #(?:418|423|425)\b/;

/**
 * Say above a component, and on the console, that it has failed and where its author finds the mistake.
 *
 * @param isMended React has drawn the component anew: it works, and only its author need know.
 */
export function reportFailure(element: HTMLElement, error: unknown, isMended = false): void {
  const thrown = error instanceof Error ? error.message : String(error);
  const message = DIFFERENCE.test(thrown)
    ? "The first render in the browser gives something else than the build. Move what only browsers know, such as " +
      "window, the time and random numbers, into an effect; and nest elements as HTML allows it"
    : thrown;
  const source = element.dataset.source ?? "";
  void placeIn(error).then((place) => {
    const text = `${place ?? source}: ${message}`;
    console.error(text, error);
    dispatchEvent(new CustomEvent("octavo:failure", { detail: { place: place ?? source, message } }));
    // Readers have what they need; in `octavo dev`, whose script has a token, its author sees it all the same.
    if (isMended && document.querySelector("script[data-token]") === null) return;
    if (element.previousElementSibling?.classList.contains("chunk-error") === true) return;
    const box = document.createElement(element.localName === "span" ? "span" : "div");
    box.className = "chunk-error";
    box.setAttribute("role", "alert");
    box.textContent = isMended ? text : `This part of the page does not work. ${text}`;
    element.before(box);
  });
}

/** Find the place in the author's file, as `components/Chart.tsx:3:5`; null where it is not known. */
async function placeIn(error: unknown): Promise<string | null> {
  const frame = FRAME.exec(error instanceof Error ? (error.stack ?? "") : "");
  if (frame === null) return null;
  const [, address = "", line, column] = frame;
  try {
    const answer = await fetch(`${address}.map`);
    const map = (await answer.json()) as { sources: string[]; authored: string };
    const origin = originOf(map.authored, Number(line), Number(column));
    return `${map.sources[0] ?? ""}:${origin.line}:${origin.column}`;
  } catch {
    return null;
  }
}
