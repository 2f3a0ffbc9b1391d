import { Suggestions } from "../features/not-found/Suggestions";
import { Article } from "../features/article/Article";
import type { Current } from "../data/current";
import { SearchForm } from "../features/search/SearchForm";
import { Title } from "../features/article/Title";
import { word } from "../ui/words";

/** Content of an address without a page. */
export function NotFound({ site, html }: Current) {
  return (
    <article className="article">
      <Title text={word("notFound.title")} />
      <div className="prose">
        <p>{word("notFound.text")}</p>
        <p>{word("notFound.hint")}</p>
      </div>
      {site.search !== null && <SearchForm action={site.search.pageHref} label={word("search.page")} />}
      <Article html={html} />
      <p className="prose">
        <a href={site.home}>{word("notFound.home")}</a>
      </p>
      {/* Last, for they come late: nothing that is read moves. */}
      <Suggestions site={site} />
    </article>
  );
}
