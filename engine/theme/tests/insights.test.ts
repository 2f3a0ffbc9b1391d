import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { InsightsEvent } from "../src/features/search/insights";

type Insights = typeof import("../src/features/search/insights");

let insights: Insights;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  insights = await import("../src/features/search/insights");
});

afterEach(() => {
  vi.useRealTimers();
});

const selected = (objectId: string) => ({ indexName: "docs", objectId, position: 1, queryId: "q" });
const viewed = (count: number, queryId = "q") => ({
  indexName: "docs",
  objectIds: Array.from({ length: count }, (_, index) => `o${index}`),
  queryId,
});

function listen(): InsightsEvent[] {
  const events: InsightsEvent[] = [];
  insights.configureInsights((event) => events.push(event));
  return events;
}

describe("given nobody configured", () => {
  it("keeps events until somebody is", () => {
    insights.itemSelected(selected("a"));
    insights.itemSelected(selected("b"));
    expect(listen()).toEqual([
      { kind: "selected", ...selected("a") },
      { kind: "selected", ...selected("b") },
    ]);
  });

  it("keeps the latest hundred", () => {
    for (let index = 0; index < 130; index++) insights.itemSelected(selected(`o${index}`));
    const events = listen();
    expect(events).toHaveLength(100);
    expect(events[0]).toMatchObject({ objectId: "o30" });
  });

  it("forgets them when it stays so", () => {
    insights.itemSelected(selected("a"));
    insights.configureInsights(null);
    insights.itemSelected(selected("b"));
    expect(listen()).toEqual([]);
  });
});

describe("hits that are shown", () => {
  it("are told after they have stayed for 400 ms", () => {
    const events = listen();
    insights.itemsViewed(viewed(2));
    vi.advanceTimersByTime(399);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual([{ kind: "viewed", ...viewed(2) }]);
  });

  it("are not told when others have taken their place", () => {
    const events = listen();
    insights.itemsViewed(viewed(2, "first"));
    vi.advanceTimersByTime(200);
    insights.itemsViewed(viewed(3, "second"));
    vi.advanceTimersByTime(400);
    expect(events).toEqual([{ kind: "viewed", ...viewed(3, "second") }]);
  });

  it("are told in chunks of twenty", () => {
    const events = listen();
    insights.itemsViewed(viewed(45));
    vi.advanceTimersByTime(400);
    expect(events.map((event) => event.kind === "viewed" && event.objectIds.length)).toEqual([20, 20, 5]);
  });
});
