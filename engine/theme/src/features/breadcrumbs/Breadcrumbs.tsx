import type { Breadcrumb } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
import { word } from "../../ui/words";

interface BreadcrumbsProps {
  items: readonly Breadcrumb[];
  /** Address of the home page. */
  home: string;
}

/** The way from the sidebar's root to this page; the last step is the page itself. */
export function Breadcrumbs({ items, home }: BreadcrumbsProps) {
  return (
    <nav className="breadcrumbs" aria-label={word("breadcrumbs")}>
      <ol>
        <li>
          <a href={home} aria-label={word("homePage")}>
            <Icon name="home" />
          </a>
        </li>
        {items.map((item, index) => (
          <li key={index}>
            <Step item={item} isLast={index === items.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({ item, isLast }: { item: Breadcrumb; isLast: boolean }) {
  if (isLast) return <span aria-current="page">{item.label}</span>;
  if (item.href === null) return <span>{item.label}</span>;
  return <a href={item.href}>{item.label}</a>;
}
