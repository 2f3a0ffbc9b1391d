"""All pages of a site: who is in, under which id and route, and with what title."""

from __future__ import annotations

import pytest

from octavo.site import LastCommit
from tests.support.sites import MakeSite, edition_of, outline, page, page_at


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (page("From the front matter", "# From the heading"), "From the front matter"),
        ("# From the *heading*\n\nText.", "From the heading"),
        ("Text.\n\n## Second level", "install"),
    ],
)
def test_title_is_that_of_front_matter_or_heading_or_file(make_site: MakeSite, text: str, title: str) -> None:
    site = make_site({"docs/guides/02-install.md": text}).assemble()
    assert page_at(site, "/guides/install").title == title


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (page("T", "First line.", description="Written."), "Written."),
        (page("T", "First *line*.\n\nSecond."), "First line."),
        (page("T", "First line.", description=""), ""),
    ],
)
def test_description_is_that_of_front_matter_or_first_line(make_site: MakeSite, text: str, description: str) -> None:
    assert page_at(make_site({"docs/a.md": text}).assemble(), "/a").description == description


def test_drafts_are_left_out_and_named(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), "docs/guides/b.md": page("B", draft=True)})
    assembled = site.assemble()
    assert list(assembled.by_route) == ["/a"]
    assert edition_of(assembled).drafts == ("guides/b",)
    assert outline(edition_of(assembled).sidebars["docs"]) == ["A /a"]


def test_drafts_are_there_in_development(make_site: MakeSite) -> None:
    site = make_site({"docs/b.md": page("B", draft=True)}).assemble(includes_drafts=True)
    assert (list(site.by_route), edition_of(site).drafts) == (["/b"], ())


def test_unlisted_page_is_built_and_says_so(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), "docs/b.md": page("B", unlisted=True)}).assemble()
    assert {route: page.is_unlisted for route, page in site.by_route.items()} == {"/a": False, "/b": True}


@pytest.mark.parametrize("second", ["/start", "/start/"])
def test_two_pages_at_one_address_are_reported_and_the_first_keeps_it(make_site: MakeSite, second: str) -> None:
    site = make_site({"docs/a.md": page("A", slug="/start"), "docs/b.md": page("B", slug=second)})
    assert site.findings() == [
        (
            f'docs/b.md:3:1: warn: The route "{second}" is already that of docs/a.md, which keeps it. '
            "Give one of the two another slug. [duplicate-route]"
        )
    ]
    assert {route: page.title for route, page in site.assemble().by_route.items()} == {"/start": "A"}


@pytest.mark.parametrize(
    ("slug", "route"), [("//a//b", "/a/b"), ("/a/../b", "/b"), ("a/./b", "/a/b"), ("./a", ""), ("/a/b/", "")]
)
def test_slug_that_names_another_address_is_reported(make_site: MakeSite, slug: str, route: str) -> None:
    site = make_site({"docs/a.md": page("A", slug=slug)})
    assert site.findings() == (
        [
            (
                f'docs/a.md:3:1: warn: The slug "{slug}" has parts that are empty or dots: the page gets the address '
                f'"{route}". Write the address itself: slug: {route} [malformed-address]'
            )
        ]
        if route
        else []
    )


@pytest.mark.parametrize("level", ["error", "warn", "ignore"])
def test_level_of_duplicate_routes_is_configurable(make_site: MakeSite, level: str) -> None:
    config = f'[diagnostics]\nduplicate_routes = "{level}"'
    site = make_site({"docs/a.md": page("A", slug="/x"), "docs/b.md": page("B", slug="/x")}, config)
    assert [finding.split(": ")[1] for finding in site.findings()] == ([] if level == "ignore" else [level])


def test_document_and_page_of_one_name_do_not_hide_each_other(make_site: MakeSite) -> None:
    site = make_site({"docs/index.md": page("Docs", slug="/docs/"), "pages/index.mdx": page("Home")})
    assert {route: page.title for route, page in site.assemble().by_route.items()} == {"/docs/": "Docs", "/": "Home"}
    assert site.findings() == []


def test_document_and_page_at_one_address_are_reported(make_site: MakeSite) -> None:
    site = make_site({"docs/index.md": page("Docs"), "pages/index.mdx": page("Home")})
    assert site.findings() == [
        (
            'pages/index.mdx:1:1: warn: The route "/" is already that of docs/index.md, which keeps it. '
            "Give one of the two another slug. [duplicate-route]"
        )
    ]


