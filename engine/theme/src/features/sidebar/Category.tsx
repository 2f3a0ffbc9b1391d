import { memo, type KeyboardEvent, type MouseEvent, useState } from "react";
import type { SidebarCategory } from "../../payload.gen";
import { Collapsible } from "../../ui/Collapsible";
import { Icon } from "../../ui/Icon";
import { SidebarTree } from "./SidebarTree";
import { firstHref, isOpenAtFirst, isSamePath, type OpenPath } from "./tree";

interface CategoryProps {
  category: SidebarCategory;
  /** Way to the current item below this category; null when it is not below. */
  openPath: OpenPath | null;
  current: string | null;
}

/** A group of the sidebar, with or without a page of its own. */
export const Category = memo(function Category({ category, openPath, current }: CategoryProps) {
  const isActive = openPath !== null;
  const [isOpen, setIsOpen] = useState(isOpenAtFirst(category, isActive));
  // Each page below opens it, also after one that stood below it too.
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
        <Label category={category} current={current} isOpen={isOpenNow} onToggle={toggle} onOpen={setIsOpen} />
        {category.href !== null && category.isCollapsible && (
          <button
            type="button"
            className="caret"
            aria-expanded={isOpenNow}
            aria-label={`${isOpenNow ? "Collapse" : "Expand"} sidebar category '${category.label}'`}
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

interface LabelProps {
  category: SidebarCategory;
  current: string | null;
  isOpen: boolean;
  onToggle: () => void;
  onOpen: (isOpen: boolean) => void;
}

function Label({ category, current, isOpen, onToggle, onOpen }: LabelProps) {
  if (category.href !== null) {
    const isCurrent = current !== null && isSamePath(category.href, current);
    const onClick = (event: MouseEvent): void => {
      if (isModified(event)) return;
      if (isCurrent && category.isCollapsible) {
        event.preventDefault();
        onToggle();
      } else {
        onOpen(true);
      }
    };
    return (
      <a href={category.href} aria-current={isCurrent ? "page" : undefined} onClick={onClick}>
        {category.label}
      </a>
    );
  }
  if (!category.isCollapsible) return <span>{category.label}</span>;
  const onClick = (event: MouseEvent): void => {
    event.preventDefault();
    onToggle();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    onToggle();
  };
  // Without scripts a closed category leads to its first page. An open one must not: an address stands once in a sidebar.
  const href = isOpen ? undefined : (firstHref(category) ?? undefined);
  return (
    <a
      href={href}
      role="button"
      tabIndex={0}
      aria-expanded={isOpen}
      data-intent=""
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {category.label}
      <Icon name="chevron" />
    </a>
  );
}

function isModified(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
