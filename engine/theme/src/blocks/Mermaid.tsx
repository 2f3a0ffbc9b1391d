import { useCallback, useEffect, useRef, useState } from "react";
import { frameAddress, listenToFrame, type FrameAnswer } from "../features/diagrams/frame";
import { modeStore } from "../features/color-mode/colorMode";
import type { MermaidProps } from "../payload.gen";
import { useStore } from "../ui/store";
import { useNearView } from "../ui/useNearView";
import { whenIdle } from "../ui/whenIdle";
import { whenReaderStirs } from "../ui/whenReaderStirs";
import { word } from "../ui/words";

/**
 * A diagram that could not be drawn when the site was built: its source, until Mermaid has drawn it in a frame of its
 * own that can reach nothing of the page.
 */
export function Mermaid({ code }: MermaidProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const isNear = useNearView(box);
  const mode = useStore(modeStore);
  const [isWanted, setIsWanted] = useState(false);
  const [answer, setAnswer] = useState<FrameAnswer | null>(null);

  useEffect(() => {
    if (!isNear) return;
    // The library is large: the page comes first, and nobody needs it before somebody looks.
    let waiting: (() => void) | undefined;
    const callOff = whenReaderStirs(() => {
      waiting = whenIdle(() => {
        setIsWanted(true);
      });
    });
    return () => {
      callOff();
      waiting?.();
    };
  }, [isNear]);

  const ask = useCallback(() => {
    // Its origin is opaque: only a message to anybody reaches it, and nobody else is in the frame.
    frame.current?.contentWindow?.postMessage({ code, mode }, "*");
  }, [code, mode]);

  useEffect(() => {
    if (!isWanted) return;
    const release = listenToFrame(frame, ask, setAnswer);
    ask();
    return release;
  }, [isWanted, ask]);

  const isDrawn = answer !== null && "height" in answer;
  return (
    <div ref={box} className="mermaid">
      {isWanted && (
        <iframe
          ref={frame}
          className="diagram-frame"
          title={word("diagram")}
          sandbox="allow-scripts"
          // Nothing in a drawing can be used, and a stop in the frame would not be seen.
          tabIndex={-1}
          src={frameAddress()}
          height={isDrawn ? answer.height : 0}
          hidden={answer !== null && !isDrawn}
        />
      )}
      {!isDrawn && (
        <pre className="mermaid-source" tabIndex={0}>
          {code}
        </pre>
      )}
      {answer !== null && "error" in answer && (
        <div className="chunk-error" role="alert">
          <p>{word("diagram.failed", { error: answer.error })}</p>
        </div>
      )}
    </div>
  );
}
