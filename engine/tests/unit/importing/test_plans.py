"""What becomes of the settings and the navigation of sites of other engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.each import each

from .planned import noted, pages, plan_of, short, sidebars


class TestMintlify:
    def test_groups_become_categories_and_pages_keep_their_order(self, tmp_path: Path) -> None:
        navigation = [
            {
                "group": "Start",
                "pages": ["index", "guide/quick", {"group": "More", "pages": ["guide/more"], "expanded": False}],
            },
            {"group": "Elsewhere", "pages": ["https://example.org", "gone"]},
        ]
        plan = plan_of(
            tmp_path,
            {
                "docs.json": {"name": "Kilns", "description": "All of them", "navigation": navigation, "favicon": {"light": "/k.svg"}},
                "guide/more.mdx": "---\nsidebarTitle: Even more\ntitle: More\n---\n",
                "k.svg": "<svg/>",
                **pages("index.mdx", "guide/quick.mdx"),
            },
        )  # fmt: skip
        assert sidebars(plan) == {
            "docs": [
                ("Start", "Index=index", "Quick=guide/quick", ("More", "Even more=guide/more")),
                ("Elsewhere", "https://example.org"),
            ]
        }
        items = plan.settings["sidebars"][0]["items"]
        assert (items[0]["is_collapsed"], items[0]["items"][2]["is_collapsed"]) == (False, True)
        assert noted(plan, "The navigation names pages that do not exist") == ["gone"]
        chosen = {key: plan.settings[key] for key in ("title", "tagline", "favicon", "docs", "static")}
        assert chosen == {"title": "Kilns", "tagline": "All of them", "favicon": "/k.svg", "docs": ".", "static": "."}
        assert plan.settings["navbar"] == {"title": "Kilns"}

    def test_tabs_have_a_sidebar_and_an_entry_of_the_top_bar_each(self, tmp_path: Path) -> None:
        navigation = {
            "tabs": [
                {"tab": "Guides", "groups": [{"group": "Start", "pages": ["a"], "root": "b"}]},
                {"tab": "Blog", "href": "https://blog.example"},
                {"tab": "Kits", "menu": [{"item": "One", "pages": ["c"]}, {"item": "Two", "pages": ["d"]}]},
            ],
            "global": {"anchors": [{"anchor": "Forum", "href": "https://forum.example"}]},
        }
        config = {
            "name": "Kilns",
            "navigation": navigation,
            "navbar": {"links": [{"label": "Code", "href": "https://github.com/a/b"}]},
        }
        plan = plan_of(tmp_path, {"docs.json": config, **pages("a.mdx", "b.mdx", "c.mdx", "d.mdx")})
        assert sidebars(plan) == {"guides": [("Start>b", "A=a")], "kits": [("One", "C=c"), ("Two", "D=d")]}
        assert [(one["label"], one.get("sidebar") or one.get("href") or one["items"]) for one in plan.settings["navbar"]["items"]] == [
            ("Guides", "guides"),
            ("Blog", "https://blog.example"),
            ("Kits", "kits"),
            ("Forum", "https://forum.example"),
            ("Code", "https://github.com/a/b"),
        ]  # fmt: skip

    def test_first_page_of_the_navigation_is_where_the_site_begins(self, tmp_path: Path) -> None:
        config = {
            "name": "Kilns",
            "navigation": [{"group": "A", "pages": ["guide/quick"]}],
            "redirects": [{"source": "/old", "destination": "/guide/quick"}],
        }
        plan = plan_of(tmp_path, {"docs.json": config, **pages("guide/quick.mdx", "a.mdx")})
        moved = {one["from"]: one["to"] for one in plan.settings["redirects"]}
        assert moved == {"/old": "/guide/quick", "/": "/guide/quick"}

    def test_logo_takes_the_place_of_the_title(self, tmp_path: Path) -> None:
        logo = {"light": "/logo.svg", "dark": "/dark.svg", "href": "https://kilns.example"}
        config: dict[str, Any] = {"name": "Kilns", "navigation": [], "logo": logo}
        site = {"docs.json": config, "logo.svg": "<svg/>", "dark.svg": "<svg/>", **pages("index.mdx")}
        bar = plan_of(tmp_path, site).settings["navbar"]
        assert bar["logo"] == {
            "src": "/logo.svg",
            "src_dark": "/dark.svg",
            "alt": "Kilns",
            "href": "https://kilns.example",
        }
        assert "title" not in bar
        (tmp_path / "dark.svg").unlink()
        lost = plan_of(tmp_path, {})
        assert lost.settings["navbar"] == {"title": "Kilns"}
        assert noted(lost, "A logo that is not a file") == ["/dark.svg"]

    @each(
        ("config", "bar", "footer"),
        [
            (
                {
                    "navbar": {"links": [{"label": "Help", "href": "mailto:a@b.example"}], "primary": {"type": "github", "href": "https://github.com/a/b"}},
                    "footer": {
                        "socials": {"x": "https://x.com/a", "discord": "https://a.example/chat"},
                        "links": [{"header": "More", "items": [{"label": "Jobs", "href": "https://a.example/jobs"}, {"label": "A", "href": "a"}]}],
                    },
                },
                [("Help", "mailto:a@b.example", ""), ("GitHub", "https://github.com/a/b", "github"), ("Discord", "https://a.example/chat", "discord")],
                [("More", [("Jobs", "https://a.example/jobs"), ("A", "/a")]), ("", [("X", "https://x.com/a")])],
            ),
            (
                {"topbarCtaButton": {"name": "Sign up", "url": "https://a.example/new"}, "footerSocials": [{"type": "slack", "url": "https://a.slack.example"}]},
                [("Sign up", "https://a.example/new", "")],
                [("", [("Slack", "https://a.slack.example")])],
            ),
        ],
    )  # fmt: skip
    def test_buttons_and_links_at_the_end_of_pages_are_kept(self, config: Any, bar: Any, footer: Any, tmp_path: Path) -> None:  # fmt: skip
        plan = plan_of(tmp_path, {"docs.json": {"name": "Kilns", "navigation": [], **config}, **pages("a.mdx")})
        items = plan.settings["navbar"]["items"]
        assert [(one["label"], one["href"], one.get("icon", "")) for one in items] == bar
        columns = plan.settings["footer"]["columns"]
        assert [
            (column["title"], [(one["label"], one["href"]) for one in column["items"]]) for column in columns
        ] == footer
        assert not noted(plan, "Settings of the old site")


class TestMkDocs:
    def site(self, tmp_path: Path, settings: str, *names: str, **files: str) -> Any:
        return plan_of(tmp_path, {"mkdocs.yml": settings, **pages(*(f"docs/{name}" for name in names)), **files})

    def test_navigation_of_the_settings_is_taken_over(self, tmp_path: Path) -> None:
        settings = """
