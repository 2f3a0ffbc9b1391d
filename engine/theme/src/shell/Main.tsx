import { Breadcrumbs } from "../features/breadcrumbs/Breadcrumbs";
import { SearchPage } from "../features/search/page/SearchPage";
import { Toc } from "../features/toc/Toc";
import type { Current } from "../data/current";
import { Slot } from "../features/slots/Slot";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Article } from "../features/article/Article";
import { NotFound } from "./NotFound";
import { Notices } from "./Notices";
import { PageMenu } from "../features/page-menu/PageMenu";
import { PageFooter } from "../features/article/PageFooter";
import { PageCrash } from "./PageCrash";
import { Pager } from "./Pager";
import { Title } from "../features/article/Title";

/** The main landmark: what the address is about. */
export function Main({ page, site, html }: Current) {
  return (
    <main id="main" className={`main main-${page.layout}`} tabIndex={-1}>
      <ErrorBoundary fallback={(error, retry) => <PageCrash error={error} onRetry={retry} />}>
        <Body page={page} site={site} html={html} />
      </ErrorBoundary>
    </main>
  );
}

function Body({ page, site, html }: Current) {
  switch (page.layout) {
    case "landing":
      return (
        <>
          <Notices page={page} />
          <Article html={html} translation={page.translation} />
        </>
      );
    case "blank":
      return <Article html={html} translation={page.translation} />;
    case "splash":
      return (
        <article className="article">
          <Notices page={page} />
          {page.showsTitle && <Title text={page.title} translation={page.translation} />}
          <Article html={html} translation={page.translation} />
        </article>
      );
    case "not-found":
      return page.slots?.["not-found"] === undefined ? (
        <NotFound page={page} site={site} html={html} />
      ) : (
        <Slot name="not-found" page={page} />
      );
    case "search":
      return <SearchPage page={page} site={site} html={html} />;
    case "doc":
    case "category":
    case "reference":
    case "page":
      return <DocPage page={page} site={site} html={html} />;
  }
}

function DocPage({ page, site, html }: Current) {
  return (
    <>
      {page.breadcrumbs.length > 0 && <Breadcrumbs items={page.breadcrumbs} home={site.home} />}
      {page.toc.length > 0 && (
        <Toc
          entries={page.toc}
          lang={page.translation?.lang ?? undefined}
          end={<Slot name="contents-bottom" page={page} />}
        />
      )}
      <article className="article">
        <Notices page={page} />
        {site.copiesPages && page.markdown !== null && <PageMenu markdown={page.markdown} site={site} />}
        {page.showsTitle && <Title text={page.title} translation={page.translation} />}
        <Slot name="article-top" page={page} />
        <Article html={html} translation={page.translation} />
        <Slot name="article-bottom" page={page} />
        <PageFooter page={page} site={site} />
      </article>
      <Pager previous={page.previous} next={page.next} />
    </>
  );
}
