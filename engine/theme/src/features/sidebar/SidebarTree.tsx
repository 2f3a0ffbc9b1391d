import { memo } from "react";
import type { SidebarItem, SidebarLink } from "../../payload.gen";
import { Anchor } from "../../ui/Anchor";
import { Category } from "./Category";
import { isSamePath, isShown, type OpenPath } from "./tree";

export interface SidebarTreeProps {
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
        {item.label}
      </Anchor>
    </li>
  );
});
