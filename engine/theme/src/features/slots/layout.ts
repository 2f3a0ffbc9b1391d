// The layout of a site's own, `slots/layout.tsx`: the component that arranges the parts of a page.
import type { ComponentType, ReactNode } from "react";
import type { PagePayload, SiteData } from "../../payload.gen";

/** The parts that a layout arranges; null where the page has none. */
export interface LayoutParts {
  announcements: ReactNode;
  topBar: ReactNode;
  sidebar: ReactNode;
  main: ReactNode;
  footer: ReactNode;
}

interface LayoutProps {
  page: PagePayload;
  site: SiteData;
  parts: LayoutParts;
  /** The theme's arrangement, for when the site's fails. */
  fallback: ReactNode;
}

export type Layout = ComponentType<LayoutProps>;

/** What a payload says of the layout. */
interface LayoutFiles {
  /** Address of its module. */
  module: string;
  /** Links to its style sheets, as HTML. */
  styles: string;
}

let loaded: Layout | null = null;

/** Set the layout; the client does so before it draws. */
export function setLayout(layout: Layout): void {
  loaded = layout;
}

export function getLayout(): Layout | null {
  return loaded;
}

/** The files of the layout of a page; null where the theme's is drawn. */
export function layoutFiles(page: PagePayload): LayoutFiles | null {
  const json = page.slots?.layout;
  return json === undefined ? null : (JSON.parse(json) as LayoutFiles);
}
