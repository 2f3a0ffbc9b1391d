// Hydrates components of authors; loaded with the first of a page.
import { type ComponentType, type ReactNode, type RefObject, startTransition, useEffect, useMemo, useRef } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { whenIdle } from "../../ui/whenIdle";
import { findPublic } from "./findPublic";
import type { PartNode, Trees } from "./elements";
import { loadModule } from "./loadModule";
import { runModule } from "./modules";
import { reportFailure } from "./reportFailure";

type Mount = (element: HTMLElement) => () => void;

const UNFINISHED = /#419\b/;
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
  const parts = partsOf(element);
  const served = element.innerHTML;
  const props = JSON.parse(element.dataset.props ?? "{}") as Readonly<Record<string, unknown>>;
  const begin = (): void => {
    const address = element.dataset.module ?? "";
    const report = (error: unknown, isMended = false): void => {
      if (!isGone) reportFailure(element, error, isMended);
    };
    Promise.all([loadModule(address), loadElements(element)])
      .then(([module, makeContent]) => {
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
                parts={parts}
                makeContent={makeContent}
                mountIslands={mountIslands}
                onLive={() => {
                  element.dataset.live = "";
                }}
              />
            </ErrorBoundary>,
            {
              identifierPrefix: element.dataset.id ?? "",
              onCaughtError: () => undefined,
              // What the build could not wait for is loaded now: nothing has failed.
              onRecoverableError: (error) => {
                if (!UNFINISHED.test(String(error))) report(error, true);
              },
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

/** HTML of the parts of the content that are shown as they are, by number; what is not drawn yet waits behind. */
function partsOf(element: HTMLElement): ReadonlyMap<number, string> {
  const parts = new Map<number, string>();
  if (element.dataset.trees === undefined) return parts;
  const next = element.nextElementSibling;
  const waiting = next instanceof HTMLTemplateElement && next.dataset.children === element.dataset.id ? next : null;
  for (const part of element.querySelectorAll<HTMLElement>("[data-part]")) {
    if (part.closest("[data-island]") === element) parts.set(Number(part.dataset.part), part.innerHTML);
  }
  for (const part of waiting?.content.children ?? []) {
    const number = part.getAttribute("data-part");
    if (number !== null) parts.set(Number(number), part.innerHTML);
  }
  return parts;
}

type MakeContent = (show: ComponentType<PartNode>) => Record<string, ReactNode>;

/** Load what makes the elements of the content; null where the component gets it as HTML. */
async function loadElements(element: HTMLElement): Promise<MakeContent | null> {
  const { trees, modules = "{}" } = element.dataset;
  if (trees === undefined) return null;
  const addresses = Object.entries(JSON.parse(modules) as Readonly<Record<string, string>>);
  const [{ makeElements, named }, ...loaded] = await Promise.all([
    import("./elements"),
    ...addresses.map(([, address]) => loadModule(address)),
  ]);
  const components = new Map(addresses.map(([name], index) => [name, loaded[index]]));
  const find = (name: string): ComponentType<Record<string, unknown>> => {
    const module = components.get(name);
    if (module === undefined) throw new Error(`The component "${name}" is not on this page.`);
    return runModule(module, findPublic).default as ComponentType<Record<string, unknown>>;
  };
  const read = JSON.parse(trees) as Trees;
  return (Part) => makeElements(read, { find, Part, Code: named("pre", (props: PartNode) => <Part {...props} />) });
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
  parts: ReadonlyMap<number, string>;
  makeContent: MakeContent | null;
  mountIslands: Mount;
  onLive: () => void;
}

function Living({ Component, props, tag, html, parts, makeContent, mountIslands, onLive }: LivingProps): ReactNode {
  const isLive = useRef(false);
  const content = useMemo(
    () =>
      makeContent?.(({ part, tag }) => (
        <Content tag={tag} html={parts.get(part) ?? ""} part={part} isLive={isLive} mountIslands={mountIslands} />
      )),
    [makeContent, parts, mountIslands],
  );
  // After the effects of what is in it: what is mounted from now on was not in the document before.
  useEffect(() => {
    isLive.current = true;
    onLive();
  }, [onLive]);
  if (content?.children !== undefined || html === null) return <Component {...props} {...content} />;
  return (
    <Component {...props} {...content}>
      <Content tag={tag} html={html} isLive={isLive} mountIslands={mountIslands} />
    </Component>
  );
}

interface ContentProps {
  tag: "div" | "span";
  html: string;
  /** Its number, where it is one of several parts. */
  part?: number;
  isLive: RefObject<boolean>;
  mountIslands: Mount;
}

/** The content between the tags. It may be removed and inserted again. */
function Content({ tag: Tag, html, part, isLive, mountIslands }: ContentProps) {
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
      {...(part === undefined ? { "data-children": "" } : { "data-part": part })}
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
