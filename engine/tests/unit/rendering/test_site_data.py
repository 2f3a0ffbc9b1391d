"""What all pages of an edition share: the top bar, the footer, sidebars, settings of the theme."""

from __future__ import annotations

import json
from typing import Any

from octavo.rendering.offline_worker import write_offline_worker
from octavo.rendering.payloads import PayloadMaker
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import SVG, TWO_LOCALES, MakeSite, SiteFolder, page

FILES = {
    "docs/index.md": page("Home", layout="landing", sidebar_position=1),
    "docs/a.md": page("A", sidebar_position=2),
    "docs/guides/_category_.yaml": "label: Guides\nposition: 3\ncollapsed: true",
    "docs/guides/b.md": page("B", icon="rocket"),
    "docs/guides/hidden.md": page("Hidden", unlisted=True),
}
BASE = 'base_url = "/docs/"\n'


class Shared:
    """The shared files of a site's editions."""

    def __init__(self, folder: SiteFolder) -> None:
        site = folder.assemble()
        maker = PayloadMaker(site, LinkResolver(site, AssetStore(folder.root, site.config.static)))
        self.of_prefix = {edition.prefix: maker.shared[edition.key] for edition in site.editions}
        self.config = site.config

    def data(self, prefix: str = "") -> dict[str, Any]:
        one = self.of_prefix[prefix]
        return dict(json.loads(one.files[one.site]))

    def sidebar(self, name: str = "docs", prefix: str = "") -> dict[str, Any]:
        one = self.of_prefix[prefix]
        return dict(json.loads(one.files[one.sidebars[name]]))

    def file(self, address: str) -> dict[str, Any]:
        """Read one by the address that pages use."""
        return dict(json.loads(self.of_prefix[""].files[address.removeprefix(self.config.base_url)]))


NAVBAR = """[[navbar.items]]
label = "Docs"
sidebar = "docs"
[[navbar.items]]
label = "Nobody"
sidebar = "gone"
[[navbar.items]]
label = "More"
items = [{ label = "A", href = "/a" }, { label = "Web", href = "https://example.org/" }]
[[navbar.items]]
label = "All"
href = "/guides/b"
items = [{ label = "A", href = "/a" }]
[[navbar.items]]
type = "locale"
position = "right"
"""


def test_entries_of_the_top_bar_lead_to_pages_of_the_edition(make_site: MakeSite) -> None:
    settings = BASE + NAVBAR.replace('[[navbar.items]]\nlabel = "Nobody"\nsidebar = "gone"\n', "") + TWO_LOCALES
    shared = Shared(make_site(FILES, settings))
    section, more, everything, switch = shared.data()["navbar"]["items"]
    # The landing page leads into the sidebar, and has none itself.
    assert (section["label"], section["href"], section["sidebarId"]) == ("Docs", "/docs/a", "docs")
    assert shared.file(section["sidebar"])["id"] == "docs"
    assert [(one["label"], one["href"]) for one in more["items"]] == [
        ("A", "/docs/a"),
        ("Web", "https://example.org/"),
    ]
    assert more.get("href") is None
    assert everything["href"] == "/docs/guides/b"
    assert (switch["what"], switch["position"]) == ("locale", "right")
    french = shared.data("/fr")["navbar"]["items"]
    assert french[0]["href"] == "/docs/fr/a"
    assert french[1]["items"][0]["href"] == "/docs/fr/a"


def test_sidebar_shows_what_is_listed(make_site: MakeSite) -> None:
    def plain(item: dict[str, Any]) -> Any:
        inner = [plain(one) for one in item["items"]] if "items" in item else None
        return (item["label"], item.get("href"), inner, "icon-rocket" in item.get("icon", ""))

    items = Shared(make_site(FILES, BASE)).sidebar()["items"]
    assert [plain(one) for one in items] == [
        ("Home", "/docs/", None, False),
        ("A", "/docs/a", None, False),
        ("Guides", None, [("B", "/docs/guides/b", None, True)], False),
    ]
    assert items[2]["isCollapsed"]


def test_title_without_a_translation_keeps_its_direction(make_site: MakeSite) -> None:
    arabic = TWO_LOCALES.replace('"fr"', '"ar"').replace("i18n/fr", "i18n/ar")
    files = {"docs/a.md": page("A"), "docs/b.md": page("B"), "i18n/ar/docs/a.md": page("ألف")}
    shared = Shared(make_site(files, arabic))
    assert [one["label"] for one in shared.sidebar(prefix="/ar")["items"]] == ["ألف", "\u2068B\u2069"]
    assert [one["label"] for one in shared.sidebar()["items"]] == ["A", "B"]
    french = Shared(make_site(files, TWO_LOCALES, "french"))
    assert [one["label"] for one in french.sidebar(prefix="/fr")["items"]] == ["A", "B"]


@each(
    "settings, title",
    [("", "Site"), ('[navbar]\ntitle = "Own"\n', "Own"), ('[navbar.logo]\nsrc = "img/k.svg"\nalt = "K"\n', "")],
)
def test_top_bar_has_a_name_or_a_picture(make_site: MakeSite, settings: str, title: str) -> None:
    navbar = Shared(make_site({**FILES, "static/img/k.svg": SVG}, BASE + settings)).data()["navbar"]
    assert navbar["title"] == title
    assert (navbar["logo"] is None) == (title != "")


