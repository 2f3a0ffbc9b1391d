import type { AnalyticsData } from "../../payload.gen";
import { loadConsentScript, withConsent } from "./consent";
import { makeGoogle } from "./google";
import type { PageView } from "./pageView";

type Send = (view: PageView) => void;

/** Make the function that tells everybody who is configured. */
export function makeReporter(settings: AnalyticsData): Send {
  const { google, endpoint, anonymizesIp, needsConsent, consentScript } = settings;
  const receivers: Send[] = [];
  if (endpoint !== null) {
    receivers.push((view) => {
      // As text: JSON of its own type would need the endpoint to answer a preflight first.
      navigator.sendBeacon(endpoint, JSON.stringify(view));
    });
  }
  if (google.length > 0) receivers.push(makeGoogle(google, anonymizesIp));
  const sendToAll: Send = (view) => {
    for (const send of receivers) send(view);
  };
  if (!needsConsent) return sendToAll;
  const send = withConsent(sendToAll);
  if (consentScript !== null) loadConsentScript(consentScript);
  return send;
}
