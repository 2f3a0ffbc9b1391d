import { memo, useState } from "react";
import type { SidebarCategory, SidebarItem, SidebarLink } from "../../payload.gen";
import { Anchor } from "../../ui/Anchor";
import { Collapsible } from "../../ui/Collapsible";
import { Icon, ItemBadge, ItemIcon } from "../../ui/Icon";
import { CategoryLabel } from "./CategoryLabel";
import { isOpenAtFirst, isSamePath, isShown, type OpenPath } from "./tree";
import { word } from "../../ui/words";

interface SidebarTreeProps {
  items: readonly SidebarItem[];
  /** Way to the current item from here; null where it is elsewhere. */
  openPath: OpenPath | null;
  /** Address of the current item; null on the server, whose markup is shared by pages. */
  current: string | null;
}

/** One level of the sidebar. What is not on the way to the current page is not drawn again when the page changes. */
export function SidebarTree({ items, openPath, current }: SidebarTreeProps) {
  return (
    <ul>
      {items.map((item, index) => {
        if (!isShown(item, current)) return null;
        if (item.type === "link") {
          return <LinkItem key={index} item={item} isCurrent={current !== null && isSamePath(item.href, current)} />;
        }
        const isActive = openPath?.[0] === index;
        return (
          <Category
            key={index}
            category={item}
            openPath={isActive ? openPath.slice(1) : null}
            current={isActive ? current : null}
          />
        );
      })}
    </ul>
  );
}

interface LinkItemProps {
  item: SidebarLink;
  isCurrent: boolean;
}

const LinkItem = memo(function LinkItem({ item, isCurrent }: LinkItemProps) {
  return (
    <li className={item.className ?? undefined}>
      <Anchor href={item.href} aria-current={isCurrent ? "page" : undefined} marksExternal>
        <ItemIcon svg={item.icon} />
        {item.label}
        <ItemBadge text={item.badge} />
      </Anchor>
    </li>
  );
});

interface CategoryProps {
  category: SidebarCategory;
  /** Way to the current item below this category; null when it is not below. */
  openPath: OpenPath | null;
  current: string | null;
}

/** A group of the sidebar, with or without a page of its own. */
const Category = memo(function Category({ category, openPath, current }: CategoryProps) {
  const isActive = openPath !== null;
  const [isOpen, setIsOpen] = useState(isOpenAtFirst(category, isActive));
  // Each page below it opens it, also when the page before was below it, too.
  const active = isActive ? current : null;
  const [wasActive, setWasActive] = useState(active);
  if (active !== wasActive) {
    setWasActive(active);
    if (isActive) setIsOpen(true);
  }
  const toggle = (): void => {
    setIsOpen(!isOpen);
  };
  const isOpenNow = isOpen || !category.isCollapsible;
  return (
    <li className={category.className ?? undefined}>
      <div className="category">
        <CategoryLabel category={category} current={current} isOpen={isOpenNow} onToggle={toggle} onOpen={setIsOpen} />
        {category.href !== null && category.isCollapsible && (
          <button
            type="button"
            className="caret"
            aria-expanded={isOpenNow}
            aria-label={word(isOpenNow ? "sidebar.collapse" : "sidebar.expand", { name: category.label })}
            data-intent=""
            onClick={toggle}
          >
            <Icon name="chevron" />
          </button>
        )}
      </div>
      <Collapsible isOpen={isOpenNow}>
        <SidebarTree items={category.items} openPath={openPath} current={current} />
      </Collapsible>
    </li>
  );
});
