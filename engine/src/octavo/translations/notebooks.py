"""Notebooks: the texts of their Markdown cells, and where the state of their original is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from octavo.lazy import regex as re

_ONLY_STATE = re.compile(r"---[ \t]*\ntranslated_from:.*\n---\s*")
"""A cell that was put in front of a translation."""


class CellText(NamedTuple):
    """A cell of Markdown, or the first one with front matter."""

    number: int
    """Among all cells, from 0."""
    text: str
    line: int
    """1-based line of the file at which its text begins."""


def markdown_cells(text: str) -> list[CellText]:
    """List the cells of a notebook that hold texts: those of Markdown, and front matter; a file that is none has none."""
    notebook = _read(text)
    return list(_markdown_cells(text, notebook)) if notebook is not None else []


def is_notebook(text: str) -> bool:
    """Return whether a text is a notebook that can be read."""
    return _read(text) is not None


def _markdown_cells(text: str, notebook: dict[str, Any]) -> Iterator[CellText]:
    position = 0
    for number, cell in enumerate(notebook["cells"]):
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("markdown", "raw"):
            continue
        own = _source(cell)
        if (cell["cell_type"] == "raw" and (number or not own.startswith("---\n"))) or _ONLY_STATE.fullmatch(own):
            continue
        # Files of Jupyter have a string for each line, in JSON with or without letters beyond ASCII.
        first = own.split("\n", 1)[0]
        found = [text.find(json.dumps(first, ensure_ascii=is_plain)[:-1], position) for is_plain in (False, True)]
        position = min((one for one in found if one >= 0), default=position)
        yield CellText(number, own, text.count("\n", 0, position) + 1)


def with_cells(text: str, cells: Sequence[tuple[int, str]]) -> str:
    """Write a notebook with other texts in some of its cells: (number, text)."""
    notebook = _read(text)
    if notebook is None:
        return text
    for number, own in cells:
        notebook["cells"][number]["source"] = own.splitlines(keepends=True)
    return _written(notebook)


def head_of_notebook(text: str) -> str:
    """Give the text of the first cell, where the settings of the page are; empty where code comes first."""
    notebook = _read(text)
    first = next(iter(notebook["cells"]), None) if notebook is not None else None
    is_head = isinstance(first, dict) and first.get("cell_type") in ("markdown", "raw")
    return _source(first) if is_head and first is not None else ""


def with_head(text: str, head: str, *, is_new: bool) -> str:
    """Write a notebook with another text in its first cell, or with a new cell in front, which is not shown."""
    notebook = _read(text)
    if notebook is None:
        return text
    source = head.splitlines(keepends=True)
    if is_new:
        # The id of a cell is required from format 4.5 on, and not allowed before it.
        needs_id = isinstance(notebook.get("nbformat_minor"), int) and notebook["nbformat_minor"] >= 5
        cell = {"cell_type": "raw", **({"id": "front-matter"} if needs_id else {}), "metadata": {}, "source": source}
        notebook["cells"].insert(0, cell)
    else:
        notebook["cells"][0]["source"] = source
    return _written(notebook)


def _read(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("cells"), list) else None


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _written(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"  # as Jupyter writes it
