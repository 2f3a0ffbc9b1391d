"""What becomes of sites of Eleventy, Fumadocs and Nextra, as far as no program of theirs is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.importing.engines.nextra.metas import MetaSidebars
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from tests.support.each import each

from .planned import noted, pages, plan_of, short, sidebars

ELEVENTY = """export default function (config) {
  config.addPassthroughCopy({ "./files": "/" });
  config.setLibrary("md", markdownIt().use(require("markdown-it-deflist")).use(markdownItAttrs));
  config.addFilter("shout", up);
  config.addAsyncShortcode("box", draw);
  return { dir: { input: "src", data: "_info", includes: "_parts" }, markdownTemplateEngine: "njk" };
}
"""


def eleventy(folder: Path, files: dict[str, Any], settings: str = ELEVENTY) -> Plan:
    return plan_of(folder, {"eleventy.config.js": settings, **files}, "eleventy")


class TestEleventy:
    def test_settings_are_read_off_the_program(self, tmp_path: Path) -> None:
        files = {
            "src/_info/site.json": {"name": "Kilns", "description": "All of them", "url": "https://example.org/k/"},
            "files/robots.txt": "",
            ".eleventyignore": "# no\nsrc/drafts\n!src/kept\n\n../out\n",
            "src/page.njk": "x",
            "src/_parts/base.njk": "x",
            **pages("src/index.md", "src/a.md"),
        }
        plan = eleventy(tmp_path, files)
        settings = plan.settings
        chosen = {key: settings[key] for key in ("title", "tagline", "url", "base_url", "docs", "static")}
        assert chosen == {
            "title": "Kilns",
            "tagline": "All of them",
            "url": "https://example.org",
            "base_url": "/k/",
            "docs": "src",
            "static": "files",
        }
        assert settings["markdown"]["extensions"] == ["attr_list", "def_list", "eleventy"]
        assert settings["markdown"]["variables"] == {
            "eleventy.includes": "src/_parts",
            "eleventy.data": "src/_info",
            "eleventy.engine": "njk",
        }
        assert {"src/drafts", "src/drafts/**", "src/_*/**"} <= set(settings["exclude"])
        assert not {"src/README.md", "src/kept", "../out", "# no"} & set(settings["exclude"])
        assert noted(plan, "Pages that are templates") == ["src/page.njk"]
        assert "Filters and shortcodes (box, shout)" in [note.what for note in plan.notes]

    def test_site_at_the_root_has_files_that_are_no_pages(self, tmp_path: Path) -> None:
        files = {"_data/metadata.yaml": "title: Kilns\nhost: kilns.example", **pages("README.md", "a.md", "test/b.md")}
        settings = eleventy(tmp_path, files, "module.exports = () => ({ markdownTemplateEngine: false });").settings
        assert (settings["docs"], settings["static"], settings["title"]) == (".", ".", "Kilns")
        assert "url" not in settings
        assert {"README.md", "test/**"} <= set(settings["exclude"])
        assert "variables" not in settings["markdown"]
        assert "eleventy" not in settings["markdown"].get("extensions", [])

    @each(
        "front, route",
        [
            ("", "/guides/first/"),
            ("permalink: own/way/", "/own/way/"),
            ("permalink: /own/index.html", "/own/"),
            ("permalink: page.html", "/page.html"),
            ("permalink: '/{{ page.fileSlug }}/x'", "/first/x/"),
            ("permalink: '{{ page.filePathStem }}.html'", "/guides/first.html"),
            ("title: A Kiln!\npermalink: '/k/{{ title | slugify }}/'", "/k/a-kiln/"),
            ("permalink: '/{{ gone }}/'", "/guides/first/"),
        ],
    )
    def test_permalinks_are_routes(self, tmp_path: Path, front: str, route: str) -> None:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        files = {"src/guides/2026-01-02-first.md": f"---\n{front}\n---\n# First\n", **pages("src/index.md")}
        plan = eleventy(folder, files)
        path = "src/guides/2026-01-02-first.md"
        assert (
            plan.settings["routing"]
            .get("exact", {})
            .get(path, Tree(folder, plan.settings, "src").route("guides/2026-01-02-first.md"))
            == route
        )
        assert (noted(plan, "Permalinks with templates") == [path]) == ("gone" in front)

    def test_data_of_folders_hold_for_the_pages_below(self, tmp_path: Path) -> None:
        files = {
            "src/src.json": {"permalink": "/all/{{ page.fileSlug }}/"},
            "src/deep/deep.11tydata.json": {"permalink": False},
            "src/deep/own.md": "---\npermalink: /kept/\n---\n# Own\n",
            **pages("src/a.md", "src/deep/b.md"),
        }
        plan = eleventy(tmp_path, files)
        assert plan.settings["routing"]["exact"] == {"src/a.md": "/all/a/", "src/deep/own.md": "/kept/"}
        assert "src/deep/b.md" in plan.settings["exclude"]

    def test_keys_of_the_navigation_are_the_sidebar(self, tmp_path: Path) -> None:
        def named(key: str, **more: Any) -> str:
            lines = "".join(f"  {name}: {value}\n" for name, value in {"key": key, **more}.items())
            return f"---\neleventyNavigation:\n{lines}---\n# {key} page\n"

        files = {
            "src/index.md": named("Home", order=1),
            "src/guides.md": named("Guides", order=2),
            "src/b.md": named("B", parent="Guides", order=2, title="Second"),
            "src/a.md": named("A", parent="Guides", order=1),
            "src/lost.md": named("Lost", parent="Gone"),
            "src/other.md": "# Other\n",
        }
        assert sidebars(eleventy(tmp_path, files))["docs"] == [
            "Home=index",
            ("Guides>guides", "A=a", "Second=b"),
            "Lost=lost",
        ]
        few = {"src/index.md": "# Home\n", "src/b.md": "---\norder: 1\n---\n# B\n", "src/a.md": "# A\n"}
        ordered = sidebars(eleventy(tmp_path / "few", few))["docs"]
        assert [str(one).rpartition("=")[2] for one in ordered].index("b") < [
            str(one).rpartition("=")[2] for one in ordered
        ].index("a")


def arranged(
    folder: Path, files: dict[str, str], given: dict[str, Any], sections: tuple[str, ...] = ()
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Write pages and give their sidebars and the entries of the top bar."""
    for name, text in files.items():
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text)
    plan = Plan("nextra", folder, {"title": "K", "docs": "docs", "routing": {"index_names": ["index"]}})
    return MetaSidebars(plan, Tree(folder, plan.settings, "docs"), "").write(given, list(sections))


