/** Pages that are opened from disk: browsers let them load scripts and pictures there, and nothing by `fetch`. */

declare global {
  interface Window {
    /** Called by each file that is a script in the place of JSON. */
    octavoFile?: (address: string, content: unknown) => void;
  }
}

/** From the page to the folder of the copy; path of the site where it is published; how files of pages are named. */
function marks(): { root: string; base: string; isFlat: boolean } {
  const { offline = "", base = "/", pages } = document.documentElement.dataset;
  return { root: offline, base, isFlat: pages === "flat" };
}

const waiting = new Map<string, (content: unknown) => void>();

/**
 * Read a file of the site that would be JSON online. Rejects when the copy has none.
 *
 * @param address Path on the site.
 */
export function readOfflineFile(address: string): Promise<unknown> {
  window.octavoFile = (name, content) => {
    waiting.get(name)?.(content);
    waiting.delete(name);
  };
  const { root, base } = marks();
  const name = address.slice(base.length);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}${name}.js`;
    script.onload = () => {
      script.remove();
    };
    script.onerror = () => {
      script.remove();
      waiting.delete(name);
      reject(new Error(`${name} is missing in this copy.`));
    };
    waiting.set(name, resolve);
    document.head.append(script);
  });
}

/** Address of a file of the copy. */
export function fileInCopy(path: string): string {
  return marks().root + path;
}

/** Where a path of the site is in the copy; null for what is not a path of it. */
export function offlineAddress(path: string): string | null {
  const { root, base, isFlat } = marks();
  // "//" begins the address of another host.
  if (!path.startsWith(base) || path.startsWith("//")) return null;
  const [, route = "", rest = ""] = /^([^?#]*)(.*)$/.exec(path.slice(base.length)) ?? [];
  // A file, such as a picture, has an ending of letters; `v1.2` is a page.
  if (/\.[a-z][a-z0-9]{1,8}$/i.test(route)) return root + route + rest;
  const folder = route === "" || route.endsWith("/") ? route : `${route}/`;
  return root + (isFlat && folder !== route ? `${route}.html` : `${folder}index.html`) + rest;
}

/** Have all links and pictures that scripts add lead into the copy. */
export function keepLinksInCopy(): void {
  const mend = (element: Element): void => {
    for (const name of ["href", "src"]) {
      const value = element.getAttribute(name);
      const address = value === null ? null : offlineAddress(value);
      if (address !== null) element.setAttribute(name, address);
    }
  };
  const mendAll = (node: Node): void => {
    if (!(node instanceof Element)) return;
    mend(node);
    node.querySelectorAll("[href^='/'],[src^='/']").forEach(mend);
  };
  mendAll(document.documentElement);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === "childList") addedNodes.forEach(mendAll);
      else mend(target as Element);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["href", "src"] });
}
