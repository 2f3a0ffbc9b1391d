// Draws the components of authors, in a V8 of its own that Python bounds in time and memory. See engine/theme/README.md.
import React, {
  createElement,
  type ComponentType,
  Fragment,
  type ReactNode,
  Suspense,
  type SuspenseProps,
} from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { makeElements, named, type PartNode, type Trees } from "./blocks/authored/elements";
import { type AuthorModule, type Exports, runModule } from "./blocks/authored/modules";
import { originOf, type Place } from "./blocks/authored/places";
import { DRAWN_MODE, publicModules } from "./blocks/authored/publicModules";
import { watchChanges } from "./changingValues";
import { findMisplaced } from "./misplaced";
import { printed, startPrinting } from "./printed";
import { readReactError } from "./reactErrors";
import { rememberShared, undoChanges } from "./sharedObjects";

// As they are now: a component may put something else in their place.
const { parse, stringify } = JSON;

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
  /** Properties that are elements. */
  readonly trees: Trees;
  /** Components in these: name → id of the module. */
  readonly modules: Readonly<Record<string, string>>;
}

interface Failure {
  readonly error: string;
  readonly isWaiting?: boolean;
  /** Null where it is not in a file of the author's. */
  readonly place: Place | null;
}

/** An error that React keeps to itself within `Suspense`, where it draws the fallback. */
interface HiddenError {
  readonly error: string;
  readonly place: Place | null;
}

interface Drawing {
  readonly html: string;
  /** It depends on the time or on a random number, and browsers draw it again. */
  readonly isChanging: boolean;
  /** Where the component asks for that; null where it is not in a file of the author's. */
  readonly place: Place | null;
  /** It shows the fallback of something that it loads, which may be there when it is drawn again. */
  readonly isWaiting: boolean;
  /** Of a component that is hydrated: an element that browsers put elsewhere, see `findMisplaced`. */
  readonly misplaced: string;
  readonly printed: Printed | null;
  readonly hidden: HiddenError | null;
}

/** What a component has printed. */
interface Printed {
  readonly text: string;
  /** Of the first line; null where it is not in a file of the author's. */
  readonly place: Place | null;
}

type Answer = Drawing | Failure;

const modules = new Map<string, AuthorModule>();
const mappingsOf = new Map<string, string>();
/** Ids of modules that have run. */
const unchanging = new Set<string>();
/** Id of a module → what it has done that none may do. */
const failed = new Map<string, string>();
let base = "/";

/** What is being drawn waits for a promise. */
let waits = false;

type Thenable = PromiseLike<unknown> & { status?: string };

function isPending(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("then" in value)) return false;
  const { status } = value as Thenable;
  return status === undefined || status === "pending";
}

/** React's own, which tells that what it loads is not there yet: within `Suspense` nobody else would. */
const watchedLazy: typeof React.lazy = (load) => {
  const made = React.lazy(load);
  const inner = made as unknown as { _init: (payload: unknown) => unknown };
  const begin = inner._init;
  inner._init = (payload) => {
    try {
      return begin(payload);
    } catch (error) {
      if (isPending(error)) waits = true;
      throw error;
    }
  };
  return made;
};

/** Whether what is being drawn uses `Suspense`, and whether what is within it is drawn without it. */
const suspense = { isUsed: false, isOpen: false };

/** React's own, which can be left out: within it React draws the fallback for an error, and says nothing. */
function WatchedSuspense({ children, fallback }: SuspenseProps): ReactNode {
  suspense.isUsed = true;
  return suspense.isOpen ? createElement(Fragment, null, children) : createElement(Suspense, { fallback }, children);
}

/** React's error for what waits: it has thrown a promise itself, so that nobody has noticed. */
const WAITS = "Minified React error #426;";
/** What Next.js writes on an error by which a component leaves the rest to browsers: the fallback is meant. */
const LEFT_TO_BROWSERS = "BAILOUT_TO_CLIENT_SIDE_RENDERING";