site_name: Kilns
site_description: All of them
site_url: https://kilns.example/docs/
nav:
  - index.md
  - Guide:
    - Quick start: guide/quick.md
    - Code: https://example.org
"""
        plan = self.site(tmp_path, settings, "index.md", "guide/quick.md")
        assert sidebars(plan) == {"docs": ["index", ("Guide", "Quick start=guide/quick", "https://example.org")]}
        wanted = {"title": "Kilns", "tagline": "All of them", "url": "https://kilns.example", "base_url": "/docs/"}
        assert {key: plan.settings[key] for key in wanted} == wanted

    def test_redirects_and_colors_of_the_theme_are_taken_over(self, tmp_path: Path) -> None:
        settings = """
site_name: K
theme:
  name: material
  palette:
    - {scheme: slate, primary: indigo, media: "(prefers-color-scheme: dark)"}
    - {scheme: default, primary: teal}
plugins:
  - redirects:
      redirect_maps:
        old.md: "guide/a.md#part"
        moved/index.md: https://example.org/x
        lost.md: gone.md
        guide/a.md: index.md
"""
        plan = self.site(tmp_path, settings, "index.md", "guide/a.md")
        moved = {one["from"].rstrip("/"): one["to"] for one in plan.settings["redirects"]}
        assert set(moved) == {"/old", "/moved"}
        assert (moved["/old"].replace("/#", "#"), moved["/moved"]) == ("/guide/a#part", "https://example.org/x")
        assert [note.what for note in plan.notes if "redirect" in note.what.lower()] == [
            "A redirect to gone.md, which does not exist"
        ]
        assert plan.settings["color_mode"] == {"default": "dark", "respect_system": True}
        assert plan.settings["theme"]["bar"] == "accent"

    def test_a_redirect_of_the_root_is_the_only_one(self, tmp_path: Path) -> None:
        settings = "site_name: K\nplugins:\n  - redirects:\n      redirect_maps: {index.md: guide/b.md}\n"
        plan = self.site(tmp_path, settings, "guide/a.md", "guide/b.md")
        assert [(one["from"], one["to"].strip("/")) for one in plan.settings["redirects"]] == [("/", "guide/b")]

    def test_lists_of_links_are_the_navigation_of_their_folders(self, tmp_path: Path) -> None:
        settings = "site_name: K\nplugins: [literate-nav]\n"
        plan = self.site(
            tmp_path, settings, "index.md", "guide/a.md", "guide/b.md", "more/x.md", "more/y.md",
            **{
                "docs/SUMMARY.md": "- [Home](index.md)\n- [Guide](guide/)\n- [More]()\n    - more/*.md\n- [Code](https://example.org)\n",
                "docs/guide/SUMMARY.md": "- [Second](b.md)\n- [First](a.md)\n",
            },
        )  # fmt: skip
        assert sidebars(plan) == {
            "docs": ["Home=index", ("Guide", "Second=guide/b", "First=guide/a"), ("More", "more/x", "more/y"), "https://example.org"]
        }  # fmt: skip

    def test_files_of_settings_order_their_folders(self, tmp_path: Path) -> None:
        settings = "site_name: K\nplugins: [awesome-pages]\n"
        plan = self.site(
            tmp_path, settings, "index.md", "a.md", "b.md", "guide/one.md", "guide/two.md", "guide/three.md", "secret/x.md", "last/y.md",
            **{
                "docs/.pages": "nav:\n  - b.md\n  - Steps: guide\n  - ...\n  - Code: https://example.org\n",
                "docs/guide/.pages": "title: Guide\norder: desc\n",
                "docs/secret/.pages": "hide: true\n",
                "docs/last/.pages": "title: The last\n",
            },
        )  # fmt: skip
        assert sidebars(plan) == {
            "docs": [
                "b",
                ("Steps", "guide/two", "guide/three", "guide/one"),
                "index",
                "a",
                ("The last", "last/y"),
                "https://example.org",
            ]
        }

    def test_languages_with_files_are_taken_over(self, tmp_path: Path) -> None:
        settings = """
