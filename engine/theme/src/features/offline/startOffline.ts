import { getCurrent } from "../../data/current";

/** Register the service worker of a site that has one; browsers without any, or without room for its files, go on as before. */
export function startOffline(address: string | null): void {
  if (address === null || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  serviceWorker.register(address).catch(() => undefined);
  // It sees the data of a page go by, and not whether the page is read.
  addEventListener("octavo:page", () => {
    serviceWorker.controller?.postMessage(getCurrent().page.path);
  });
}
