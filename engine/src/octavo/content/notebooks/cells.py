"""The cells of a notebook, with the place of each piece of their text in its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from octavo.content.source import MARK_CLOSE, MARK_OPEN
from octavo.lazy import regex as re
from octavo.text_files import replace_unshown

SUFFIX = ".ipynb"
_SPACE = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SHORT = {"\\n": "\n", '\\"': '"', "\\\\": "\\", "\\/": "/", "\\t": "\t", "\\r": "\r", "\\b": "\b", "\\f": "\f"}
_DECODER = json.JSONDecoder()
_LANGUAGES = {"ipython": "python", "ipython2": "python", "ipython3": "python", "xpython": "python", "python3": "python", "ir": "r", "sos": "python"}  # fmt: skip
"""Names of kernels → the language of their code, where the two differ."""
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<yaml>(?:.*\n)*?)---[ \t]*(?:\n|\Z)")
"""Settings at the head of the first cell."""


class SourceRun(NamedTuple):
    """A stretch of text whose characters are neighbors in the file."""

    text: str
    offset: int
    """Of its first character, in characters from the start of the file."""


class CellOutput(NamedTuple):
    """Something that a cell has shown when it was run."""

    raw: dict[str, Any]
    offset: int


class Cell(NamedTuple):
    """A cell of a notebook."""

    number: int
    """From 1."""
    kind: str
    """`markdown`, `code`, `raw`, or what else the file says."""
    metadata: dict[str, Any]
    source: list[SourceRun]
    outputs: list[CellOutput]
    attachments: dict[str, Any]
    """Name → MIME type → content in base64."""
    offset: int

    @property
    def text(self) -> str:
        """What is written in it."""
        return "".join(run.text for run in self.source)

    @property
    def tags(self) -> frozenset[str]:
        """Its tags, with hyphens; those that other programs write as settings of their own included."""
        given = self.metadata.get("tags")
        found = {one.replace("_", "-") for one in given if isinstance(one, str)} if isinstance(given, list) else set()
        jupyter = self.metadata.get("jupyter")
        if isinstance(jupyter, dict):
            found |= {"hide-input"} if jupyter.get("source_hidden") is True else set()
            found |= {"hide-output"} if jupyter.get("outputs_hidden") is True else set()
        return frozenset(found | ({"remove-cell"} if self.metadata.get("nbsphinx") == "hidden" else set()))


class Notebook(NamedTuple):
    """A notebook of format 4."""

    cells: list[Cell]
    language: str
    """Of its code; empty where it says nothing."""
    title: str
    """Of its metadata, where it has one."""


class Damage(NamedTuple):
    """Why a file is not a notebook that can be read."""

    message: str
    suggestion: str
    offset: int


@lru_cache(maxsize=1)
def read_notebook(text: str) -> Notebook | Damage:
    """Read a notebook. The last one is kept: its settings, its page and its pictures are asked for one after the other."""
    try:
        raw = json.loads(text)
        if isinstance(raw, dict) and (isinstance(raw.get("worksheets"), list) or _format_of(raw) < 4):
            message = "This notebook has a format before version 4, which nobody has written since 2015."
            return Damage(message, "Convert it: jupyter nbconvert --to notebook --nbformat 4 --inplace FILE.", 0)
        if not isinstance(raw, dict) or not isinstance(raw.get("cells"), list):
            return Damage(
                "This file is not a notebook: it has no list of cells.", "Save it with Jupyter, or remove it.", 0
            )
        metadata = _table(raw.get("metadata"))
        return Notebook(list(_cells(text, raw["cells"])), _language_of(metadata), str(metadata.get("title") or ""))
    except json.JSONDecodeError as error:
        message = f"This notebook is damaged: {error.msg[:1].lower()}{error.msg[1:]}."
        return Damage(message, "Marks of a merge, or a part that is missing, do this; restore the file.", error.pos)
    except (RecursionError, ValueError):  # brackets without end, or a number of thousands of digits
        return Damage("This notebook holds what no program has written, and is not read.", "Restore the file.", 0)


def markdown_of(text: str) -> str:
    """Give the Markdown cells of a notebook as one text; empty where it cannot be read."""
    notebook = read_notebook(text)
    if isinstance(notebook, Damage):
        return ""
    heads = (cell for cell in notebook.cells if cell.kind == "markdown" or (cell.number == 1 and cell.kind == "raw"))
    return "\n\n".join(cell.text for cell in heads)


def is_unrun(text: str) -> bool:
    """Return whether a notebook has code and no output of any: some programs run it when they make a page of it."""
    notebook = read_notebook(text)
    if isinstance(notebook, Damage):
        return False
    code = [cell for cell in notebook.cells if cell.kind == "code" and cell.text.strip()]
    return bool(code) and not any(cell.outputs for cell in code)


def head_of(notebook: Notebook) -> Cell | None:
    """Give the first cell where it begins with settings of the page."""
    first = next(iter(notebook.cells[:1]), None)
    is_head = first is not None and first.kind in ("markdown", "raw") and FRONT_MATTER.match(first.text)
    return first if is_head else None


def kernel_language(name: str) -> str:
    """Give the language of code by the name of a kernel, or of a lexer of IPython."""
    word = name.strip().lower()
    return _LANGUAGES.get(word) or re.sub(r"-?[\d.]+\Z", "", word)


def _language_of(metadata: dict[str, Any]) -> str:
    info, kernel = _table(metadata.get("language_info")), _table(metadata.get("kernelspec"))
    named = (info.get("name"), kernel.get("language"), kernel.get("name"))
    return kernel_language(next((one for one in named if isinstance(one, str) and one.strip()), ""))


def _format_of(raw: dict[str, Any]) -> int:
    found = raw.get("nbformat")
    return found if isinstance(found, int) else 4


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _cells(text: str, cells: list[Any]) -> Iterator[Cell]:
    start = next(start for key, start in _members(text, _skip(text, 0)) if key == "cells")
    for number, (cell, offset) in enumerate(zip(cells, _elements(text, start), strict=True), start=1):
        if not isinstance(cell, dict):
            continue
        places = dict(_members(text, offset))
        source = list(_runs(text, places["source"])) if "source" in places else []
        outputs: list[CellOutput] = []
        if isinstance(cell.get("outputs"), list):
            pairs = zip(cell["outputs"], _elements(text, places["outputs"]), strict=True)
            outputs = [CellOutput(output, at) for output, at in pairs if isinstance(output, dict)]
        metadata, attachments = _table(cell.get("metadata")), _table(cell.get("attachments"))
        yield Cell(number, str(cell.get("cell_type")), metadata, source, outputs, attachments, offset)


def _skip(text: str, offset: int) -> int:
    found = _SPACE.match(text, offset)
    return found.end() if found else offset


def _members(text: str, offset: int) -> Iterator[tuple[str, int]]:
    """Give the keys of an object that is valid, each with the offset of its value."""
    offset = _skip(text, offset + 1)
    while text[offset] != "}":
        key, end = _DECODER.raw_decode(text, offset)
        start = _skip(text, _skip(text, end) + 1)
        yield key, start
        offset = _after(text, start)


def _elements(text: str, offset: int) -> Iterator[int]:
    """Give the offsets of the elements of an array that is valid."""
    offset = _skip(text, offset + 1)
    while text[offset] != "]":
        yield offset
        offset = _after(text, offset)


def _after(text: str, offset: int) -> int:
    """Offset of what comes after a value and the comma behind it."""
    _, end = _DECODER.raw_decode(text, offset)
    offset = _skip(text, end)
    return _skip(text, offset + 1) if text[offset] == "," else offset


def _runs(text: str, offset: int) -> Iterator[SourceRun]:
    """Split a text, or a list of texts, into stretches without escapes within them."""
    starts = [offset] if text[offset] == '"' else _elements(text, offset) if text[offset] == "[" else []
    for start in starts:
        if text[start] != '"':
            continue
        _, end = _DECODER.raw_decode(text, start)
        position = start + 1
        for escape in _ESCAPE.finditer(text, position, end - 1):
            yield SourceRun(_shown(text[position : escape.start()] + _decoded(escape[0])), position)
            position = escape.end()
        if position < end - 1:
            yield SourceRun(_shown(text[position : end - 1]), position)


def _decoded(escape: str) -> str:
    return _SHORT[escape] if escape in _SHORT else str(json.loads(f'"{escape}"'))


def _shown(text: str) -> str:
    """Replace what no page can show, as for all sources."""
    if text.isprintable():
        return text if text.isascii() else text.replace(MARK_OPEN, "\ufffd").replace(MARK_CLOSE, "\ufffd")
    text = text.removesuffix("\r").replace(MARK_OPEN, "\ufffd").replace(MARK_CLOSE, "\ufffd")
    return replace_unshown(text.encode("utf-8", "replace").decode("utf-8"), "\ufffd")
