import { afterEach, beforeEach, expect, it, vi } from "vitest";

type Progress = typeof import("../src/features/navigation/progress");

let progress: Progress;
let bars: { dataset: Record<string, string> }[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  bars = [];
  vi.stubGlobal("document", {
    createElement: () => ({ dataset: {}, setAttribute: () => undefined }),
    body: { append: (bar: { dataset: Record<string, string> }) => bars.push(bar) },
  });
  progress = await import("../src/features/navigation/progress");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows progress once a navigation has taken 200 ms, and no sooner", () => {
  progress.startProgress();
  vi.advanceTimersByTime(199);
  expect(bars).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(bars.map((bar) => bar.dataset.state)).toEqual(["loading"]);
  progress.endProgress();
  expect(bars.map((bar) => bar.dataset.state)).toEqual(["done"]);
});

it("shows none where the page is there before", () => {
  progress.startProgress();
  vi.advanceTimersByTime(150);
  progress.endProgress();
  vi.advanceTimersByTime(1000);
  expect(bars).toEqual([]);
});
