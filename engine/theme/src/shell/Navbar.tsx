import { ColorModeToggle } from "../features/color-mode/ColorModeToggle";
import { DrawerButton } from "../features/drawer/DrawerButton";
import { SearchButton } from "../features/search/SearchButton";
import type { SiteData } from "../payload.gen";
import { Brand } from "../ui/Brand";
import { NavItem, type NavContext } from "../features/top-bar/NavItem";
import { word } from "../ui/words";

interface NavbarProps extends NavContext {
  site: SiteData;
}

/** The top bar. */
export function Navbar({ site, ...context }: NavbarProps) {
  const { items } = site.navbar;
  return (
    <nav className="navbar" aria-label={word("nav.main")}>
      <DrawerButton />
      <Brand title={site.navbar.title} logo={site.navbar.logo} home={site.home} />
      <ul className="nav-items">
        {items
          .filter((item) => item.position === "left")
          .map((item, index) => (
            <NavItem key={index} item={item} {...context} />
          ))}
      </ul>
      <ul className="nav-items nav-items-end">
        {items
          .filter((item) => item.position === "right")
          .map((item, index) => (
            <NavItem key={index} item={item} {...context} />
          ))}
      </ul>
      {site.search !== null && <SearchButton search={site.search} />}
      {site.colorMode.hasSwitch && <ColorModeToggle />}
    </nav>
  );
}
