import { Suggestions } from "../features/not-found/Suggestions";
import { Article } from "../features/article/Article";
import type { Current } from "../data/current";
import { SearchForm } from "../features/search/SearchForm";
import { Title } from "../features/article/Title";

/** Content of an address without a page. */
export function NotFound({ site, html }: Current) {
  return (
    <article className="article">
      <Title text="Page Not Found" />
      <div className="prose">
        <p>We could not find what you were looking for.</p>
        <p>
          Please contact the owner of the site that linked you to the original URL and let them know their link is
          broken.
        </p>
      </div>
      {site.search !== null && <SearchForm action={site.search.pageHref} label="Search the documentation" />}
      <Article html={html} />
      <p className="prose">
        <a href={site.home}>Go to the home page</a>
      </p>
      {/* Last, for they come late: nothing that is read moves. */}
      <Suggestions site={site} />
    </article>
  );
}
