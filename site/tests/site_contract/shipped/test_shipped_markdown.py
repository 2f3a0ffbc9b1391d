"""The Markdown of all pages is Markdown: nothing of the dialect that the pages are written in is left in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyromark

from site_contract.shipped.conftest import Published

LEFTOVERS = {
    "component": re.compile(r"</?[A-Z][A-Za-z.]*[\s/>]"),
    "JSX attribute": re.compile(r"\b(?:className|htmlFor)=|=\{"),
    "JSX comment": re.compile(r"\{/\*|\*/\}"),
    "import": re.compile(r"^(?:import|export)\s.*(?:from\s+['\"]|=)", re.MULTILINE),
    "directive": re.compile(r"^\s*:::", re.MULTILINE),
    "variable": re.compile(r"\{\{.*?\}\}"),
    "front matter": re.compile(r"^(?:slug|sidebar_\w+|hide_\w+):", re.MULTILINE),
}
AREA = re.compile(r"<!--.*?-->", re.DOTALL)


def prose(text: str) -> Iterator[str]:
    """Give what is outside code, as it is typed: text and raw HTML."""
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    depth = 0
    for event in pyromark.events(text, options=options):
        match event:
            case {"Start": {"CodeBlock": _} | {"MetadataBlock": _}}:
                depth += 1
            case {"End": "CodeBlock" | {"CodeBlock": _} | {"MetadataBlock": _}}:
                depth -= 1
            case {"Text": found} | {"Html": found} | {"InlineHtml": found} if depth == 0:
                yield found


def leftovers(text: str) -> list[tuple[str, str]]:
    """Find what Markdown has no meaning for: (what it is, the text)."""
    return [
        (name, found[0])
        for part in prose(text)
        for name, pattern in LEFTOVERS.items()
        for found in pattern.finditer(AREA.sub("", part))
    ]


def test_audit_sees_what_it_looks_for() -> None:
    text = '<Tabs x={1}>\n\n{/* no */}\n\n:::tip\n\nimport A from "a"\n\n{{ version }}\n\nsidebar_label: a\n\n`<Tabs>`\n\n```\n:::\n```\n'
    assert {name for name, _ in leftovers(text)} == LEFTOVERS.keys()
    assert leftovers('---\nsidebar_x: 1\n---\n\n# A\n\n`{{ a }}`\n\n```jsx\n<Tabs className="a" />\n```\n') == []


def test_no_page_has_leftovers_of_its_dialect(site: Published) -> None:
    pages = [name for name in site.manifest().files if name.endswith(".md")]
    assert len(pages) > 100
    found = {name: left for name in pages if (left := leftovers((site.out / name).read_text()))}
    assert found == {}


def test_parts_hold_every_page_that_is_listed(site: Published) -> None:
    parts = [(site.out / name).read_text() for name in site.manifest().files if name.startswith("llms-full")]
    listed = re.findall(r"\]\((?:https?://[^/)]+)?/([^)]+\.md)\)", site.get("/llms.txt").text)
    assert len(listed) > 100
    assert all(sum((site.out / name).read_text() in part for part in parts) == 1 for name in listed)
    assert parts
    assert all(len(part.encode()) <= 1_000_000 for part in parts)
