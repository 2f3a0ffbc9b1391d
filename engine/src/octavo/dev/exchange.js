// Lets what is written into an article replace only what differs. Laying out a page of 4,000 elements takes a browser
// ten times as long as its one paragraph that an author has changed.
"use strict";
/** Take each writing of `innerHTML` into an element, as React does it when its content has changed. */
const exchangeSparingly = (() => {
  /** What scripts bring alive is always made anew: they begin with what the server has drawn. */
  const ALIVE = "[data-island], img";
  /** What scripts add beside what stands in the page. */
  const ADDED = ".code-buttons";
  /** What scripts measure: tables, formulas, and paragraphs with formulas. */
  const BOXES = ".table-wrap, .formula, p:has(> math)";
  /** Attributes that scripts set on these once they know whether they fit: they are no change of the author's. */
  const MEASURED = ["data-fits", "tabindex", "role", "aria-label"];

  const plain = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  const inert = document.implementation.createHTMLDocument("");

  function write(element, html) {
    const fresh = inert.createElement(element.tagName);
    fresh.innerHTML = html;
    exchange(element, fresh);
  }

  /** Bring the children of an element in step with those of another one, which are used up. */
  function exchange(element, wanted) {
    const before = [...element.childNodes].filter((node) => !(node instanceof Element && node.matches(ADDED)));
    const now = [...wanted.childNodes];
    const most = Math.min(before.length, now.length);
    let start = 0;
    while (start < most && isAlike(before[start], now[start])) start++;
    let end = 0;
    while (end < most - start && isAlike(before[before.length - 1 - end], now[now.length - 1 - end])) end++;
    const isPaired = before.length === now.length;
    if (!isPaired) {
      const gone = before.splice(start, before.length - start - end);
      const come = now.splice(start, now.length - start - end);
      const last = gone.at(-1) ?? before[start - 1];
      if (last === undefined) element.prepend(...come);
      else last.after(...come);
      for (const node of gone) node.remove();
    }
    before.forEach((node, index) => settle(node, now[index]));
  }

  /** Whether two blocks are the same or say the same, so that one may take the place of the other. */
  function isAlike(node, wanted) {
    return node.isEqualNode(wanted) || (isShell(node, wanted) && node.textContent === wanted.textContent);
  }

  function settle(node, wanted) {
    if (!(node instanceof Element) || !isShell(node, wanted)) {
      if (!node.isEqualNode(wanted)) node.replaceWith(wanted);
    } else if (node.matches(ALIVE)) node.replaceWith(wanted);
    else if (!node.isEqualNode(wanted) || wanted.querySelector(ALIVE) !== null) exchange(node, wanted);
  }

  function copyAttribute(node, wanted, name) {
    if (node.hasAttribute(name)) wanted.setAttribute(name, node.getAttribute(name));
    else wanted.removeAttribute(name);
  }

  /** Whether two elements are the same but for what stands in them. */
  function isShell(node, wanted) {
    if (!(node instanceof Element) || node.tagName !== wanted.tagName) return false;
    // Says that the block has been laid out once.
    if (node.dataset?.laid !== undefined) wanted.dataset.laid = node.dataset.laid;
    if (node.matches(BOXES) && wanted.matches(BOXES)) {
      for (const name of MEASURED) copyAttribute(node, wanted, name);
    }
    const shell = node.cloneNode(false);
    // How far the header of a table may move; the content policy lets no script write it as an attribute.
    if (node.matches(BOXES)) shell.removeAttribute("style");
    return shell.isEqualNode(wanted.cloneNode(false));
  }

  return (element) => {
    const set = (html) => write(element, html);
    Object.defineProperty(element, "innerHTML", { configurable: true, get: plain.get, set });
  };
})();
