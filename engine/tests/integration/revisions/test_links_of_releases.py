"""Readers of an older release stay in it: links that are written from the root lead to its own pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.publish import build_site

from .repositories import SETTINGS, git, release

BAR = """[navbar]
items = [
  { label = "Wind", href = "ROOT/wind" },
  { label = "News", href = "ROOT/news" },
  { type = "version" },
  { type = "locale" },
]
"""
FRENCH = """[[locales]]
id = "en"
label = "English"
[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "i18n/fr"
"""
PAGE = """# One

[wind](ROOT/wind) [part](ROOT/wind#strong) [new](ROOT/news)

<a href="ROOT/wind">raw</a>

<DocCard href="ROOT/wind" />
"""


def build(folder: Path, settings: str = "", root: str = "") -> Path:
    """Build a site with two releases, of which the newer one alone has news.

    Args:
        folder: Where to work.
        settings: Further settings.
        root: The address of the documents.
    """
    site = folder / "site"
    site.mkdir()
    git(site, "init", "-q")
    page, bar = PAGE.replace("ROOT", root), BAR.replace("ROOT", root)
    release(
        site,
        "1.0",
        {
            "octavo.toml": SETTINGS + settings + bar,
            "docs/index.md": page,
            "docs/wind.md": "# Wind\n\n## Strong {#strong}\n",
            ".gitignore": ".octavo\n",
        },
    )
    release(site, "2.0", {"docs/news.md": "# News\n"})
    report = build_site(site, folder / "out", has_search=False)
    assert {one.code for one in report.diagnostics} <= {"missing-switch", "missing-translation"}
    return folder / "out"


def links(out: Path, page: str) -> dict[str, list[str]]:
    """List where the links of a page with text lead: text → addresses."""
    found: dict[str, list[str]] = {}
    for href, text in re.findall(
        r'<a [^>]*?href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]+)', (out / page).read_text(encoding="utf-8")
    ):
        found.setdefault(text, []).append(href)
    return found


@pytest.mark.parametrize(
    ("page", "root"), [("index.html", ""), ("1.0/index.html", "/1.0"), ("next/index.html", "/next")]
)
def test_links_from_the_root_stay_in_the_release(tmp_path: Path, page: str, root: str) -> None:
    found = links(build(tmp_path), page)
    assert (found["wind"], found["part"], found["raw"]) == ([f"{root}/wind"], [f"{root}/wind#strong"], [f"{root}/wind"])
    assert set(found["Wind"]) == {f"{root}/wind"}, "the bar and the card"


def test_page_that_came_later_is_the_newest_one(tmp_path: Path) -> None:
    found = links(build(tmp_path), "1.0/index.html")
    assert (found["new"], found["News"]) == (["/news"], ["/news"])


@pytest.mark.parametrize(("page", "home"), [("wind", "/"), ("1.0/wind", "/1.0/"), ("next/wind", "/next/")])
def test_home_of_a_release_is_its_own(tmp_path: Path, page: str, home: str) -> None:
    html = (build(tmp_path) / page / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a class="brand" href="([^"]*)"', html) == [home]


@pytest.mark.parametrize(("page", "root"), [("fr/index.html", "/fr"), ("fr/1.0/index.html", "/fr/1.0")])
def test_so_do_those_of_a_translation(tmp_path: Path, page: str, root: str) -> None:
    found = links(build(tmp_path, FRENCH), page)
    assert (found["wind"], found["part"]) == ([f"{root}/wind"], [f"{root}/wind#strong"])


def test_documents_may_have_an_address_of_their_own(tmp_path: Path) -> None:
    found = links(build(tmp_path, '[routing]\ndocs = "manual"\n', "/manual"), "manual/1.0/index.html")
    assert found["wind"] == ["/manual/1.0/wind"]
    assert set(found["Wind"]) == {"/manual/1.0/wind"}
