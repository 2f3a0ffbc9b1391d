import mermaid from "mermaid";
import type { Mode } from "../color-mode/choice";
import { drawParked, parkStyles } from "./parkedStyles";

/** A drawing, to be put into the page by `showDrawing`. */
export interface DiagramDrawing {
  /** Its style attributes are parked. */
  svg: string;
  /** Its rules name the drawing by its id. */
  sheet: CSSStyleSheet;
  /** For which it was drawn. */
  mode: Mode;
}

/** Of the boxes in the library's dark theme. */
const DARK_GROUND = "#1f2020";

let count = 0;
let last: Promise<unknown> = Promise.resolve();

/** Draw a diagram as SVG, after those that are being drawn. Rejects with the parser's message when its source is wrong. */
export function drawDiagram(code: string, mode: Mode): Promise<DiagramDrawing> {
  const drawing = last.then(() => draw(code, mode));
  last = drawing.catch(() => undefined);
  return drawing;
}

async function draw(code: string, mode: Mode): Promise<DiagramDrawing> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: mode === "dark" ? "dark" : "neutral",
    // The theme's own ground for words beside lines is too light for the words on it.
    themeVariables: mode === "dark" ? { edgeLabelBackground: DARK_GROUND } : {},
    look: "classic",
    // The other layout, which the library prefers, is 1.5 MB of script and holds the page up for half a second.
    layout: "dagre",
    fontFamily: "inherit",
    // Its own picture of an error would stand at the end of the page.
    suppressErrorRendering: true,
  });
  const { drawn, sheet } = await drawParked(() => mermaid.render(`diagram-${count++}`, parkStyles(code)));
  return { svg: drawn.svg, sheet, mode };
}
