import type { ReactNode } from "react";
import { Announcer } from "../features/navigation/Announcer";
import { Slot } from "../features/slots/Slot";
import type { PagePayload, SiteData } from "../payload.gen";
import { Main } from "./Main";
import { SkipLink } from "./SkipLink";
import { word } from "../ui/words";

/** Parts that look the same on many pages; the server leaves slots in their place. */
export interface PageParts {
  announcements: ReactNode;
  navbar: ReactNode;
  sidebar: ReactNode;
  footer: ReactNode;
}

interface PageProps {
  page: PagePayload;
  site: SiteData;
  html: string;
  parts: PageParts;
}

/** The whole page, as rendered into `<div id="octavo">`. */
export function Page({ page, site, html, parts }: PageProps) {
  const hasFrame = page.layout !== "blank";
  return (
    <>
      <SkipLink />
      {hasFrame && page.announcements.length > 0 && <div className="announcements">{parts.announcements}</div>}
      {hasFrame && (
        <header className="top-bar">
          {parts.navbar}
          <Slot name="top-bar-end" page={page} />
        </header>
      )}
      <div className={`frame frame-${page.layout}`}>
        {page.sidebar !== null && (
          <nav className="sidebar" aria-label={word("sidebar")}>
            <Slot name="sidebar-top" page={page} />
            {parts.sidebar}
            <Slot name="sidebar-bottom" page={page} />
          </nav>
        )}
        <Main key={page.path} page={page} site={site} html={html} />
      </div>
      {hasFrame && (
        <footer className="footer">
          {page.slots?.footer === undefined ? parts.footer : <Slot name="footer" page={page} />}
        </footer>
      )}
      <Announcer />
    </>
  );
}
