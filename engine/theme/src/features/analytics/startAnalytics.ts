import type { AnalyticsData } from "../../payload.gen";
import { reportRecoverable } from "../../ui/reportRecoverable";
import { onNavigated } from "../navigation/navigate";
import { asksNotToBeTracked, type PageView } from "./pageView";

/** Report this page and each later one. The code that sends is loaded only here, so never without a receiver. */
export function startAnalytics(settings: AnalyticsData | null): void {
  if (settings === null || (settings.honorsDoNotTrack && asksNotToBeTracked(navigator))) return;
  const reporter = import("./reporter").then(({ makeReporter }) => makeReporter(settings));
  reporter.catch(reportRecoverable);
  let referrer: string | null = null;
  const report = (): void => {
    const view: PageView = { path: location.pathname, title: document.title, referrer };
    referrer = view.path;
    reporter.then(
      (send) => {
        send(view);
      },
      () => undefined,
    );
  };
  report();
  // A tick later, when everything that a page changes has been changed.
  onNavigated(() => setTimeout(report));
}
