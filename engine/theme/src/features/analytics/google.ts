import type { PageView } from "./pageView";

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

const SCRIPT = "https://www.googletagmanager.com/gtag/js?id=";

/** Make the function that tells Google. Its script is loaded with the first view, so never without consent. */
export function makeGoogle(ids: readonly string[], anonymizesIp: boolean): (view: PageView) => void {
  let isLoaded = false;
  return ({ path, title, referrer }) => {
    if (!isLoaded) {
      isLoaded = true;
      load(ids, anonymizesIp);
    }
    tell("event", "page_view", {
      page_path: path,
      page_location: location.origin + path,
      page_title: title,
      page_referrer: referrer === null ? "" : location.origin + referrer,
    });
  };
}

function load(ids: readonly string[], anonymizesIp: boolean): void {
  tell("js", new Date());
  for (const id of ids) tell("config", id, { anonymize_ip: anonymizesIp, send_page_view: false });
  const script = document.createElement("script");
  script.async = true;
  script.src = SCRIPT + encodeURIComponent(ids[0] ?? "");
  document.head.append(script);
}

/** Google's script takes `arguments` only; an array of the same values it passes over. */
const tell: (...words: unknown[]) => void = function () {
  window.dataLayer ??= [];
  // eslint-disable-next-line prefer-rest-params
  window.dataLayer.push(arguments);
};
