// Read by the inline script of pages with tabs too: no imports.

const PREFIX = "docusaurus.tab.";

/** Storage key of the choice that the tabs of a group share. */
export function tabKey(groupId: string): string {
  return PREFIX + groupId;
}

/** The group that a storage key is about; null where it is about something else. */
export function groupOfKey(key: string): string | null {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null;
}
