// Read by the inline script too: keep it free of imports that weigh.

/** Storage key of what is known of the announcement at a place; the first one has the keys that older sites used. */
export function announcementKey(what: "dismiss" | "id", index: number, id: string): string {
  return `docusaurus.announcement.${what}${index ? `.${id}` : ""}`;
}

/** Whether a reader has closed this announcement: another id is another announcement. */
export function isDismissed(read: (key: string) => string | null | undefined, index: number, id: string): boolean {
  return read(announcementKey("dismiss", index, id)) === "true" && read(announcementKey("id", index, id)) === id;
}
