import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { modeStore } from "../features/color-mode/colorMode";
import type { DiagramDrawing } from "../features/diagrams/drawDiagram";
import { showDrawing } from "../features/diagrams/showDrawing";
import { errorMessages } from "../ui/errorMessages";
import type { MermaidProps } from "../payload.gen";
import { useStore } from "../ui/store";
import { whenReaderStirs } from "../ui/whenReaderStirs";
import { whenIdle } from "../ui/whenIdle";
import { useNearView } from "../ui/useNearView";

type Drawing = { state: "source" } | { state: "drawn"; drawing: DiagramDrawing } | { state: "failed"; error: unknown };

/** A diagram: its source, until it comes near the view and has been drawn. */
export function Mermaid({ code }: MermaidProps) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNearView(box);
  const mode = useStore(modeStore);
  const [drawing, setDrawing] = useState<Drawing>({ state: "source" });

  const draw = useCallback(async (): Promise<Drawing> => {
    try {
      const { drawDiagram } = await import("../features/diagrams/drawDiagram");
      return { state: "drawn", drawing: await drawDiagram(code, mode) };
    } catch (error) {
      return { state: "failed", error };
    }
  }, [code, mode]);

  useEffect(() => {
    if (!isNear) return;
    let isCurrent = true;
    const start = (): void => {
      void draw().then((result) => {
        if (!isCurrent || box.current === null) return;
        keepHeight(box.current);
        keepFocus(box.current, () => {
          flushSync(() => {
            setDrawing(result);
          });
        });
      });
    };
    // The library is large: the page comes first, and nobody needs it before somebody looks.
    let waiting: (() => void) | undefined;
    const callOff = whenReaderStirs(() => {
      waiting = whenIdle(start);
    });
    return () => {
      isCurrent = false;
      callOff();
      waiting?.();
    };
  }, [isNear, draw]);

  return (
    <div ref={box} className="mermaid">
      {drawing.state === "drawn" ? (
        <Drawn drawing={drawing.drawing} />
      ) : (
        <pre className="mermaid-source" tabIndex={0}>
          {code}
        </pre>
      )}
      {drawing.state === "failed" && (
        <div className="chunk-error" role="alert">
          <p>{`The diagram could not be drawn: ${errorMessages(drawing.error).join(" ")}`}</p>
          <button type="button" className="button" onClick={reload}>
            Retry
          </button>
        </div>
      )}
    </div>
  );
}

/** A diagram that has been drawn. */
function Drawn({ drawing }: { drawing: DiagramDrawing }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (box.current === null ? undefined : showDrawing(box.current, drawing)), [drawing]);
  return <div ref={box} className="mermaid-drawing" role="group" aria-label="Diagram" />;
}

/** Browsers remember that a script did not come: only a document that is loaded anew asks for it again. */
function reload(): void {
  location.reload();
}

/**
 * Exchange what a diagram shows, under the eyes of somebody who goes through the page by keys.
 *
 * Who stands on its source stands on the drawing afterwards, and what has the focus below stays where it is: the browser
 * holds nothing in place while the diagram itself is at the upper edge of the view.
 */
function keepFocus(box: HTMLElement, exchange: () => void): void {
  const focused = document.activeElement;
  const isInside = box.contains(focused);
  const before = focused?.getBoundingClientRect().top ?? -1;
  exchange();
  if (isInside) box.querySelector<HTMLElement>(".mermaid-drawing")?.focus({ preventScroll: true });
  else if (focused !== null && focused !== document.body && before >= 0 && before < innerHeight)
    window.scrollBy({ top: focused.getBoundingClientRect().top - before, behavior: "instant" });
}

/** A drawing that is lower than its source leaves the text below where it is. */
function keepHeight(box: HTMLElement): void {
  if (box.style.minBlockSize === "") box.style.minBlockSize = `${box.offsetHeight}px`;
}
