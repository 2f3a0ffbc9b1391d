"""Link reference definitions: those of a file, of its components, and of the files that it takes in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyromark

from octavo.content.scan.includes import Includes
from octavo.content.scan.nodes import Include
from octavo.content.scan.scope import Scope, fold_label

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_MARKDOWN = (".md", ".markdown", ".mdx", ".txt")
_MOST_NESTED = 200
"""Files within files whose definitions are looked for."""


def definitions(text: str, scope: Scope, context: CompileContext) -> dict[str, tuple[str, str]]:
    """Find the link definitions of a whole file: folded label → (destination, title). The first of a label counts.

    Args:
        text: The file's text.
        scope: Holds what the scanner has lifted out of it: components with their bodies, and files that are taken in.
        context: Gives the files that those take in.
    """
    found: dict[str, Any] = dict(pyromark.reference_definitions(text))
    for node in scope.nodes:
        if isinstance(node, Include):
            texts = _texts(node.fragment, context)
        else:
            body = getattr(node, "body", None)
            texts = iter(() if body is None else (body.text,))
        for one in texts:
            if "]:" in one:
                found = {**pyromark.reference_definitions(one), **found}
    return {
        fold_label(label): (definition["dest"], definition["title"] or "") for label, definition in found.items()
    }


def _texts(piece: Fragment, context: CompileContext) -> Iterator[str]:
    """Give the text of a file without its lines that take in others, and then that of each of those."""
    waiting, seen = [piece], {piece.source.path}
    for _ in range(_MOST_NESTED):
        if not waiting:
            return
        around = waiting.pop(0)
        text = around.text
        includes = Includes.of(Scope(around.source), context)
        if includes is None:
            yield text
            continue
        kept, position, silent = "", 0, _Silent(around)
        while position < len(text):
            end = text.find("\n", position) + 1 or len(text)
            found = includes.read_line(text, position, end, silent, in_code=True)
            # An empty line in its place: a definition cannot follow a line of text.
            kept += text[position:end] if found is None else "\n"
            for one in found.pieces if found and found.language is None else ():
                if one.source.path not in seen and one.source.path.endswith(_MARKDOWN):
                    seen.add(one.source.path)
                    waiting.append(one)
            position = max(end, found.end if found else end)
        yield kept


class _Silent:
    """Takes findings that are reported when the file is drawn."""

    def __init__(self, fragment: Fragment) -> None:
        self.fragment = fragment

    def report(self, level: Any, code: str, message: str, offset: int, *, suggestion: str = "") -> None:
        """Record nothing."""
