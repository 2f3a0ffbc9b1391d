"""Find what a function reads or does that it has not declared, by the interpreter's own audit events."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from octavo.extensions import Inputs

_LISTINGS = frozenset({"os.listdir", "os.scandir", "glob.glob", "pathlib.Path.glob"})
_OUTSIDE = {
    "socket.connect": "It asks the network",
    "socket.getaddrinfo": "It asks the network",
    "subprocess.Popen": "It starts a program",
    "os.system": "It starts a program",
    "sqlite3.connect": "It opens a database",
}
_HARMLESS = ("/dev/", "/usr/share/zoneinfo/", "/usr/lib/", "/proc/")
_BINARY_CODE = (".pyc", ".so", ".pyd")
_MOST = 20


class Watch:
    """What was found during one call."""

    def __init__(self, site_dir: Path, declared: Collection[str], inputs: Inputs) -> None:
        self._site_dir = site_dir
        self._declared = declared
        self._inputs = inputs
        self.found: list[str] = []

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take an event."""
        if len(self.found) >= _MOST or self._inputs.is_reading:
            return
        if event in _OUTSIDE:
            shown = next((str(one) for one in arguments if isinstance(one, str | bytes)), "")
            self._say(f"{_OUTSIDE[event]}{f' ({shown})' if shown else ''}.")
        elif event == "open" and arguments and isinstance(arguments[0], str | bytes | os.PathLike):
            self._open(os.path.realpath(os.fsdecode(arguments[0])), str(arguments[1] or "r"), arguments[2])
        elif event in _LISTINGS and arguments and isinstance(arguments[0], str | os.PathLike):
            path = os.path.realpath(arguments[0])
            if _is_importing():
                return
            if not self._is_known(path) and not any(one.startswith(f"{path}{os.sep}") for one in self._declared):
                self._say(
                    f"It lists the folder {self._shown(path)}, though inputs of the extension name no file in it."
                )

    def _open(self, path: str, mode: str, flags: object) -> None:
        if set(mode) & set("wax+") or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)):
            self._say(f"It writes {self._shown(path)}; functions that make pages write nothing.")
        elif not self._is_known(path):
            self._say(f"It reads {self._shown(path)}, which is not declared.")

    def _is_known(self, path: str) -> bool:
        if path in self._declared or path.endswith(_BINARY_CODE) or path.startswith(_HARMLESS):
            return True
        if path.endswith(".py") and _is_importing():
            return True
        is_own = path.startswith(os.path.realpath(self._site_dir) + os.sep)
        return not is_own and path.startswith((os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix)))

    def _shown(self, path: str) -> str:
        root = os.path.realpath(self._site_dir)
        return f'"{os.path.relpath(path, root) if path.startswith(root + os.sep) else path}"'

    def _say(self, sentence: str) -> None:
        if sentence not in self.found:
            self.found.append(sentence)


def _is_importing() -> bool:
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


class Audit:
    """The hook, which cannot be taken away again and so is installed when it is first needed."""

    def __init__(self, site_dir: Path) -> None:
        self._site_dir = site_dir
        self._watch: Watch | None = None
        self._is_installed = False

    @contextmanager
    def watching(self, declared: Collection[str], inputs: Inputs, *, is_on: bool) -> Iterator[Watch]:
        """Note what happens in here."""
        watch = Watch(self._site_dir, declared, inputs)
        if is_on:
            if not self._is_installed:
                sys.addaudithook(self._hook)
                self._is_installed = True
            self._watch = watch
        try:
            yield watch
        finally:
            self._watch = None

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        watch = self._watch
        if watch is None:
            return
        self._watch = None  # what is done in here is not an event of the extension's
        try:
            watch.note(event, arguments)
        finally:
            self._watch = watch
