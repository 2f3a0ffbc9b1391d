import type { Current } from "../../../data/current";
import { readPreferredVersion } from "../../versions/preferredVersion";

/** The language and the version that are searched unless the reader wants all. */
export interface Scope {
  language: string;
  version: string;
}

/** A version, and what readers call it. */
export interface NamedVersion {
  name: string;
  label: string;
}

/** The versions of the reader's language; none where the site has but one. */
export function versionsOf({ page }: Pick<Current, "page">): NamedVersion[] {
  return page.versions.map(({ id, label }) => ({ name: id, label }));
}

/** What the reader reads now; on pages outside of the versions, what was chosen last. */
export function scopeOf({ page, site }: Pick<Current, "page" | "site">): Scope {
  const isVersioned = page.layout === "doc" || page.layout === "category";
  const preferred = isVersioned ? null : readPreferredVersion(page.versions);
  return { language: site.locale, version: preferred ?? site.versionName };
}

/** Facet filters of the protocol: all of the list must hold, any of an inner list. */
export function scopeFilters({ language, version }: Scope): (string | string[])[] {
  return [`language:${language}`, ["docusaurus_tag:default", `docusaurus_tag:docs-default-${version}`]];
}
