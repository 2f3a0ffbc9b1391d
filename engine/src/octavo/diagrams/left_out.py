"""What a drawing made here leaves out although Mermaid shows it: found in the source, so that its place is known."""

from __future__ import annotations

from typing import NamedTuple

from octavo.lazy import regex as re

_KIND = re.compile(r"(?:\A|\n)[ \t]*(?!%%|---)(sequenceDiagram|flowchart(?:-elk)?|graph)\b")
_LINKS = re.compile(r"^[ \t]*links?[ \t]+([^:\n]+?)[ \t]*:", re.MULTILINE)
_PICTURE = re.compile(r"@\{[^}]*?\bimg[ \t]*:[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s,}]+))")


class DiagramOmission(NamedTuple):
    """A part of a diagram that readers do not get."""

    message: str
    """A sentence without a full stop."""
    suggestion: str
    line: int
    """1-based line in the diagram's source."""
    column: int
    """1-based column, in characters."""


def find_left_out(source: str) -> list[DiagramOmission]:
    """List what a drawing of a source leaves out, in the order of the source."""
    kind = _KIND.search(source)
    if kind is None:
        return []
    found: list[DiagramOmission] = []
    if kind[1] == "sequenceDiagram":
        for match in _LINKS.finditer(source):
            message = f"Readers do not get the links of the participant {match[1]}: its menu needs a script"
            found.append(
                DiagramOmission(message, "Write them in the text beside the diagram.", *_place(source, match.start(1)))
            )
    else:
        for match in _PICTURE.finditer(source):
            address = match[1] or match[2] or match[3] or ""
            message = f"The diagram is drawn without the picture {address}"
            found.append(
                DiagramOmission(message, "Show the picture beside the diagram.", *_place(source, match.start()))
            )
    return found


def _place(source: str, index: int) -> tuple[int, int]:
    return source.count("\n", 0, index) + 1, index - source.rfind("\n", 0, index)
