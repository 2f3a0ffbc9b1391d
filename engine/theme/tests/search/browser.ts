import { afterEach, beforeEach, vi } from "vitest";

/** Before each test of a file: time that stands still, and a browser as `stubBrowser` makes it; after each, the real ones. */
export function stubBrowserAndTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    stubBrowser();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** What the code under test finds of a browser in Node: storage, and an address. */
export function stubBrowser(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("window", {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
  });
  vi.stubGlobal("location", { origin: "https://docs.example.org" });
  return kept;
}

/** What a host does with a request. */
export type Behavior = "answers" | "hangs" | "hangs in the body" | "breaks" | "is not there" | "says no" | "babbles";

/** The network: each host behaves as it is told. The list holds the hosts in the order in which they were asked. */
export function stubNetwork(behaviors: Record<string, Behavior>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string, { signal, body }: { signal: AbortSignal; body: string }) => {
    const { hostname } = new URL(address);
    asked.push(hostname);
    return answer(behaviors[hostname] ?? "answers", signal, body);
  });
  return asked;
}

function answer(behavior: Behavior, signal: AbortSignal, body: string): Promise<Response> {
  switch (behavior) {
    case "hangs":
      return untilAborted(signal);
    case "hangs in the body":
      return Promise.resolve({ status: 200, text: () => untilAborted(signal) } as unknown as Response);
    case "is not there":
      return Promise.reject(new TypeError("Failed to fetch"));
    case "breaks":
      return Promise.resolve(new Response("", { status: 503 }));
    case "says no":
      return Promise.resolve(
        new Response('{"message":"Invalid Application-ID or API key","status":403}', { status: 403 }),
      );
    case "babbles":
      return Promise.resolve(new Response("<!doctype html>"));
    case "answers": {
      const { requests } = JSON.parse(body) as { requests: { query: string }[] };
      return Promise.resolve(new Response(JSON.stringify({ results: requests.map(resultOf) })));
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail);
  });
}

/** One hit whose title is the query, all in version 2. A query with "nothing" in it finds nothing. */
function resultOf({ query }: { query: string }): unknown {
  if (query.includes("nothing")) return { hits: [], nbHits: 0 };
  const hit = {
    objectID: query,
    url: "https://docs.example.org/a",
    type: "lvl1",
    hierarchy: { lvl0: "A", lvl1: query },
  };
  return { hits: [hit], nbHits: 1, nbPages: 1, facets: { version: { 2: 7 } } };
}
