"""Style sheets that only some pages need, and which pages link to them."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.sites import HOME, MakeSite, SiteFolder, page

SHEET = re.compile(r'<link rel="stylesheet" href="/(?:_octavo/assets/)?([a-z]+)[^"]*\.css[^"]*"')


def sheets(site: SiteFolder, route: str) -> list[str]:
    """Give the names of the style sheets of a page in their order."""
    return SHEET.findall(site.html(route).partition("</head>")[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Code: `class=hero`.", []),
        ("- [ ] a task\n- [x] done", []),
        (":::hero\n\n# Kilns\n\nHot.\n\n:::", ["landing"]),
        ('<div class="wide task-grid">\n\nCards\n\n</div>', ["landing"]),
        ("<div class='product-card'>A</div>", ["landing"]),
        ('<p class="api-method">GET</p>\n\n<p class="hero">A</p>', ["landing", "reference"]),
    ],
)
def test_page_links_to_the_sheets_of_its_elements(make_site: MakeSite, text: str, expected: list[str]) -> None:
    site = make_site({**HOME, "docs/a.md": page("Plain") + text, "static/own.css": ""}, 'styles = ["/own.css"]\n')
    assert site.build().is_published
    # After the sheet that gives the order of layers, before those of the site.
    assert sheets(site, "/a") == ["client", *expected, "own"]
    payload = json.loads((site.out / "_octavo/pages/a.json").read_text())
    assert [re.split(r"[/-]", address)[-2] for address in payload.get("styles", [])] == expected
    for address in payload.get("styles", []):
        assert (site.out / address.lstrip("/")).is_file()


@pytest.mark.parametrize("layout", ["landing", "splash", "blank"])
def test_layout_has_its_sheet_without_any_of_its_elements(make_site: MakeSite, layout: str) -> None:
    site = make_site({**HOME, "docs/a.md": f"---\ntitle: A\nlayout: {layout}\n---\n\nText.\n"})
    assert site.build().is_published
    assert sheets(site, "/a") == ["client", "landing"]


def test_sheets_are_below_the_base_url(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("A") + '<p class="hero">A</p>'}
    site = make_site(files, 'base_url = "/kiln/"\n')
    assert site.build().is_published
    assert re.search(r'href="/kiln/_octavo/assets/landing-[^"]+\.css"', site.html("/a"))
