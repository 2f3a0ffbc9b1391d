"""What is wrong with a description: a pointer into it, turned into file and line when it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from octavo.diagnostics import Diagnostic, Level, Span

Pointer = tuple[str | int, ...]
"""Keys from the root of a document, such as `("paths", "/pets", "get")`."""


class Problem(Exception):  # noqa: N818 - it becomes a diagnostic, whatever its name
    """A description can't be used; carries the place and the reason."""

    def __init__(
        self, message: str, pointer: Pointer = (), *, suggestion: str = "", line: int = 0, level: Level = "error"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.suggestion = suggestion
        self.line = line
        self.level: Level = level
        """Anything but an error leaves the description fit to be drawn."""


class DescriptionText(msgspec.Struct, frozen=True):
    """The text of a description, to find lines in."""

    path: str
    """From the site's folder."""
    text: str

    def diagnostic(self, problem: Problem, *, code: str = "openapi") -> Diagnostic:
        """Make a diagnostic of a problem, with the line that its pointer leads to."""
        line = problem.line or line_of(self.text, problem.pointer)
        where = f"{write_pointer(problem.pointer)}: " if problem.pointer else ""
        return Diagnostic(code, problem.level, Span(self.path, line), f"{where}{problem.message}", problem.suggestion)


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


def line_of(text: str, pointer: Sequence[str | int]) -> int:
    """Find the line (1-based) of a value, or of its nearest ancestor in the text."""
    import yaml  # not at the top: a description in which nothing is wrong does without it

    try:
        node: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return 1
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