def metas(*given: Any) -> tuple[dict[str, list[Any]], list[dict[str, Any]]]:
    """Give the sidebars shortly, and the entries of the top bar; see `arranged`."""
    found, bar = arranged(*given)
    return {one["id"]: short(one["items"]) for one in found}, bar


NAMED = pages("index.mdx", "b.mdx", "a2.mdx", "a10.mdx", "guides/index.mdx", "guides/x.mdx", "guides/y.mdx", "guides/y.fr.mdx", "more/z.mdx")  # fmt: skip


class TestMetas:
    def test_names_give_order_and_labels_and_others_follow(self, tmp_path: Path) -> None:
        given = {
            ".": {
                "index": "Start",
                "-- 1": {"type": "separator", "title": "Part"},
                "guides": {"title": "Guides", "theme": {"collapsed": False}},
                "b": {"display": "hidden"},
                "web": {"title": "Web", "href": "https://example.org"},
                "bare": {"href": "nowhere"},
                "gone": "Gone",
                "-- 2": {"type": "separator"},
            },
            "guides": {"y": {"title": "Why"}},
        }
        found, bar = metas(tmp_path, NAMED, given)
        assert found == {
            "docs": [
                "Start=index",
                ("Part", ("Guides>guides/index", "Why=guides/y", "X=guides/x"), "https://example.org"),
                "A2=a2",
                "A10=a10",
                ("More", "Z=more/z"),
            ]
        }
        assert bar == []

    def test_pages_of_the_top_bar_are_sections(self, tmp_path: Path) -> None:
        given = {
            ".": {
                "guides": {"type": "page", "title": "Guides"},
                "more": {"type": "page"},
                "b": {"type": "page", "display": "hidden"},
                "web": {"type": "page", "title": "Web", "href": "https://example.org"},
                "list": {"type": "menu", "title": "List", "items": {"one": {"href": "/a2"}, "two": {"title": "Two"}}},
                "empty": {"type": "menu", "items": {}},
            }
        }
        found, bar = metas(tmp_path, NAMED, given)
        assert found["guides"] == ["Index=guides/index", "X=guides/x", "Y=guides/y"]
        assert found["more"] == ["Z=more/z"]
        assert found["docs"] == ["A2=a2", "A10=a10", "Index=index"]
        assert bar == [
            {"label": "Guides", "href": "/guides/"},
            {"label": "More", "href": "/more/z"},
            {"label": "Web", "href": "https://example.org"},
            {"label": "List", "items": [{"label": "One", "href": "/a2"}]},
        ]

    def test_folders_are_open_where_that_is_said(self, tmp_path: Path) -> None:
        def is_open(given: dict[str, Any]) -> list[bool]:
            [sidebar], _ = arranged(tmp_path, NAMED, given)
            return [one.get("is_collapsed") is False for one in sidebar["items"] if "items" in one]

        assert is_open({}) == [False, False]
        assert is_open({".": {"guides": {"theme": {"collapsed": False}}, "more": {"theme": {"collapsed": True}}}}) == [
            True,
            False,
        ]
        assert is_open({"more": {"defaultOpen": True, "pages": ["z"]}}) == [False, True]

    def test_lists_of_fumadocs_name_pages_links_and_the_rest(self, tmp_path: Path) -> None:
        given = {
            ".": {"pages": ["index", "---Part---", "...", "!b", "[Web](https://example.org)", "external:[Out](https://example.net)", "guides/x"]},
            "guides": {"title": "All guides", "defaultOpen": True, "pages": ["z...a"]},
            "more": {"pages": ["...../guides", "z"]},
        }  # fmt: skip
        found, _ = metas(tmp_path, NAMED, given)
        assert found["docs"][0] == "Index=index"
        label, *part = found["docs"][1]
        assert label == "Part"
        assert part[:2] == ["A2=a2", "A10=a10"]
        assert part[-3:] == ["https://example.org", "https://example.net", "X=guides/x"]
        assert not any(str(one).rpartition("=")[2] == "b" for one in part)

    def test_other_collections_are_sections_too(self, tmp_path: Path) -> None:
        found, _ = metas(tmp_path, NAMED, {"guides": {"pages": ["y", "x"]}}, ("guides", "nothing"))
        assert found["guides"] == ["Index=guides/index", "Y=guides/y", "X=guides/x"]
        assert found["docs"][-1] == ("More", "Z=more/z")


