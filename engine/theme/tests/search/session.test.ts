import { describe, expect, it, vi } from "vitest";
import { SearchClient } from "../../src/features/search/client/searchClient";
import { Transport } from "../../src/features/search/client/transport";
import { screenOf } from "../../src/features/search/dialog/screen";
import type { Finder } from "../../src/features/search/query/answer";
import { groupAll } from "../../src/features/search/query/groups";
import { SearchSession } from "../../src/features/search/query/session";
import { stubBrowserAndTime, stubNetwork } from "./browser";

let answerTo: Map<string, () => void>;

stubBrowserAndTime();

function makeSession(
  candidates: readonly string[] = [],
  versions: readonly string[] = [],
  otherSites: Readonly<Record<string, string>> = {},
): SearchSession {
  const finder: Finder = {
    client: new SearchClient(() => new Transport(["https://one.test"], { appId: "app", apiKey: "key" })),
    siteUrl: "https://docs.example.org",
    perGroup: null,
    settings: {
      indexName: "docs",
      scope: { language: "en", version: "1" },
      versions: versions.map((name) => ({ name, label: `v${name}` })),
      otherSites,
      snippetWords: 10,
      hasInsights: false,
    },
    titles: { note: () => undefined, candidates: () => Promise.resolve(candidates) },
  };
  return new SearchSession(finder);
}

/** A network in which each answer waits until it is let go. */
function stubSlowNetwork(): void {
  stubNetwork({});
  const quick = fetch;
  answerTo = new Map();
  vi.stubGlobal("fetch", async (address: string, init: RequestInit & { body: string }) => {
    const { requests } = JSON.parse(init.body) as { requests: [{ query: string }] };
    // This network goes on with what was called off, as a careless one may.
    await new Promise<void>((resolve) => answerTo.set(requests[0].query, resolve));
    return quick(address, init);
  });
}

async function letGo(query: string): Promise<void> {
  answerTo.get(query)?.();
  await vi.advanceTimersByTimeAsync(0);
}

function titles(session: SearchSession): string[] | undefined {
  return session.store.get().answer?.hits.map((hit) => hit.pageTitle);
}

describe("given two questions, one after the other", () => {
  it("keeps the answer to the newer one, whichever comes last", async () => {
    stubSlowNetwork();
    const session = makeSession();
    session.ask({ query: "old" });
    await vi.advanceTimersByTimeAsync(0);
    session.ask({ query: "new" });
    await vi.advanceTimersByTimeAsync(0);
    await letGo("new");
    expect(titles(session)).toEqual(["new"]);
    await letGo("old");
    expect(titles(session)).toEqual(["new"]);
  });
});

describe("the status", () => {
  it("goes from loading to stalled after 300 ms, and back to idle", async () => {
    stubSlowNetwork();
    const session = makeSession();
    const status = () => session.store.get().status;
    expect(status()).toBe("idle");
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(299);
    expect(status()).toBe("loading");
    await vi.advanceTimersByTimeAsync(1);
    expect(status()).toBe("stalled");
    await letGo("a");
    expect(status()).toBe("idle");
  });

  it("is error until an answer is here, through further questions", async () => {
    stubNetwork({ "one.test": "breaks" });
    const session = makeSession();
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.store.get()).toMatchObject({ status: "error", answer: null });
    stubSlowNetwork();
    session.ask({ query: "b" });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.store.get().problem).toBe(
      "The search service is overloaded or restarting (status 503). Try again in a moment.",
    );
    await letGo("b");
    expect(session.store.get()).toMatchObject({ status: "idle", problem: null });
  });

  it("is idle again when the field is emptied", async () => {
    stubSlowNetwork();
    const session = makeSession();
    session.ask({ query: "a" });
    session.ask({ query: "  " });
    await vi.advanceTimersByTimeAsync(400);
    expect(session.store.get()).toMatchObject({ status: "idle", answer: null });
  });
});

describe("given a question that finds nothing", () => {
  it("suggests three queries that find something", async () => {
    stubNetwork({});
    const session = makeSession(["one", "nothing here", "two", "three", "four"]);
    session.ask({ query: "nothing" });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.store.get().answer?.suggestions).toEqual(["one", "two", "three"]);
  });
});

