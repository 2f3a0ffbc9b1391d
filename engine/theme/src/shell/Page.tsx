import type { ReactNode } from "react";
import { Announcer } from "../features/navigation/Announcer";
import { type Layout, layoutFiles, type LayoutParts } from "../features/slots/layout";
import { SearchEmptySlot, Slot } from "../features/slots/Slot";
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
  /** Arranges the parts in place of the theme. */
  Layout?: Layout | null;
}

/** The whole page, as rendered into `<div id="octavo">`. */
export function Page({ page, site, html, parts, Layout = null }: PageProps) {
  const hasFrame = page.layout !== "blank";
  const files = hasFrame ? layoutFiles(page) : null;
  const arranged: LayoutParts = {
    announcements:
      hasFrame && page.announcements.length > 0 ? <div className="announcements">{parts.announcements}</div> : null,
    topBar: hasFrame ? (
      <header className={files === null ? "top-bar" : "top-bar top-bar-placed"}>
        {parts.navbar}
        <Slot name="top-bar-end" page={page} />
      </header>
    ) : null,
    sidebar:
      page.sidebar === null ? null : (
        <nav className="sidebar" aria-label={word("sidebar")}>
          <Slot name="sidebar-top" page={page} />
          {parts.sidebar}
          <Slot name="sidebar-bottom" page={page} />
        </nav>
      ),
    main: <Main key={page.path} page={page} site={site} html={html} />,
    footer: hasFrame ? (
      <footer className="footer">
        {page.slots?.footer === undefined ? parts.footer : <Slot name="footer" page={page} />}
      </footer>
    ) : null,
  };
  const own = <Arrangement {...arranged} layout={page.layout} />;
  return (
    <>
      <SkipLink />
      {files !== null && files.styles !== "" && <div dangerouslySetInnerHTML={{ __html: files.styles }} />}
      {files === null || Layout === null ? own : <Layout page={page} site={site} parts={arranged} fallback={own} />}
      <SearchEmptySlot page={page} />
      <Announcer />
    </>
  );
}

/** The theme's own arrangement. */
function Arrangement({ announcements, topBar, sidebar, main, footer, layout }: LayoutParts & { layout: string }) {
  return (
    <>
      {announcements}
      {topBar}
      <div className={`frame frame-${layout}`}>
        {sidebar}
        {main}
      </div>
      {footer}
    </>
  );
}
