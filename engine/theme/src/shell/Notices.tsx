import type { PagePayload, VersionBanner } from "../payload.gen";

/** What readers should know before they trust the page. */
export function Notices({ page }: { page: PagePayload }) {
  return (
    <>
      {page.versionBanner !== null && <VersionNotice banner={page.versionBanner} />}
      {page.isUnlisted && (
        <div className="notice" role="note">
          <strong>Unlisted page. </strong>
          Search engines leave it out, and only readers with a direct link find it.
        </div>
      )}
    </>
  );
}

function VersionNotice({ banner }: { banner: VersionBanner }) {
  const text =
    banner.kind === "unreleased"
      ? `This is unreleased documentation of version ${banner.versionLabel}. `
      : `This is documentation of version ${banner.versionLabel}, which is no longer maintained. `;
  return (
    <div className="notice" role="note">
      {text}
      <a href={banner.latestHref} data-version-choice="latest">
        {`Read this page in the latest version (${banner.latestLabel})`}
      </a>
    </div>
  );
}
