"""Findings name the line that the author has to change, and suggest nothing that is there already."""

from __future__ import annotations

import pytest

from engine.tests.integration.cli.conftest import Run
from octavo.site import nearest
from tests.support.sites import HOME, MakeSite, page


@pytest.fixture
def findings(run: Run, make_site: MakeSite) -> dict[str, str]:
    """Check a site of mistakes; gives place → message."""
    site = make_site(
        {
            **HOME,
            "docs/assets.md": page("A", "![x](../../../../../etc/passwd)\n\n![y](./assets.png)"),
            "docs/brackets.md": "---\ntitle: A\ntags: [a,\n  b\nslug: /c\n---\n\nText\n",
            "docs/colons.md": "---\ntitle: A\ndescription: b: c\n---\n\nText\n",
            "docs/date.md": "---\ntitle: A\nlast_update: { date: 2024-13-45 }\n---\n\nText\n",
            "docs/id-one.md": page("A", id="same"),
            "docs/id-two.md": "---\ntitle: B\nid: same\n---\n\nid: in the text\n",
            "docs/indents.md": "---\ntitle: A\n  tags: b\n---\n\nText\n",
            "docs/pages.md": "---\ntitle: A\npagination_prev: nowhere\npagination_next: nothing\n---\n\nText\n",
            "docs/quotes.md": '---\ntitle: "A\ndescription: b\n---\n\nText\n',
            "docs/slug-one.md": page("A", slug="/slug"),
            "docs/slug-two.md": "---\ntitle: B\n# slug: /other\nslug: /slug\n---\n\nText\n",
        }
    )
    heads = [line for line in run("check", site.root).err.split("\n") if line.startswith("docs/")]
    return {line.partition(": ")[0].removeprefix("docs/"): line.partition(": ")[2] for line in heads}


def test_places_are_those_of_the_mistakes(findings: dict[str, str]) -> None:
    assert sorted(findings) == [
        "assets.md:5:1",
        "assets.md:7:1",
        "brackets.md:3:7",
        "colons.md:3:15",
        "date.md:3:22",
        "id-two.md:3:1",
        "indents.md:3:7",
        "pages.md:3:1",
        "pages.md:4:1",
        "quotes.md:2:8",
        "slug-two.md:4:1",
    ]


def test_bad_dates_and_quotes_are_explained(findings: dict[str, str]) -> None:
    assert '"2024-13-45" is not a date (month must be in 1..12)' in findings["date.md:3:22"]
    assert "scanning a quoted scalar" in findings["quotes.md:2:8"]


def test_nothing_outside_the_site_is_suggested(findings: dict[str, str]) -> None:
    assert "Did you mean" not in findings["assets.md:5:1"]


def test_the_name_itself_is_not_what_was_meant() -> None:
    assert nearest("guides/install.md", ["guides/install.md"]) is None
    assert nearest("guides/install.md", ["guides/install.md", "guide/install.md"]) == "guide/install.md"
    assert nearest("Install", ["install"]) == "install"


def test_pictures_that_are_broken_or_of_another_format_are_found(run: Run, make_site: MakeSite) -> None:
    gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
    site = make_site(
        {
            **HOME,
            "docs/a.md": page(
                "A", "![good](./good.gif)\n\n![named](./named.png)\n\n![text](./text.png)\n\n![none](./none.jpg)"
            ),
            "docs/good.gif": gif,
            "docs/named.png": gif,
            "docs/text.png": "no picture",
            "docs/none.jpg": b"",
        }
    )
    found = [line for line in run("check", site.root).err.split("\n") if "[image-content]" in line]
    assert [line.partition(": ")[0] for line in found] == ["docs/a.md:7:1", "docs/a.md:9:1", "docs/a.md:11:1"]
    assert 'file "./named.png" is not a picture of the format that its name says.' in found[0]
