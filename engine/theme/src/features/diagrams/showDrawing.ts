import type { DiagramDrawing } from "./drawDiagram";
import { adopt, discard, unparkStyles } from "./parkedStyles";

/** Part of its natural size to which a drawing shrinks at most: its words are 11 px high then. */
const SMALLEST = 0.7;

/** Put a drawing into an element; returns what takes its styles away again. */
export function showDrawing(box: HTMLElement, { svg, sheet, mode }: DiagramDrawing): () => void {
  adopt(sheet);
  box.innerHTML = svg;
  box.dataset.mode = mode;
  unparkStyles(box);
  const observer = keepReadable(box);
  return () => {
    observer.disconnect();
    discard(sheet);
  };
}

/** Let a drawing that is too wide scroll, by the keyboard too, in the place of becoming too small to read. */
function keepReadable(box: HTMLElement): ResizeObserver {
  const drawing = box.querySelector("svg");
  if (drawing !== null) drawing.style.minInlineSize = `${Math.round(drawing.viewBox.baseVal.width * SMALLEST)}px`;
  box.tabIndex = -1;
  const observer = new ResizeObserver(() => {
    // Otherwise no stop, but a place for the focus of who stood on the source.
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  });
  observer.observe(box);
  return observer;
}
