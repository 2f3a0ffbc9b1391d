"""V8 with the theme's server bundle in it: in this process, or in one that is started ahead."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import weakref
from functools import cached_property
from multiprocessing.connection import Connection
from typing import Any, Protocol

import msgspec

from octavo.errors import RenderError
from octavo.rendering.theme import Theme
from octavo.runtime import count_cores

_FUNCTIONS = (
    "loadSite",
    "loadWords",
    "loadSidebar",
    "renderPages",
    "renderIslands",
    "renderBars",
    "renderNavbar",
    "renderSidebar",
    "renderFooter",
    "renderAnnouncements",
)


class ThemeEngine(Protocol):
    """Calls the functions of the theme's server bundle."""

    def call(self, function: str, *arguments: str | None) -> str:
        """Call one.

        Raises:
            RenderError: the theme failed.
        """


class LocalEngine:
    """V8 in this process, started when first used. Once it runs, the process must not fork any more."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def call(self, function: str, *arguments: str | None) -> str:
        """See `ThemeEngine`."""
        try:
            # Called as a function and not by name: that way strings cross as they are, without JSON around them.
            return str(self.functions[function](*arguments))
        except self._script_error as error:
            raise RenderError(f"The theme failed in {function}: {str(error).strip()}") from error

    @cached_property
    def functions(self) -> dict[str, Any]:
        """The bundle's functions by name; asking for them starts V8."""
        # A rebuild in which nothing is drawn does without V8, and without the 30 ms of its import.
        from py_mini_racer import MiniRacer

        self._v8 = MiniRacer()
        # V8 has ended when Python clears its modules: an engine that is closed only then waits for it for ever.
        weakref.finalize(self, self._v8.close)
        try:
            self._v8.eval(self._theme.server_script)
            return {name: self._v8.eval(f"Octavo.{name}") for name in _FUNCTIONS}
        except self._script_error as error:
            raise RenderError(f"The theme's server bundle cannot be run: {str(error).strip()}") from error

    @cached_property
    def _script_error(self) -> type[Exception]:
        from py_mini_racer import JSEvalException

        return JSEvalException


class AheadEngine:
    """V8 in a forked process: it starts on another core while this process still reads, and leaves forking safe here."""

    def __init__(self, theme: Theme) -> None:
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._connection, theme), daemon=True)
        self._process.start()
        theirs.close()

    @staticmethod
    def is_possible() -> bool:
        """Return whether there is a second core, and a system on which forking is safe."""
        return sys.platform.startswith("linux") and count_cores() > 1

    def call(self, function: str, *arguments: str | None) -> str:
        """See `ThemeEngine`."""
        try:
            self._connection.send_bytes(msgspec.msgpack.encode([function, *arguments]))
            has_failed, text = msgspec.msgpack.decode(self._connection.recv_bytes(), type=tuple[bool, str])
        except (OSError, EOFError) as error:
            raise RenderError(f"The process that draws pages has ended in {function}.") from error
        if has_failed:
            raise RenderError(text)
        return text

    @property
    def is_alive(self) -> bool:
        """The process runs."""
        return self._process.is_alive()

    def close(self) -> None:
        """End the process."""
        self._connection.close()
        self._process.kill()
        self._process.join()


def _serve(connection: Connection, parents: Connection, theme: Theme) -> None:
    """Answer calls until the other side hangs up."""
    # Else this process would hold the other end open itself, and never see it closed.
    parents.close()
    # The parent answers Ctrl+C for both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    engine = LocalEngine(theme)
    # An error in the bundle is raised by the first call.
    with contextlib.suppress(RenderError):
        _ = engine.functions
    with contextlib.suppress(OSError, EOFError):
        while True:
            function, *arguments = msgspec.msgpack.decode(connection.recv_bytes())
            try:
                answer = (False, engine.call(function, *arguments))
            except RenderError as error:
                answer = (True, str(error))
            connection.send_bytes(msgspec.msgpack.encode(answer))
    os._exit(0)


class Engines:
    """Gives a build its engine: the one that was started ahead, or a new one in this process."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._ahead: AheadEngine | None = None
        self._local: LocalEngine | None = None

    def start_ahead(self) -> None:
        """Start one now where that is possible: some pages will have to be drawn soon."""
        if self._ahead is None and AheadEngine.is_possible():
            self._ahead = AheadEngine(self._theme)

    def take(self) -> ThemeEngine:
        """Give an engine to this process."""
        if self._ahead is not None:
            return self._ahead
        if self._local is None:
            self._local = LocalEngine(self._theme)
        return self._local

    def revive(self) -> bool:
        """Let another engine take the place of one that was started ahead and has died; gives whether there was one."""
        if self._ahead is None or self._ahead.is_alive:
            return False
        self.close()
        return True

    def close(self) -> None:
        """End the one that was started ahead: when all is drawn, or when several processes will draw."""
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None