describe("given a site with several versions", () => {
  it("counts the hits of those that have any, and of the one that is shown", async () => {
    stubNetwork({});
    const session = makeSession([], ["3", "2", "1"]);
    const counts = () =>
      session.store.get().answer?.versions.map(({ label, count, isShown }) => [label, count, isShown]);
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(0);
    expect(counts()).toEqual([
      ["v2", 7, false],
      ["v1", 0, true],
    ]);
    session.ask({ version: "2" });
    await vi.advanceTimersByTimeAsync(0);
    expect(counts()).toEqual([["v2", 7, true]]);
    session.ask({ isEverywhere: true, version: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(counts()).toEqual([]);
  });
});

describe("given other sites to search", () => {
  /** Each index has one hit, whose title names it; the server knows no index `gone`. */
  function stubSites(): string[] {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
      const { requests } = JSON.parse(body) as { requests: { indexName: string; query: string }[] };
      asked.push(requests.map(({ indexName }) => indexName).join(" "));
      if (requests.some(({ indexName }) => indexName === "gone"))
        return Promise.resolve(new Response('{"message":"Index gone does not exist","status":404}', { status: 404 }));
      const results = requests.map(({ indexName, query }) => {
        const hits = query === "only elsewhere" && indexName === "docs" ? [] : [hitOf(indexName)];
        return { hits, nbHits: hits.length, nbPages: 1 };
      });
      return Promise.resolve(new Response(JSON.stringify({ results })));
    });
    return asked;
  }

  const hitOf = (indexName: string) => ({
    objectID: indexName,
    url: `https://${indexName}.example.org/a`,
    type: "lvl1",
    hierarchy: { lvl0: "Guides", lvl1: `Page of ${indexName}` },
  });

  const others = (session: SearchSession) =>
    session.store.get().answer?.otherSites.map(({ label, hits }) => [label, hits.map(({ href }) => href)]);

  it("gives their hits under their names, beside its own", async () => {
    stubSites();
    const session = makeSession([], [], { shop: "Shop", blog: "Blog" });
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(0);
    expect(titles(session)).toEqual(["Page of docs"]);
    expect(others(session)).toEqual([
      ["Shop", ["https://shop.example.org/a"]],
      ["Blog", ["https://blog.example.org/a"]],
    ]);
  });

  it("leads to pages of one that has the address of this site as to those of any other", async () => {
    stubSites();
    const session = makeSession([], [], { docs: "Neighbor" });
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(0);
    const [own, neighbor] = [session.store.get().answer?.hits, session.store.get().answer?.otherSites[0]?.hits];
    expect(own).toMatchObject([{ href: "/a", leavesSite: false }]);
    expect(neighbor).toMatchObject([{ href: "https://docs.example.org/a", leavesSite: true }]);
  });

  it("leaves out one that the server does not have, and keeps the rest", async () => {
    stubSites();
    const session = makeSession([], [], { gone: "Gone", shop: "Shop" });
    session.ask({ query: "a" });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.store.get()).toMatchObject({ status: "idle", problem: null });
    expect(titles(session)).toEqual(["Page of docs"]);
    expect(others(session)).toEqual([["Shop", ["https://shop.example.org/a"]]]);
  });

  it("does not ask them where a section is chosen", async () => {
    const asked = stubSites();
    const session = makeSession([], [], { shop: "Shop" });
    session.ask({ query: "a", chosen: { section: ["Guides"], kind: [] } });
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(["docs docs"]);
    expect(others(session)).toEqual([]);
  });

  it("shows their hits where the site itself has none", async () => {
    stubSites();
    const session = makeSession([], [], { shop: "Shop" });
    session.ask({ query: "only elsewhere" });
    await vi.advanceTimersByTimeAsync(0);
    const state = session.store.get();
    expect(screenOf(state)).toBe("results");
    expect(groupAll(state.answer?.hits ?? [], state.answer?.otherSites ?? [], 5).map(({ label }) => label)).toEqual([
      "Shop / Guides",
    ]);
  });
});
