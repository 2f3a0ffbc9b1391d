// What readers do with hits, sent to the configured receiver; events wait here until there is one.

/** Hits that were shown. */
interface ViewedItems {
  indexName: string;
  objectIds: readonly string[];
  /** Of the answer that held them; null where the service gives none. */
  queryId: string | null;
}

/** The hit that was chosen. */
interface SelectedItem {
  indexName: string;
  objectId: string;
  /** In the whole list, from 1. */
  position: number;
  queryId: string | null;
}

export type InsightsEvent = ({ kind: "viewed" } & ViewedItems) | ({ kind: "selected" } & SelectedItem);

/** Tells a service; gets events in the order in which they happened. */
export type InsightsSender = (event: InsightsEvent) => void;

/** A list that changes within this time was not looked at, in ms. */
const VIEWED_AFTER_MS = 400;
/** Object ids in one event at most. */
const CHUNK = 20;
/** Most events that wait for a receiver; the oldest are dropped first. */
const WAITING = 100;

let sender: InsightsSender | null | undefined;
let waiting: InsightsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Set the receiver; waiting events are sent at once. Null: no receiver, and nothing is kept. */
export function configureInsights(send: InsightsSender | null): void {
  sender = send;
  const events = waiting;
  waiting = [];
  if (send !== null) events.forEach(send);
}

/** These hits are shown now. Told when they have stayed for a while, in chunks. */
export function itemsViewed({ indexName, objectIds, queryId }: ViewedItems): void {
  clearTimeout(timer);
  if (objectIds.length === 0) return;
  timer = setTimeout(() => {
    for (let start = 0; start < objectIds.length; start += CHUNK) {
      tell({ kind: "viewed", indexName, objectIds: objectIds.slice(start, start + CHUNK), queryId });
    }
  }, VIEWED_AFTER_MS);
}

/** A hit was chosen, by click or by key. */
export function itemSelected(item: SelectedItem): void {
  tell({ kind: "selected", ...item });
}

function tell(event: InsightsEvent): void {
  if (sender === undefined) {
    waiting.push(event);
    if (waiting.length > WAITING) waiting.shift();
  } else {
    sender?.(event);
  }
}
