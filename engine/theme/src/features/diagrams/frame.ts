import type { RefObject } from "react";
import { fileInCopy } from "../../data/offlineCopy";

/** What the frame reports: that it listens, the height of its drawing in px, or why there is none. */
export type FrameAnswer = { height: number } | { error: string };
export type FrameMessage = FrameAnswer | { isReady: true };

/** Address of the frame's document, beside the chunks; the build names it by the hash of its content. */
export function frameAddress(): string {
  if (__OFFLINE__) return fileInCopy(`_octavo/assets/${__DIAGRAM_FRAME__}`);
  // Not in one expression, which the build would take for an import.
  const chunk = import.meta.url;
  return new URL(__DIAGRAM_FRAME__, chunk).href;
}

/** Pass on what a frame says; messages of others are not for us. The answer ends it. */
export function listenToFrame(
  frame: RefObject<HTMLIFrameElement | null>,
  onReady: () => void,
  onAnswer: (answer: FrameAnswer) => void,
): () => void {
  const end = new AbortController();
  window.addEventListener(
    "message",
    ({ source, data }: MessageEvent<FrameMessage>) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if ("isReady" in data) onReady();
      else if ("height" in data) onAnswer({ height: Math.min(Math.max(data.height, 0), 20_000) });
      else onAnswer({ error: data.error.slice(0, 500) });
    },
    { signal: end.signal },
  );
  return () => {
    end.abort();
  };
}
