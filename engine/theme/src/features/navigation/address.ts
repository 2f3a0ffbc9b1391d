import { payloadFile } from "../../payload.gen";

/** Take off what names a file: `/a/index.html` is `/a/`, `/a.html` is `/a`. */
export function normalisePath(path: string): string {
  if (path.endsWith("/index.html")) return path.slice(0, -"index.html".length);
  return path.endsWith(".html") ? path.slice(0, -".html".length) : path;
}

/** Address of a page's payload. Both paths are from the host's root. */
export function payloadAddress(baseUrl: string, path: string): string {
  const route = normalisePath(path).slice(baseUrl.length);
  return baseUrl + payloadFile(route);
}

/**
 * The paths a page may have that a link names, likeliest first.
 *
 * Every page is published as `index.html` in a folder of its own, so a link by file name doesn't tell whether its address
 * ends in a slash; and a reader may type a slash too many or too few.
 */
export function possiblePaths(path: string): [string, string] | [string] {
  if (path === "/") return [path];
  return [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`];
}

/** Whether a path is a page of this site: below the base URL, and no file with another ending than `.html`. */
export function isPagePath(baseUrl: string, path: string): boolean {
  if (!path.startsWith(baseUrl) && `${path}/` !== baseUrl) return false;
  const file = normalisePath(path).split("/").at(-1) ?? "";
  return !/\.[a-z][a-z\d]*$/i.test(file);
}

/** Decode what follows the `#`; a broken escape stays as it is. */
export function decodeHash(hash: string): string {
  const raw = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
