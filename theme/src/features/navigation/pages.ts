import type { PagePayload } from "../../payload.gen";

/** Payloads kept at most; the oldest go first. */
const KEPT = 60;
/** After this time a kept payload is asked for again, in ms. */
const FRESH_MS = 5 * 60_000;

interface Entry {
  payload: Promise<PagePayload>;
  since: number;
}

const entries = new Map<string, Entry>();

/** Fetch a payload, or give the one that was fetched ahead. Rejects when there is no such page. */
export function loadPage(address: string): Promise<PagePayload> {
  const known = entries.get(address);
  if (known !== undefined && performance.now() - known.since < FRESH_MS) return known.payload;
  const payload = fetchPage(address);
  payload.catch(() => entries.delete(address));
  entries.delete(address);
  entries.set(address, { payload, since: performance.now() });
  if (entries.size > KEPT) entries.delete(entries.keys().next().value ?? "");
  return payload;
}

export function isPageLoaded(address: string): boolean {
  return entries.has(address);
}

async function fetchPage(address: string): Promise<PagePayload> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return (await response.json()) as PagePayload;
}
