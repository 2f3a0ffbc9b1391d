import { hydrateRoot, type Root } from "react-dom/client";
import { reportRecoverable } from "../ui/reportRecoverable";
import type { Block } from "./block";
import { registry } from "./registry";

const NO_HTML = (): string => "";

/** Islands are roots of their own; this keeps the ids that they make apart. */
let count = 0;

/** Hydrate the islands of an article, parents before what stands in them. The answer unmounts them. */
export function mountIslands(article: HTMLElement): () => void {
  const roots: Root[] = [];
  let isGone = false;
  const mount = (element: HTMLElement, Component: Block): void => {
    if (isGone || !element.isConnected) return;
    const props = JSON.parse(element.dataset.props ?? "{}") as Record<string, unknown>;
    const options = { onRecoverableError: reportRecoverable, identifierPrefix: `island-${count++}` };
    roots.push(hydrateRoot(element, <Component {...props} child={NO_HTML} />, options));
  };
  // Document order: a parent comes before its children.
  for (const element of article.querySelectorAll<HTMLElement>("[data-island]")) {
    const block = registry[element.dataset.island ?? ""]?.();
    if (block instanceof Promise) {
      block.then(
        (Component) => {
          mount(element, Component);
        },
        (error: unknown) => {
          // What the server drew stays readable.
          console.error(error);
        },
      );
    } else if (block !== undefined) {
      mount(element, block);
    }
  }
  return () => {
    isGone = true;
    // After the current commit: a root can't be unmounted while another one is drawn.
    queueMicrotask(() => {
      for (const root of roots.reverse()) root.unmount();
    });
  };
}
