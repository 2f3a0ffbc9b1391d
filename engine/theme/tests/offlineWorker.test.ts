// @vitest-environment node
// The service worker's choice between the site and its store, with a clock that the test turns.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const ORIGIN = "https://docs.example.org";
/** Turns of the event loop in which all promises of an answer are kept: bodies are read in several. */
const TURNS = 50;
const realTimeout = setTimeout;
const FIRING = `${ORIGIN}/kiln/firing/`;

/** The part of the browser's `Cache` that the worker uses. */
class Store {
  readonly entries = new Map<string, Response>();
  match = (url: string): Promise<Response | undefined> => Promise.resolve(this.entries.get(url)?.clone());
  keys = (): Promise<{ url: string }[]> => Promise.resolve([...this.entries.keys()].map((url) => ({ url })));
  delete = (url: string): Promise<boolean> => Promise.resolve(this.entries.delete(url));
  put = (url: string, response: Response): Promise<void> => {
    this.entries.set(new URL(url, ORIGIN).href, response);
    return Promise.resolve();
  };
}

let stores: Map<string, Store>;
let listeners: Map<string, (event: unknown) => void>;
/** Requests to the site that have no answer yet. */
let asked: { url: string; answer: (response: Response) => void; fail: () => void }[];

function store(name: string): Store {
  const key = `octavo /kiln/ ${name}`;
  const known = stores.get(key) ?? new Store();
  stores.set(key, known);
  return known;
}

/** What a host of files answers: of the same origin. */
function answerOf(body: string, init: ResponseInit = {}): Response {
  return Object.defineProperty(new Response(body, init), "type", { value: "basic" });
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.resetModules();
  stores = new Map();
  listeners = new Map();
  asked = [];
  vi.stubGlobal("octavoOffline", { base: "/kiln/", assets: [], notices: [["/kiln/", "en", "ltr", "No answer"]] });
  vi.stubGlobal("location", new URL(`${ORIGIN}/kiln/offline-worker.js`));
  vi.stubGlobal("addEventListener", (name: string, listener: (event: unknown) => void) => {
    listeners.set(name, listener);
  });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("caches", {
    open: (name: string) => Promise.resolve(store(name.slice("octavo /kiln/ ".length))),
    keys: () => Promise.resolve([...stores.keys()]),
  });
  vi.stubGlobal(
    "fetch",
    (request: string | { url: string }) =>
      new Promise<Response>((resolve, reject) => {
        const url = new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
        const fail = (): void => {
          reject(new TypeError("no network"));
        };
        asked.push({ url, answer: resolve, fail });
      }),
  );
  await import("../src/offlineWorker");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Open a page; `text` is what came, once something has. */
function open(url: string): { text: string | null; status: number } {
  const opened = { text: null as string | null, status: 0 };
  listeners.get("fetch")?.({
    request: { url, method: "GET", mode: "navigate", destination: "document", headers: new Headers() },
    respondWith: (answer: Promise<Response>) => {
      void answer.then(async (response) => {
        opened.status = response.status;
        opened.text = await response.text();
      });
    },
    waitUntil: () => undefined,
  });
  return opened;
}

/** Turn the clock, and let everything happen that needs no more time. */
async function passed(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => realTimeout(resolve));
}

async function requestFor(url: string): Promise<(typeof asked)[number]> {
  await passed(0);
  const found = asked.find((one) => one.url === url);
  if (found === undefined) throw new Error(`nobody asked for ${url}`);
  return found;
}

describe("a page that was read before", () => {
  beforeEach(async () => {
    await store("pages").put(FIRING, answerOf("as it was"));
  });

  test("comes from the store when the site has not answered for four seconds, and is renewed by its late answer", async () => {
    const opened = open(FIRING);
    const request = await requestFor(FIRING);
    await passed(3_999);
    expect(opened.text).toBeNull();
    await passed(1);
    expect(opened).toEqual({ text: "as it was", status: 200 });
    request.answer(answerOf("as it is"));
    await passed(0);
    expect(await (await store("pages").match(FIRING))?.text()).toBe("as it is");
  });

  test("comes from the site when that answers within four seconds", async () => {
    const opened = open(FIRING);
    const request = await requestFor(FIRING);
    await passed(3_999);
    request.answer(answerOf("as it is"));
    await passed(0);
    expect(opened.text).toBe("as it is");
    await passed(10_000);
    expect(opened.text).toBe("as it is");
  });

  test.each(["no network", "status 502"])("comes from the store at once when the site fails: %s", async (why) => {
    const opened = open(FIRING);
    const request = await requestFor(FIRING);
    if (why === "no network") request.fail();
    else request.answer(answerOf("bad gateway", { status: 502 }));
    await passed(0);
    expect(opened.text).toBe("as it was");
  });
});

test("a page that was not read before is waited for, however long, and then said to be missing", async () => {
  const opened = open(`${ORIGIN}/kiln/glazing/`);
  const request = await requestFor(`${ORIGIN}/kiln/glazing/`);
  await passed(60_000);
  expect(opened.text).toBeNull();
  request.fail();
  await passed(0);
  expect(opened.status).toBe(503);
  expect(opened.text).toContain("<h1>No answer</h1>");
});

describe("the index of the search", () => {
  const FIND = `${ORIGIN}/kiln/_octavo/find.json`;
  const ALL = `${ORIGIN}/kiln/_octavo/files/find/all-new.json`;

  /** The worker's look at the site, which each opened page begins. */
  async function look(mode: unknown): Promise<void> {
    open(FIRING);
    (await requestFor(`${ORIGIN}/kiln/offline-worker.js`)).answer(answerOf("// the worker"));
    (await requestFor(FIND)).answer(answerOf(JSON.stringify(mode)));
    await passed(0);
  }

  test("is kept as one file where the build has one", async () => {
    await look({ server: false, root: "new", bundle: true });
    (await requestFor(ALL)).answer(answerOf("{}"));
    await passed(0);
    expect([...store("search").entries.keys()]).toEqual([FIND, ALL]);
  });

  test("is not asked for where it is too large, and that of an earlier build goes", async () => {
    await store("search").put("/kiln/_octavo/files/find/all-old.json", answerOf("{}"));
    await look({ server: false, root: "new", bundle: false });
    expect([...store("search").entries.keys()]).toEqual([FIND]);
    expect(asked.map(({ url }) => url)).not.toContain(ALL);
  });
});
