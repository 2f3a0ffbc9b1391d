"""Tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from octavo.content.code.diagram_words import SEPARATOR
from octavo.content.render.nodes.blocks import add_attributes
from octavo.content.render.text_blocks import Handler, TextBlocks
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

_CELL_END = re.compile(r"(?<!\\)\|")
_CODE_OR_TAG = re.compile(r"<code\b.*?</code>|<[^>]*>")
_NAME = re.compile(r"<code>(?=[^<]*-)[^<\s]{1,30}</code>")
"""A cell that is one name with a hyphen, at which browsers break it."""
_WHOLE = re.compile(r'<span class="whole">([^<]*)</span>')
_WIDE = 8
"""Columns from which on a table is drawn wider than the text, on screens that are wide enough."""
_LONG_TEXT = 40
"""Characters of a cell from which its column can be one of text that is read, not looked up."""


def find_text_columns(longest: Sequence[int]) -> list[bool]:
    """Tell which columns of a table hold text that is read, which gets room before columns that are looked up.

    Args:
        longest: Characters of the longest cell of each column, code and tags left out.
    """
    # Beside a column of sentences, one of names is not a column of text because one name is long.
    least = max(_LONG_TEXT, max(longest, default=0) // 3)
    return [length >= least for length in longest]


class Tables(TextBlocks):
    """The part of the renderer that draws tables."""

    def __init__(self, context: CompileContext, scope: Scope, fragment: Fragment, kind: str, depth: int) -> None:
        super().__init__(context, scope, fragment, kind, depth)
        self._alignments: tuple[str, ...] = ()
        self._row: list[str] = []
        """Texts of the cells of the open row."""
        self._cell = ""
        """Name of its cells' element."""
        self._heads: list[int] = []
        """Where the head of each column is in what has been drawn."""
        self._longest: list[int] = []
        """Characters of the longest text of each column, code and short ones apart."""

    def _start_table(self, data: tuple[str, ...], _byte: int) -> None:
        self._flush()
        self._alignments = tuple("" if side == "None" else f' class="align-{side.lower()}"' for side in data)
        self._heads = []
        self._longest = [0] * len(data)
        width = " table-wide" if len(data) >= _WIDE else ""
        self.out.append(f'<div class="table-wrap{width}" tabindex="0"><table>')

    def _end_table(self, _data: Any, _byte: int) -> None:
        # Browsers give columns of code, whose words do not break, all the room that columns of text can do without.
        for place, is_text in zip(self._heads, find_text_columns(self._longest), strict=False):
            if is_text:
                self.out[place] = _add_class(self.out[place], "text-column")
        self.out.append("</tbody></table></div>")

    def _start_row(self, _data: Any, byte: int) -> None:
        self._check_row(byte)
        self._begin_cells("td", "<tr>")

    def _check_row(self, byte: int) -> None:
        """Report a row with more cells than the table has columns: the parser drops them."""
        text, start = self.fragment.text, self.char(byte)
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].strip()
        columns = len(self._alignments)
        if line.count("|") < columns:
            return
        cells = len(_CELL_END.findall(line.removeprefix("|").removesuffix("|"))) + 1
        if cells > columns:
            message = f"This row has {cells} cells, but the table has {columns} columns; the rest is left out."
            self._report("table-cells", message, byte, 'Write "\\|" for a bar that is text, in code as well.')

    def _end_row(self, _data: Any, _byte: int) -> None:
        self._finish_cells("</tr>")

    def _start_head(self, _data: Any, _byte: int) -> None:
        self._begin_cells("th", "<thead><tr>")

    def _end_head(self, _data: Any, _byte: int) -> None:
        self._finish_cells("</tr></thead><tbody>")

    def _begin_cells(self, cell: str, opening: str) -> None:
        self._row = []
        self._cell = cell
        self.out.append(opening)

    def _finish_cells(self, closing: str) -> None:
        self.context.prose("row", SEPARATOR.join(filter(None, self._row)))
        self.out.append(closing)

    def _start_cell(self, _data: Any, _byte: int) -> None:
        self._marks.append(len(self.out))
        self.plain.clear()
        self.cell_attributes = {}

    def _end_cell(self, _data: Any, _byte: int) -> None:
        html = self._take_marked()
        attributes, self.cell_attributes = self.cell_attributes, None
        html = html.rstrip() if attributes else html
        column = len(self._row)
        alignment = self._alignments[column] if column < len(self._alignments) else ""
        text = " ".join("".join(self.plain).split())
        self.plain.clear()
        self._row.append(text)
        if column < len(self._longest) and len(text) >= _LONG_TEXT:
            self._longest[column] = max(self._longest[column], len(_CODE_OR_TAG.sub("", html)))
        if self._cell == "th":
            self._heads.append(len(self.out))
        if self._cell == "th" and html:
            cell = f'<th scope="col"{alignment}>{html}</th>'
        else:
            cell = f"<td{alignment}>{html}</td>"
            cell = _add_class(cell, "whole") if _NAME.fullmatch(_WHOLE.sub(r"\1", html)) else cell
        if attributes:
            start, end, rest = cell.partition(">")
            cell = add_attributes(start + end, attributes) + rest
        self.out.append(cell)

    starts: ClassVar[dict[str, Handler]] = TextBlocks.starts | {
        "Table": _start_table,
        "TableHead": _start_head,
        "TableRow": _start_row,
        "TableCell": _start_cell,
    }
    ends: ClassVar[dict[str, Handler]] = TextBlocks.ends | {
        "Table": _end_table,
        "TableHead": _end_head,
        "TableRow": _end_row,
        "TableCell": _end_cell,
    }


def _add_class(cell: str, name: str) -> str:
    """Add a class to the start tag of a cell, which has one for its alignment or none."""
    tag, end, rest = cell.partition(">")
    if "class=" in tag:
        return f'{tag[:-1]} {name}"{end}{rest}'
    return f'{tag} class="{name}"{end}{rest}'
