"""The Markdown of all pages is Markdown: nothing of the dialect that the pages are written in is left in it."""

from __future__ import annotations

import re

from site_contract.shipped.conftest import Published
from tests.support.markdown_audit import LEFTOVERS, leftovers, leftovers_in, markdown_files


def test_audit_sees_what_it_looks_for() -> None:
    text = (
        '<Tabs x={1}>\n\n{/* no */}\n\n:::tip\n\nimport A from "a"\n\n{{ version }}\n\nsidebar_label: a\n\n`<Tabs>`\n\n'
        "```\n:::\n```\n\nText{.a} \0 <kbd>C</kbd> [](/a) [b](b.md) ![c](c.png) a<br>b\n"
    )
    others = {"HTML", "link without text", "address that leads nowhere", "picture that is nowhere"}
    assert {name for name, _ in leftovers(text)} == LEFTOVERS.keys() | others
    kept = "# A\n\n`{{ a }}` x<sub>2</sub>\n\n| a |\n| --- |\n| b<br>c |\n\n"
    assert leftovers(f'---\nsidebar_x: 1\n---\n\n{kept}```jsx\n<Tabs className="a" />\n```\n') == []


def test_no_page_has_leftovers_of_its_dialect(site: Published) -> None:
    assert len(markdown_files(site.out)) > 100
    assert leftovers_in(site.out) == {}


def test_parts_hold_every_page_that_is_listed(site: Published) -> None:
    parts = [(site.out / name).read_text() for name in site.manifest().files if name.startswith("llms-full")]
    listed = re.findall(r"\]\((?:https?://[^/)]+)?/([^)]+\.md)\)", site.get("/llms.txt").text)
    assert len(listed) > 100
    assert all(sum((site.out / name).read_text() in part for part in parts) == 1 for name in listed)
    assert parts
    assert all(len(part.encode()) <= 1_000_000 for part in parts)
