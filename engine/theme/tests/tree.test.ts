import { describe, expect, it } from "vitest";
import { findOpenPath, firstHref, isOpenAtFirst, isSamePath, isShown } from "../src/features/sidebar/tree";
import type { SidebarCategory, SidebarItem, SidebarLink } from "../src/payload.gen";

function link(href: string, isUnlisted = false): SidebarLink {
  return { type: "link", label: href, href, isUnlisted, className: null, icon: "" };
}

function category(
  href: string | null,
  items: SidebarItem[],
  isCollapsed = true,
  isCollapsible = true,
): SidebarCategory {
  return { type: "category", label: href ?? "", href, isCollapsed, isCollapsible, className: null, icon: "", items };
}

const tree: SidebarItem[] = [
  link("/intro"),
  category("/guides", [link("/guides/a"), category(null, [link("/guides/deep/b")])]),
  category(null, [link("/hidden", true), link("/shown")]),
];

describe("the way to the current item", () => {
  it("is empty for a link at the root", () => {
    expect(findOpenPath(tree, "/intro")).toEqual([]);
  });

  it("names the categories from the root", () => {
    expect(findOpenPath(tree, "/guides/deep/b")).toEqual([1, 1]);
  });

  it("ends with the category whose own page it is", () => {
    expect(findOpenPath(tree, "/guides")).toEqual([1]);
  });

  it("is null for a page that the tree does not have", () => {
    expect(findOpenPath(tree, "/elsewhere")).toBeNull();
  });
});

describe("a category", () => {
  it("is open at first when it leads to the page, can't be collapsed or is not collapsed", () => {
    expect(isOpenAtFirst(category(null, []), true)).toBe(true);
    expect(isOpenAtFirst(category(null, [], true, false), false)).toBe(true);
    expect(isOpenAtFirst(category(null, [], false), false)).toBe(true);
    expect(isOpenAtFirst(category(null, []), false)).toBe(false);
  });

  it("leads without scripts to its first listed page", () => {
    expect(firstHref(category(null, [link("/hidden", true), category(null, [link("/deep")])]))).toBe("/deep");
    expect(firstHref(category("/own", [link("/child")]))).toBe("/own");
    expect(firstHref(category(null, []))).toBeNull();
  });

  it("is shown while something below it is", () => {
    expect(isShown(category(null, [link("/hidden", true)]), null)).toBe(false);
    expect(isShown(category(null, [link("/hidden", true)]), "/hidden")).toBe(true);
  });
});

it("compares paths without case and trailing slash", () => {
  expect(isSamePath("/Guides/", "/guides")).toBe(true);
  expect(isSamePath("/", "/")).toBe(true);
  expect(isSamePath("/a", "/b")).toBe(false);
});
