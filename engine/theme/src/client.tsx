// The client's entry: the only place that starts something when a page is loaded.
import "./styles/index.css";
import { type ReactNode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { mountIslands } from "./blocks/islands";
import { setSlotLife } from "./features/slots/Slot";
import { layoutFiles, setLayout } from "./features/slots/layout";
import { startAnalytics } from "./features/analytics/startAnalytics";
import { addCodeButtons } from "./features/code-blocks/codeButtons";
import { fitDiagrams } from "./features/diagrams/fitDiagrams";
import { startColorMode } from "./features/color-mode/colorMode";
import { listenForHashLinks } from "./features/headings/copyAddress";
import { enterReference, listenForReference } from "./features/reference/listenForReference";
import { watchTerms } from "./features/glossary/watchTerms";
import { listenForHelp } from "./features/keyboard/listenForHelp";
import { fitTables } from "./features/tables/fitTables";
import { startNavigation } from "./features/navigation/navigate";
import { listenForRefresh } from "./features/navigation/refresh";
import { replayIntent } from "./features/page-load/intent";
import { unfoldArticle } from "./features/page-load/unfold";
import { listenForSearchKeys } from "./features/search/openSearch";
import { startOffline } from "./features/offline/startOffline";
import { startFittingBar } from "./features/top-bar/fitBar";
import { startHidingBar } from "./features/top-bar/hideOnScroll";
import { listenForVersionChoice } from "./features/versions/preferredVersion";
import type { PagePayload, SiteData } from "./payload.gen";
import { App } from "./shell/App";
import { setArticleLife } from "./features/article/articleLife";
import { currentStore, getCurrent } from "./data/current";
import { rememberServed } from "./features/article/servedArticle";
import { loadShared } from "./data/sharedData";
import { afterPaint } from "./ui/afterPaint";
import { reportRecoverable } from "./ui/reportRecoverable";
import { rememberDates, setLanguage } from "./ui/words";
import { PageCrash } from "./shell/PageCrash";
import { ErrorBoundary } from "./ui/ErrorBoundary";
import { Live } from "./shell/Live";

async function start(): Promise<void> {
  const root = document.getElementById("octavo");
  const data = document.getElementById("octavo-page")?.textContent;
  if (root === null || data == null) return;
  const page = JSON.parse(data) as PagePayload;
  if (page.sidebar !== null) loadShared(page.sidebar).catch(reportRecoverable);
  const site = (await loadShared(page.site)) as SiteData;
  setLanguage(site);
  const layout = layoutFiles(page);
  // Without it the page stays as the build has drawn it.
  if (layout !== null) setLayout(await (await import("./blocks/authored/loadLayout")).loadLayout(layout.module));
  rememberDates(root);
  currentStore.reset({ page, site, html: "" });
  rememberServed(root);
  startColorMode(site.colorMode);
  setSlotLife(mountIslands);
  setArticleLife((article) => {
    // Only the first page is hydrated in steps: links lead to places in later ones, and back to where a reader was.
    if (getCurrent().html !== "") article.dataset.whole = "";
    // Nobody can use them in the first frame.
    const callOff = afterPaint(() => {
      addCodeButtons(article);
      if (article.querySelector("img") !== null) {
        import("./features/images/zoom").then((module) => {
          module.addZoom(article);
        }, reportRecoverable);
      }
      if (article.querySelector(".fill-in, .filter-rows, [data-mark]") !== null) {
        import("./features/tables/tableTools").then((module) => {
          module.addTableTools(article);
        }, reportRecoverable);
      }
    });
    const unmount = mountIslands(article);
    enterReference(article);
    const releases = [fitTables(article), fitDiagrams(article), watchTerms(article)];
    // For scripts of the site: they are loaded once, and pages are exchanged behind them.
    dispatchEvent(new CustomEvent("octavo:page", { detail: article }));
    return () => {
      callOff();
      for (const release of releases) release();
      unmount();
    };
  });
  // As a transition: React then works in slices and lets the reader's acts pass.
  startTransition(() => {
    hydrateRoot(
      root,
      <Live
        onLive={() => {
          // The inline script now keeps its hands off.
          document.documentElement.dataset.hydrated = "true";
          startNavigation();
          listenForRefresh();
          listenForSearchKeys();
          listenForHelp();
          listenForHashLinks();
          listenForReference();
          if (!__OFFLINE__) startAnalytics(site.analytics);
          if (!__OFFLINE__) startOffline(site.offlineWorker);
          listenForVersionChoice(() => getCurrent().page.versions);
          startFittingBar();
          if (site.navbar.hidesOnScroll) startHidingBar();
          unfoldArticle();
          for (const part of document.querySelectorAll(".announcements, .top-bar, .main, .footer")) replayIntent(part);
        }}
      >
        <ErrorBoundary fallback={showCrash}>
          <App />
        </ErrorBoundary>
      </Live>,
      { onRecoverableError: reportRecoverable },
    );
  });
}

/** What is left when the frame of the page itself can't be drawn. */
function showCrash(error: unknown, retry: () => void): ReactNode {
  return (
    <main id="main" className="main main-page" tabIndex={-1}>
      <PageCrash error={error} onRetry={retry} />
    </main>
  );
}

// Without the site's data the page stays what it is: readable, with links that work.
// Not called by the module itself: tools that watch a page note where each request came from, and to find the place in a
// module V8 parses all of it again.
Promise.resolve().then(start).catch(reportRecoverable);
