"""What a page and its style sheets weigh in the smallest form that the server has, without headers."""

from __future__ import annotations

import re

import brotli

from site_contract.shipped.conftest import Published

MOST = 25_000
LARGEST = 12
"""Pages that are measured, the largest first: the compression of all takes half a minute."""


def compressed(content: bytes) -> int:
    return len(brotli.compress(content, quality=11))


def test_largest_pages_and_their_style_sheets_are_within_25_kb(site: Published) -> None:
    pages = [path for path in site.out.rglob("index.html") if "print" not in path.parts]
    assert len(pages) > 100
    largest = sorted(pages, key=lambda path: path.stat().st_size, reverse=True)[:LARGEST]
    preview = site.out / "theme-preview" / "index.html"
    weights = {}
    for path in {*largest, preview}:
        content = path.read_bytes()
        sheets = re.findall(rb'<link rel="stylesheet" href="/(_octavo/assets/[^"]+)"', content)
        assert sheets
        weights[path.parent.name] = compressed(content) + sum(
            compressed((site.out / sheet.decode()).read_bytes()) for sheet in sheets
        )
    assert {name: weight for name, weight in weights.items() if weight > MOST} == {}
