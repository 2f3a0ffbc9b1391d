// Hydrates components of authors; loaded with the first of a page.
import { type ComponentType, type ReactNode, type RefObject, startTransition, useEffect, useMemo, useRef } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { whenIdle } from "../../ui/whenIdle";
import { findPublic } from "./findPublic";
import { loadModule } from "./loadModule";
import { runModule } from "./modules";
import { reportFailure } from "./reportFailure";

type Mount = (element: HTMLElement) => () => void;

/** A component this far from the view is loaded, in px. */
const NEAR_PX = 200;

/**
 * Hydrate a component when its author wants it: at once, in an idle moment, or near the view.
 *
 * @param mountIslands Hydrates the content of the component when it is drawn later.
 * @returns A function that unmounts it.
 */
export function mountComponent(element: HTMLElement, mountIslands: Mount): () => void {
  let root: Root | null = null;
  let isGone = false;
  // Before its content is hydrated and changes.
  const children = childrenOf(element);
  const served = element.innerHTML;
  const props = JSON.parse(element.dataset.props ?? "{}") as Readonly<Record<string, unknown>>;
  const begin = (): void => {
    const address = element.dataset.module ?? "";
    const report = (error: unknown): void => {
      if (!isGone) reportFailure(element, error);
    };
    loadModule(address)
      .then((module) => {
        if (isGone || !element.isConnected) return;
        const Component = runModule(module, findPublic).default as ComponentType<Record<string, unknown>>;
        startTransition(() => {
          root = hydrateRoot(
            element,
            <ErrorBoundary fallback={(error) => <Served html={served} error={error} onError={report} />}>
              <Living
                Component={Component}
                props={props}
                tag={element.localName === "span" ? "span" : "div"}
                html={children}
                mountIslands={mountIslands}
                onLive={() => {
                  element.dataset.live = "";
                }}
              />
            </ErrorBoundary>,
            {
              identifierPrefix: element.dataset.id ?? "",
              onCaughtError: () => undefined,
              onRecoverableError: report,
            },
          );
        });
      })
      .catch(report);
  };
  const callOff = wait(element, begin);
  return () => {
    isGone = true;
    callOff();
    root?.unmount();
  };
}

/** HTML of the content between the tags; null where there is none. */
function childrenOf(element: HTMLElement): string | null {
  for (const child of element.querySelectorAll("[data-children]")) {
    if (child.closest("[data-island]") === element) return child.innerHTML;
  }
  // What the component has not drawn yet waits behind it.
  const next = element.nextElementSibling;
  return next instanceof HTMLTemplateElement && next.dataset.children === element.dataset.id ? next.innerHTML : null;
}

/** Begin when the author wants it; the answer calls it off. */
function wait(element: HTMLElement, begin: () => void): () => void {
  const { client } = element.dataset;
  if (client === "idle") return whenIdle(begin);
  if (client !== "visible") {
    begin();
    return () => undefined;
  }
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      begin();
    },
    { rootMargin: `${NEAR_PX}px` },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
  };
}

interface LivingProps {
  Component: ComponentType<Record<string, unknown>>;
  props: Readonly<Record<string, unknown>>;
  tag: "div" | "span";
  html: string | null;
  mountIslands: Mount;
  onLive: () => void;
}

function Living({ Component, props, tag, html, mountIslands, onLive }: LivingProps): ReactNode {
  const isLive = useRef(false);
  // After the effects of what is in it: what is mounted from now on was not in the document before.
  useEffect(() => {
    isLive.current = true;
    onLive();
  }, [onLive]);
  if (html === null) return <Component {...props} />;
  return (
    <Component {...props}>
      <Content tag={tag} html={html} isLive={isLive} mountIslands={mountIslands} />
    </Component>
  );
}

interface ContentProps {
  tag: "div" | "span";
  html: string;
  isLive: RefObject<boolean>;
  mountIslands: Mount;
}

/** The content between the tags. It may be removed and inserted again. */
function Content({ tag: Tag, html, isLive, mountIslands }: ContentProps) {
  const element = useRef<HTMLElement | null>(null);
  const content = useMemo(() => ({ __html: html }), [html]);
  useEffect(
    () => (isLive.current && element.current !== null ? mountIslands(element.current) : undefined),
    [isLive, mountIslands],
  );
  return (
    <Tag
      ref={(found: HTMLElement | null) => {
        element.current = found;
      }}
      data-children=""
      dangerouslySetInnerHTML={content}
      suppressHydrationWarning
    />
  );
}

interface ServedProps {
  html: string;
  error: unknown;
  onError: (error: unknown) => void;
}

/** What the build drew, in the place of a component that has failed. */
function Served({ html, error, onError }: ServedProps) {
  const content = useMemo(() => ({ __html: html }), [html]);
  useEffect(() => {
    onError(error);
  }, [error, onError]);
  return <div dangerouslySetInnerHTML={content} />;
}
