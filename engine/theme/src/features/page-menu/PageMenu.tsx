import type { MouseEvent } from "react";
import type { SiteData } from "../../payload.gen";
import { loadAnew } from "../navigation/loadDocument";
import { Icon } from "../../ui/Icon";
import { reportRecoverable } from "../../ui/reportRecoverable";
import { word } from "../../ui/words";

interface PageMenuProps {
  /** Address of the page's Markdown. */
  markdown: string;
  site: SiteData;
}

/** Copies the page as Markdown, or shows it, or hands it to a service of the site's choice. */
export function PageMenu({ markdown, site }: PageMenuProps) {
  const copy = ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    import("./copyPage").then(({ copyPage }) => copyPage(currentTarget, markdown), loadAnew).catch(reportRecoverable);
  };
  const page = encodeURIComponent(site.url + markdown);
  const button = (
    <button type="button" onClick={copy}>
      {word("pageMenu.copy")}
    </button>
  );
  return (
    <div className="page-menu">
      {button}
      <details
        // At once, while what else closes it may still be on its way.
        onKeyDown={({ key, currentTarget }) => {
          if (key !== "Escape") return;
          currentTarget.open = false;
          currentTarget.querySelector("summary")?.focus();
        }}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open)
            import("./closeMenu").then(({ closeMenu }) => {
              closeMenu(currentTarget);
            }, reportRecoverable);
        }}
      >
        <summary aria-label={word("pageMenu.more")}>
          <Icon name="chevron" />
        </summary>
        <ul>
          <li>{button}</li>
          <li>
            <a href={markdown}>{word("pageMenu.view")}</a>
          </li>
          {site.assistants.map(({ label, url }) => (
            <li key={label}>
              <a href={url.replaceAll("{url}", page)} target="_blank" rel="noopener noreferrer">
                {word("pageMenu.open", { name: label })}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
