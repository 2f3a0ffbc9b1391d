import type { SidebarData, SidebarItem, SiteData } from "../payload.gen";
import { loadShared } from "./sharedData";

/** Labels of the pages in the sidebars of the top bar, in their order: address → label. */
export async function loadPageLabels(site: SiteData): Promise<Map<string, string>> {
  const sections = site.navbar.items.filter((item) => item.type === "section");
  const sidebars = await Promise.all(sections.map((section) => loadShared(section.sidebar)));
  const labels = new Map<string, string>();
  const collect = (items: readonly SidebarItem[]): void => {
    for (const item of items) {
      if (item.href !== null) labels.set(item.href, item.label);
      if (item.type === "category") collect(item.items);
    }
  };
  for (const sidebar of sidebars) collect((sidebar as SidebarData).items);
  return labels;
}
