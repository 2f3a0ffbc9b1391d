// Read on both sides: the server sets it before each page it draws, the client at each navigation.
import type { PagePayload, SiteData } from "../payload.gen";
import { createStore, useStore } from "../ui/store";

/** What is shown now. */
export interface Current {
  page: PagePayload;
  site: SiteData;
  /** The article; empty on the page that was loaded as HTML, whose article is in the document already. */
  html: string;
}

export const currentStore = createStore<Current | null>(null);

export function getCurrent(): Current {
  return present(currentStore.get());
}

export function useCurrent(): Current {
  return present(useStore(currentStore));
}

function present(current: Current | null): Current {
  if (current === null) throw new Error("No page has been set before drawing.");
  return current;
}
