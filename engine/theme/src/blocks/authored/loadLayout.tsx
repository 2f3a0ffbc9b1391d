// Loaded on sites with a layout of their own alone.
import { type ComponentType, type ReactNode, useEffect } from "react";
import type { Layout } from "../../features/slots/layout";
import type { PagePayload, SiteData } from "../../payload.gen";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { findPublic } from "./findPublic";
import { loadModule } from "./loadModule";
import { runModule } from "./modules";

/** Load the layout of a site. */
export async function loadLayout(address: string): Promise<Layout> {
  const module = await loadModule(address);
  const Authored = runModule(module, findPublic).default as ComponentType<Record<string, unknown>>;
  return ({ page, site, parts, fallback }) => (
    <ErrorBoundary
      fallback={(error) => (
        <Failed error={error} path={module.path}>
          {fallback}
        </Failed>
      )}
    >
      <Authored {...tell(page, site)} {...parts} />
    </ErrorBoundary>
  );
}

/** The props of the layout, as `page_props` of the build. */
function tell(page: PagePayload, site: SiteData): Record<string, unknown> {
  const { path, layout, title, description, tags, editUrl } = page;
  return {
    page: { path, layout, title, description, tags, lastUpdated: page.lastUpdated?.date ?? null, editUrl },
    site: { title: site.title, baseUrl: site.baseUrl },
  };
}

function Failed({ error, path, children }: { error: unknown; path: string; children: ReactNode }) {
  useEffect(() => {
    console.error(`${path}: the layout fails, so pages have that of the theme.`, error);
  }, [error, path]);
  return children;
}
