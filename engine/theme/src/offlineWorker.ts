// The service worker of a site with `offline = true`: pages that were read before, and search, without a network.
//
// What names its content is taken from the cache; everything else is asked of the site first, and only of the cache when
// the site does not answer. So a reader is never kept on an old build, whatever is in the cache.

/** What the build writes in front of this script. */
interface Settings {
  /** Path of the site, with a slash at both ends. */
  base: string;
  /** Addresses of the theme's scripts and style sheets: those of the search are loaded on use, which may be too late. */
  assets: readonly string[];
  /** Path of a part of the site, its language and direction, and what is said of a page that was not read before. */
  notices: readonly (readonly [path: string, lang: string, dir: string, text: string])[];
}

interface WorkerScope {
  octavoOffline: Settings;
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { claim: () => Promise<void>; matchAll: () => Promise<readonly { url: string }[]> };
  skipWaiting: () => Promise<void>;
}

/** An event of a worker; the types of the DOM have none. */
interface WorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface RequestEvent extends WorkerEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}

const scope = globalThis as unknown as WorkerScope;
const { base, assets, notices } = scope.octavoOffline;

// Sites below other paths of the same host have caches of their own.
const PREFIX = `octavo ${base} `;
const PAGES = `${PREFIX}pages`;
const ASSETS = `${PREFIX}assets`;
const FILES = `${PREFIX}files`;
const SEARCH = `${PREFIX}search`;

/** Responses of a cache at most; the oldest go first. */
const MOST = 800;
/** After this time a page is taken from the cache if it is there, in ms: some networks answer nothing and do not fail. */
const PATIENCE_MS = 4000;
/** Between two looks whether the site still has this worker, in ms. */
const LOOK_MS = 10 * 60_000;

const FIND = `${base}_octavo/find.json`;
const SHARDS = `${base}_octavo/files/find/`;
const HASHED = [`${base}_octavo/assets/`, `${base}_octavo/files/`];

let lookedAt = -Infinity;

addEventListener("install", (event) => {
  (event as WorkerEvent).waitUntil(install());
});
addEventListener("activate", (event) => {
  (event as WorkerEvent).waitUntil(activate());
});
// Pages that were reached from another one came as data: without their documents they could not be opened again.
addEventListener("message", (event) => {
  const { data } = event as MessageEvent<string>;
  (event as unknown as WorkerEvent).waitUntil(
    keepDocument(new URL(data, scope.location.href).href).catch(() => undefined),
  );
});
addEventListener("fetch", (event) => {
  const asked = event as RequestEvent;
  const answer = answerTo(asked.request, (work) => {
    asked.waitUntil(work.catch(() => undefined));
  });
  if (answer !== null) asked.respondWith(answer);
});

async function install(): Promise<void> {
  const cache = await caches.open(ASSETS);
  const missing: string[] = [];
  for (const address of assets) if ((await cache.match(address)) === undefined) missing.push(address);
  await cache.addAll(missing);
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const cache = await caches.open(ASSETS);
  for (const { url } of await cache.keys()) if (!assets.includes(new URL(url).pathname)) await cache.delete(url);
  await scope.clients.claim();
  // The first page was loaded without this worker.
  for (const { url } of await scope.clients.matchAll()) await keepDocument(url).catch(() => undefined);
  await lookAfter();
}

type Later = (work: Promise<unknown>) => void;

/** Null leaves a request to the browser. */
function answerTo(request: Request, later: Later): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (origin !== scope.location.origin || !pathname.startsWith(base) || request.headers.has("range")) return null;
  if (request.method === "HEAD") return probe(request);
  if (request.method !== "GET") return null;
  if (pathname.startsWith(SHARDS)) return shard(request, later);
  if (HASHED.some((folder) => pathname.startsWith(folder))) return cacheFirst(request, later);
  if (pathname === FIND) return find(request, later);
  if (request.mode === "navigate") return page(request, later);
  // What scripts of the site ask for is theirs, such as the answers of an API.
  if (request.destination === "" && !pathname.startsWith(`${base}_octavo/`)) return null;
  return networkFirst(request, later);
}

/** The theme asks so whether the site answers, before it leaves a page for another one. */
async function probe(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if ((await kept(PAGES, request.url)) !== undefined) return new Response(null);
    throw error;
  }
}

async function cacheFirst(request: Request, later: Later): Promise<Response> {
  const known = (await kept(ASSETS, request.url)) ?? (await kept(FILES, request.url));
  if (known !== undefined) return known;
  const response = await fetch(request);
  later(keep(FILES, request.url, response));
  return response;
}

async function networkFirst(request: Request, later: Later): Promise<Response> {
  const known = await kept(PAGES, request.url);
  const fresh = fetch(request).then((response) => {
    // Of a host whose server behind it is gone.
    if (response.status >= 500 && known !== undefined) return known;
    later(keep(PAGES, request.url, response));
    return response;
  });
  if (known === undefined) return fresh;
  const isSlow = new Promise<Response>((resolve) => {
    setTimeout(() => {
      resolve(known.clone());
    }, PATIENCE_MS);
  });
  const found = fresh.catch(() => {
    lookedAt = -Infinity; // there may be a new build once the site is back
    return known;
  });
  return Promise.race([found, isSlow]);
}

async function page(request: Request, later: Later): Promise<Response> {
  later(lookAfter());
  try {
    return await networkFirst(request, later);
  } catch {
    return notice(new URL(request.url).pathname);
  }
}

