import type { DiagramDrawing } from "./drawDiagram";
import { adopt, discard, unparkStyles } from "./parkedStyles";

/** Put a drawing into an element; returns what takes its styles away again. */
export function showDrawing(box: HTMLElement, { svg, sheet }: DiagramDrawing): () => void {
  adopt(sheet);
  box.innerHTML = svg;
  unparkStyles(box);
  return () => {
    discard(sheet);
  };
}