def test_two_documents_of_one_id_are_an_error(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A", id="same"), "docs/b.md": page("B", id="same", slug="/b")})
    assert site.findings() == [
        (
            'docs/b.md:3:1: error: The id "same" is already that of docs/a.md. '
            "Give one of the two another id in its front matter. [duplicate-id]"
        )
    ]


def test_number_prefixes_may_not_make_two_documents_one(make_site: MakeSite) -> None:
    site = make_site({"docs/01-a.md": page("A"), "docs/02-a.md": page("A")})
    assert site.findings() == [
        (
            'docs/02-a.md:1:1: error: The id "a" is already that of docs/01-a.md. '
            "Give one of the two another id in its front matter. [duplicate-id]"
        )
    ]


def test_last_change_is_that_of_front_matter_or_history(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/a.md": page("A"),
            "docs/b.md": page("B", last_update={"date": "2026-01-31", "author": "Ada"}),
            "docs/c.md": page("C", last_update={"date": "2026-01-31"}),
            "docs/d.md": page("D"),
        }
    )
    change = LastCommit(date="2025-12-24", author="Grace")
    assembled = site.assemble(history={"docs/a.md": change, "docs/b.md": change, "docs/c.md": change})
    assert {page.route: (page.last_updated, page.last_author) for page in assembled.pages} == {
        "/a": ("2025-12-24", "Grace"),
        "/b": ("2026-01-31", "Ada"),
        "/c": ("2026-01-31", "Grace"),
        "/d": (None, None),
    }


def test_site_without_any_document_is_a_site(make_site: MakeSite) -> None:
    site = make_site({}).assemble()
    assert (list(site.pages), edition_of(site).sidebars) == ([], {"docs": ()})


def test_site_keeps_the_addresses_of_another_engine(make_site: MakeSite) -> None:
    config = """
[mounts]
community = "/people"

[routing]
docs = "manual"
ending = "/"
number_prefixes = true
exact = { "docs/old.md" = "/somewhere/else.html" }

[[sidebars]]
id = "docs"
items = [{ autogenerated = "guides" }, { doc = "community/join" }]
"""
    files = {"docs/guides/01-a.md": page("A", "[j](../../community/join.md)"), "docs/old.md": page("Old")}
    files |= {"community/join.md": page("Join", "[a](../docs/guides/01-a.md)"), "pages/index.md": page("Home")}
    site = make_site(files, config).assemble()
    assert sorted(site.by_route) == ["/", "/manual/guides/01-a/", "/people/join/", "/somewhere/else.html"]
    assert outline(edition_of(site).sidebars["docs"]) == ["A /manual/guides/01-a/", "Join /people/join/"]


@pytest.mark.parametrize(
    ("route", "listed", "outlined"),
    [
        ("/people", "", ["Community -", "Guides -"]),
        (
            "/people",
            '[[sidebars]]\nid = "own"\nitems = [{ category = "C", items = [{ doc = "community/join" }] }]\n',
            ["Guides -"],
        ),
        ("/people", '[[sidebars]]\nid = "own"\nitems = [{ autogenerated = "community" }]\n', ["Guides -"]),
        ("/", "", ["Guides -"]),
    ],
)
def test_list_of_all_documents_leaves_out_mounted_ones_that_belong_elsewhere(
    make_site: MakeSite, route: str, listed: str, outlined: list[str]
) -> None:
    config = f'[mounts]\ncommunity = "{route}"\n[routing]\ndocs = ""\n[[sidebars]]\nid = "docs"\nitems = [{{ autogenerated = "." }}]\n{listed}'
    files = {"docs/guides/a.md": page("A"), "community/join.md": page("Join")}
    site = make_site(files, config).assemble()
    assert [label for label, _ in outline(edition_of(site).sidebars["docs"])] == outlined


def test_page_beside_the_same_name_with_html_is_left_out_and_reported(make_site: MakeSite) -> None:
    """Readers' browsers could not tell the content of the two apart."""
    site = make_site({"docs/a.md": page("A"), "docs/b.md": "---\nslug: /a.html\n---\n\n# B\n"}).assemble()
    assert "/a.html" not in site.by_route
    assert "address-clash" in {one.code for one in site.diagnostics}
