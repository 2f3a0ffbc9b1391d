import mermaid from "mermaid";
import type { Mode } from "../color-mode/choice";

let count = 0;

/** Draw a diagram as SVG. Rejects with the parser's message when its source is wrong. */
export async function drawDiagram(code: string, mode: Mode): Promise<string> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: mode === "dark" ? "dark" : "neutral",
    look: "classic",
    // The other layout, which the library prefers, is 1.5 MB of script and holds the page up for half a second.
    layout: "dagre",
    fontFamily: "inherit",
    // Its own picture of an error would stand at the end of the page.
    suppressErrorRendering: true,
  });
  const { svg } = await mermaid.render(`diagram-${count++}`, code);
  return svg;
}
