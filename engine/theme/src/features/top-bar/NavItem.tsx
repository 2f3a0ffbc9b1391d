import type { Alternate, NavItemData, NavLink, NavSection } from "../../payload.gen";
import { isSamePath } from "../sidebar/tree";
import { Anchor } from "../../ui/Anchor";
import { BrandIcon, isBrandIcon, ItemIcon } from "../../ui/Icon";
import { Dropdown } from "./Dropdown";
import { word } from "../../ui/words";

export interface NavContext {
  /** Id of the sidebar the reader is in. */
  activeSidebar: string | null;
  /** Address of the page. */
  path: string;
  versions: readonly Alternate[];
  locales: readonly Alternate[];
}

/** One entry of the top bar. A switch is drawn only where there is a choice. */
export function NavItem({ item, ...context }: { item: NavItemData } & NavContext) {
  switch (item.type) {
    case "link":
      return (
        <li className={isBrandIcon(item.icon) ? "nav-icon" : undefined}>
          <NavAnchor item={item} path={context.path} />
        </li>
      );
    case "section":
      return (
        <li>
          <Section item={item} isActive={item.sidebarId === context.activeSidebar} />
        </li>
      );
    case "dropdown":
      return (
        <li>
          <Dropdown label={item.label} href={item.href} icon={item.icon}>
            {item.items.map((link) => (
              <li key={link.href}>
                <NavAnchor item={link} path={context.path} />
              </li>
            ))}
          </Dropdown>
        </li>
      );
    case "switch":
      return <Switch what={item.what} {...context} />;
  }
}

function NavAnchor({ item, path }: { item: NavLink; path: string }) {
  const current = isSamePath(item.href, path) ? "page" : undefined;
  if (isBrandIcon(item.icon)) {
    return (
      <Anchor className="icon-button" href={item.href} aria-label={item.label} aria-current={current}>
        <BrandIcon name={item.icon} />
      </Anchor>
    );
  }
  return (
    <Anchor className="nav-link" href={item.href} aria-current={current} marksExternal>
      <ItemIcon svg={item.icon} />
      {item.label}
    </Anchor>
  );
}

function Section({ item, isActive }: { item: NavSection; isActive: boolean }) {
  return (
    <a className="nav-link" href={item.href} aria-current={isActive ? "true" : undefined}>
      <ItemIcon svg={item.icon} />
      {item.label}
    </a>
  );
}

function Switch({ what, versions, locales }: { what: "locale" | "version" } & NavContext) {
  const choices = what === "locale" ? locales : versions;
  if (choices.length < 2) return null;
  const shown = choices.find((choice) => choice.isCurrent) ?? choices[0];
  return (
    <li>
      <Dropdown label={shown?.label ?? ""} name={word(what === "locale" ? "nav.language" : "nav.version")} href={null}>
        {choices.map((choice) => (
          <li key={choice.id}>
            <a
              className="nav-link"
              href={choice.href}
              lang={what === "locale" ? choice.id : undefined}
              hrefLang={what === "locale" ? choice.id : undefined}
              aria-current={choice.isCurrent ? "true" : undefined}
              data-version-choice={what === "version" ? choice.id : undefined}
              data-keeps-query=""
            >
              {choice.label}
              {choice.note !== "" && <small>{` ${choice.note}`}</small>}
            </a>
          </li>
        ))}
      </Dropdown>
    </li>
  );
}
