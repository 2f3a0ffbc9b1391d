"""Layouts, blocks of landing pages, and icons around the text, in published sites."""

from __future__ import annotations

from tests.support.sites import SVG, MakeSite, page

LANDING = """:::hero
# Rockets

Build.

:::actions
[Start](./start.md)
:::
:::

:::features
- <Icon name="rocket" /> **Fast**
:::

:::faq
:::details[Is it free?]
Yes.
:::
:::
"""


def test_layouts_and_blocks_make_pages_of_ones_own(make_site: MakeSite) -> None:
    files = {
        "docs/index.md": page("Home", LANDING, layout="landing"),
        "docs/start.md": page("Start", "Text.\n\n<DocCardList />", icon="anchor"),
        "docs/splash.md": page("Splash", "Text.", layout="splash"),
        "docs/blank.md": page("Blank", "Text.", layout="blank"),
        "docs/wide.md": page("Wide", "Text.", layout="reference"),
        "docs/other.md": page("Other", '<DocCard href="./start.md" title="Go" icon="own" />', icon="own"),
        "icons/own.svg": SVG.replace("/>", '><path d="M0 0h9"/></svg>'),
    }
    site = make_site(files)
    assert site.check() == []
    home = site.html("/")
    assert '<div class="block block-hero"><h1>Rockets</h1>' in home
    assert '<div class="block block-actions"><p><a href="/start">Start</a></p>' in home
    assert 'class="icon icon-rocket"' in home
    assert 'class="block block-faq"' in home
    assert [site.payload(route)["layout"] for route in ("/", "/splash", "/blank", "/wide", "/start")] == [
        "landing",
        "splash",
        "blank",
        "reference",
        "doc",
    ]
    assert all(site.payload(route)["sidebar"] is None for route in ("/", "/splash", "/blank"))
    assert "<h1>Splash</h1>" in site.html("/splash")
    assert 'class="top-bar"' in site.html("/splash")
    blank = site.html("/blank")
    assert 'class="top-bar"' not in blank
    assert 'class="footer"' not in blank
    # Icons are beside the titles, and published in no other form.
    start = site.html("/start").partition('<nav class="sidebar"')[2].partition("</nav>")[0]
    assert '<span class="item-icon"><svg class="icon icon-anchor" viewBox' in start
    sidebar = site.shared(site.payload("/start")["sidebar"])
    icons = {item["label"]: item["icon"][:26] for item in sidebar["items"]}
    assert icons["Start"] == '<svg class="icon icon-anch'
    assert icons["Other"] == '<svg class="icon icon-own '
    assert icons["Wide"] == ""
    assert '<span class="item-icon"><svg class="icon icon-own' in site.html("/other")
    assert not [name for name in site.published() if name.endswith("own.svg")]
