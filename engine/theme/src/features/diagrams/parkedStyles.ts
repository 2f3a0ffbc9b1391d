// A content security policy without `unsafe-inline` blocks style elements and the style attributes of parsed HTML,
// but not styles that scripts set. The diagram library writes the former; here they become the latter.

type Creator = (name: string, options?: ElementCreationOptions) => Element;

/** The attribute in which styles wait until a script sets them. */
const PARKED = "data-style";
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const QUOTED_OR_STYLE = /"[^"]*"|'[^']*'|\sstyle(?=\s*=)/gi;

/** Rename the style attributes of a piece of HTML. */
export function parkStyles(html: string): string {
  return html.replace(TAG, (tag) => tag.replace(QUOTED_OR_STYLE, (part) => (/^\s/.test(part) ? ` ${PARKED}` : part)));
}

/** Set the styles that wait below an element. */
export function unparkStyles(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>(`[${PARKED}]`)) {
    element.style.cssText = element.getAttribute(PARKED) ?? "";
    element.removeAttribute(PARKED);
  }
}

/**
 * Run a library that writes inline styles, one at a time: those of what it parses and reads back are parked, and the
 * content of its style elements goes into a sheet of its own, under which it can measure.
 */
export async function drawParked<T>(draw: () => Promise<T>): Promise<{ drawn: T; sheet: CSSStyleSheet }> {
  const sheet = new CSSStyleSheet();
  adopt(sheet);
  const restore = replaceWriters(sheet);
  try {
    return { drawn: await draw(), sheet };
  } finally {
    restore();
    discard(sheet);
  }
}

export function adopt(sheet: CSSStyleSheet): void {
  document.adoptedStyleSheets.push(sheet);
}

export function discard(sheet: CSSStyleSheet): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
}

/** Replace what writes inline styles; returns what puts everything back. */
function replaceWriters(sheet: CSSStyleSheet): () => void {
  const element = Element.prototype;
  const innerHtml = Object.getOwnPropertyDescriptor(element, "innerHTML") ?? {};
  /* eslint-disable @typescript-eslint/unbound-method -- each is called with its own `this` */
  const { setAttribute } = element;
  const createElement = Reflect.get(document, "createElement") as Creator;
  /* eslint-enable @typescript-eslint/unbound-method */

  element.setAttribute = function (this: Element, name, value) {
    if (name === "style" && "style" in this) (this as HTMLElement).style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  Object.defineProperty(element, "innerHTML", {
    ...innerHtml,
    // The library parses once more what it has written, to clean it.
    get(this: Element) {
      return parkStyles(innerHtml.get?.call(this) as string);
    },
    set(this: Element, html: string | null) {
      innerHtml.set?.call(this, parkStyles(html ?? ""));
      unparkStyles(this);
    },
  });
  const create: Creator = (name, options) =>
    name === "style" ? sheetElement(sheet) : createElement.call(document, name, options);
  Object.defineProperty(document, "createElement", { value: create, configurable: true });

  return () => {
    element.setAttribute = setAttribute;
    Object.defineProperty(element, "innerHTML", innerHtml);
    Reflect.deleteProperty(document, "createElement");
  };
}

/** An empty element in the place of a style element: what is written into it goes to the sheet. */
function sheetElement(sheet: CSSStyleSheet): Element {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  Object.defineProperty(element, "innerHTML", {
    set(rules: string) {
      sheet.replaceSync(rules);
    },
  });
  return element;
}
