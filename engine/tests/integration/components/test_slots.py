"""Slots and layouts of authors: where they are shown, and what happens when they cannot be."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.components.slots import SLOT_PROPS
from tests.support import paths
from tests.support.sites import HOME, MakeSite, page

SLOT = """
import type { SlotProps } from "octavo";
export const contract = 1;
export default function Slot({ page, site, children }: SlotProps["footer"]) {
  return <div className="own">{page.title} of {site.title}: {children}</div>;
}
"""


def test_slots_are_shown_in_their_places(make_site: MakeSite) -> None:
    places = ("top-bar-end", "sidebar-top", "sidebar-bottom", "article-top", "article-bottom", "contents-bottom")
    plain = "export const contract = 1;\nexport default (props) => <i data-keys={Object.keys(props).join()}>{props.%s}{props.children}</i>;\n"
    site = make_site(
        {
            **{f"slots/{name}.tsx": SLOT for name in (*places, "footer", "not-found")},
            "slots/admonition.jsx": plain % "title",
            "slots/code-block.jsx": plain % "language",
            "slots/card.jsx": plain % "href",
            "docs/a.md": '# A\n\n## Part\n\n:::tip[Take *care*]\n\nInner [B](./b.md).\n\n:::\n\n```python\nprint(1)\n```\n\n<DocCard href="./b.md" label="To B" />\n',
            "docs/b.md": page("B"),
            **HOME,
        },
        "base_url = '/base/'\n",
    )
    assert site.check() == []
    html_ = re.sub("<!-- -->", "", site.html("/a"))
    for place in places:
        assert f'<div class="slot slot-{place}"><div class="own">A of Site: </div></div>' in html_, place
    # The footer's component gets what it replaces.
    assert '<div class="slot slot-footer"><div class="own">A of Site: <div class="footer-inner">' in html_
    assert html_.count('class="footer-inner"') == 1
    assert '<i data-keys="kind,title,children">Take care<p>Inner <a href="/base/b">B</a>.</p></i>' in html_
    assert '<i data-keys="language,code,children">python<figure class="code"' in html_
    assert '<i data-keys="href,title,description,children">/base/b<ul class="card-list">' in html_
    assert '<div class="slot slot-not-found"><div class="own">Page Not Found of Site: </div></div>' in (
        site.out / "404.html"
    ).read_text(encoding="utf-8").replace("<!-- -->", "")
    # A reader who comes from another page gets them with the data; in the page itself they are not sent twice.
    assert site.payload("/a")["slots"]["footer"].count("footer-inner") == 1
    inside = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', site.html("/a"))
    assert inside is not None
    assert set(json.loads(inside[1])["slots"].values()) == {""}
    # A change of one is drawn on all pages; nothing else is.
    assert site.build().drawn == 0
    site.write({"slots/footer.tsx": SLOT.replace("own", "new")})
    assert site.build().drawn == 3


LAYOUT = """import "./layout.css";
export const contract = 1;
export default function Layout({ page, site, announcements, topBar, sidebar, main, footer }) {
  return <div className="own"><h2>{site.title}</h2>{footer}{sidebar ?? "no sidebar"}{main}{topBar}{announcements}</div>;
}
"""


def test_layout_arranges_the_parts_of_all_pages(make_site: MakeSite) -> None:
    site = make_site(
        {
            "slots/layout.tsx": LAYOUT,
            "slots/layout.css": ".own { display: grid }\n",
            "slots/search-empty.tsx": SLOT,
            "docs/a.md": page("A"),
            "pages/bare.md": page("Bare", layout="blank"),
            **HOME,
        },
        "base_url = '/base/'\n",
    )
    assert site.check() == []
    text = site.html("/a")
    inside = text[text.index('<div class="own">') :]
    marks = (
        '<h2>Site</h2><footer class="footer">',
        '<nav class="sidebar"',
        '<main id="main"',
        '<header class="top-bar top-bar-placed">',
    )
    assert sorted(inside.index(mark) for mark in marks) == [inside.index(mark) for mark in marks]
    assert text.count('<main id="main"') == 1
    assert 'class="frame' not in text
    assert '</footer>no sidebar<main id="main"' in site.html("/").replace("<!-- -->", "")
    assert "\0" not in text
    # Browsers draw it again, and find its module and its style sheet.
    for data in (
        site.payload("/a"),
        json.loads(html.unescape(re.findall(r'id="octavo-page">(.*?)</script>', text)[0])),
    ):
        files = json.loads(data["slots"]["layout"])
        for address in (files["module"], *re.findall(r'href="([^"]+)"', files["styles"])):
            assert address.removeprefix("/base/") in site.manifest().files
    assert files["styles"].startswith('<link rel="stylesheet" href="/base/_octavo/components/slots-layout-')
    assert f"<div>{files['styles']}</div>" in text
    # A page without a frame does not show it, but leads to pages that do.
    assert 'class="own"><h2>' not in site.html("/bare")
    assert "layout" in site.payload("/bare")["slots"]
    assert '<template id="search-empty"><div class="own">A of Site: </div></template>' in text.replace("<!-- -->", "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (LAYOUT.replace("{main}", ""), "3:1: error: The layout does not show `main`, the text of the page. Until then"),
        (
            'import { useId } from "react";\n' + LAYOUT.replace("<h2>", "<h2 id={useId()}>"),
            "4:1: error: A layout cannot use `useId`: its ids are not those of the browser. Until then",
        ),
        (LAYOUT.replace("site.title", "site.none.title"), '4:46: error: The slot "layout" fails: Cannot read'),
    ],
)
def test_layout_that_cannot_be_shown_leaves_that_of_the_theme(make_site: MakeSite, code: str, said: str) -> None:
    site = make_site(
        {"slots/layout.tsx": code, "slots/layout.css": "", "docs/a.md": page("A"), **HOME},
        '[diagnostics]\nslot = "warn"\ncomponent = "warn"\n',
    )
    found = site.check()
    assert len(found) == 1
    assert found[0].startswith(f"slots/layout.tsx:{said.replace('error:', 'warn:')}")
    assert '<div class="frame frame-doc">' in site.html("/a")
    assert "slots" not in site.payload("/a")


def test_slots_for_another_version_or_place_are_findings(make_site: MakeSite) -> None:
    site = make_site(
        {
            "slots/footr.tsx": SLOT,
            "slots/footer.tsx": SLOT.replace("contract = 1", "contract = 0"),
            "slots/sidebar-top.tsx": SLOT.replace("contract = 1", "contract = 9"),
            "slots/article-top.tsx": SLOT.replace("export const contract = 1;", ""),
            "slots/article-bottom.tsx": SLOT.replace("return ", "return nothing() || "),
            "docs/a.md": page("A"),
            **HOME,
        },
        '[diagnostics]\ncomponent = "warn"\nslot = "warn"\n',
    )
    found = sorted(one.replace("error:", "warn:") for one in site.check())
    assert [one[: one.index("warn:")] for one in found] == [
        "slots/article-bottom.tsx:5:3: ",
        "slots/article-top.tsx:1:1: ",
        "slots/footer.tsx:3:25: ",
        "slots/footr.tsx:1:1: ",
        "slots/sidebar-top.tsx:3:25: ",
    ]
    assert "does not say which version" in found[1]
    assert "for version 0 of its contract; this Octavo has version 1: since 1, " in found[2]
    assert 'Did you mean "footer"?' in found[3]
    assert "for version 9 of its contract; this Octavo has version 1." in found[4]


def test_declarations_name_every_slot(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    run = CliRunner()
    assert run.invoke(octavo, ["types", str(site.root), "--check"]).exit_code == 1
    assert run.invoke(octavo, ["types", str(site.root)]).exit_code == 0
    assert run.invoke(octavo, ["types", str(site.root), "--check"]).exit_code == 0
    text = (site.root / "octavo.d.ts").read_text(encoding="utf-8")
    for name in SLOT_PROPS:
        assert f'"{name}": ' in text
    guide = (paths.REPOSITORY / "docs/components.md").read_text(encoding="utf-8")
    for name in SLOT_PROPS:
        assert f"`{name}`" in guide
    # Adding is fine; what goes or changes its type raises the version of the contract.
    kept = Path(__file__).with_name("slots_contract_1.d.ts")
    assert kept.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("code", "place", "said"),
    [
        ("console.log(page.title);", "3:11", 'The slot "layout" prints: '),
        ("const year = Math.random();", "3:21", 'The slot "layout" shows the time or a random number'),
    ],
)
def test_layout_that_prints_or_differs_in_browsers_is_a_finding(
    make_site: MakeSite, code: str, place: str, said: str
) -> None:
    shown = "{year}" if "year" in code else ""
    layout = (
        "export const contract = 1;\nexport default function Layout({ page, topBar, sidebar, main, footer }: { page: any }) {\n"
        f"  {code}\n  return <div>{shown}{{topBar}}{{sidebar}}{{main}}{{footer}}</div>;\n}}\n"
    )
    found = make_site({"slots/layout.tsx": layout, "docs/a.md": page("A"), **HOME}).check()
    assert found
    assert all(one.startswith(f"slots/layout.tsx:{place}: warn: {said}") for one in found)
