import type { LastUpdated, PagePayload, SiteData } from "../../payload.gen";
import { Feedback } from "../feedback/Feedback";
import { Anchor } from "../../ui/Anchor";
import { Icon } from "../../ui/Icon";

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
        <ul className="tags" aria-label="Tags">
          {page.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {page.editUrl !== null && (
        <Anchor className="edit-link" href={page.editUrl}>
          <Icon name="edit" />
          Edit this page
        </Anchor>
      )}
      {lastUpdated !== null && <UpdatedLine update={lastUpdated} locale={site.locale} />}
    </footer>
  );
}

function UpdatedLine({ update, locale }: { update: LastUpdated; locale: string }) {
  return (
    <p className="last-updated">
      {"Last updated on "}
      <time dateTime={update.date}>{formatDate(update.date, locale)}</time>
      {update.author !== null && ` by ${update.author}`}
    </p>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The same text on both sides: a fixed time zone, and the page's language instead of the reader's. */
export function formatDate(date: string, locale: string): string {
  const parsed = new Date(date);
  if (Number.isNaN(parsed.valueOf())) return date;
  // Making a format costs more than drawing the rest of a page.
  let format = formats.get(locale);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
    formats.set(locale, format);
  }
  return format.format(parsed);
}
