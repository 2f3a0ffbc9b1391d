import type { LastUpdated, PagePayload } from "../../payload.gen";
import { Anchor } from "../../ui/Anchor";
import { Icon } from "../../ui/Icon";

interface PageFooterProps {
  page: PagePayload;
  /** BCP 47 tag of the page's language. */
  locale: string;
}

/** Below the article: tags, a way to mend the page, its age. */
export function PageFooter({ page, locale }: PageFooterProps) {
  if (page.tags.length === 0 && page.editUrl === null && page.lastUpdated === null) return null;
  return (
    <footer className="page-footer">
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
      {page.lastUpdated !== null && <UpdatedLine update={page.lastUpdated} locale={locale} />}
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
