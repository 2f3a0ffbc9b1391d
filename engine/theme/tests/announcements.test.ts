import { describe, expect, it } from "vitest";
import { announcementKey, isDismissed } from "../src/features/announcements/memory";

function reader(stored: Record<string, string>): (key: string) => string | null {
  return (key) => stored[key] ?? null;
}

describe("an announcement", () => {
  it("has the old keys when it is the first, and its id in them else", () => {
    expect(announcementKey("dismiss", 0, "a")).toBe("docusaurus.announcement.dismiss");
    expect(announcementKey("id", 1, "b")).toBe("docusaurus.announcement.id.b");
  });

  it("stays closed while its id is the one that was closed", () => {
    const stored = { "docusaurus.announcement.dismiss": "true", "docusaurus.announcement.id": "a" };
    expect(isDismissed(reader(stored), 0, "a")).toBe(true);
    expect(isDismissed(reader(stored), 0, "new")).toBe(false);
    expect(isDismissed(reader(stored), 1, "a")).toBe(false);
  });
});
