"""The settings at the head of a notebook, as a text of their own that knows its places in the file."""

from __future__ import annotations

import json

from octavo.content.notebooks.cells import FRONT_MATTER, Damage, SourceRun, head_of, read_notebook
from octavo.content.source import DocumentText
from octavo.diagnostics import Span
from octavo.lazy import regex as re

_TITLE = re.compile(r"^(?:#[ \t]+\S|.+\n=+[ \t]*$)", re.MULTILINE)


class HeadText(DocumentText):
    """Front matter that a cell of a notebook begins with."""

    __slots__ = ("_file", "_runs")

    def __init__(self, text: str, runs: list[SourceRun], file: DocumentText) -> None:
        super().__init__(file.path, text, file.dialect)
        self._file = file
        self._runs = runs

    def span(self, offset: int) -> Span:
        """Give the place in the file of a character."""
        for text, start in self._runs:
            if offset < len(text):
                return self._file.span(start + offset)
            offset -= len(text)
        return self._file.span(self._runs[-1].offset if self._runs else 0)

    def line(self, number: int) -> str:
        """Give a line of the file."""
        return self._file.line(number)


def head_text(file: DocumentText) -> HeadText | None:
    """Give the settings of a notebook; those of its metadata where no cell has any, and no heading names the page."""
    notebook = read_notebook(file.text)
    if isinstance(notebook, Damage):
        return None
    cell = head_of(notebook)
    if cell is not None and (match := FRONT_MATTER.match(cell.text)):
        return HeadText(match[0], cell.source, file)
    if notebook.title and not any(one.kind == "markdown" and _TITLE.search(one.text) for one in notebook.cells):
        title = json.dumps(notebook.title, ensure_ascii=False)
        return HeadText(f"---\ntitle: {title}\n---\n", [], file)
    return None
