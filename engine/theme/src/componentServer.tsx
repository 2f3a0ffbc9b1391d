// Draws the components of authors, in a V8 of its own that Python bounds in time and memory. See engine/theme/README.md.
import { createElement, type ComponentType, type ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { type AuthorModule, type Exports, runModule } from "./blocks/authored/modules";
import { originOf, type Place } from "./blocks/authored/places";
import { publicModules } from "./blocks/authored/publicModules";

/** Mark of a place that Python fills; no document contains NUL. */
function slot(name: string): string {
  return `\u0000${name}\u0000`;
}

/** A use of a component. */
interface Use {
  readonly module: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly hasChildren: boolean;
  readonly isLive: boolean;
  readonly isInline: boolean;
  /** Names of properties that are parts of the page → whether this page has them. */
  readonly parts: Readonly<Record<string, boolean>>;
}

interface Failure {
  readonly error: string;
  /** Null where it is not in a file of the author's. */
  readonly place: Place | null;
}

const modules = new Map<string, AuthorModule>();
const mappingsOf = new Map<string, string>();
let base = "/";

const find = publicModules({
  withBase: (path) => base + path.replace(/^\//, ""),
  useColorMode: () => "light",
});

function failure(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { error: message, place: placeOf(stack ?? "") };
}

/** The first place of a stack that is in a file of the author's. */
function placeOf(stack: string): Place | null {
  for (const [, path = "", line, column] of stack.matchAll(/(?:\(|at )([^():\n]+\.\w+):(\d+):(\d+)/g)) {
    const mappings = mappingsOf.get(path);
    if (mappings !== undefined) return { path, ...originOf(mappings, Number(line), Number(column)) };
  }
  return null;
}

function exportsOf(id: string): Exports {
  const module = modules.get(id);
  if (module === undefined) throw new Error(`No module has been given as "${id}".`);
  return runModule(module, find);
}

function draw({ module, props, hasChildren, isLive, isInline, parts }: Use): { html: string } | Failure {
  try {
    const Component = exportsOf(module).default as ComponentType<Record<string, unknown>>;
    const all: Record<string, unknown> = { ...props };
    if (hasChildren) all.children = children(isLive, isInline);
    for (const [name, isThere] of Object.entries(parts)) all[name] = isThere ? slot(name) : null;
    const element = createElement(Component, all);
    return {
      html: isLive ? renderToString(element, { identifierPrefix: slot("ID") }) : renderToStaticMarkup(element),
    };
  } catch (error) {
    return failure(error);
  }
}

/** What stands between the tags in Markdown. In the browser it needs an element of its own. */
function children(isLive: boolean, isInline: boolean): ReactNode {
  if (!isLive) return slot("C0");
  return createElement(isInline ? "span" : "div", {
    "data-children": "",
    dangerouslySetInnerHTML: { __html: slot("C0") },
  });
}

const Components = {
  start(address: string): true {
    base = address;
    return true;
  },

  /** Take a module; `needs` is JSON: name as it is written → id. */
  define(id: string, path: string, needs: string, mappings: string, run: AuthorModule["run"]): true {
    const names = JSON.parse(needs) as Record<string, string>;
    const needed = Object.defineProperties(
      {},
      Object.fromEntries(Object.entries(names).map(([name, other]) => [name, { get: () => modules.get(other) }])),
    ) as AuthorModule["needs"];
    modules.set(id, { path, needs: needed, run });
    mappingsOf.set(path, mappings);
    return true;
  },

  /** Run a module, and tell in JSON what it is. */
  describe(id: string): string {
    try {
      const { default: component, client = "none", contract = null } = exportsOf(id);
      const isComponent = typeof component === "function" || (typeof component === "object" && component !== null);
      return JSON.stringify({ isComponent, client: String(client), contract });
    } catch (error) {
      return JSON.stringify(failure(error));
    }
  },

  /** Draw uses, given and answered as JSON. */
  draw(json: string): string {
    return JSON.stringify((JSON.parse(json) as Use[]).map(draw));
  },
};

Object.assign(globalThis, { OctavoComponents: Components });
