import type { SearchData } from "../../payload.gen";
import { makeTransport, searchHosts } from "./client/searchClient";
import type { InsightsEvent, InsightsSender } from "./insights";
import { configureInsights } from "./insights";

/** The official client; until its script is here, calls wait in `queue`. */
interface OfficialClient {
  (method: string, ...values: unknown[]): void;
  queue?: unknown[][];
}

declare global {
  interface Window {
    aa?: OfficialClient;
    AlgoliaAnalyticsObject?: string;
  }
}

let isStarted = false;

/** Say where events go, once for each document. */
export function startInsights(search: SearchData): void {
  if (isStarted) return;
  isStarted = true;
  const { insights } = search;
  if (insights === null) configureInsights(null);
  else if (insights.script === null) configureInsights(makeOwnSender(search, insights.host));
  else configureInsights(loadOfficialClient(search, insights.host ?? searchHosts(search)[0], insights.script));
}

/** Events in the form of the protocol, with an anonymous user id that changes with each page load. */
function makeOwnSender(search: SearchData, host: string | null): InsightsSender {
  const transport = makeTransport(search, host);
  const userToken = `anonymous-${makeToken()}`;
  return (event) => {
    transport.write("/1/events", { events: [{ ...describe(event), userToken }] }).catch(() => {
      // Statistics are no business of the reader.
    });
  };
}

function describe(event: InsightsEvent): Record<string, unknown> {
  const search = event.queryId === null ? {} : { queryID: event.queryId };
  if (event.kind === "viewed") {
    const { indexName: index, objectIds: objectIDs } = event;
    return { eventType: "view", eventName: "Items Viewed", index, objectIDs, ...search };
  }
  const positions = event.queryId === null ? {} : { positions: [event.position] };
  const objectIDs = [event.objectId];
  return { eventType: "click", eventName: "Item Selected", index: event.indexName, objectIDs, ...positions, ...search };
}

function makeToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function loadOfficialClient({ appId, apiKey }: SearchData, host: string | undefined, address: string): InsightsSender {
  window.AlgoliaAnalyticsObject = "aa";
  const queue: unknown[][] = [];
  const waiting: OfficialClient = (...call) => void queue.push(call);
  waiting.queue = queue;
  window.aa ??= waiting;
  window.aa("init", { appId, apiKey, useCookie: false, host });
  const script = document.createElement("script");
  script.src = address;
  script.async = true;
  script.onerror = () => {
    console.error(`The insights script at ${address} did not come; nothing is reported.`);
  };
  document.head.append(script);
  return (event) => {
    const { eventType, ...values } = describe(event);
    window.aa?.(methodOf(event, eventType), values);
  };
}

function methodOf(event: InsightsEvent, eventType: unknown): string {
  if (eventType === "view") return "viewedObjectIDs";
  return event.queryId === null ? "clickedObjectIDs" : "clickedObjectIDsAfterSearch";
}
