import { startTransition } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { reportRecoverable } from "../ui/reportRecoverable";
import type { IslandProps } from "../payload.gen";
import { blockElement, type Block, type IslandKind } from "./block";
import { registry, type Loaders } from "./registry";
import { word } from "../ui/words";

const NO_HTML = (): string => "";

/** Islands are roots of their own; this keeps the ids that they make apart. */
let count = 0;

/** Hydrate the islands of an article, parents before their children. The returned function unmounts them. */
export function mountIslands(article: HTMLElement): () => void {
  const roots: Root[] = [];
  let isGone = false;
  const hydrate = <Kind extends IslandKind>(element: HTMLElement, Component: Block<Kind>): void => {
    if (isGone || !element.isConnected) return;
    const props = JSON.parse(element.dataset.props ?? "{}") as IslandProps[Kind];
    const options = {
      // A reader who leaves at once unmounts islands that were still to be hydrated, which React reports.
      onRecoverableError: (error: unknown): void => {
        if (!isGone) reportRecoverable(error);
      },
      identifierPrefix: `island-${count++}`,
    };
    // As a transition: a page with many islands is hydrated in slices.
    startTransition(() => {
      roots.push(
        hydrateRoot(element, blockElement(Component, props, { id: element.dataset.id ?? "", child: NO_HTML }), options),
      );
    });
  };
  const mount = <Kind extends IslandKind>(
    element: HTMLElement,
    kind: Kind,
    load: Loaders[Kind] = registry[kind],
  ): void => {
    const block = load?.();
    if (block instanceof Promise) {
      block.then(
        (Component) => {
          hydrate(element, Component);
        },
        (error: unknown) => {
          showChunkError(element, error);
        },
      );
    } else if (block !== undefined) {
      hydrate(element, block);
    }
  };
  const stops: (() => void)[] = [];
  // Document order: a parent comes before its children.
  for (const element of article.querySelectorAll<HTMLElement>("[data-island]")) {
    if (element.dataset.island === "component") {
      import("./authored/mountComponent").then(
        ({ mountComponent }) => {
          if (!isGone && element.isConnected) stops.push(mountComponent(element, mountIslands));
        },
        (error: unknown) => {
          showChunkError(element, error);
        },
      );
      continue;
    }
    // Written by `server.tsx`, which knows no other kinds.
    mount(element, element.dataset.island as IslandKind);
  }
  return () => {
    isGone = true;
    // After the current commit: a root can't be unmounted while another one is drawn.
    queueMicrotask(() => {
      for (const root of roots.reverse()) root.unmount();
      for (const stop of stops) stop();
    });
  };
}

/** Say above an island that its code did not come. What the server drew stays readable. */
function showChunkError(element: HTMLElement, error: unknown): void {
  const box = document.createElement("div");
  box.className = "chunk-error";
  box.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = error instanceof Error ? error.message : String(error);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = word("retry");
  button.addEventListener("click", () => {
    // Browsers remember that a script did not come: only a document that is loaded anew asks for it again.
    location.reload();
  });
  box.append(text, button);
  element.before(box);
}
