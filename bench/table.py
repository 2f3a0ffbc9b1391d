"""Plain-text tables: the first column left, the others right, so that figures line up."""

from __future__ import annotations

from collections.abc import Sequence


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Set rows under a header, columns as wide as their widest cell.

    Raises:
        ValueError: a row has more or fewer cells than the header.
    """
    widths = [len(cell) for cell in header]
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"A row has {len(row)} cells; expected {len(header)}: {list(row)}")
        widths = [max(width, len(cell)) for width, cell in zip(widths, row, strict=True)]
    lines = [_format_row(row, widths) for row in (header, *rows)]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if index == 0 else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *others]).rstrip()
