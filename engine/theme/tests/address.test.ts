import { describe, expect, it } from "vitest";
import {
  decodeHash,
  isPagePath,
  normalisePath,
  payloadAddress,
  possiblePaths,
} from "../src/features/navigation/address";
import { isPrefetchWelcome } from "../src/features/navigation/prefetch";

describe("the payload of a page", () => {
  it.each([
    ["/", "/", "/_octavo/pages/index.json"],
    ["/", "/guide", "/_octavo/pages/guide.json"],
    ["/", "/guide/", "/_octavo/pages/guide/index.json"],
    ["/", "/guide/index.html", "/_octavo/pages/guide/index.json"],
    ["/", "/guide.html", "/_octavo/pages/guide.json"],
    ["/", "/a/b.html", "/_octavo/pages/a/b.json"],
    ["/docs/", "/docs/", "/docs/_octavo/pages/index.json"],
    ["/docs/", "/docs/a/b", "/docs/_octavo/pages/a/b.json"],
  ])("under %s of %s is %s", (base, path, expected) => {
    expect(payloadAddress(base, path)).toBe(expected);
  });
});

it("takes file names off addresses", () => {
  expect(normalisePath("/a/index.html")).toBe("/a/");
  expect(normalisePath("/index.html")).toBe("/");
  expect(normalisePath("/a.html")).toBe("/a");
});

describe("a path", () => {
  it("tries a link by file name with and without a slash at its end", () => {
    expect(possiblePaths("/a/b/")).toEqual(["/a/b/", "/a/b"]);
    expect(possiblePaths("/a/b")).toEqual(["/a/b", "/a/b/"]);
    expect(possiblePaths("/")).toEqual(["/"]);
  });

  it("is a page below the base URL", () => {
    expect(isPagePath("/docs/", "/docs/a")).toBe(true);
    expect(isPagePath("/docs/", "/docs")).toBe(true);
    expect(isPagePath("/docs/", "/other")).toBe(false);
  });

  it("is not a page when it names a file", () => {
    expect(isPagePath("/", "/openapi/api.yaml")).toBe(false);
    expect(isPagePath("/", "/a.html")).toBe(true);
    expect(isPagePath("/", "/v1.2")).toBe(true);
  });
});

it("decodes anchors and keeps what can't be decoded", () => {
  expect(decodeHash("#caf%C3%A9")).toBe("café");
  expect(decodeHash("#100%")).toBe("100%");
});

it("fetches nothing ahead on slow lines or where data is saved", () => {
  expect(isPrefetchWelcome(undefined)).toBe(true);
  expect(isPrefetchWelcome({ effectiveType: "4g" })).toBe(true);
  expect(isPrefetchWelcome({ effectiveType: "slow-2g" })).toBe(false);
  expect(isPrefetchWelcome({ effectiveType: "4g", saveData: true })).toBe(false);
});