class TestFumadocs:
    def test_site_is_laid_out_by_its_files(self, tmp_path: Path) -> None:
        files = {
            "package.json": {"name": "@kilns/the-docs", "dependencies": {"next": "15", "fumadocs-ui": "1"}},
            "source.config.ts": 'export const docs = defineDocs({ dir: "content/docs" });',
            "src/lib/source.ts": 'export const source = loader({ baseUrl: "/learn", source });',
            "content/docs/meta.json": {"pages": ["index", "(group)", "b"]},
            "app/page.tsx": "export default 1",
            **pages(
                "content/docs/index.mdx", "content/docs/b.mdx", "content/docs/(group)/c.mdx", "content/docs/b.es.mdx"
            ),
        }
        plan = plan_of(tmp_path, files, "fumadocs")
        settings = plan.settings
        assert (settings["title"], settings["docs"], settings["static"]) == ("The docs", "content/docs", "public")
        assert settings["routing"]["docs"] == "learn"
        assert settings["routing"]["exact"] == {
            "content/docs/(group)/c.mdx": "/learn/c",
            "content/docs/b.es.mdx": "/es/learn/b",
        }
        assert sidebars(plan)["docs"] == ["Index=index", ("Group", "C=(group)/c"), "B=b"]
        assert settings["markdown"]["aliases"]["@"] == "src"
        assert {one["from"]: one["to"] for one in settings["redirects"]} == {"/": "/learn/"}
        assert noted(plan, "Pages written in React") == ["app/page.tsx"]
        assert any(note.what == "Languages as endings of files (es)" for note in plan.notes)
