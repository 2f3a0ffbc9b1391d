"""Which file of a site gets which name, and what two of them want."""

from __future__ import annotations

from octavo.pipeline import SiteFiles
from octavo.pipeline.arrangement import Arrangement, arrange
from octavo.rendering.theme import Theme
from tests.support.sites import MakeSite, page

THEME = Theme("", "", "", "c.js", [], {}, {}, "", {}, {}, "")
FILES = {"docs/a.md": page("A"), "docs/b/index.md": page("B")}


def arranged(make_site: MakeSite, static: dict[str, str], settings: str = "") -> Arrangement:
    folder = make_site(FILES, settings)
    return arrange(SiteFiles(folder.assemble(), folder.root, THEME, None), static)


def findings(found: Arrangement) -> list[tuple[str, str, str]]:
    return [(one.code, one.level, one.message) for one in found.problems]


def test_files_with_names_of_their_own_are_all_published(make_site: MakeSite) -> None:
    found = arranged(make_site, {"k.svg": "static/k.svg", "c.md": "static/c.md"})
    assert set(found.static) == {"k.svg", "c.md"}
    assert findings(found) == []


def test_page_takes_the_place_of_a_file_of_its_name(make_site: MakeSite) -> None:
    found = arranged(make_site, {"a.md": "static/a.md"})
    assert found.page_files["a.md"] == "/a"
    assert findings(found) == []  # it is said when the page has been drawn


def test_file_in_the_way_of_a_page_is_left_out(make_site: MakeSite) -> None:
    place = next(address for address in arranged(make_site, {}).page_files if address.startswith("b/"))
    found = arranged(make_site, {f"{place}/x": "static/x"})
    [(code, level, message)] = findings(found)
    assert (code, level) == ("address-clash", "error")
    assert f'"/{place}/x", which is in the way of the page "/b/"; it is left out.' in message
    assert found.static == {}


def test_file_whose_name_differs_by_case_only_is_warned_of(make_site: MakeSite) -> None:
    found = arranged(make_site, {"A.md": "static/A.md"})
    [(code, level, message)] = findings(found)
    assert (code, level) == ("similar-address", "warn")
    assert 'too like the name of the page "/a"' in message
    assert set(found.static) == {"A.md"}


def test_file_that_windows_refuses_is_warned_of(make_site: MakeSite) -> None:
    found = arranged(make_site, {"aux.txt": "static/aux.txt"})
    assert [(code, level) for code, level, _ in findings(found)] == [("unportable-address", "warn")]
    assert set(found.static) == {"aux.txt"}


def test_redirects_from_addresses_that_are_taken_are_reported_at_their_line(make_site: MakeSite) -> None:
    settings = '[[redirects]]\nfrom = "/a"\nto = "/b/"\n[[redirects]]\nfrom = "/old"\nto = "/a"\n'
    found = arranged(make_site, {}, settings)
    [problem] = found.problems
    assert (problem.code, str(problem.span)) == ("unused-redirect", "octavo.toml:3:9")
    assert any(address.startswith("old") for address in found.written)


def test_page_for_paper_in_the_way_of_a_page_is_an_error(make_site: MakeSite) -> None:
    files = {**FILES, "docs/print/docs.md": page("P", slug="/print/docs/index.html/x")}
    folder = make_site(files, 'print_pages = "sidebars"\n')
    found = arrange(SiteFiles(folder.assemble(), folder.root, THEME, None), {})
    assert [(code, level) for code, level, _ in findings(found)] == [("address-clash", "error")]
    assert '"/print/docs/"' in found.problems[0].message


def test_redirects_lead_to_the_form_of_an_address_that_its_page_has(make_site: MakeSite) -> None:
    moved = {"/old": "/b?x=1#y", "/other": "/a", "/web": "https://example.org/b"}
    redirects = "".join(f'[[redirects]]\nfrom = "{source}"\nto = "{target}"\n' for source, target in moved.items())
    settings = '[[locales]]\nid = "en"\nlabel = "English"\n[[locales]]\nid = "fr"\nlabel = "F"\npath = "fr"\n'
    folder = make_site(FILES, 'trailing_slash = "always"\n' + redirects + settings)
    site_files = SiteFiles(folder.assemble(), folder.root, THEME, None)
    found = site_files.manifest("b1", {}, redirect_pages=[], content_policy="", search="")
    assert found.redirects == {"/old": "/b/?x=1#y", "/other": "/a/", "/web": "https://example.org/b"}
    assert found.routes["/b/"] == site_files.html_file("/b/")
    assert (found.build, found.base_url, found.counts_answers) == ("b1", "/", False)
    assert found.not_found == site_files.html_file("/404.html")
    assert list(found.not_found_by_locale) == ["fr"]


def test_addresses_that_the_server_answers_itself_are_warned_of(make_site: MakeSite) -> None:
    """A page `/healthz` was published, and `octavo serve` showed its own answer in its place."""
    settings = '[[redirects]]\nfrom = "/1/indexes/old"\nto = "/b/"\n'
    folder = make_site({**FILES, "docs/healthz.md": page("Health"), "docs/1/indexes.md": page("Indexes")}, settings)
    site = folder.assemble()
    found = arrange(SiteFiles(site, folder.root, THEME, None), {"1/indexes/a.json": "static/1/indexes/a.json"})
    assert {(one.span.path, one.span.line, one.level) for one in [*site.diagnostics, *found.problems]} == {
        ("docs/healthz.md", 1, "warn"),
        ("docs/1/indexes.md", 1, "warn"),
        ("static/1/indexes/a.json", 1, "warn"),
        ("octavo.toml", 3, "warn"),
    }
    assert set(found.static) == {"1/indexes/a.json"}


def test_below_a_base_url_only_search_is_answered_by_the_server(make_site: MakeSite) -> None:
    files = {**FILES, "docs/healthz.md": page("Health"), "docs/1/indexes.md": page("Indexes"), "docs/1/a.md": page("A")}
    site = make_site(files, 'base_url = "/docs/"\n').assemble()
    assert [one.span.path for one in site.diagnostics] == ["docs/1/indexes.md"]


def test_page_in_the_way_of_a_file_for_programs_is_named(make_site: MakeSite) -> None:
    files = {**FILES, "docs/blog/index.md": page("Blog"), "docs/blog/2024-01-02-a.md": page("Post")}
    folder = make_site(
        {**files, "docs/c.md": page("C", slug="/blog/feed.xml/x")},
        'url = "https://example.org"\n[[blogs]]\nfolder = "blog"\n',
    )
    site_files = SiteFiles(folder.assemble(), folder.root, THEME, None)
    assert "blog/feed.xml" in site_files.discovery()
    found = arrange(site_files, {})
    assert [(one.code, one.level, one.span.path) for one in found.problems] == [("address-clash", "error", "docs/c.md")]
    assert '"/blog/feed.xml", which Octavo writes for other programs, is left out' in found.problems[0].message
