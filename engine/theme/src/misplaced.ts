// Elements that a parser of HTML moves or closes, so that browsers have others than the component has drawn.

const TOKEN = /<!--.*?-->|<(\/?)([A-Za-z][\w:.-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|[^<]+|</gs;
const PLACEHOLDER = /\0[^\0]*\0/g;

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

const VOID = names("area base br col embed hr img input link meta source track wbr");
const TEXT_ONLY = names("script style textarea title");
const CLOSES_PARAGRAPH = names(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hgroup hr main menu nav ol p pre search section summary table ul",
);
/** Elements in which what is open around them does not count. */
const SCOPES = names("table caption td th object template marquee foreignObject");
const ITEMS: Readonly<Record<string, ReadonlySet<string>>> = {
  li: names("li"),
  dd: names("dd dt"),
  dt: names("dd dt"),
};
/** Elements through which an item of a list looks for the one that is open. */
const PASSED_BY_ITEMS = names("address div p");
const HEADINGS = names("h1 h2 h3 h4 h5 h6");
const NOT_IN_THEMSELVES = names("a button form nobr");
/** Element → those in which alone it may be. */
const PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  caption: names("table"),
  colgroup: names("table"),
  col: names("colgroup"),
  tbody: names("table"),
  thead: names("table"),
  tfoot: names("table"),
  tr: names("tbody thead tfoot"),
  td: names("tr"),
  th: names("tr"),
};
const PARTS_OF_TABLES = names("table colgroup tbody thead tfoot tr");
const ANYWHERE = names("script style template");

/** Find the first element that browsers put elsewhere: says which one and where it is, as `<div> within <p>`; or nothing. */
export function findMisplaced(html: string): string {
  const open: string[] = [];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(html); token !== null; token = TOKEN.exec(html)) {
    const [text, slash = "", name, attributes = ""] = token;
    const parent = open.at(-1) ?? "";
    if (name === undefined) {
      const isText = !text.startsWith("<!--") && text.replace(PLACEHOLDER, "").trim() !== "";
      if (isText && PARTS_OF_TABLES.has(parent)) return `a text within <${parent}>`;
    } else if (slash !== "") {
      const index = open.lastIndexOf(name);
      if (index >= 0) open.length = index;
    } else {
      const isPicture = isInPicture(open);
      const around = isPicture ? undefined : whereItMayNotBe(name, open);
      if (around !== undefined) return around === "" ? `<${name}> without its table` : `<${name}> within <${around}>`;
      if (VOID.has(name) || (isPicture && attributes.endsWith("/"))) continue;
      if (TEXT_ONLY.has(name) && !isPicture) {
        const end = html.indexOf(`</${name}`, TOKEN.lastIndex);
        TOKEN.lastIndex = end < 0 ? html.length : end;
      }
      open.push(name);
    }
  }
  return "";
}

function isInPicture(open: readonly string[]): boolean {
  const nearest = open.findLast((name) => name === "svg" || name === "math" || name === "foreignObject");
  return nearest === "svg" || nearest === "math";
}

/** The element around in which browsers do not leave this one; undefined where it may be. */
function whereItMayNotBe(name: string, open: readonly string[]): string | undefined {
  const parent = open.at(-1) ?? "";
  const parents = PARENTS[name];
  if (parents !== undefined) return parents.has(parent) ? undefined : parent;
  if (PARTS_OF_TABLES.has(parent)) return ANYWHERE.has(name) ? undefined : parent;
  if (HEADINGS.has(name) && HEADINGS.has(parent)) return parent;
  const siblings = ITEMS[name];
  if (siblings !== undefined) {
    for (const one of open.toReversed()) {
      if (siblings.has(one)) return one;
      if ((CLOSES_PARAGRAPH.has(one) && !PASSED_BY_ITEMS.has(one)) || SCOPES.has(one)) break;
    }
  }
  for (const one of open.toReversed()) {
    if (one === name && NOT_IN_THEMSELVES.has(name)) return one;
    if (one === "p" && (CLOSES_PARAGRAPH.has(name) || name in ITEMS)) return one;
    // A button is a border for paragraphs, and for nothing else.
    if (SCOPES.has(one) || (one === "button" && name !== "button" && !NOT_IN_THEMSELVES.has(name))) break;
  }
  return undefined;
}
