"""React in the process: the theme's server bundle, run by V8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from recto.build.payload import PagePayload
from recto.build.theme import Theme
from recto.errors import RenderError

NAVBAR, SIDEBAR, FOOTER, ANNOUNCEMENTS, HTML = "NAVBAR", "SIDEBAR", "FOOTER", "ANNOUNCEMENTS", "HTML"
"""Slots in what `Renderer.pages` returns."""

_FUNCTIONS = (
    "loadSite",
    "loadSidebar",
    "renderPages",
    "renderIslands",
    "renderNavbar",
    "renderSidebar",
    "renderFooter",
    "renderAnnouncements",
)


class Renderer:
    """One V8 with the theme in it. Not shared between processes; started when first used."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._loaded: set[str] = set()
        self._parts: dict[tuple[str, ...], str] = {}
        self._islands: dict[str, str] = {}

    def load(self, function: str, address: str, content: bytes) -> None:
        """Hand a shared file (`SiteData`, `SidebarData`) to the theme, once."""
        if address not in self._loaded:
            self._call(function, address, content.decode())
            self._loaded.add(address)

    def part(self, function: str, *arguments: str | None) -> str:
        """Draw a part that many pages share (`renderNavbar`, `renderSidebar`, `renderFooter`…), once for its arguments."""
        key = (function, *(json.dumps(argument) for argument in arguments))
        if key not in self._parts:
            self._parts[key] = self._call(function, *arguments)
        return self._parts[key]

    def pages(self, payloads: Sequence[PagePayload]) -> list[str]:
        """Draw pages, with slots for the article and the shared parts."""
        return list(json.loads(self._call("renderPages", msgspec.json.encode(payloads).decode())))

    def islands(self, islands: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
        """Draw islands, given as (kind, props); the places of their children are slots `C{n}`."""
        keys = [msgspec.json.encode({"kind": kind, "props": props}).decode() for kind, props in islands]
        unknown = [key for key in dict.fromkeys(keys) if key not in self._islands]
        if unknown:
            drawn = json.loads(self._call("renderIslands", f"[{','.join(unknown)}]"))
            self._islands.update(zip(unknown, drawn, strict=True))
        return [self._islands[key] for key in keys]

    def _call(self, function: str, *arguments: str | None) -> str:
        try:
            # Called as a function and not by name: that way strings cross as they are, without JSON around them.
            return str(self._functions[function](*arguments))
        except self._script_error as error:
            raise RenderError(f"The theme failed in {function}: {str(error).strip()}") from error

    @cached_property
    def _script_error(self) -> type[Exception]:
        from py_mini_racer import JSEvalException

        return JSEvalException

    @cached_property
    def _functions(self) -> dict[str, Any]:
        # A rebuild in which nothing is drawn does without V8, and without the 30 ms of its import.
        from py_mini_racer import MiniRacer

        self._v8 = MiniRacer()
        try:
            self._v8.eval(self._theme.server_script)
            return {name: self._v8.eval(f"Recto.{name}") for name in _FUNCTIONS}
        except self._script_error as error:
            raise RenderError(f"The theme's server bundle cannot be run: {str(error).strip()}") from error
