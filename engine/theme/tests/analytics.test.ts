import { describe, expect, it } from "vitest";
import { asksNotToBeTracked } from "../src/features/analytics/pageView";

describe("a browser asks not to be tracked", () => {
  it.each([
    [{ doNotTrack: "1" }, true],
    [{ doNotTrack: "yes" }, true],
    [{ doNotTrack: null, globalPrivacyControl: true }, true],
    [{ doNotTrack: "0" }, false],
    [{ doNotTrack: null }, false],
    [{}, false],
  ])("with %o: %s", (wishes, answer) => {
    expect(asksNotToBeTracked(wishes)).toBe(answer);
  });
});
