"""From a file's place to its id and its route."""

from __future__ import annotations

import pytest

from octavo.config import Routing
from octavo.content import FrontMatter
from octavo.site import document_id, document_route, other_slash_form
from octavo.site.routes import is_folder_index, split_number_prefix, with_slash
from tests.support.each import each

ROUTES = [
    # file, front matter, id, route
    ("quickstart.mdx", {}, "quickstart", "/quickstart"),
    ("guides/install.md", {}, "guides/install", "/guides/install"),
    ("index.md", {}, "index", "/"),
    ("guides/index.mdx", {}, "guides/index", "/guides/"),
    ("guides/README.md", {}, "guides/README", "/guides/"),
    ("guides/readme.mdx", {}, "guides/readme", "/guides/"),
    ("guides/guides.md", {}, "guides/guides", "/guides/"),
    ("a/b/c/index.md", {}, "a/b/c/index", "/a/b/c/"),
    ("a/b/b.md", {}, "a/b/b", "/a/b/"),
    ("01-intro.md", {}, "intro", "/intro"),
    ("02-guides/03_install.md", {}, "guides/install", "/guides/install"),
    ("2. Guides/1. Install.md", {}, "Guides/Install", "/Guides/Install"),
    ("10-guides/01-index.md", {}, "guides/index", "/guides/"),
    ("10-guides/guides.md", {}, "guides/guides", "/guides/"),
    ("blog/2024-05-01-news.md", {}, "blog/2024-05-01-news", "/blog/2024-05-01-news"),
    ("1.2.3/notes.md", {}, "1.2.3/notes", "/1.2.3/notes"),
    ("guides/install.md", {"id": "setup"}, "guides/setup", "/guides/setup"),
    ("01-guides/01-install.md", {"id": "setup"}, "guides/setup", "/guides/setup"),
    ("guides/index.md", {"id": "overview"}, "guides/overview", "/guides/"),
    ("guides/install.md", {"slug": "/start"}, "guides/install", "/start"),
    ("guides/install.md", {"slug": "/start/"}, "guides/install", "/start/"),
    ("guides/install.md", {"slug": "start"}, "guides/install", "/guides/start"),
    ("guides/install.md", {"slug": "./start"}, "guides/install", "/guides/start"),
    ("guides/install.md", {"slug": "../start"}, "guides/install", "/start"),
    ("guides/install.md", {"slug": "../../../start"}, "guides/install", "/start"),
    ("02-guides/install.md", {"slug": "start"}, "guides/install", "/guides/start"),
    ("install.md", {"slug": "start"}, "install", "/start"),
    ("guides/index.md", {"slug": "/"}, "guides/index", "/"),
    ("guides/index.md", {"slug": ""}, "guides/index", "/guides/"),
    ("install.md", {"slug": "//evil.example"}, "install", "/evil.example"),
    ("guides/Größe.md", {}, "guides/Größe", "/guides/Größe"),
    ("c#.md", {}, "c#", "/c#"),
]


@each(("file", "front", "doc_id", "route"), ROUTES)
def test_place_of_a_file_tells_id_and_route(file: str, front: dict[str, str], doc_id: str, route: str) -> None:
    settings = FrontMatter(**front)  # type: ignore[arg-type]
    assert document_id(file, settings) == doc_id
    assert document_route(file, settings, "") == route


@pytest.mark.parametrize(
    ("file", "slug", "route"),
    [
        ("index.md", None, "/fr/v1/"),
        ("a.md", None, "/fr/v1/a"),
        ("a/index.md", None, "/fr/v1/a/"),
        ("a.md", "/b", "/fr/v1/b"),
        ("a.md", "/", "/fr/v1/"),
    ],
)
def test_routes_of_an_edition_begin_with_its_prefix(file: str, slug: str | None, route: str) -> None:
    assert document_route(file, FrontMatter(slug=slug), "/fr/v1") == route


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("01-intro", (1.0, "intro")),
        ("2_intro", (2.0, "intro")),
        ("3.intro", (3.0, "intro")),
        ("003 - intro", (3.0, "intro")),
        ("intro", (None, "intro")),
        ("2024-05-01", (None, "2024-05-01")),
        ("1.2.3", (None, "1.2.3")),
        ("7", (None, "7")),
        ("7-", (None, "7-")),
        ("3d-models", (None, "3d-models")),
    ],
)
def test_number_prefix_orders_and_is_no_part_of_the_name(name: str, parts: tuple[float | None, str]) -> None:
    assert split_number_prefix(name) == parts


@pytest.mark.parametrize(
    ("file", "is_index"),
    [
        ("index.md", True),
        ("a/index.mdx", True),
        ("a/Readme.md", True),
        ("a/a.md", True),
        ("2-a/1-a.md", True),
        ("a/b.md", False),
        ("a.md", False),
        ("a/indexes.md", False),
    ],
)
def test_index_of_a_folder_is_told_by_its_name(file: str, is_index: bool) -> None:
    assert is_folder_index(file) is is_index


def test_other_slash_form_is_its_own_inverse() -> None:
    assert other_slash_form("/a/") == "/a"
    assert other_slash_form("/a") == "/a/"


@pytest.mark.parametrize(
    ("file", "routing", "route"),
    [
        ("guides/install.md", Routing(ending=".html"), "/guides/install.html"),
        ("guides/index.md", Routing(ending=".html"), "/guides/"),
        ("guides/install.md", Routing(ending="/"), "/guides/install/"),
        ("01-guides/02-install.md", Routing(number_prefixes=True), "/01-guides/02-install"),
        ("guides/guides.md", Routing(folder_name_is_index=False), "/guides/guides"),
        ("guides/_index.md", Routing(index_names=["_index"]), "/guides/"),
        ("guides/readme.md", Routing(index_names=["_index"]), "/guides/readme"),
    ],
)
def test_settings_say_how_routes_are_made(file: str, routing: Routing, route: str) -> None:
    assert document_route(file, FrontMatter(), "", routing) == route


def test_number_prefixes_that_are_kept_are_part_of_ids() -> None:
    assert (
        document_id("01-guides/02-install.md", FrontMatter(), Routing(number_prefixes=True)) == "01-guides/02-install"
    )


def test_routes_of_pages_have_the_final_slash_that_the_site_wants() -> None:
    routes = ["/", "/fr/", "/a", "/a/", "/a.html"]
    assert [with_slash(one, "/fr/", "ignore") for one in routes] == routes
    assert [with_slash(one, "/fr/", "always") for one in routes] == ["/", "/fr/", "/a/", "/a/", "/a.html"]
    assert [with_slash(one, "/fr/", "never") for one in routes] == ["/", "/fr/", "/a", "/a", "/a.html"]
