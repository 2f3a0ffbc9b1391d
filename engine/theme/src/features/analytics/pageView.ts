/** What is reported of a page view. It contains nothing that identifies a reader. */
export interface PageView {
  /** Path from the host's root, without query and fragment. */
  path: string;
  title: string;
  /** Path of the page of this site that the reader came from; null on the first page. */
  referrer: string | null;
}

interface Wishes {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
}

/** Whether a browser asks in its reader's name not to be tracked. */
export function asksNotToBeTracked(browser: Wishes): boolean {
  return browser.doNotTrack === "1" || browser.doNotTrack === "yes" || browser.globalPrivacyControl === true;
}
