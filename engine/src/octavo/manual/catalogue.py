"""The catalogue of findings and errors: what each means, an example, and what to do."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of finding, or an error."""

    code: str
    """Its name in messages, such as `broken-link`."""
    title: str
    """What it is, without a full stop."""
    cause: str
    """Markdown, one paragraph."""
    example: str
    """What causes it."""
    remedy: str
    """Markdown, one paragraph."""
    kind: Literal["finding", "error"] = "finding"
    where: str = "page"
    """`page`: the example is Markdown of a page; `page.mdx`: MDX; else the file that it is from."""
    extension: str = ""
    """An extension of `[markdown]` without which the example is something else."""
    partials: dict[str, str] = {}
    """Files that the example takes in: path from the site's folder → content."""

    @property
    def setting(self) -> str | None:
        """The key of `[diagnostics]` that sets its level; None where it has none."""
        if self.kind == "error" or self.code == "render":
            return None
        return _PLURALS.get(self.code, self.code).replace("-", "_")


_PLURALS = {
    "broken-link": "broken_links",
    "broken-anchor": "broken_anchors",
    "broken-asset": "broken_assets",
    "duplicate-route": "duplicate_routes",
    "duplicate-anchor": "duplicate_anchors",
    "vanished-address": "vanished_addresses",
    "vanished-anchor": "vanished_anchors",
}
"""Codes whose setting has another name."""


@cache
def load_catalogue() -> dict[str, Entry]:
    """Read the catalogue: code → entry, in alphabetical order."""
    raw = tomllib.loads((files("octavo.manual") / "findings.toml").read_text(encoding="utf-8"))
    entries = [msgspec.convert({"code": code, **table}, Entry) for code, table in raw.items()]
    return {entry.code: entry for entry in sorted(entries, key=lambda entry: entry.code)}
