import type { LastUpdated, PagePayload, SiteData } from "../../payload.gen";
import { Feedback } from "../feedback/Feedback";
import { Anchor } from "../../ui/Anchor";
import { Icon } from "../../ui/Icon";
import { formatDate, word, wordParts } from "../../ui/words";

interface PageFooterProps {
  page: PagePayload;
  site: SiteData;
}

/** Below the article: a question, tags, a way to mend the page, its age. */
export function PageFooter({ page, site }: PageFooterProps) {
  // What a reader finds on a page of search results is not what its source says, nor as old.
  const isSearch = page.layout === "search";
  const asks = site.feedback !== null && page.layout !== "category" && !isSearch;
  const lastUpdated = isSearch ? null : page.lastUpdated;
  if (page.tags.length === 0 && page.editUrl === null && lastUpdated === null && !asks) return null;
  return (
    <footer className="page-footer">
      {site.feedback !== null && asks && <Feedback key={page.path} feedback={site.feedback} path={page.path} />}
      {page.tags.length > 0 && (
        <ul className="tags" aria-label={word("tags")}>
          {page.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {page.editUrl !== null && (
        <Anchor className="edit-link" href={page.editUrl}>
          <Icon name="edit" />
          {word("edit")}
        </Anchor>
      )}
      {lastUpdated !== null && <UpdatedLine update={lastUpdated} />}
    </footer>
  );
}

function UpdatedLine({ update }: { update: LastUpdated }) {
  const date = <time dateTime={update.date}>{formatDate(update.date)}</time>;
  return (
    <p className="last-updated">
      {update.author === null
        ? wordParts("updated", { date })
        : wordParts("updated.author", { date, author: update.author })}
    </p>
  );
}
