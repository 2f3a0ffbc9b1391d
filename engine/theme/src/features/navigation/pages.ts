import type { PagePayload } from "../../payload.gen";
import { payloadAddress, possiblePaths } from "./address";
import { withStyles } from "./pageStyles";

/** Payloads kept at most; the oldest go first. */
const KEPT = 60;
/** After this time a kept payload is requested again, in ms. */
const FRESH_MS = 5 * 60_000;

interface Entry {
  payload: Promise<PagePayload>;
  since: number;
}

/** There is no page at an address. */
class MissingPage extends Error {}

const entries = new Map<string, Entry>();

/** Fetch a payload, or give the one that was fetched ahead. Rejects when there is no such page. */
export function loadPage(address: string): Promise<PagePayload> {
  const known = entries.get(address);
  if (known !== undefined && performance.now() - known.since < FRESH_MS) return known.payload;
  const payload = fetchPage(address);
  payload.catch((error: unknown) => {
    // What is missing now is missing when the link is followed a moment later.
    if (!(error instanceof MissingPage)) entries.delete(address);
  });
  entries.delete(address);
  entries.set(address, { payload, since: performance.now() });
  if (entries.size > KEPT) entries.delete(entries.keys().next().value ?? "");
  return payload;
}

/** Fetch the payload of the page that a path leads to, whichever way its slash is written. */
export async function findPage(baseUrl: string, path: string): Promise<PagePayload> {
  const [first, second] = possiblePaths(path);
  try {
    return await loadPage(payloadAddress(baseUrl, first));
  } catch (error) {
    if (second === undefined || !(error instanceof MissingPage)) throw error;
    return loadPage(payloadAddress(baseUrl, second));
  }
}

/** Ask for all pages anew from now on. */
export function forgetPages(): void {
  entries.clear();
}

/** Ask for one page anew. */
export function forgetPage(address: string): void {
  entries.delete(address);
}

/** Store a payload that was received without a request. */
export function keepPage(address: string, page: PagePayload): void {
  const payload = withStyles(page);
  payload.catch(() => entries.delete(address));
  entries.delete(address);
  entries.set(address, { payload, since: performance.now() });
}

export function isPageLoaded(address: string): boolean {
  return entries.has(address);
}

async function fetchPage(address: string): Promise<PagePayload> {
  const response = await fetch(address);
  if (response.status === 404) throw new MissingPage(`There is no ${address}.`);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return withStyles((await response.json()) as PagePayload);
}
