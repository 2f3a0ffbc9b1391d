import type { Mode } from "../color-mode/choice";

/** What Python writes into `<script type="application/json" id="recto-boot">`. */
export interface Boot {
  /** Path under which the site is published; begins and ends with a slash. */
  base: string;
  /** Address of the client's entry module. */
  client: string;
  /** Color mode where neither reader nor system has a say. */
  mode: Mode;
  /** Whether the system's preference counts. */
  system: boolean;
  /** Ids of the announcements, in order. */
  announcements: string[];
  /** Rules for what is configured (colors of announcements): a content security policy forbids attributes of style. */
  css?: string;
}
