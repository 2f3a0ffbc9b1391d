"""What is wrong with a description: a pointer into it, turned into file and line when it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from octavo.diagnostics import Diagnostic, Level, Span
from octavo.reference.openapi.source.places import Pointer, places_of


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
    origins: Mapping[Pointer, tuple[str, Pointer]] = {}
    """Places that were taken from other files, see `bundle`."""
    others: Mapping[str, bytes] = {}
    """Path → content of those files."""

    def diagnostics(self, problems: Iterable[Problem], *, code: str = "openapi") -> list[Diagnostic]:
        """Make diagnostics of problems, with the places that their pointers lead to; the text is read once."""
        problems = list(problems)
        spans = self._spans({problem.pointer for problem in problems if not problem.line})
        return [
            Diagnostic(
                code,
                problem.level,
                Span(self.path, problem.line) if problem.line else spans[problem.pointer],
                f"{f'{write_pointer(problem.pointer)}: ' if problem.pointer else ''}{problem.message}",
                problem.suggestion,
            )
            for problem in problems
        ]

    def _spans(self, pointers: Iterable[Pointer]) -> dict[Pointer, Span]:
        wanted: dict[str, dict[Pointer, Pointer]] = {}
        for pointer in pointers:
            path, place = self._origin(pointer)
            wanted.setdefault(path, {})[pointer] = place
        found: dict[Pointer, Span] = {}
        for path, inner in wanted.items():
            text = self.text if path == self.path else self.others.get(path, b"").decode("utf-8", "replace")
            places = places_of(text, inner.values())
            found |= {pointer: Span(path, *places[place]) for pointer, place in inner.items()}
        return found

    def _origin(self, pointer: Pointer) -> tuple[str, Pointer]:
        """Return the file that has what a pointer leads to, and the place in it."""
        for length in range(len(pointer), 0, -1):
            if origin := self.origins.get(pointer[:length]):
                return origin[0], (*origin[1], *pointer[length:])
        return self.path, pointer


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
