import type { KeyboardEvent, MouseEvent } from "react";
import type { SidebarCategory } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
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
