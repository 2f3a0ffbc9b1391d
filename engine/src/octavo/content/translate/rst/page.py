"""`RstPage`: what directives and roles may ask and tell while a page in reStructuredText is parsed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from octavo.content.translate.sphinx import Options, no_effect, without_effect
from octavo.content.translate.surroundings import Surroundings

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.dialect import RstSettings
    from octavo.content.source import DocumentText

_MOST_INCLUDES = 200


def _nothing(text: str) -> None:
    del text


class GivenOptions(NamedTuple):
    """A directive with its options, until it is known which of them have an effect."""

    name: str
    options: Options
    line: int
    """Of the directive, in the file of the page."""
    text: str
    """The directive as it is written; empty where it is in a file that the page takes in."""


class RstPage:
    """The page that is parsed, and the site around it."""

    def __init__(self, source: DocumentText, context: CompileContext, first: int, count: int) -> None:
        """Begin a page.

        Args:
            source: Its file.
            context: Of its compilation.
            first: Lines that were put before its text.
            count: Lines of its text.
        """
        self.source = source
        self.context = context
        self.around = Surroundings(source, context)
        self.settings: RstSettings = source.dialect.rst
        self.extensions = source.dialect.extensions
        self.highlight = self.settings.highlight
        self.module = ""
        self.program = ""
        self.objects: list[str] = []
        """Names of the descriptions around the place that is parsed."""
        self.register_names: Callable[[str], None] = _nothing
        """Makes the parser know the directives and roles of a text that is taken in."""
        self.watched: list[GivenOptions] = []
        self.held: list[tuple[str, int, str]] | None = None
        """Problems that may turn out to be none: what is parsed may not be text."""
        self.base = 1
        """Line of the file in which the text begins."""
        self._first = first
        self._count = count
        self._includes = 0

    def is_own(self, path: str | None) -> bool:
        """Whether a node comes from the page's own file."""
        return path is None or path == self.source.path

    def line(self, number: int) -> int:
        """Line of the file, from 1, for a line of what was parsed."""
        return min(max(number - self._first, 1), max(self._count, 1)) + self.base - 1

    def place(self, path: str | None, number: int | None) -> int:
        """Line of the file for a place that docutils names: another file was taken in somewhere, and has no line here."""
        return self.line(number) if number and self.is_own(path) else 1

    def report(
        self, message: str, line: int, suggestion: str = "", code: str = "foreign-syntax", mark: str = ""
    ) -> None:
        """Report a problem at a line of the file, where a mark begins in it."""
        if self.held is not None:
            self.held.append((message, line, suggestion))
            return
        lines = self.source.text.split("\n")
        offset = sum(len(one) + 1 for one in lines[: line - 1])
        offset += max(lines[line - 1].find(mark), 0) if line <= len(lines) else 0
        self.context.report("warn", code, message, self.source, offset, suggestion=suggestion)

    def report_options(self) -> None:
        """Report the options of directives that have no effect; when all of the page is written."""
        for one in self.watched:
            for option in without_effect(one.name.lower(), one.options):
                message, suggestion = no_effect(one.name, option)
                before, mark, _ = one.text.partition(f":{option}:")
                line = one.line + (before.count("\n") if mark else 0)
                self.report(message, line, suggestion, code="unknown-attribute", mark=mark)
        self.watched = []

    def may_include(self) -> bool:
        """Whether another file may be taken in: files may take each other in without an end."""
        self._includes += 1
        return self._includes <= _MOST_INCLUDES

    def file_address(self, path: str) -> str:
        """Write the address of a file as the page sees it: one with a slash in front lies in the folder of `conf.py`."""
        if not path.startswith("/") or path.startswith("//") or not self.settings.root:
            return path
        found = posixpath.join(self.settings.root, path.lstrip("/"))
        return posixpath.relpath(found, posixpath.dirname(self.source.path) or ".")
