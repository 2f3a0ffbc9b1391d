"""`Definitions`: the modules of components, run to see what they export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from octavo.components.component import stem
from octavo.components.conversation import ComponentError, SlowError, unreadable
from octavo.components.drawing import PRINTED_HINT, error_hint, printed_text
from octavo.components.modules import Modules, place_finding
from octavo.components.process import ComponentProcess, is_description
from octavo.components.slots import FOLDER, LAYOUT, contract_problem
from octavo.diagnostics import Diagnostic, Level
from octavo.lazy import regex as re

CLIENTS: Final = ("load", "visible", "idle", "none")
CHILDREN: Final = ("elements", "html")
_CONTRACT = re.compile(r"^export\s+const\s+contract\s*(?::[^=]*)?=\s*", re.MULTILINE)
_CHILDREN = re.compile(r"^export\s+const\s+children\s*(?::[^=]*)?=\s*", re.MULTILINE)
_CLIENT = re.compile(r"^export\s+const\s+client\s*(?::[^=]*)?=\s*", re.MULTILINE)

_NAMED_EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:function|class|const)\s+(?P<name>[A-Z]\w*)", re.MULTILINE)

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_REACTING = re.compile(r"(?=\bon[A-Z]\w*=\{|\buse(?:State|Reducer|Effect|LayoutEffect)(?:<[^()\n]*>)?\()")
"""What does nothing while a site is built: handlers of events, state and effects."""


class Exports(msgspec.Struct, frozen=True):
    """What a module exports."""

    client: str
    problems: list[Diagnostic]
    children: str = ""
    """How it says it wants its children: one of `CHILDREN`, or empty."""
    idle: Diagnostic | None = None
    """It reacts to readers and does not come alive by itself; only within another component it may."""


class Definitions:
    """Gives the process the modules of a site's components."""

    def __init__(self, site_dir: Path, modules: Modules, process: ComponentProcess) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            modules: What components import.
            process: Runs them.
        """
        self._site_dir = site_dir
        self._modules = modules
        self._process = process

    def describe(self, path: str, patience: float | None) -> Exports:
        """Run a component's module to see what it exports.

        Args:
            path: Its file.
            patience: Seconds to wait; None waits up to the limit.

        Raises:
            SlowError: it takes longer; its answer is for `judge`.
        """
        try:
            wrong = self.define(path)
            found = {} if wrong else self._process.describe(self._modules.key(path), patience)
        except SlowError:
            raise
        except ComponentError as error:
            return self.judge(path, error)
        return Exports("none", [wrong]) if wrong is not None else self.judge(path, found)

    def judge(self, path: str, found: Any) -> Exports:
        """Judge what a module exports, or the error in its place."""
        if isinstance(found, ComponentError) or not is_description(found):
            error = found if isinstance(found, ComponentError) else unreadable()
            return Exports("none", [self.finding(path, None, f"The module fails when it is run: {error}.")])
        if "error" in found:
            return Exports(
                "none",
                [
                    self.finding(
                        path, found["place"], f"The module fails: {found['error']}.", error_hint(found["error"])
                    )
                ],
            )
        if not found["isComponent"]:
            message = "This file has no default export that is a component."
            hint = "Write: export default function Name(props) {…}."
            others = [match["name"] for match in _NAMED_EXPORT.finditer(self.read(path))]
            if others:
                named = ", ".join(f'"{one}"' for one in others)
                message += f' It exports {named}; only one named "{stem(path)}", like the file, counts as the default.'
                hint = "Put each component into a file with its name, or write export default in front of one."
            return Exports("none", [self.finding(path, None, message, hint)])
        if found["client"] not in CLIENTS:
            message = f'"{found["client"]}" is not a time at which a component comes alive.'
            hint = f"Write export const client = one of {', '.join(json.dumps(one) for one in CLIENTS)}."
            return Exports("none", [self.finding(path, self._place_of(path, _CLIENT), message, hint)])
        children = found.get("children") or ""
        if children not in ("", *CHILDREN):
            message = f'"{children}" is no way in which a component gets its children.'
            hint = f"Write export const children = one of {', '.join(json.dumps(one) for one in CHILDREN)}."
            return Exports("none", [self.finding(path, self._place_of(path, _CHILDREN), message, hint)])
        problem = contract_problem(found["contract"]) if path.startswith(f"{FOLDER}/") else None
        if problem is not None:
            at = self._place_of(path, _CONTRACT) or {"line": 1, "column": 1}
            message, hint = problem
            text = self.read(path)
            finding = place_finding("slot", "warn", path, at["line"], at["column"], message, text, hint)
            return Exports(found["client"], [finding])
        said = found.get("printed")
        printed = []
        if said is not None:
            message = f"The module prints: {printed_text(said)}."
            printed = [self.finding(path, said["place"], message, PRINTED_HINT, level="warn")]
        # The layout is part of the application, which browsers hydrate anyway.
        is_layout = path.startswith(f"{FOLDER}/{LAYOUT}.")
        if found["client"] == "none" and not is_layout and self._place_of(path, _CLIENT) is None:
            place = self._place_of(path, _REACTING)
            if place is not None:
                message = "This asks for a reader's browser, but the component is not hydrated there: nothing happens."
                hint = 'Write export const client = "visible"; or "none", if it is meant to stay as it is.'
                return Exports("none", printed, children, self.finding(path, place, message, hint, level="warn"))
        return Exports(found["client"], printed, children)

    def _place_of(self, path: str, pattern: re.Pattern[str]) -> dict[str, Any] | None:
        """Find where a file says something; None where it does not."""
        text = self.read(path)
        found = pattern.search(text)
        if found is None:
            return None
        at = found.end()
        return {"path": path, "line": text.count("\n", 0, at) + 1, "column": at - text.rfind("\n", 0, at)}

    def define(self, path: str) -> Diagnostic | None:
        """Give the process a module with all that it imports; returns what is wrong with one of them."""
        for module in self._modules.below(path):
            key = self._modules.key(module.path)
            if module.is_style or (self._process.is_running and key in self._process.defined):
                continue
            needs = {
                name: self._modules.key(other)
                for name, other in module.needs.items()
                if not self._modules.all[other].is_style
            }
            found = self._process.define(key, module.path, needs, module.mappings, module.code)
            if "error" in found:
                return self.finding(
                    module.path,
                    {
                        "path": module.path,
                        "line": found["line"],
                        "column": authored_column(module.mappings, found["line"], found["column"]),
                    },
                    f"It cannot be compiled: {found['error']}.",
                    self._syntax_hint(module.code, found),
                )
        return None

    @staticmethod
    def _syntax_hint(code: str, found: Mapping[str, Any]) -> str:
        """Say what helps against syntax that the compiler passes on, and no browser knows."""
        if "import.meta" in found["error"]:
            return "Only bundlers give it a meaning: write the value itself, or import it from a file."
        line = code.splitlines()[found["line"] - 1 : found["line"]]
        is_decorator = bool(line) and line[0][found["column"] - 1 : found["column"]] == "@"
        return (
            "Decorators are not supported: call the function instead, as in export default decorate(Name)."
            if is_decorator
            else ""
        )

    def read(self, path: str) -> str:
        """Read a file; empty where it cannot be read."""
        try:
            return (self._site_dir / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def finding(
        self,
        path: str,
        place: Mapping[str, Any] | None,
        message: str,
        hint: str = "",
        *,
        level: Level = "error",
    ) -> Diagnostic:
        """Make a finding at a place in a module, or at a component's default export."""
        at = place or {"path": path, "line": self._modules.all[path].line, "column": 1}
        text = self.read(at["path"])
        return place_finding("component", level, at["path"], at["line"], at["column"], message, text, hint)


def authored_column(mappings: str, line: int, column: int) -> int:
    """Find the column of the source from which a column of the compiled code comes; both begin at 1.

    The compiler keeps each line on a line of its own. `originOf` in the theme does the same for browsers.
    """
    source = found = 0
    for number, written in enumerate(mappings.split(";"), start=1):
        generated = 0
        for segment in filter(None, written.split(",")):
            moved = _decode(segment)
            generated += moved[0]
            source += moved[3] if len(moved) > 3 else 0
            if number == line and generated <= column - 1:
                found = source
        if number >= line:
            break
    return found + 1


def _decode(segment: str) -> list[int]:
    """Decode a segment of a source map: numbers to the base of 64, the sign in the lowest bit."""
    numbers: list[int] = []
    value = shift = 0
    for digit in map(_DIGITS.index, segment):
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return numbers
