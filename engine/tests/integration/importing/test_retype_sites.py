"""Sites of Retype: blocks between marks, components in brackets, labels and order of folders, addresses in small letters."""

from __future__ import annotations

import re
from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

_CONFIG = """
input: ./pages
output: ./built
url: kites.example
branding:
  title: Kites
links:
  - text: Knots
    link: Knots/index.md
  - text: Code
    link: https://github.com/kites/kites
footer:
  copyright: "&copy; [Kites](https://kites.example)"
edit:
  repo: https://github.com/kites/kites
  base: pages
exclude:
  - "/draft.md"
"""
_PAGE = """---
label: First steps
---
# Start :icon-rocket:

!!! warning Take care
It is **windy**.
!!!

+++ Silk
Light.
+++ Paper
!!!danger
Burns.
!!!
+++

||| Left
The one
||| Right
The other
|||

==- Why?
Because.
==- How?
So.
===

>>> Unpack
Open it.
>>>

:::clean
In a box
:::

[!badge variant="danger" text="New"] [!button text="Buy" icon="cart"](https://shop.example) [!ref](Knots/Bowline.md)
[!ref All knots](Knots/index.md) [!icon home] [[Bowline|tie it]] [[Nothing]] `[!badge x]`

{.compact}
- one

{{ include "part" }}

:::code source="/code/a.ini" title="`a.ini`" :::

| Rope | Length | {.compact}
| --- | --- |
| silk | 12 |

```md
!!! note
+++ no tab
```
"""


def _site(tmp_path: Path, page: str = _PAGE) -> Path:
    return write(
        tmp_path / "site",
        {
            "retype.yml": _CONFIG,
            "built/index.md": "# Old\n",
            "pages/index.md": "# Home\n\nSee [steps](/start/#start) and ![Kite](/static/kite.svg).\n",
            "pages/Start.md": page,
            "pages/draft.md": "# Draft\n",
            "pages/moved.md": "---\nredirect: Start.md\n---\n",
            "pages/Knots/index.yml": "label: All knots\norder: 10\nexpanded: true\n",
            "pages/Knots/index.md": "# Knots\n",
            "pages/Knots/Bowline.md": "# Bowline\n",
            "pages/Knots/Anchor hitch.md": "---\norder: 5\n---\n# Anchor hitch\n",
            "pages/_includes/part.md": "Taken *in*.\n",
            "pages/code/a.ini": "[kite]\nrope = 1\n",
            "pages/static/kite.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>",
        },
    )


def test_blocks_and_components_of_retype_are_drawn(tmp_path: Path) -> None:
    site = _site(tmp_path)
    done = import_site(site)
    assert (done.plan.engine, done.report.pages, done.report.items) == ("retype", 5, [])
    found = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in found.diagnostics if one.code != "external-link"] == []
    html = (tmp_path / "out/start/index.html").read_text(encoding="utf-8")
    article = html[html.index('<div class="prose"') : html.rindex("</article>")]
    text = text_of(re.sub(r"<(figure|pre)\b.*?</\1>", "", article, flags=re.DOTALL))
    shown = (
        "Take care",
        "windy",
        "Light.",
        "Burns.",
        "Left",
        "The other",
        "Why?",
        "So.",
        "Unpack",
        "In a box",
        "New",
        "Buy",
        "Taken",
        "silk",
    )
    assert [word for word in shown if word not in text] == []
    assert [
        mark
        for mark in ("!!!", "+++", "|||", "==-", ">>>", ":::", "[!", "[[", "{.", ":icon-", "{{")
        if mark in text.replace("[!badge x]", "")
    ] == []
    assert article.count("<details") == 2
    assert 'href="/knots/bowline/">Bowline</a>' in article
    assert 'href="/knots/">All knots</a>' in article
    assert ">tie it</a>" in article
    assert "rope = " in text_of(article)
    assert "+++ no tab" in text_of(article)


def test_settings_order_and_addresses_of_retype_come_along(tmp_path: Path) -> None:
    settings = import_site(_site(tmp_path)).plan.settings
    assert (settings["title"], settings["url"], settings["docs"]) == ("Kites", "https://kites.example", "pages")
    items = settings["sidebars"][0]["items"]
    assert [one.get("label", one.get("category")) for one in items] == ["Home", "All knots", "First steps"]
    assert [one["label"] for one in items[1]["items"]] == ["Anchor hitch", "Bowline"]
    exact = settings["routing"]["exact"]
    assert exact["pages/Knots/Anchor hitch.md"] == "/knots/anchor-hitch/"
    assert [(one["label"], one["href"]) for one in settings["navbar"]["items"]] == [
        ("Knots", "/knots/"),
        ("Code", "https://github.com/kites/kites"),
    ]
    assert settings["redirects"] == [{"from": "/moved/", "to": "/start/"}]
    assert settings["edit_url"] == "https://github.com/kites/kites/edit/main/"


def test_blocks_of_retype_that_nothing_closes_are_findings(tmp_path: Path) -> None:
    site = _site(tmp_path, '# Start\n\n!!! note\nOpen\n\n{{ include "gone" }}\n\n:::code source="gone.ini" :::\n')
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False)
    assert sorted((one.code, one.span.line) for one in found.diagnostics if one.span.path == "pages/Start.md") == [
        ("missing-snippet", 6),
        ("missing-snippet", 8),
        ("unclosed", 3),
    ]