site_name: Kilns
plugins:
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: de, name: Deutsch}
        - {locale: en, name: English, default: true}
        - {locale: fr, name: Français}
"""
        plan = self.site(tmp_path, settings, "index.md", "index.de.md")
        locales = [(one["id"], one["label"], one.get("path"), one.get("suffix")) for one in plan.settings["locales"]]
        assert locales == [("en", "English", None, None), ("de", "Deutsch", "de", "de")]
        assert any("fr" in note.what for note in plan.notes)
        assert [one["type"] for one in plan.settings["navbar"]["items"]] == ["locale"]


class TestHugo:
    def test_entries_may_lead_elsewhere(self, tmp_path: Path) -> None:
        front = '---\ntitle: {}\nweight: {}\nmanualLink: "https://example.org/{}"\n---\n'
        files = {
            "hugo.toml": 'title = "K"\n',
            "content/docs/_index.md": "---\ntitle: Docs\n---\n",
            "content/docs/a.md": "---\ntitle: A\nweight: 1\n---\n",
            "content/docs/news.md": front.format("News", 2, "news"),
            "content/docs/releases/_index.md": front.format("Releases", 3, "releases"),
        }
        entries = sidebars(plan_of(tmp_path, files, "hugo"))["docs"][0]
        assert entries[1:] == ("A=docs/a", "https://example.org/news", "https://example.org/releases")

    def test_weights_order_pages_and_menus(self, tmp_path: Path) -> None:
        settings = """
