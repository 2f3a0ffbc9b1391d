"""React in Python: strings in, HTML out, each shared part drawn once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from octavo.contract import PagePayload
from octavo.rendering.engine import ThemeEngine

NAVBAR, SIDEBAR, FOOTER, ANNOUNCEMENTS, HTML = "NAVBAR", "SIDEBAR", "FOOTER", "ANNOUNCEMENTS", "HTML"
"""Slots in what `ThemeBridge.pages` returns."""


class ThemeBridge:
    """What draws: an engine, and what it has drawn or been told before."""

    def __init__(self, engine: ThemeEngine) -> None:
        self._engine = engine
        self._loaded: set[str] = set()
        self._parts: dict[tuple[str | None, ...], str] = {}
        self._islands: dict[str, dict[str, str]] = {}

    def load(self, function: str, address: str, content: bytes) -> None:
        """Hand a shared file (`SiteData`, `SidebarData`) to the theme, once."""
        if address not in self._loaded:
            self._engine.call(function, address, content.decode())
            self._loaded.add(address)

    def load_words(self, site: str, content: bytes) -> None:
        """Hand the words of a language that only the server needs to the theme, once; `site` has been loaded."""
        if (key := f"{site} words") not in self._loaded:
            self._engine.call("loadWords", site, content.decode())
            self._loaded.add(key)

    def part(self, function: str, *arguments: str | None) -> str:
        """Draw a part that many pages share (`renderNavbar`, `renderSidebar`, `renderFooter`…), once for its arguments."""
        key = (function, *arguments)
        if key not in self._parts:
            self._parts[key] = self._engine.call(function, *arguments)
        return self._parts[key]

    def pages(self, payloads: Sequence[PagePayload]) -> list[str]:
        """Draw pages, with slots for the article and the shared parts."""
        return list(json.loads(self._engine.call("renderPages", msgspec.json.encode(payloads).decode())))

    def bars(self, payloads: Sequence[PagePayload]) -> list[str]:
        """Draw the top bars of pages that lead to their other editions; empty for those that lead nowhere."""
        return list(json.loads(self._engine.call("renderBars", msgspec.json.encode(payloads).decode())))

    def islands(self, site: str, islands: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
        """Draw islands in the language of a site.

        Args:
            site: Address of the `SiteData`, which must have been loaded.
            islands: (kind, props) of each; the places of their children are slots `C{n}`.
        """
        keys = [msgspec.json.encode({"kind": kind, "props": props}).decode() for kind, props in islands]
        known = self._islands.setdefault(site, {})
        unknown = [key for key in dict.fromkeys(keys) if key not in known]
        if unknown:
            drawn = json.loads(self._engine.call("renderIslands", site, f"[{','.join(unknown)}]"))
            known.update(zip(unknown, drawn, strict=True))
        return [known[key] for key in keys]
