"""What becomes of descriptions of APIs that a navigation names, and of blogs of Docusaurus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from octavo.importing.apis.descriptions import is_operation, sources_of
from octavo.importing.blogs.docusaurus import plan_blog, read_authors
from octavo.importing.model import Plan
from tests.support.each import each

from .planned import noted, pages, plan_of, sidebars


def described(*operations: str, title: str = "Kilns") -> str:
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        method, path = one.split()
        answer = {"responses": {"200": {"description": "Done."}}, "tags": ["kilns"]}
        named = [name.partition("}")[0] for name in path.split("{")[1:]]
        answer["parameters"] = [
            {"name": one, "in": "path", "required": True, "schema": {"type": "string"}} for one in named
        ]
        paths.setdefault(path, {})[method.lower()] = answer
    return json.dumps({"openapi": "3.1.0", "info": {"title": title, "version": "1"}, "paths": paths})


def mintlify(folder: Path, navigation: Any, files: dict[str, Any], **settings: Any) -> Plan:
    return plan_of(folder, {"docs.json": {"name": "Kilns", "navigation": navigation, **settings}, **files}, "mintlify")


@each(
    "raw, found",
    [
        ("api.json", [("api.json", "")]),
        (["a.json", {"source": "b.json", "directory": "/api/b/"}], [("a.json", ""), ("b.json", "api/b")]),
        ({"source": "a.json"}, [("a.json", "")]),
        ([{"directory": "x"}, ""], []),
        (None, []),
    ],
)
def test_descriptions_are_named_in_several_ways(raw: Any, found: list[tuple[str, str]]) -> None:
    assert sources_of(raw) == found


@each(
    "name, expected",
    [("GET /a", True), ("api.json post /a/{b}", True), ("WEBHOOK fired", True), ("GET", False), ("guide/get", False), ("GETS /a", False)],
)  # fmt: skip
def test_operations_are_told_from_pages(name: str, expected: bool) -> None:
    assert is_operation(name) is expected


def test_operations_of_the_navigation_lead_to_their_pages(tmp_path: Path) -> None:
    groups = [
        {"group": "API", "openapi": "api.json", "pages": ["a", "GET /kilns", "POST /kilns/{name}/", "GET /gone"]},
        {"group": "Whole", "openapi": {"source": "other.json", "directory": "other"}, "pages": []},
    ]
    files = {
        **pages("a.mdx"),
        "api.json": described("GET /kilns", "POST /kilns/{id}"),
        "other.json": described("GET /x", title="Other"),
    }
    plan = mintlify(tmp_path, groups, files)
    tables = {one["id"]: one for one in plan.settings["openapi"]}
    assert {name: (one["spec"], one["layout"]) for name, one in tables.items()} == {
        "api": ("api.json", "operations"),
        "other": ("other.json", "operations"),
    }
    assert tables["other"]["doc"] == "other"
    api = tables["api"]["doc"]
    [named, whole] = sidebars(plan)["docs"]
    assert named[0:2] == ("API", "A=a")
    assert len(named) == 4
    assert all(one.rpartition("=")[2].startswith(f"{api}/") for one in named[2:])
    # A group that is one entry is that entry.
    assert whole == "Whole=other"
    assert any("GET /gone" in str(note) for note in plan.notes)


def test_description_follows_the_pages_of_its_group(tmp_path: Path) -> None:
    groups = [
        {"group": "Part", "openapi": "b.json", "pages": ["a"]},
        {
            "group": "Root",
            "root": "a",
            "expanded": False,
            "pages": ["b", {"group": "Web", "href": "https://x.example"}],
        },
        {"group": "Empty", "pages": []},
    ]
    plan = mintlify(tmp_path, groups, {**pages("a.mdx", "b.mdx"), "b.json": described("GET /x", title="B")})
    assert sidebars(plan)["docs"] == [("Part", "A=a", "api-reference"), ("Root>a", "B=b", "https://x.example")]
    assert [one["is_collapsed"] for one in plan.settings["sidebars"][0]["items"]] == [False, True]


def test_settings_of_mintlify_may_lie_in_several_files(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        **pages("a.mdx", "b.mdx", "c.mdx"),
        "parts/nav.json": {
            "groups": [{"$ref": "./one.json", "group": "Own"}, {"$ref": "/parts/two.json"}, {"$ref": "gone.json"}]
        },
        "parts/one.json": {"group": "Replaced", "pages": ["a"]},
        "parts/two.json": {"group": "Two", "pages": [{"$ref": "inner.json"}, "c"]},
        "parts/inner.json": {"group": "In", "pages": ["b"]},
        "parts/circle.json": {"$ref": "circle.json"},
    }
    settings = {"colors": {"$ref": "../outside.json"}, "footer": {"$ref": "parts/circle.json"}, "api": {"$ref": "#/x"}}
    plan = mintlify(tmp_path, {"$ref": "parts/nav.json"}, files, **settings)
    assert sidebars(plan)["docs"] == [("Own", "A=a"), ("Two", ("In", "B=b"), "C=c")]
    unread = noted(plan, "Files of the settings ($ref) that cannot be read")
    assert {file.partition(": ")[0]: file.partition(": ")[2] for file in unread} | {"parts/gone.json": ""} == {
        "../outside.json": "it lies outside of the site",
        "parts/circle.json": "the files name each other in a circle, or there are too many",
        "parts/gone.json": "",
    }


def test_page_that_only_shows_an_operation_makes_room_for_it(tmp_path: Path) -> None:
    files = {
        "api.json": described("GET /kilns", "GET /fire"),
        "empty.mdx": "---\ntitle: List\nopenapi: GET /kilns\n---\n",
        "texts.mdx": "---\ntitle: Fire\nopenapi: api.json GET /fire\n---\n\nFire a kiln.\n",
        "lost.mdx": "---\ntitle: Lost\nopenapi: GET /lost\n---\n",
    }
    plan = mintlify(
        tmp_path, [{"group": "API", "pages": ["empty", "texts", "lost"]}], files, api={"openapi": "api.json"}
    )
    [(group, empty, texts, lost)] = sidebars(plan)["docs"]
    assert group == "API"
    assert empty.startswith("List=")
    assert (texts[0], len(texts)) == ("Fire>texts", 2)
    assert texts[1].startswith("GET /fire=")
    assert lost == "Lost=lost"
    assert noted(plan, "Pages of operations without the operation") == ["lost.mdx"]
    moved = {one["from"]: one["to"] for one in plan.settings["redirects"]}
    assert moved["/empty"] == f"/{empty.partition('=')[2]}"


def test_descriptions_that_cannot_be_drawn_are_named(tmp_path: Path) -> None:
    groups = [
        {"group": "Far", "openapi": "https://example.org/openapi.json", "pages": ["a"]},
        {"group": "Gone", "openapi": "gone.json", "pages": ["a"]},
        {"group": "Bad", "openapi": "bad.json", "pages": []},
    ]
    plan = mintlify(tmp_path, groups, {**pages("a.mdx"), "bad.json": "[]"})
    assert "openapi" not in plan.settings
    assert noted(plan, "API descriptions at an address") in ([], ["https://example.org/openapi.json"])
    assert [file.partition(":")[0] for file in noted(plan, "API descriptions that cannot be drawn")] == ["bad.json"]
    assert "/bad.json" in str(sidebars(plan))


BLOG = {
    "blog/2026-01-02-first-kite.md": "---\ntags: [GitHub Actions, {label: Wind, permalink: /w}]\nauthors: [ann]\n---\n# First\n",
    "blog/2025/03/04/second/index.mdx": "# Second\n",
    "blog/deep/2024-05-06-third.md": "---\ndate: 2026-02-03\n---\n# Third\n",
    "blog/fourth.md": "---\nslug: /own/way\ndate: 2023-01-01\ntags: [hidden]\ndraft: true\n---\n# Fourth\n",
    "blog/authors.yml": "ann:\n  name: Ann\n  title: Maintainer\n  url: https://example.org/ann\nbob:\n  name: Bob\n  url: /bob\nnobody:\n  title: x\n",
}


def planned_blog(folder: Path, files: dict[str, str], **options: Any) -> Plan:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    plan = Plan("docusaurus", folder, {"title": "Kites", "docs": "docs", "mounts": {}, "sidebars": [], "routing": {}})
    plan_blog(plan, folder, options)
    return plan


def test_posts_of_docusaurus_keep_their_addresses(tmp_path: Path) -> None:
    settings = planned_blog(tmp_path, BLOG, postsPerPage=1, blogTitle="News", blogDescription="What is new").settings
    assert settings["mounts"] == {"blog": "/blog"}
    assert settings["routing"]["exact"] == {
        "blog/2026-01-02-first-kite.md": "/blog/2026/01/02/first-kite",
        "blog/2025/03/04/second/index.mdx": "/blog/2025/03/04/second",
        "blog/deep/2024-05-06-third.md": "/blog/2024/05/06/deep/third",
        "blog/fourth.md": "/blog/own/way",
    }
    [blog] = settings["blogs"]
    assert {key: blog[key] for key in ("folder", "title", "description", "posts_per_page")} == {
        "folder": "blog",
        "title": "News",
        "description": "What is new",
        "posts_per_page": 1,
    }
    assert blog["authors"] == {
        "ann": {"name": "Ann", "url": "https://example.org/ann", "title": "Maintainer"},
        "bob": {"name": "Bob"},
    }
    [sidebar] = settings["sidebars"]
    link, category = sidebar["items"]
    assert link == {"href": "/blog", "label": "News"}
    # The newest first, by the date of the front matter or that of the name.
    assert category["items"][0]["doc"].endswith("third")
    assert len(category["items"]) == 4
    moved = {one["from"]: one["to"] for one in settings["redirects"]}
    assert moved["/blog/archive"] == "/blog"
    assert moved["/blog/tags/git-hub-actions"] == "/blog/tags/github-actions"
    assert moved["/blog/tags/w"] == "/blog/tags/wind"
    assert not any("hidden" in one for one in moved)


def test_blog_may_lie_elsewhere_or_be_none(tmp_path: Path) -> None:
    posts = {"news/a.md": "# A\n"}
    plan = planned_blog(tmp_path / "root", posts, path="news", routeBasePath="/", postsPerPage="ALL")
    assert plan.settings["mounts"] == {"news": "/"}
    assert plan.settings["routing"]["exact"] == {"news/a.md": "/a"}
    assert plan.settings["blogs"][0]["posts_per_page"] == 1000
    for name, files in (("none", {"x.md": ""}), ("empty", {"blog/authors.yml": "a: {name: A}\n"})):
        plan = planned_blog(tmp_path / name, files)
        assert (plan.settings["mounts"], plan.settings.get("blogs"), plan.notes) == ({}, None, [])


def test_file_of_authors_that_cannot_be_read_is_noted(tmp_path: Path) -> None:
    (tmp_path / "authors.yml").write_text("a: [")
    plan = Plan("docusaurus", tmp_path, {})
    assert read_authors(plan, tmp_path / "authors.yml") == {}
    assert plan.notes
    assert read_authors(Plan("docusaurus", tmp_path, {}), tmp_path / "gone.yml") == {}
