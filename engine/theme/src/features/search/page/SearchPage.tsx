import { type ComponentType, useEffect, useRef, useState } from "react";
import type { SiteData } from "../../../payload.gen";
import { Article } from "../../article/Article";
import type { Current } from "../../../data/current";
import { PageFooter } from "../../article/PageFooter";
import { SearchForm } from "../SearchForm";
import { Title } from "../../article/Title";
import { reportRecoverable } from "../../../ui/reportRecoverable";
import type { LiveResultsProps } from "./LiveResults";
import { word } from "../../../ui/words";

/** The page of all results. Without scripts: a form, and where else to look. */
export function SearchPage({ page, site, html }: Current) {
  const [query, setQuery] = useState("");
  const [Results, setResults] = useState<ComponentType<LiveResultsProps> | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const heading = query === "" ? word("search.page") : word("search.page.results", { query });

  useEffect(() => {
    import("./LiveResults").then(({ LiveResults }) => {
      setResults(() => LiveResults);
    }, reportRecoverable);
  }, []);

  useEffect(() => {
    document.title = query === "" ? page.documentTitle : page.documentTitle.replace(page.title, heading);
  }, [query, heading, page]);

  return (
    <article className="article search-page">
      <Title text={heading} />
      {site.search !== null && <SearchForm action={site.search.pageHref} label={word("search.page")} formRef={form} />}
      {site.search !== null && <WithoutScripts site={site} />}
      {site.search !== null && Results !== null && <Results search={site.search} form={form} onQuery={setQuery} />}
      <div hidden={query !== ""}>
        <Article html={html} />
      </div>
      <PageFooter page={page} site={site} />
    </article>
  );
}

function WithoutScripts({ site }: { site: SiteData }) {
  const sections = site.navbar.items.filter((item) => item.type === "section");
  return (
    <div className="notice without-scripts" role="note">
      {word("search.page.noScript")}
      {sections.length > 0 && ` ${word("search.page.sections")}`}
      {sections.map(({ href, label }) => (
        <span key={href}>
          {" "}
          <a href={href}>{label}</a>
        </span>
      ))}
    </div>
  );
}
