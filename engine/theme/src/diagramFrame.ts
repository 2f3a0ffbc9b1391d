// The document in the sandboxed frame: Mermaid draws what the page sends. It reaches neither the page nor its storage.
import mermaid from "mermaid";
import type { FrameMessage } from "./features/diagrams/frame";

/** Of the boxes in the library's dark theme; its own ground for words beside lines is too light for them. */
const DARK_GROUND = "#1f2020";

interface Order {
  code: string;
  mode: "light" | "dark";
}

let count = 0;
let last: Promise<void> = Promise.resolve();

function answer(message: FrameMessage): void {
  // Only the page that shows the frame is above it: its policy allows no other (`frame-ancestors`).
  window.parent.postMessage(message, "*");
}

/** The library writes styles into the document; a host may send a policy with it that forbids them. */
function mayStyle(): boolean {
  const probe = document.createElement("style");
  probe.textContent = ":root { --may-style: yes }";
  document.head.append(probe);
  const value = getComputedStyle(document.documentElement).getPropertyValue("--may-style");
  probe.remove();
  return value !== "";
}

async function draw({ code, mode }: Order): Promise<void> {
  if (!mayStyle()) {
    answer({ error: "the host's content security policy forbids its styles." });
    return;
  }
  document.documentElement.style.colorScheme = mode;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: mode === "dark" ? "dark" : "neutral",
    themeVariables: mode === "dark" ? { edgeLabelBackground: DARK_GROUND } : {},
    look: "classic",
    layout: "dagre",
    fontFamily: "system-ui, sans-serif",
    suppressErrorRendering: true,
  });
  try {
    const { svg } = await mermaid.render(`diagram-${count++}`, code);
    document.body.innerHTML = svg;
    answer({ height: Math.ceil(document.body.getBoundingClientRect().height) });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  }
}

window.addEventListener("message", ({ source, data }: MessageEvent<Order>) => {
  if (source !== window.parent) return;
  last = last.then(() => draw(data));
});
new ResizeObserver(() => {
  if (document.querySelector("body > svg") !== null)
    answer({ height: Math.ceil(document.body.getBoundingClientRect().height) });
}).observe(document.documentElement);
answer({ isReady: true });