/** Keep a document, and the files of the site that it names. */
async function keepDocument(address: string): Promise<void> {
  if ((await kept(PAGES, address)) !== undefined) return;
  const response = await fetch(address);
  await keep(PAGES, address, response);
  const named = new Set<string>();
  for (const [, path] of (await response.text()).matchAll(
    /"(\/[^"\\?#<>\s]+\.(?:js|css|json|woff2|svg|png|webp|avif|jpe?g|ico))"/g,
  ))
    if (path?.startsWith(base) === true) named.add(new URL(path, address).href);
  for (const file of named) {
    const { pathname } = new URL(file);
    const name = HASHED.some((folder) => pathname.startsWith(folder)) ? FILES : PAGES;
    if ((await kept(ASSETS, file)) ?? (await kept(name, file))) continue;
    await keep(name, file, await fetch(file));
  }
}

async function keep(name: string, address: string, given: Response): Promise<void> {
  if (given.status !== 200 || given.type !== "basic") return;
  const headers = new Headers(given.headers);
  // Of the form in which it was sent.
  headers.delete("content-encoding");
  headers.delete("content-length");
  // Before anything is waited for: a body is read once, and the page reads it next.
  const body = await given.clone().arrayBuffer();
  const cache = await caches.open(name);
  // Made anew: browsers refuse one that was reached by a redirect as the answer to a navigation.
  await cache.put(plain(given.url || address), new Response(body, { headers }));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST))) await cache.delete(old);
}

/** The address without what does not choose the file. */
function plain(address: string): string {
  const url = new URL(address);
  url.hash = url.search = "";
  return url.href;
}

async function kept(name: string, address: string): Promise<Response | undefined> {
  const cache = await caches.open(name);
  const first = plain(address);
  // Hosts of files lead from one form to the other.
  const other = first.endsWith("/") ? first.slice(0, -1) : `${first}/`;
  return (await cache.match(first)) ?? (await cache.match(other));
}

/** What is said of a page that is not here, with links to those that are. */
async function notice(path: string): Promise<Response> {
  const inside = notices.filter(([start]) => path.startsWith(start));
  const [, lang, dir, text] = inside.sort((one, other) => other[0].length - one[0].length)[0] ?? ["", "en", "ltr", ""];
  const cache = await caches.open(PAGES);
  const links: string[] = [];
  for (const { url } of await cache.keys()) {
    const response = await cache.match(url);
    if (!(response?.headers.get("content-type") ?? "").startsWith("text/html")) continue;
    const title = /<title>([^<]*)<\/title>/.exec((await response?.text()) ?? "")?.[1];
    // The title is HTML already; an address holds no quotation marks.
    if (title !== undefined) links.push(`<li><a href="${url}">${title}</a></li>`);
  }
  const document =
    `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">` +
    `<title>${text}</title><h1>${text}</h1><ul>${links.reverse().join("")}</ul></html>`;
  return new Response(document, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}

/** The file that says what answers searches; what it names is loaded ahead. */
async function find(request: Request, later: Later): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok) later(keepSearch(response.clone()));
    return response;
  } catch (error) {
    const known = await kept(SEARCH, request.url);
    if (known === undefined) throw error;
    return known;
  }
}

/** Ask for what may have changed with a new build; leave when the site has no such worker any more. */
async function lookAfter(): Promise<void> {
  if (performance.now() - lookedAt < LOOK_MS) return;
  lookedAt = performance.now();
  try {
    const own = await fetch(scope.location.href, { cache: "no-store" });
    const isGone = [404, 410].includes(own.status) || (own.headers.get("content-type") ?? "").startsWith("text/html");
    if (isGone) {
      await leave();
      return;
    }
    await keepSearch(await fetch(FIND));
  } catch {
    lookedAt = -Infinity; // the site did not answer
  }
}

async function leave(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => caches.delete(name)));
  await scope.registration.unregister();
}

/** Keep the file about the search, and all files of its index as one. */
async function keepSearch(response: Response): Promise<void> {
  if (!response.ok) return;
  const { root, bundle } = (await response.clone().json()) as { root?: string; bundle?: boolean };
  const cache = await caches.open(SEARCH);
  await cache.put(FIND, response);
  if (root === undefined || root === "") return;
  // Of an index that is too large to be kept, what earlier searches have loaded is here.
  if (bundle !== true) await forgetBundles(cache);
  if (bundle !== true || savesData()) return;
  const address = `${SHARDS}all-${root}.json`;
  if ((await cache.match(address)) !== undefined) return;
  const all = await fetch(address);
  if (!all.ok) return;
  await forgetBundles(cache);
  await cache.put(address, all);
}

async function forgetBundles(cache: Cache): Promise<void> {
  for (const { url } of await cache.keys()) if (url.includes("/all-")) await cache.delete(url);
}

function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

let bundle: { address: string; files: Promise<Record<string, unknown>> } | null = null;

/** A file of the index: of its own, or from all of them. */
async function shard(request: Request, later: Later): Promise<Response> {
  const known = await kept(FILES, request.url);
  if (known !== undefined) return known;
  const inAll = await fromBundle(new URL(request.url).pathname.slice(SHARDS.length, -".json".length));
  if (inAll !== undefined) return Response.json(inAll);
  return cacheFirst(request, later);
}

async function fromBundle(name: string): Promise<unknown> {
  const cache = await caches.open(SEARCH);
  const address = (await cache.keys()).map(({ url }) => url).find((url) => url.includes("/all-"));
  if (address === undefined) return undefined;
  if (bundle?.address !== address) {
    const read = async (): Promise<Record<string, unknown>> =>
      (await (await cache.match(address))?.json()) as Record<string, unknown>;
    bundle = { address, files: read() };
  }
  return (await bundle.files)[name];
}

// A module, so that its names are its own.
export {};
