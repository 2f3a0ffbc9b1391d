import type { MouseEvent } from "react";
import type { SidebarCategory } from "../../payload.gen";
import { Icon, ItemIcon } from "../../ui/Icon";
import { firstHref, isSamePath } from "./tree";

interface LabelProps {
  category: SidebarCategory;
  current: string | null;
  isOpen: boolean;
  onToggle: () => void;
  onOpen: (isOpen: boolean) => void;
}

/** Label of a category: a link where it has a page of its own, else a button. */
export function CategoryLabel({ category, current, isOpen, onToggle, onOpen }: LabelProps) {
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
        <ItemIcon svg={category.icon} />
        {category.label}
      </a>
    );
  }
  if (!category.isCollapsible) {
    return (
      <span>
        <ItemIcon svg={category.icon} />
        {category.label}
      </span>
    );
  }
  const href = isOpen ? null : firstHref(category);
  return (
    <>
      <button type="button" className="category-button" aria-expanded={isOpen} data-intent="" onClick={onToggle}>
        <ItemIcon svg={category.icon} />
        {category.label}
        <Icon name="chevron" />
      </button>
      {/* Where no script opens it, a closed category leads to its first page. An open one lists that page itself. */}
      {href !== null && (
        <noscript>
          <a href={href}>{category.label}</a>
        </noscript>
      )}
    </>
  );
}

function isModified(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
