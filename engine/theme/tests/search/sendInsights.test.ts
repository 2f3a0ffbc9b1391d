import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchData } from "../../src/payload.gen";
import { stubBrowser } from "./browser";

const SEARCH: SearchData = {
  mode: "server",
  base: "/",
  appId: "app",
  apiKey: "key",
  indexName: "docs",
  hosts: ["/"],
  placeholder: "Search docs",
  pageHref: "/search",
  resultsPerGroup: 5,
  otherSites: {},
  missingResultsUrl: null,
  insights: { host: null, script: null },
};

interface Sent {
  address: string;
  event: Record<string, unknown>;
}

let sent: Sent[];
let scripts: { src: string }[];

beforeEach(() => {
  vi.resetModules();
  stubBrowser();
  sent = [];
  scripts = [];
  vi.stubGlobal("fetch", (address: string, { body }: { body: string }) => {
    const { events } = JSON.parse(body) as { events: [Record<string, unknown>] };
    sent.push({ address, event: events[0] });
    return Promise.resolve(new Response("{}"));
  });
  vi.stubGlobal("document", {
    createElement: () => ({ src: "" }),
    head: { append: (script: { src: string }) => void scripts.push(script) },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function choose(search: SearchData, queryId: string | null = "a".repeat(32)): Promise<void> {
  const { startInsights } = await import("../../src/features/search/sendInsights");
  const { itemSelected } = await import("../../src/features/search/insights");
  startInsights(search);
  itemSelected({ indexName: "docs", objectId: "o1", position: 1, queryId });
}

describe("our own client", () => {
  it("tells the search server of a choice, in the words of the protocol", async () => {
    await choose(SEARCH);
    expect(sent[0]?.address).toMatch(/^https:\/\/docs\.example\.org\/1\/events\?/);
    expect(sent[0]?.event).toMatchObject({
      eventType: "click",
      eventName: "Item Selected",
      index: "docs",
      objectIDs: ["o1"],
      positions: [1],
      queryID: "a".repeat(32),
    });
    expect(sent[0]?.event.userToken).toMatch(/^anonymous-[\da-f]{32}$/);
    expect(scripts).toEqual([]);
  });

  it("gives no position where the service gave no id", async () => {
    await choose(SEARCH, null);
    expect(sent[0]?.event).not.toHaveProperty("positions");
    expect(sent[0]?.event).not.toHaveProperty("queryID");
  });

  it("tells another host where one is named", async () => {
    await choose({ ...SEARCH, insights: { host: "https://events.example.org/", script: null } });
    expect(sent[0]?.address).toMatch(/^https:\/\/events\.example\.org\/1\/events\?/);
  });
});

describe("given no insights", () => {
  it("tells nobody", async () => {
    await choose({ ...SEARCH, insights: null });
    expect(sent).toEqual([]);
    expect(scripts).toEqual([]);
  });
});

describe("the official client", () => {
  it("is loaded from its address, and finds what was told before it came", async () => {
    await choose({ ...SEARCH, insights: { host: null, script: "https://cdn.example.org/insights.js" } });
    expect(scripts.map(({ src }) => src)).toEqual(["https://cdn.example.org/insights.js"]);
    expect(window.aa?.queue?.map(([method]) => method)).toEqual(["init", "clickedObjectIDsAfterSearch"]);
    expect(window.aa?.queue?.[0]?.[1]).toMatchObject({ appId: "app", apiKey: "key", useCookie: false });
    expect(window.aa?.queue?.[1]?.[1]).toMatchObject({ eventName: "Item Selected", positions: [1] });
    expect(sent).toEqual([]);
  });
});
