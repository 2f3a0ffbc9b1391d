import type { Mode } from "../color-mode/choice";

/** What Python writes into `<script type="application/json" id="octavo-boot">`. */
export interface Boot {
  /** Path under which the site is published; begins and ends with a slash. */
  base: string;
  /** Address of the client's entry module. */
  client: string;
  /** Color mode where neither reader nor system has a say. */
  mode: Mode;
  /** Whether the system's preference counts. */
  system: boolean;
  announcements: AnnouncementBoot[];
}

/** What the inline script must know of an announcement; their order is that of the bars. */
interface AnnouncementBoot {
  id: string;
  /** Colors of CSS; null leaves the theme's. */
  background: string | null;
  color: string | null;
}