title = "Kilns"
baseURL = "https://kilns.example/docs/"
[[menu.main]]
name = "Second"
pageRef = "/b"
weight = 20
[[menu.main]]
name = "<i>First</i>"
url = "https://example.org/"
weight = 10
"""
        plan = plan_of(
            tmp_path,
            {
                "hugo.toml": settings,
                "content/_index.md": "---\ntitle: Home\n---\n",
                "content/a.md": "---\ntitle: A\n---\n",
                "content/b.md": "---\ntitle: B\nweight: 5\naliases: [/old/, near]\n---\n",
                "content/c.md": "---\ntitle: C\nweight: 2\n---\n",
                "content/zero.md": "---\ntitle: Zero\nweight: 0\n---\n",
            },
        )
        assert sidebars(plan) == {"docs": ["Home=_index", "C=c", "B=b", "A=a", "Zero=zero"]}
        bar = [(one["label"], one["href"]) for one in plan.settings["navbar"]["items"]]
        assert bar == [("First", "https://example.org/"), ("Second", "/b/")]
        moved = {one["from"]: one["to"] for one in plan.settings["redirects"]}
        assert moved == {"/old/": "/b/", "/near/": "/b/"}

    def test_languages_with_files_are_taken_over(self, tmp_path: Path) -> None:
        settings = """
title = "Kilns"
defaultContentLanguage = "en"
[languages.en]
languageName = "English"
[languages.ar]
languageName = "Arabic"
languageDirection = "rtl"
contentDir = "content/ar"
weight = 3
[languages.de]
languageName = "Deutsch"
languageCode = "de_CH"
weight = 2
[languages.fr]
weight = 4
[languages.it]
disabled = true
"""
        plan = plan_of(
            tmp_path,
            {
                "hugo.toml": settings, "content/en/a.md": "---\ntitle: A\n---\n", "content/ar/a.md": "---\ntitle: B\n---\n",
                "content/en/a.de.md": "---\ntitle: C\n---\n",
            },
        )  # fmt: skip
        locales = {one["id"]: {key: one[key] for key in one if key != "id"} for one in plan.settings["locales"]}
        assert locales["ar"]["dir"] == "rtl"
        assert "fr" in " ".join(note.what for note in plan.notes if "without files" in note.what)
        assert "it" not in locales

    def test_references_name_sections_and_pages_by_their_last_name(self, tmp_path: Path) -> None:
        text = (
            '{{< ref "guide" >}} {{< ref "deep" >}} {{< ref "twice" >}} {{< ref "a.md" >}} {{< relref "Fair Wind" >}}\n'
        )
        plan = plan_of(
            tmp_path,
            {
                "hugo.toml": 'title = "K"\n', "content/a.md": f"---\ntitle: A\n---\n{text}", "content/x/guide/_index.md": "# G\n",
                "content/x/deep.md": "# D\n", "content/x/y/twice.md": "# T\n", "content/twice/index.md": "# T\n",
                "content/x/Fair Wind/_index.md": "# F\n",
            },
        )  # fmt: skip
        references = plan.settings["markdown"]["references"]
        assert {name: references.get(name) for name in ("guide", "deep", "Fair Wind")} == {
            "guide": "content/x/guide/_index.md", "deep": "content/x/deep.md", "Fair Wind": "content/x/Fair Wind/_index.md",
        }  # fmt: skip
        assert "a.md" not in references


class TestJekyll:
    def test_pages_stand_below_the_page_that_they_name_as_parent(self, tmp_path: Path) -> None:
        plan = plan_of(
            tmp_path,
            {
                "_config.yml": "title: Kilns\ntheme: just-the-docs\naux_links:\n  Code: [https://github.com/a/b]\n",
                "index.md": "---\ntitle: Home\nnav_order: 1\n---\n",
                "guide.md": "---\ntitle: Guide\nnav_order: 2\nredirect_from: [/old]\n---\n",
                "b.md": "---\ntitle: B\nparent: Guide\nnav_order: 2\n---\n",
                "a.md": "---\ntitle: A\nparent: Guide\nnav_order: 1\n---\n",
                "deep.md": "---\ntitle: Deep\nparent: A\ngrand_parent: Guide\n---\n",
                "orphan.md": "---\ntitle: Orphan\nparent: Nobody\n---\n",
                "hidden.md": "---\ntitle: Hidden\nnav_exclude: true\n---\n",
            },
        )
        assert sidebars(plan) == {"docs": ["Home=index", ("Guide>guide", ("A>a", "Deep=deep"), "B=b"), "Orphan=orphan"]}
        (entry,) = plan.settings["navbar"]["items"]
        assert (entry["label"], entry["href"], entry["position"]) == ("Code", "https://github.com/a/b", "right")
        assert {"from": "/old", "to": "/guide"} in [
            {"from": one["from"], "to": one["to"].removesuffix("/").removesuffix(".html")} for one in plan.settings["redirects"]
        ]  # fmt: skip

    def test_data_of_a_navigation_goes_before_the_front_matter(self, tmp_path: Path) -> None:
        navigation = """
