import type { PagePayload } from "../../payload.gen";

/** Address → the style sheet has been loaded. */
const loaded = new Map<string, Promise<void>>();

/**
 * Load the style sheets that a page needs besides those of all pages, so that it is never shown without them. Rejects when
 * one can't be had.
 */
export async function withStyles(page: PagePayload): Promise<PagePayload> {
  await Promise.all((page.styles ?? []).map(loadStyle));
  return page;
}

function loadStyle(address: string): Promise<void> {
  const known = loaded.get(address);
  if (known !== undefined) return known;
  const loading = linkTo(address) === undefined ? addLink(address) : Promise.resolve();
  loaded.set(address, loading);
  loading.catch(() => loaded.delete(address));
  return loading;
}

function addLink(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.addEventListener("load", () => {
      resolve();
    });
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(`${address} could not be loaded.`));
    });
    // After the theme's first sheet, which gives the order of layers, and before those of the site.
    const first = document.querySelector('link[rel="stylesheet"]');
    if (first === null) document.head.append(link);
    else first.after(link);
  });
}

function linkTo(address: string): HTMLLinkElement | undefined {
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].find(
    (link) => link.getAttribute("href") === address,
  );
}