/** Find the error for which React draws a fallback: draw again without `Suspense`. */
function findHiddenError(element: ReactNode): HiddenError | null {
  suspense.isOpen = true;
  try {
    renderToStaticMarkup(element);
    return null;
  } catch (error) {
    const { message, digest } = (error ?? {}) as { message?: unknown; digest?: unknown };
    if (String(message).startsWith(WAITS)) waits = true;
    const isMeant = waits || digest === LEFT_TO_BROWSERS;
    const { error: text, place } = failure(error);
    return isMeant ? null : { error: text, place };
  } finally {
    suspense.isOpen = false;
    startPrinting();
  }
}

const { use: read } = React;

const watchedUse: typeof React.use = (usable) => {
  try {
    return read(usable);
  } catch (error) {
    if (isPending(usable)) waits = true;
    throw error;
  }
};

const find = publicModules(
  { withBase: (path) => base + path.replace(/^\//, ""), useColorMode: () => DRAWN_MODE },
  { lazy: watchedLazy, use: watchedUse, Suspense: WatchedSuspense as unknown as typeof Suspense },
);

function failure(error: unknown): Failure {
  try {
    // Of any type, whatever the declarations say: authors throw what they want.
    const given: { message: unknown; stack?: unknown } = error instanceof Error ? error : new Error(String(error));
    return { error: readReactError(String(given.message)), place: placeOf(String(given.stack)) };
  } catch {
    return { error: "it throws something that cannot be shown as a text", place: null };
  }
}

/** The first place of a stack that is in a file of the author's. */
function placeOf(stack: string): Place | null {
  for (const [, path = "", line, column] of stack.matchAll(/(?:\(|at )([^():\n]+\.\w+):(\d+):(\d+)/g)) {
    const mappings = mappingsOf.get(path);
    if (mappings !== undefined) return { path, ...originOf(mappings, Number(line), Number(column)) };
  }
  return null;
}

function takePrinted(): Printed | null {
  const found = printed();
  startPrinting();
  return found === undefined ? null : { text: found.text, place: placeOf(found.stack) };
}

function exportsOf(id: string): Exports {
  const module = modules.get(id);
  if (module === undefined) throw new Error(`No module has been given as "${id}".`);
  const exports = runModule(module, find);
  if (!unchanging.has(id)) {
    const changed = undoChanges();
    if (changed !== undefined) failed.set(id, changesShared(changed));
    unchanging.add(id);
  }
  const wrong = failed.get(id);
  if (wrong !== undefined) throw new Error(wrong);
  return exports;
}

/** What a function component gives where nothing is shown for it; React says nothing about it. */
function isNothing(Component: unknown, props: Readonly<Record<string, unknown>>): string | undefined {
  if (
    typeof Component !== "function" ||
    (Component.prototype as { isReactComponent?: unknown } | undefined)?.isReactComponent
  )
    return undefined;
  let given: unknown;
  const Watched = () => {
    given = (Component as (props: Readonly<Record<string, unknown>>) => ReactNode)(props);
    return null;
  };
  renderToStaticMarkup(createElement(Watched));
  if (typeof given !== "function" && typeof given !== "symbol") return undefined;
  return `It returns a ${typeof given}, which React does not show. Return an element, a text, or null`;
}

function beginDrawing(): void {
  waits = false;
  suspense.isUsed = false;
  startPrinting();
}

function draw({ module, props, hasChildren, isLive, isInline, parts, trees, modules }: Use): Answer {
  beginDrawing();
  try {
    const Component = exportsOf(module).default as ComponentType<Record<string, unknown>>;
    const all: Record<string, unknown> = { ...props };
    if (hasChildren) all.children = children(isLive, isInline);
    const find = (name: string) => exportsOf(modules[name] ?? "").default as ComponentType<Record<string, unknown>>;
    Object.assign(all, makeElements(trees, { find, Part: isLive ? LivePart : Part, Code: isLive ? LiveCode : Code }));
    for (const [name, isThere] of Object.entries(parts)) all[name] = isThere ? slot(name) : null;
    const element = createElement(Component, all);
    const { html, stack } = isLive
      ? watchChanges(() => renderToString(element, { identifierPrefix: slot("ID") }))
      : { html: renderToStaticMarkup(element), stack: undefined };
    const said = takePrinted();
    const wrong = html === "" ? isNothing(Component, all) : undefined;
    if (wrong !== undefined) return { error: wrong, place: null };
    const place = stack === undefined ? null : placeOf(stack);
    const misplaced = isLive ? findMisplaced(html) : "";
    const hidden = suspense.isUsed && !waits ? findHiddenError(element) : null;
    // Nobody draws it again.
    if (hidden !== null && !isLive) return hidden;
    return { html, isChanging: stack !== undefined, place, isWaiting: waits, misplaced, printed: said, hidden };
  } catch (error) {
    return { ...failure(error), isWaiting: waits };
  }
}

/** Draw a use, and undo what it changes of the objects that all components share; then it has failed. */
function drawAlone(use: Use): Answer {
  const answer = draw(use);
  const changed = undoChanges();
  if (changed === undefined || "error" in answer) return answer;
  return { error: changesShared(changed), place: null };
}

function changesShared(name: string): string {
  return `it changes ${name}, which all components share`;
}

function drawAll(uses: readonly Use[], one: (use: Use) => Answer): Answer[] {
  const answers: Answer[] = [];
  // Without iterators and methods, which a component may have changed.
  let index = -1;
  while (++index < uses.length) {
    const use = uses[index];
    if (use !== undefined) answers[index] = one(use);
  }
  return answers;
}

/** The content between the tags in Markdown. In the browser it needs an element of its own. */
function children(isLive: boolean, isInline: boolean): ReactNode {
  if (!isLive) return slot("C0");
  return createElement(isInline ? "span" : "div", {
    "data-children": "",
    dangerouslySetInnerHTML: { __html: slot("C0") },
  });
}

function Part({ part }: PartNode): ReactNode {
  return slot(`P${part}`);
}

/** In the browser it needs an element of its own. */
function LivePart({ part, tag }: PartNode): ReactNode {
  return createElement(tag, { "data-part": part, dangerouslySetInnerHTML: { __html: slot(`P${part}`) } });
}

// Of their own: components find blocks of code by their type.
const Code = named("pre", (props: PartNode) => Part(props));
const LiveCode = named("pre", (props: PartNode) => LivePart(props));

const Components = {
  start(address: string): true {
    base = address;
    return true;
  },

  /** Take over what has been added to the objects of JavaScript since the start. */
  extend(): true {
    rememberShared();
    return true;
  },

  /** Take a module; `needs` is JSON: name as it is written → id. */
  define(id: string, path: string, needs: string, mappings: string, run: AuthorModule["run"]): true {
    const names = parse(needs) as Record<string, string>;
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
    startPrinting();
    try {
      const { default: component, client = "none", contract = null, children = "" } = exportsOf(id);
      const isComponent = typeof component === "function" || (typeof component === "object" && component !== null);
      return stringify({
        isComponent,
        client: String(client),
        children: String(children),
        contract: typeof contract === "number" ? contract : null,
        printed: takePrinted(),
      });
    } catch (error) {
      return stringify(failure(error));
    }
  },

  /** Draw uses, given and answered as JSON. What waits for a promise may be there in the next call with the same uses. */
  draw(json: string): string {
    const uses = parse(json) as Use[];
    const answers = drawAll(uses, draw);
    // One of them has changed what the others use, so each is drawn again by itself.
    return stringify(undoChanges() === undefined ? answers : drawAll(uses, drawAlone));
  },
};

Object.defineProperty(globalThis, "OctavoComponents", { value: Object.freeze(Components) });
