"""Tables of docutils as Markdown, or as HTML where cells hold more than a line or reach over others."""

from __future__ import annotations

import html
from collections.abc import Callable

from docutils import nodes

from octavo.lazy import regex as re

Line = tuple[str, int]
"""A line of Markdown without its end, and the line of the file that it comes from, from 1; 0 where that is not known."""


def table_lines(
    node: nodes.Element,
    inline: Callable[[list[nodes.Node]], str],
    blocks: Callable[[nodes.Element], list[Line]],
    line: int,
) -> list[Line]:
    """Write a table.

    Args:
        node: The table.
        inline: Writes the content of a line.
        blocks: Writes the content of a cell.
        line: Of the table in the file.
    """
    lines: list[Line] = []
    for title in node.findall(nodes.title):
        text = inline(title.children)
        if text.strip():
            lines += [(f"**{' '.join(text.split())}**", line), ("", line)]
        break
    heads = [row for head in node.findall(nodes.thead) for row in head.children if isinstance(row, nodes.row)]
    rows = [row for body in node.findall(nodes.tbody) for row in body.children if isinstance(row, nodes.row)]
    if _is_plain([*heads, *rows]) and len(heads) < 2:
        return lines + _pipes(heads, rows, inline, line)
    return lines + _html(heads, rows, blocks, line)


def _is_plain(rows: list[nodes.row]) -> bool:
    for row in rows:
        for cell in row.children:
            if not isinstance(cell, nodes.Element) or "morecols" in cell or "morerows" in cell:
                return False
            if len(cell.children) > 1 or not all(isinstance(one, nodes.paragraph) for one in cell.children):
                return False
    return bool(rows)


def _pipes(
    heads: list[nodes.row], rows: list[nodes.row], inline: Callable[[list[nodes.Node]], str], line: int
) -> list[Line]:
    width = max(len(row.children) for row in [*heads, *rows])
    written: list[Line] = []
    for row in heads or [nodes.row()]:
        cells = [_cell(one, inline) for one in row.children]
        written.append((f"| {' | '.join(cells + [''] * (width - len(cells)))} |", _line_of(row, line)))
    written.append(("|" + " --- |" * width, line))
    for row in rows:
        cells = [_cell(one, inline) for one in row.children]
        written.append((f"| {' | '.join(cells + [''] * (width - len(cells)))} |", _line_of(row, line)))
    return written


def _line_of(row: nodes.Element | None, line: int) -> int:
    found = (one.line for one in row.findall(nodes.Element) if one.line) if row is not None else ()
    return next(iter(found), None) or line


def _cell(cell: nodes.Node, inline: Callable[[list[nodes.Node]], str]) -> str:
    text = " ".join(" ".join(inline(list(one.children)).split()) for one in cell.children)
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _html(
    heads: list[nodes.row], rows: list[nodes.row], blocks: Callable[[nodes.Element], list[Line]], line: int
) -> list[Line]:
    lines: list[Line] = [("<table>", line)]
    for part, tag, inside in (("thead", "th", heads), ("tbody", "td", rows)):
        if not inside:
            continue
        lines.append((f"<{part}>", line))
        for row in inside:
            at = _line_of(row, line)
            lines.append(("<tr>", at))
            for cell in row.children:
                spans = ""
                if isinstance(cell, nodes.Element):
                    for key, name in (("morecols", "colspan"), ("morerows", "rowspan")):
                        if key in cell:
                            spans += f' {name}="{html.escape(str(int(cell[key]) + 1))}"'
                    lines += [(f"<{tag}{spans}>", at), ("", at), *blocks(cell), ("", at), (f"</{tag}>", at)]
            lines.append(("</tr>", at))
        lines.append((f"</{part}>", line))
    lines.append(("</table>", line))
    return lines
