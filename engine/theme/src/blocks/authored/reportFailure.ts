import { originOf } from "./places";

const FRAME = /(https?:\/\/[^\s()]+\/_octavo\/components\/[^\s()]+\.js):(\d+):(\d+)/;

/** Say above a component, and on the console, that it has failed and where its author finds the mistake. */
export function reportFailure(element: HTMLElement, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const source = element.dataset.source ?? "";
  void placeIn(error).then((place) => {
    const text = `${place ?? source}: ${message}`;
    console.error(text, error);
    dispatchEvent(new CustomEvent("octavo:failure", { detail: { place: place ?? source, message } }));
    if (element.previousElementSibling?.classList.contains("chunk-error") === true) return;
    const box = document.createElement(element.localName === "span" ? "span" : "div");
    box.className = "chunk-error";
    box.setAttribute("role", "alert");
    box.textContent = `This part of the page does not work. ${text}`;
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
