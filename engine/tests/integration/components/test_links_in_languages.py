"""Links that components write lead to pages in the language of the reader."""

from __future__ import annotations

from tests.support.sites import HOME, MakeSite, page

CONFIG = """base_url = "/base/"
diagnostics = { broken_links = "warn" }
[navbar]
items = [{ type = "locale" }]
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "i18n/fr"
"""
CODE = """import { withBase } from "octavo";
export default function Next() {
  return <p>
    <a className="next" href={withBase("/guide/start?a=1&b=2#how")}>a</a> <a href={withBase("/fr/guide/start")}>b</a>
    <a href={withBase("/guide/start")} hrefLang="en">c</a> <a href="https://example.org/guide/start">d</a>
    <a href="#how">e</a> <a href={withBase("/files/a.txt")}>f</a> <a href={withBase("/")}>g</a>
  </p>;
}
"""
FILES = {
    **HOME,
    "components/Next.tsx": CODE,
    "static/files/a.txt": "A",
    "docs/guide/start.md": page("Start", "## How\n\n<Next />"),
    "docs/other.mdx": page("Other", "<Next />\n\n## How"),
    "i18n/fr/docs/guide/start.md": page("Début", "## Comment {#how}\n\n<Next />"),
}


def links(html: str) -> list[str]:
    article = html.partition('class="prose"')[2].partition("</article>")[0]
    return [part.partition('"')[0] for part in article.split("<p>")[1].split("</p>")[0].split('href="')[1:]]


def test_links_of_components_stay_in_the_language(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    assert site.check() == []
    own, other = "/base/guide/start", "/base/fr/guide/start"
    rest = ["https://example.org/guide/start", "#how", "/base/files/a.txt"]
    assert links(site.html("/guide/start")) == [f"{own}?a=1&amp;b=2#how", other, own, *rest, "/base/"]
    for route in ("/fr/guide/start", "/fr/other"):
        assert links(site.html(route)) == [f"{other}?a=1&amp;b=2#how", other, own, *rest, "/base/fr/"]
    # A page that has come, or gone, is known to those that lead to it.
    site.write({"docs/guide/start.md": page("Start", "Moved.", slug="/guide/begin")})
    site.check()
    assert links(site.html("/fr/other"))[0] == f"{own}?a=1&amp;b=2#how"
