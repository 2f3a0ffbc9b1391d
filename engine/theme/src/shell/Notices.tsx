import type { PagePayload, VersionBanner } from "../payload.gen";
import { word } from "../ui/words";

/** What readers should know before they trust the page. */
export function Notices({ page }: { page: PagePayload }) {
  return (
    <>
      {page.versionBanner !== null && <VersionNotice banner={page.versionBanner} />}
      {page.translation !== null && (
        <div className="notice" role="note">
          {`${word(page.translation.kind)} `}
          <a href={page.translation.href}>{word("outdated.original")}</a>
        </div>
      )}
      {page.isUnlisted && (
        <div className="notice" role="note">
          <strong>{word("unlisted")} </strong>
          {word("unlisted.text")}
        </div>
      )}
    </>
  );
}

function VersionNotice({ banner }: { banner: VersionBanner }) {
  const text = word(`version.${banner.kind}`, { version: banner.versionLabel });
  return (
    <div className="notice" role="note">
      {`${text} `}
      <a href={banner.latestHref} data-version-choice="latest">
        {word("version.latest", { version: banner.latestLabel })}
      </a>
    </div>
  );
}