def test_pictures_of_the_bars_have_their_size_and_lead_home(make_site: MakeSite) -> None:
    settings = '[navbar.logo]\nsrc = "/img/k.svg"\nalt = "K"\n[footer.logo]\nalt = "K"\nsrc = "img/k.svg"\nsrc_dark = "img/d.svg"\n'
    data = Shared(make_site({**FILES, "static/img/k.svg": SVG, "static/img/d.svg": SVG}, BASE + settings)).data()
    logo = data["navbar"]["logo"]
    assert (logo["src"], logo["srcDark"]) == ("/docs/img/k.svg", "/docs/img/k.svg")
    assert (logo["width"], logo["height"], logo["href"]) == (40, 20, "/docs/")
    assert data["footer"]["logo"]["srcDark"] == "/docs/img/d.svg"


def test_links_of_announcements_and_footer_lead_to_the_edition(make_site: MakeSite) -> None:
    settings = (
        BASE
        + '[[announcements]]\nid = "one"\ncontent = "See <a class=x href=\'/a\'>A</a>"\n'
        + '[[announcements]]\nid = "off"\nis_enabled = false\ncontent = "Off"\n'
        + '[[footer.columns]]\ntitle = "More"\nitems = [{ label = "A", href = "/a" }]\n'
        + TWO_LOCALES
    )
    data = Shared(make_site(FILES, settings)).data("/fr")
    assert [one["html"] for one in data["announcements"]] == ["See <a class=x href='/docs/fr/a'>A</a>"]
    assert data["footer"]["columns"][0]["items"][0]["href"] == "/docs/fr/a"
    assert (data["home"], data["locale"], data["dir"]) == ("/docs/fr/", "fr", "ltr")
    assert data["search"]["pageHref"] == "/docs/fr/search"


@each(
    "settings, name, expected",
    [
        ("", "analytics", None),
        ("", "feedback", None),
        ("", "offlineWorker", None),
        ("", "assistants", []),
        ("[search]\nis_enabled = false\n", "search", None),
        ('[feedback]\nis_enabled = true\nquestion = "Good?"\n', "feedback", {"question": "Good?", "action": "/docs/_octavo/feedback"}),
        ('[feedback]\nis_enabled = true\nquestion = "?"\nendpoint = "https://f.example/"\n', "feedback", {"question": "?", "action": "https://f.example/"}),
    ],
)  # fmt: skip
def test_parts_of_the_theme_are_there_where_they_are_wanted(
    make_site: MakeSite, settings: str, name: str, expected: Any
) -> None:
    assert Shared(make_site(FILES, BASE + settings)).data().get(name) == expected


def test_search_asks_the_site_itself_or_the_hosts_that_are_named(make_site: MakeSite) -> None:
    search = Shared(make_site(FILES, BASE)).data()["search"]
    assert (search["hosts"], search["base"], search["pageHref"]) == (["/docs/"], "/docs/", "/docs/search")
    settings = '[search]\nhosts = ["https://s.example"]\nplaceholder = "Find"\n[search.insights]\nis_enabled = true\n'
    search = Shared(make_site(FILES, BASE + settings, name="other")).data()["search"]
    assert (search["hosts"], search["placeholder"]) == (["https://s.example"], "Find")
    assert search["insights"]["script"] is None


def test_counting_knows_what_it_needs(make_site: MakeSite) -> None:
    settings = '[analytics]\ngoogle = "G-1"\nneeds_consent = true\nconsent_script = "/c.js"\n'
    analytics = Shared(make_site(FILES, BASE + settings)).data()["analytics"]
    assert (analytics["google"], analytics["consentScript"]) == (["G-1"], "/docs/c.js")


def test_description_of_the_documents_has_them_all(make_site: MakeSite) -> None:
    shared = Shared(make_site(FILES, BASE))
    docs = shared.file(shared.data()["docsVersion"])
    assert docs["path"] == "/docs/"
    assert docs["isLast"]
    assert {one["id"]: (one["path"], one.get("unlisted", False)) for one in docs["docs"]} == {
        "index": ("/docs/", False),
        "a": ("/docs/a", False),
        "guides/b": ("/docs/guides/b", False),
        "guides/hidden": ("/docs/guides/hidden", True),
    }
    assert docs["mainDocId"] == "index"
    assert docs["sidebars"]["docs"]["link"] == {"label": "Home", "href": "/docs/"}


def test_main_document_is_the_first_of_the_sidebar_where_none_is_at_the_root(make_site: MakeSite) -> None:
    files = {"docs/z.md": page("Z", sidebar_position=1), "docs/a.md": page("A", sidebar_position=2)}
    shared = Shared(make_site(files, BASE))
    assert shared.file(shared.data()["docsVersion"])["mainDocId"] == "z"


