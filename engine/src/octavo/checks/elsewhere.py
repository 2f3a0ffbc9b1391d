"""What a site refers to on other sites, at the places where an author has written it."""

from __future__ import annotations

import html
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from octavo.checks.findings import SourceLines
from octavo.config import CONFIG_NAME
from octavo.content import Link, without_code
from octavo.diagnostics import Span
from octavo.rendering import PageRecord
from octavo.site import Page, Site

_ELSEWHERE = ("http://", "https://", "//")
_SHOWN = frozenset({"href", "src", "src_dark"})
"""Keys of settings that hold such addresses."""


def links_to_other_sites(site: Site, records: Mapping[str, PageRecord], lines: SourceLines) -> Iterator[Link]:
    """List links, pictures, and what else the finished pages load from other sites.

    What Octavo adds by itself, such as the address at which a page is edited, is left out.

    Args:
        site: The site.
        records: Route → drawn page.
        lines: The sources.
    """
    for page in site.pages:
        links = page.summary.links if page.summary else []
        yield from links
        known = {link.href for link in links}
        record = records.get(page.route)
        for reference in record.references if record is not None else ():
            if reference in known or not reference.startswith(_ELSEWHERE):
                continue
            found = _find(reference, page.origin, lines) or _find_in_source(reference, page, lines)
            if found is not None:
                yield found
    for reference in dict.fromkeys(_references_of(tomllib.loads(lines.text(CONFIG_NAME)))):
        if (link := _find(reference, CONFIG_NAME, lines)) is not None:
            yield link


def _references_of(value: Any, key: str = "") -> Iterator[str]:
    """List what settings link to and show on other sites, such as entries of the top bar and logos."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _references_of(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from _references_of(one, key)
    elif isinstance(value, str) and key in _SHOWN and value.startswith(_ELSEWHERE):
        yield value


def _find_in_source(reference: str, page: Page, lines: SourceLines) -> Link | None:
    return _find(reference, page.source.path, lines) if page.source is not None else None


def _find(reference: str, path: str, lines: SourceLines) -> Link | None:
    """Find the first place of a reference in a file."""
    text = lines.text(path)
    if path != CONFIG_NAME:
        text = without_code(text)
    for written in (reference, html.escape(reference)):
        start = text.find(written)
        # A longer address that begins so is another one.
        while start >= 0 and text[start + len(written) : start + len(written) + 1].isalnum():
            start = text.find(written, start + 1)
        if start >= 0:
            line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
            # Where a scheme is left out, browsers take that of the page.
            address = f"https:{reference}" if reference.startswith("//") else reference
            return Link(address, Span(path, line, column))
    return None