- title: Start
  url: /index.html
- title: Guide
  url: /guide.html
  children:
    - {title: First, url: /a.html}
    - {title: Part, url: /a.html#part}
    - {title: Code, url: https://example.org}
- b
"""
        plan = plan_of(
            tmp_path,
            {
                "_config.yml": "title: Kilns\n",
                "_data/navigation.yml": navigation,
                **{f"{name}.md": f"---\ntitle: {name.title()}\n---\n" for name in ("index", "guide", "a", "b")},
            },
        )
        assert sidebars(plan) == {"docs": ["Start=index", ("Guide>guide", "First=a", "https://example.org"), "B=b"]}

    def test_permalinks_are_the_routes_of_pages(self, tmp_path: Path) -> None:
        plan = plan_of(
            tmp_path,
            {
                "_config.yml": "title: Kilns\npermalink: pretty\n",
                "a.md": "---\ntitle: A\n---\n",
                "b.md": "---\ntitle: B\npermalink: /other/:basename\n---\n",
                "index.md": "---\ntitle: Home\n---\n",
            },
        )
        assert plan.settings["title"] == "Kilns"


class TestNuxt:
    def test_numbers_order_the_content(self, tmp_path: Path) -> None:
        plan = plan_of(
            tmp_path,
            {
                "nuxt.config.ts": "export default defineNuxtConfig({ site: { name: 'Kilns', url: 'https://kilns.example/x' } })",
                "content/index.md": "# Home\n",
                "content/2.guide/10.ten.md": "# Ten\n",
                "content/2.guide/9.nine.md": "---\nnavigation:\n  title: Number nine\n---\n# Nine\n",
                "content/2.guide/11.no.md": "---\nnavigation: false\n---\n# No\n",
                "content/1.start/.navigation.yml": "title: Getting started\n",
                "content/1.start/a.md": "# A\n",
                "content/3.secret/.navigation.yml": "navigation: false\n",
                "content/3.secret/b.md": "# B\n",
                "app/pages/x.vue": "<template/>",
            },
            "nuxt",
        )
        assert sidebars(plan) == {
            "docs": ["index", ("Getting started", "start/a"), ("Guide", "Number nine=guide/nine", "guide/ten")]
        }
        assert (plan.settings["title"], plan.settings["url"]) == ("Kilns", "https://kilns.example")
        assert noted(plan, "Pages written in Vue") == ["app/pages/x.vue"]
        assert "redirects" not in plan.settings

    def test_site_without_a_first_page_begins_with_the_first_of_the_shortest_address(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, {"nuxt.config.ts": "", **pages("content/b.md", "content/a/c.md")}, "nuxt")
        assert plan.settings["redirects"] == [{"from": "/", "to": "/b"}]


class TestDocsify:
    def test_sidebar_and_bar_are_lists_of_links(self, tmp_path: Path) -> None:
        page = (
            '<!-- x.js sets window.$docsify --><title>Kilns</title><meta name="description" content="All of them"><link rel="icon" href="k.ico">'
            '<script src="//cdn/docsify.min.js"></script><script src="x.js"></script>'
        )
        plan = plan_of(
            tmp_path,
            {
                "index.html": page, "k.ico": "icon", "_coverpage.md": "# Cover\n",
                "_sidebar.md": "- [Home](/)\n- Guide\n  - [Quick](guide/quick)\n  - [Gone](gone.md)\n- [Code](https://example.org)\n",
                "_navbar.md": "- [Start](/)\n- More\n  - [Quick](guide/quick.md)\n  - [Out](https://example.org)\n",
                **pages("README.md", "guide/quick.md"),
            },
            "docsify",
        )  # fmt: skip
        assert sidebars(plan) == {"docs": ["Home=README", ("Guide", "Quick=guide/quick"), "https://example.org"]}
        assert plan.settings["navbar"]["items"] == [
            {"label": "Start", "href": "/"},
            {"label": "More", "items": [{"label": "Quick", "href": "/guide/quick"}, {"label": "Out", "href": "https://example.org"}]},
        ]  # fmt: skip
        chosen = {key: plan.settings[key] for key in ("title", "tagline", "favicon")}
        assert chosen == {"title": "Kilns", "tagline": "All of them", "favicon": "/k.ico"}
        assert noted(plan, "_sidebar.md names files that do not exist") == ["gone.md"]


class TestFolders:
    @each(
        "text, extension",
        [
            ("See [[a]], [[b]] and [[a|it]].\n", "obsidian"),
            ("> [!note] Title\n> Text\n", "callouts"),
            ("::card{x=1}\nText\n::\n", "mdc"),
            ("{{< ref >}}\n", "hugo"),
            ("`{{< ref >}}`\n", None),
        ],
    )
    def test_way_of_writing_is_seen_in_the_files(self, tmp_path: Path, text: str, extension: str | None) -> None:
        folder = tmp_path / f"site-{extension}"
        plan = plan_of(folder, {"index.md": f"# Home\n\n{text}", **pages("a.md", "b.md")}, "plain")
        found = set(plan.settings["markdown"]["extensions"])
        assert found & {"obsidian", "callouts", "mdc", "hugo"} == ({extension} if extension else set())

    def test_folder_is_named_by_its_first_page_or_begins_with_its_first(self, tmp_path: Path) -> None:
        named = plan_of(tmp_path / "one", {"index.md": "# My kilns\n"}, "plain")
        assert (named.settings["title"], "redirects" in named.settings) == ("My kilns", False)
        other = plan_of(tmp_path / "hot-kilns", pages("b.md", "c.md"), "plain")
        assert (other.settings["title"], other.settings["redirects"]) == ("Hot kilns", [{"from": "/", "to": "/b"}])

    def test_templates_of_a_vault_are_no_pages(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, {".obsidian/app.json": {}, **pages("a.md", "Templates/new.md", "private/x.md")})
        assert plan.engine == "obsidian"
        assert {"Templates/**", "private/**"} <= set(plan.settings["exclude"])
        assert short(plan.settings["sidebars"][0]["items"]) == ["."]
