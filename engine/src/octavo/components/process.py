"""`ComponentProcess`: the process that compiles and draws components, seen from the build."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any, cast

from octavo.components.conversation import (
    ComponentError,
    Conversation,
    LateAnswer,
    SlowError,
    TurnError,
    read_answer,
    unreadable,
)
from octavo.lazy import regex as re
from octavo.rendering import THEME_DIR, read_theme_file

if TYPE_CHECKING:
    from multiprocessing.synchronize import Lock

_GRACE_S = 5.0
"""That the process may answer late: it stops code itself, and is started meanwhile."""


_WEB_APIS = re.compile(r"\b(?:TextDecoder|TextEncoder|URL|URLSearchParams|atob|btoa|structuredClone)\b")
"""Names whose objects V8 lacks; they take three times as long to load as what draws, so only where a module has one."""


class ComponentProcess:
    """Started with the first request. Used by one thread of one process.

    A process that was forked starts its own, unless this one was shared before: then they take turns, and each starts its
    own when a request of anybody's was stopped.
    """

    def __init__(self, base_url: str, *, seconds: float, memory: int) -> None:
        """Initialize.

        Args:
            base_url: Path under which the site is published.
            seconds: That one request may take.
            memory: Bytes that the objects of components may take.
        """
        self._base_url = base_url
        self._limits = {"seconds": seconds, "memory": memory}
        self._patience = seconds + _GRACE_S
        self._process: Conversation | None = None
        self._turn: Lock | None = None
        """Held during a request, where the process is shared."""
        self._loaded: set[str] = set()
        self.defined: set[str] = set()
        """Ids of the modules that it has; none after it was replaced."""

    def compile(self, code: str, path: str) -> dict[str, Any]:
        """Compile a module.

        Returns:
            `code` and `mappings`, or `error`, `line` and `column`.

        Raises:
            ComponentError: See the class.
        """
        self._start()
        self._load("compile-script.js")
        return cast("dict[str, Any]", self._ask({"do": "compile", "code": code, "path": path}))

    def define(self, module_id: str, path: str, needs: dict[str, str], mappings: str, code: str) -> dict[str, Any]:
        """Give it a module; returns what is wrong with it as `error`, `line` and `column`, or nothing.

        Raises:
            ComponentError: See the class.
        """
        self._start()
        self._load_server()
        if _WEB_APIS.search(code):
            self._load("web-apis.js", "OctavoComponents.extend()")
        found: dict[str, Any] = self._ask(
            {
                "do": "define",
                "id": module_id,
                "path": path,
                "needs": json.dumps(needs),
                "mappings": mappings,
                "code": code,
            }
        )
        self.defined.add(module_id)
        return found

    def describe(self, module_id: str, patience: float | None = None) -> dict[str, Any]:
        """Run a module that was given; returns what it exports, or `error` and `place`.

        Args:
            module_id: The module.
            patience: Seconds after which the answer is waited for elsewhere; None waits for it here.

        Raises:
            ComponentError: See the class.
        """
        found = self._ask({"do": "describe", "id": module_id}, patience)
        if not is_description(found):
            raise self._unreadable()
        return cast("dict[str, Any]", found)

    def draw(self, uses: list[dict[str, Any]], patience: float | None = None) -> list[dict[str, Any]]:
        """Draw uses; returns for each `html`, or `error` and `place`.

        Args:
            uses: The uses.
            patience: Seconds after which the answer is waited for elsewhere; None waits for it here.

        Raises:
            ComponentError: See the class.
        """
        drawn = self._ask({"do": "draw", "uses": json.dumps(uses)}, patience)
        if not are_drawn(drawn, len(uses)):
            raise self._unreadable()
        return cast("list[dict[str, Any]]", drawn)

    def prepare(self) -> None:
        """Start it with all that compiles and draws, so that the first request need not wait for that.

        Raises:
            ComponentError: See the class.
        """
        self._start()
        self._load("compile-script.js")
        self._load_server()

    def share(self) -> None:
        """Let processes that are forked from now on use it too: to start V8 costs as much as to draw thousands of uses."""
        self._start()
        self._load_server()
        self._turn = multiprocessing.get_context("fork").Lock()

    @property
    def is_running(self) -> bool:
        """It runs, and this process may use it."""
        if self._process is None:
            return False
        if self._process.owner != os.getpid():
            # Only its owner can ask; the others see it when they ask it for something.
            return self._turn is not None
        return self._process.is_alive

    def close(self) -> None:
        """End it."""
        process = self._give_up()
        if process is not None:
            process.end()

    def _give_up(self) -> Conversation | None:
        """Let the next request start another process; returns this one."""
        process, self._process = self._process, None
        self._loaded, self.defined, self._turn = set(), set(), None
        return process

    def _start(self) -> None:
        if self.is_running:
            return
        self.close()
        self._process = Conversation()

    def _load_server(self) -> None:
        self._load("component-server.js", f"OctavoComponents.start({json.dumps(self._base_url)})")

    def _load(self, name: str, call: str = "") -> None:
        if name not in self._loaded:
            self._loaded.add(name)
            self._ask({"do": "load", "script": read_theme_file(THEME_DIR / name).decode(), "call": call})

    def _ask(self, request: dict[str, Any], patience: float | None = None) -> Any:
        turn, process = self._turn, self._process
        if turn is None or process is None:
            return self._ask_alone(request, patience)
        if not turn.acquire(timeout=self._patience):
            self.close()
            raise TurnError("its process has no time")
        try:
            return self._ask_alone(request)
        except ComponentError as error:
            # Perhaps for something that another process has asked: by itself this one finds out. No answer that is still
            # under way may reach the others.
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)
            raise TurnError(str(error)) from error
        finally:
            turn.release()

    def _ask_alone(self, request: dict[str, Any], patience: float | None = None) -> Any:
        process = self._process
        if process is None:
            raise ComponentError("its process has ended")
        process.send(request | self._limits)
        now = time.monotonic()
        until, seconds = now + self._patience, self._limits["seconds"]
        line = process.receive(until if patience is None else min(until, now + patience))
        if line is None and patience is not None and process.is_alive:
            self._give_up()
            raise SlowError(LateAnswer(process, until, seconds))
        try:
            return read_answer(process, line, seconds)
        except ComponentError:
            # What was asked may have changed the state of the others.
            self.close()
            raise

    def _unreadable(self) -> ComponentError:
        """Give the process up: code of the site has changed what answers."""
        self.close()
        return unreadable()


class Spare:
    """A process for components that is started while nobody waits for it: to start one takes longer than to draw a page.

    Used by one thread; the thread that it starts ends when the process is ready.
    """

    def __init__(self, process: ComponentProcess) -> None:
        """Start the process."""
        self._process = process
        self._thread = threading.Thread(target=self._prepare, name="octavo-spare-process", daemon=True)
        self._thread.start()

    def take(self) -> ComponentProcess:
        """Wait until it is ready, and give it away; one that could not be prepared starts with its first request."""
        self._thread.join()
        return self._process

    def close(self) -> None:
        """End it."""
        self.take().close()

    def _prepare(self) -> None:
        with contextlib.suppress(ComponentError):
            self._process.prepare()


def is_description(found: object) -> bool:
    """Return whether an answer is one to `describe`: code of the site may have changed what answers."""
    return isinstance(found, dict) and ("error" in found or {"isComponent", "client", "contract"} <= found.keys())


def are_drawn(drawn: object, number: int) -> bool:
    """Return whether an answer is one to `draw` with so many uses."""
    return (
        isinstance(drawn, list)
        and len(drawn) == number
        and all(isinstance(one, dict) and isinstance(one.get("html", one.get("error")), str) for one in drawn)
    )
