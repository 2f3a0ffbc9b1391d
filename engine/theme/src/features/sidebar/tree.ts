import type { SidebarCategory, SidebarItem } from "../../payload.gen";

/** Place of an item: indexes from the root, one for each category on the way. */
export type OpenPath = readonly number[];

/** Compare two paths as readers see them: case and a trailing slash make no difference. */
export function isSamePath(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

function normalise(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith("/") ? lower.slice(0, -1) : lower;
}

/**
 * Find the categories that lead to a page, as indexes from the root.
 *
 * If the page is a category's own, that category is the last item. Null if the tree has no such page.
 */
export function findOpenPath(items: readonly SidebarItem[], href: string): OpenPath | null {
  for (const [index, item] of items.entries()) {
    if (item.type === "link") {
      if (isSamePath(item.href, href)) return [];
      continue;
    }
    if (item.href !== null && isSamePath(item.href, href)) return [index];
    const below = findOpenPath(item.items, href);
    // A link directly below gives [], so the answer is this category alone.
    if (below !== null) return [index, ...below];
  }
  return null;
}

/** Whether a category shows its items when the sidebar is first drawn. */
export function isOpenAtFirst(category: SidebarCategory, isActive: boolean): boolean {
  return isActive || !category.isCollapsible || !category.isCollapsed;
}

/** Where a category's label leads without scripts: its own page, or the first page below it that is listed. */
export function firstHref(category: SidebarCategory): string | null {
  if (category.href !== null) return category.href;
  for (const item of category.items) {
    if (item.type === "category") {
      const href = firstHref(item);
      if (href !== null) return href;
    } else if (!item.isUnlisted) {
      return item.href;
    }
  }
  return null;
}

/** Whether an item is shown: unlisted pages are, while they are read; a category is, while something below it is. */
export function isShown(item: SidebarItem, current: string | null): boolean {
  if (item.type === "link") return !item.isUnlisted || (current !== null && isSamePath(item.href, current));
  return item.href !== null || item.items.some((child) => isShown(child, current));
}
