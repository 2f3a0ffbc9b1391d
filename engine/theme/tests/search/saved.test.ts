import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  addFavorite,
  addRecent,
  readSaved,
  removeFavorite,
  removeRecent,
  type SavedSearches,
  writeSaved,
} from "../../src/features/search/saved/savedSearches";
import { stubBrowser } from "./browser";

let kept: Map<string, string>;

beforeEach(() => {
  kept = stubBrowser();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const NONE: SavedSearches = { recent: [], favorites: [] };
const entry = (name: string) => ({ href: `/${name}`, title: name, place: "", kind: "guide" });
const hrefs = (list: readonly { href: string }[]) => list.map(({ href }) => href);
const recentOf = (count: number) =>
  Array.from({ length: count }).reduce<SavedSearches>((saved, _, index) => addRecent(saved, entry(`${index}`)), NONE);

describe("recent searches", () => {
  it("are seven, newest first", () => {
    expect(hrefs(recentOf(9).recent)).toEqual(["/8", "/7", "/6", "/5", "/4", "/3", "/2"]);
  });

  it("are four beside favorites", () => {
    expect(recentOf(9).recent).toHaveLength(7);
    expect(hrefs(addFavorite(recentOf(9), entry("8")).recent)).toEqual(["/7", "/6", "/5", "/4"]);
  });

  it("name each place once", () => {
    expect(hrefs(addRecent(recentOf(3), entry("0")).recent)).toEqual(["/0", "/2", "/1"]);
  });

  it("leave out favorites", () => {
    const saved = addFavorite(NONE, entry("a"));
    expect(addRecent(saved, entry("a"))).toEqual(saved);
  });

  it("can be removed", () => {
    expect(hrefs(removeRecent(recentOf(2), "/1").recent)).toEqual(["/0"]);
  });
});

describe("favorites", () => {
  it("are ten", () => {
    const saved = Array.from({ length: 12 }).reduce<SavedSearches>(
      (all, _, index) => addFavorite(all, entry(`${index}`)),
      NONE,
    );
    expect(saved.favorites).toHaveLength(10);
    expect(saved.favorites[0]?.href).toBe("/11");
  });

  it("can be removed", () => {
    expect(removeFavorite(addFavorite(NONE, entry("a")), "/a")).toEqual(NONE);
  });
});

describe("what is kept", () => {
  it("is kept for each index", () => {
    writeSaved("one", addFavorite(recentOf(2), entry("f")));
    expect(hrefs(readSaved("one").favorites)).toEqual(["/f"]);
    expect(readSaved("other")).toEqual(NONE);
  });

  it("leaves nothing behind when all is removed", () => {
    writeSaved("one", recentOf(1));
    writeSaved("one", NONE);
    expect(kept.size).toBe(0);
  });

  it.each([
    "",
    "{",
    "3",
    '[{"href":"javascript:alert(1)","title":"a","place":"","kind":""}]',
    '[{"href":"//evil.test"}]',
    "[null]",
  ])("is ignored where it is broken or dangerous: %s", (text) => {
    kept.set("octavo.search.recent.one", text);
    expect(readSaved("one")).toEqual(NONE);
  });
});