def test_long_sidebar_is_in_ranges_that_are_named_by_their_ends(make_site: MakeSite) -> None:
    links = ", ".join(f'{{ label = "L{number:03}", href = "/a" }}' for number in range(401))
    settings = f'[[sidebars]]\nid = "docs"\nitems = [{{ doc = "a" }}, {links}]\n'
    items = Shared(make_site({"docs/a.md": page("A")}, settings)).sidebar()["items"]
    assert {one["className"] for one in items} == {"sidebar-range"}
    assert all(one["isCollapsed"] and one["isCollapsible"] for one in items)
    assert [one["label"] for one in items] == [
        f"{one['items'][0]['label']} – {one['items'][-1]['label']}" for one in items
    ]
    assert items[0]["label"].startswith("A – ")
    assert items[-1]["label"].endswith(" – L400")
    assert sum(len(one["items"]) for one in items) == 402


def test_entries_of_the_top_bar_have_the_icons_that_can_be_drawn(make_site: MakeSite) -> None:
    entries = [("rocket", "a"), ("github", "b"), ("own", "c"), ("bad", "d"), ("gone", "e")]
    settings = "".join(
        f'[[navbar.items]]\nlabel = "{name}"\nhref = "/{name}"\nicon = "{icon}"\n' for icon, name in entries
    )
    files = {**FILES, "icons/own.svg": SVG, "icons/bad.svg": "<svg><script/></svg>"}
    items = Shared(make_site(files, BASE + settings)).data()["navbar"]["items"]
    icons = {one["label"]: one.get("icon") or "" for one in items}
    assert "icon-rocket" in icons["a"]
    assert icons["b"] == "github"  # a mark, which the theme draws
    assert 'viewBox="0 0 40 20"' in icons["c"]
    assert (icons["d"], icons["e"]) == ("", "")


def test_menus_of_the_top_bar_have_an_icon_an_address_and_entries(make_site: MakeSite) -> None:
    settings = (
        '[[navbar.items]]\nlabel = "More"\nicon = "rocket"\nhref = "/a"\nposition = "right"\n'
        'items = [{ label = "B", href = "/b" }]\n'
        '[[navbar.items]]\nlabel = "Bare"\nitems = [{ label = "C", href = "/c" }]\n'
    )
    more, bare = Shared(make_site(FILES, BASE + settings)).data()["navbar"]["items"]
    assert (more["label"], more["href"], more["position"]) == ("More", "/docs/a", "right")
    assert "icon-rocket" in more["icon"]
    assert [(one["label"], one["href"]) for one in more["items"]] == [("B", "/docs/b")]
    assert (bare["href"], bare["position"], "icon" in bare) == (None, "left", False)


def test_pages_of_apis_get_the_words_of_the_console_apart(make_site: MakeSite) -> None:
    described = '[[openapi]]\nid = "pots"\ndoc = "reference/pots"\nspec = "pots.yaml"\n'
    words = [
        json.loads(Shared(make_site(FILES, BASE + settings, name)).of_prefix[""].server_words)
        for settings, name in (("", "plain"), (described, "described"))
    ]
    assert words[1].keys() - words[0].keys() == {"api.console"}
    assert words[1]["api.console"].startswith("/docs/_octavo/console.")


def test_long_sidebar_with_open_categories_closes_them(make_site: MakeSite) -> None:
    links = ", ".join(f'{{ label = "L{number:03}", href = "/a" }}' for number in range(210))
    category = '{{ category = "{}", is_collapsed = false, is_collapsible = false, items = [{}] }}'
    items = ", ".join(category.format(name, links) for name in ("One", "Two", "Three"))
    settings = f'[[sidebars]]\nid = "docs"\nitems = [{{ doc = "a" }}, {items}]\n'
    shown = Shared(make_site({"docs/a.md": page("A")}, settings)).sidebar()["items"]
    categories = [one for one in shown if one["label"] in ("One", "Two", "Three")]
    assert len(categories) == 3
    assert all(one["isCollapsed"] and one["isCollapsible"] for one in categories)
    few = Shared(make_site({"docs/a.md": page("A")}, settings.replace(links, '{ label = "L", href = "/a" }'), "few"))
    assert [one.get("isCollapsed", False) for one in few.sidebar()["items"][1:]] == [False] * 3


def test_worker_for_readers_without_a_network_knows_the_site(make_site: MakeSite) -> None:
    config = Shared(make_site(FILES, BASE + "offline = true\n" + TWO_LOCALES)).config
    written = write_offline_worker(config, ["_octavo/a.js", "_octavo/b.css", "_octavo/c.woff2"])
    first, _, script = written.partition(b";\n")
    settings = json.loads(first.removeprefix(b"self.octavoOffline="))
    assert settings["assets"] == ["/docs/_octavo/a.js", "/docs/_octavo/b.css"]
    assert [one[:3] for one in settings["notices"]] == [["/docs/", "en", "ltr"], ["/docs/fr/", "fr", "ltr"]]
    assert settings["base"] == "/docs/"
    assert all(one[3] for one in settings["notices"])
    assert script
    assert (
        Shared(make_site(FILES, BASE + "offline = true\n", "one")).data()["offlineWorker"] == "/docs/offline-worker.js"
    )
