/** Files that many pages share (site, sidebars, docs version), each fetched once. */

const loaded = new Map<string, unknown>();
const loading = new Map<string, Promise<unknown>>();

/** The file's content when it is here already, so that drawing need not wait. */
export function peekShared(address: string): unknown {
  return loaded.get(address);
}

/** Fetch a shared file; a failed one may be asked for again. */
export function loadShared(address: string): Promise<unknown> {
  const known = loading.get(address);
  if (known !== undefined) return known;
  const promise = fetchJson(address).then(
    (data) => {
      loaded.set(address, data);
      return data;
    },
    (error: unknown) => {
      loading.delete(address);
      throw error;
    },
  );
  loading.set(address, promise);
  return promise;
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return response.json();
}
