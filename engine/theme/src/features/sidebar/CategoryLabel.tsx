import type { MouseEvent } from "react";
import type { SidebarCategory } from "../../payload.gen";
import { Icon, ItemBadge, ItemIcon } from "../../ui/Icon";
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
        <BadgedLabel category={category} />
      </a>
    );
  }
  if (!category.isCollapsible) {
    return (
      <span>
        <ItemIcon svg={category.icon} />
        <BadgedLabel category={category} />
      </span>
    );
  }
  const href = isOpen ? null : firstHref(category);
  return (
    <>
      <button type="button" className="category-button" aria-expanded={isOpen} data-intent="" onClick={onToggle}>
        <ItemIcon svg={category.icon} />
        <BadgedLabel category={category} />
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

/** The label with its badge beside it, not at the other end of the line. */
function BadgedLabel({ category: { label, badge } }: { category: SidebarCategory }) {
  return badge === undefined ? (
    label
  ) : (
    <span>
      {label}
      <ItemBadge text={badge} />
    </span>
  );
}

function isModified(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
