import type { SiteData } from "../payload.gen";

/** Id of the sidebar at an address, where the top bar has an entry for it. */
export function activeSidebarId(site: SiteData, sidebar: string | null): string | null {
  for (const item of site.navbar.items) {
    if (item.type === "section" && item.sidebar === sidebar) return item.sidebarId;
  }
  return null;
}
