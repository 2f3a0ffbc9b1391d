"""Tables from CSV: `::csv[data/prices.csv]`, or a block of code in the language `csv-table`.

The first line is the head. Cells are Markdown. `{columns="name,price"}` chooses columns, and their order.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from octavo.extensions import Directive, Extension, Fence, Markdown, options
from octavo.shipped.files import read_named

extension = Extension("csv_table", inputs=options("csv_table").get("files", []))


@dataclass
class Choice:
    """Attributes."""

    columns: str = ""
    """Names of columns, separated by commas; all by default."""
    delimiter: str = ","


@extension.directive("csv", attributes=Choice)
def csv_file(block: Directive[Choice]) -> Markdown:
    """Draw a file as a table."""
    text = read_named(block, "csv_table")
    return _table(text, block) if text is not None else Markdown("")


@extension.fence("csv-table", attributes=Choice)
def csv_fence(fence: Fence[Choice]) -> Markdown:
    """Draw a block of code as a table."""
    return _table(fence.text, fence)


def _table(text: str, block: Directive[Choice] | Fence[Choice]) -> Markdown:
    wanted = block.attributes
    delimiter = {"\\t": "\t", "tab": "\t"}.get(wanted.delimiter, wanted.delimiter)
    if len(delimiter) != 1 or delimiter in '\r\n"':
        block.warn(f'The delimiter is "{wanted.delimiter}"; expected one character, or tab.')
        delimiter = ","
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    if not rows:
        block.warn("This table has no rows.")
        return Markdown("")
    head = [cell.strip() for cell in rows[0]]
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(head):
            block.warn(f"Row {number} of this table has {len(row)} cells, and its head has {len(head)}.")
    names = [name.strip() for name in wanted.columns.split(",")] if wanted.columns else head
    unknown = [name for name in names if name not in head]
    if unknown:
        block.warn(f'The table has no column "{unknown[0]}"; its columns are {", ".join(head)}.')
    places = [head.index(name) for name in names if name in head]
    if not places:
        return Markdown("")
    lines = [[head[place] for place in places], ["---"] * len(places)]
    lines += [[row[place] if place < len(row) else "" for place in places] for row in rows[1:]]
    return Markdown("\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
