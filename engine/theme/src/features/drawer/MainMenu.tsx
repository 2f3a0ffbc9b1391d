import type { PagePayload, SiteData } from "../../payload.gen";
import { activeSidebarId } from "../../data/activeSidebar";
import { NavItem } from "../top-bar/NavItem";
import { word } from "../../ui/words";

/** The top bar's entries, one below the other. */
export function MainMenu({ page, site }: { page: PagePayload; site: SiteData }) {
  return (
    <nav className="drawer-panel" aria-label={word("drawer.menu")}>
      <ul className="drawer-items">
        {site.navbar.items.map((item, index) => (
          <NavItem
            key={index}
            item={item}
            activeSidebar={activeSidebarId(site, page.sidebar)}
            path={page.path}
            versions={page.versions}
            locales={page.locales}
          />
        ))}
      </ul>
    </nav>
  );
}
