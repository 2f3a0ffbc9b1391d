/** Files that many pages share (site, sidebars, docs version), each fetched once. */

import { readOfflineFile } from "./offlineCopy";

/** A promise with its state, so that React's `use` need not wait for a settled one. */
interface Tracked extends Promise<unknown> {
  status?: "fulfilled";
  value?: unknown;
}

const files = new Map<string, Tracked>();

/** Fetch a shared file; always the same promise for the same address. A failed one may be requested again. */
export function loadShared(address: string): Promise<unknown> {
  const known = files.get(address);
  if (known !== undefined) return known;
  const file: Tracked = fetchJson(address);
  files.set(address, file);
  file.then(
    (value) => {
      file.status = "fulfilled";
      file.value = value;
    },
    () => files.delete(address),
  );
  return file;
}

async function fetchJson(address: string): Promise<unknown> {
  if (__OFFLINE__) return readOfflineFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return response.json();
}
