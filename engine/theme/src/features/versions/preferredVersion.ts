import { readStored, writeStored } from "../../ui/storage";
import type { Alternate } from "../../payload.gen";

const STORAGE_KEY = "docs-preferred-version-default";

/** The version that the reader chose last; one that is no longer there is forgotten. */
export function readPreferredVersion(versions: readonly Alternate[]): string | null {
  const name = readStored(STORAGE_KEY);
  if (name === null || versions.length === 0) return null;
  if (versions.some((version) => version.id === name)) return name;
  writeStored(STORAGE_KEY, null);
  return null;
}

/** Keep the choice that a click on a version makes, in the switch or in the banner of an older version. */
export function listenForVersionChoice(versionsNow: () => readonly Alternate[]): void {
  readPreferredVersion(versionsNow());
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-version-choice]") : null;
    if (link === null) return;
    const chosen = versionsNow().find((version) => version.id === link.dataset.versionChoice);
    const name = chosen?.id ?? versionAt(versionsNow(), link.pathname);
    if (name !== null) writeStored(STORAGE_KEY, name);
  });
}

function versionAt(versions: readonly Alternate[], path: string): string | null {
  return versions.find((version) => version.href === path)?.id ?? null;
}
