"""What is wrong with a description: a pointer into it, turned into file and line when it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from octavo.diagnostics import Diagnostic, Level, Span

Pointer = tuple[str | int, ...]
"""Keys from the root of a document, such as `("paths", "/pets", "get")`."""


class Problem(Exception):  # noqa: N818 - it becomes a diagnostic, whatever its name
    """A description can't be used; carries the place and the reason."""

    def __init__(
        self,
        message: str,
        pointer: Pointer = (),
        *,
        suggestion: str = "",
        line: int = 0,
        level: Level = "error",
        keyword: str = "",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.suggestion = suggestion
        self.line = line
        self.level: Level = level
        """Anything but an error leaves the description fit to be drawn."""
        self.keyword = keyword
        """Keyword of the schema of OpenAPI that the place does not agree with; empty for what no schema can say."""
        self.names = names
        """Keys of the place that it must not have, or that it lacks."""

    @property
    def places(self) -> list[Pointer]:
        """Pointers to what is wrong: to keys that must not be there, or to the place itself."""
        has_own = bool(self.names) and self.keyword.endswith("Properties")
        return [(*self.pointer, name) for name in self.names] if has_own else [self.pointer]


class DescriptionText(msgspec.Struct, frozen=True):
    """The text of a description, to find lines in."""

    path: str
    """From the site's folder."""
    text: str

    def diagnostics(self, problems: Iterable[Problem], *, code: str = "openapi") -> list[Diagnostic]:
        """Make diagnostics of problems, with the lines that their pointers lead to; the text is read once."""
        problems = list(problems)
        lines = lines_of(self.text, [problem.pointer for problem in problems if not problem.line])
        return [
            Diagnostic(
                code,
                problem.level,
                Span(self.path, problem.line or lines[problem.pointer]),
                f"{f'{write_pointer(problem.pointer)}: ' if problem.pointer else ''}{problem.message}",
                problem.suggestion,
            )
            for problem in problems
        ]


def write_pointer(pointer: Sequence[str | int]) -> str:
    """Write a JSON pointer (RFC 6901) as a fragment: `#/paths/~1pets/get`."""
    return "#" + "".join(f"/{write_key(str(key))}" for key in pointer)


def write_key(key: str) -> str:
    """Write one key of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def read_pointer(fragment: str) -> Pointer:
    """Read the fragment of a reference; the empty one is the root."""
    from urllib.parse import unquote

    keys = unquote(fragment).split("/")[1:]
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in keys)


def lines_of(text: str, pointers: Iterable[Pointer]) -> dict[Pointer, int]:
    """Find the lines (1-based) of values, or of their nearest ancestors in the text."""
    wanted = list(pointers)
    if not wanted:
        return {}
    import yaml  # not at the top: a description in which nothing is wrong does without it

    try:
        root: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return dict.fromkeys(wanted, 1)
    return {pointer: _line_of(root, pointer) for pointer in wanted}


def _line_of(node: Any, pointer: Pointer) -> int:
    line = node.start_mark.line + 1 if node is not None else 1
    for key in pointer:
        node = _child(node, key)
        if node is None:
            break
        key_node, node = node
        line = key_node.start_mark.line + 1
    return line


def _child(node: Any, key: str | int) -> tuple[Any, Any] | None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return next(((name, value) for name, value in node.value if name.value == str(key)), None)
    if isinstance(node, yaml.SequenceNode) and str(key).isdecimal() and int(key) < len(node.value):
        item = node.value[int(key)]
        return item, item
    return None
