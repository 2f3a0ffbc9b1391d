"""The pictures in a notebook: those that its cells have shown, and those that are attached to their text."""

from __future__ import annotations

import base64
import binascii
import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from octavo.content.notebooks.cells import SUFFIX, Cell, Damage, read_notebook
from octavo.lazy import regex as re

FORMATS = {
    "image/svg+xml": ".svg",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
}
"""MIME type → ending of the file; the best type first, where an output has several."""
_INSIDE = f"{SUFFIX}/"


def pictures_of(path: str, text: str) -> dict[str, bytes]:
    """Give the pictures of a notebook, as name → content.

    Pages refer to one as `folder/notebook.ipynb/name`, a path that no file can have.

    Args:
        path: Of the notebook.
        text: Its JSON.
    """
    notebook = read_notebook(text)
    if isinstance(notebook, Damage):
        return {}
    return {name: data for cell in notebook.cells for name, data in _pictures_in(path, cell)}


def split_picture(path: str) -> tuple[str, str] | None:
    """Split the path of a picture into that of its notebook and its name; None for other paths."""
    notebook, inside, name = path.rpartition(_INSIDE)
    return (f"{notebook}{SUFFIX}", name) if inside and name and "/" not in name else None


def address_of(path: str, name: str) -> str:
    """Write the address of a picture as the page of its notebook refers to it."""
    return f"{quote(posixpath.basename(path))}/{name}"


def name_of(path: str, cell: Cell, number: int, ending: str, mark: str = "") -> str:
    """Name a picture by its notebook, its cell and its number there; `mark` tells attachments from outputs."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", posixpath.basename(path).removesuffix(SUFFIX)).strip("-") or "notebook"
    return f"{stem}-{cell.number}-{mark}{number}{ending}"


def text_of(value: object) -> str:
    """Join a text that a notebook may hold as a list of lines."""
    if isinstance(value, list):
        return "".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""


def decode(kind: str, value: object) -> bytes | None:
    """Give the content of a picture; None where it is none."""
    text = text_of(value)
    if kind == "image/svg+xml" and text.lstrip().startswith("<"):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode("".join(text.split()), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def attached(cell: Cell) -> Iterator[tuple[int, str, str, Any]]:
    """Give the pictures that are attached to a cell: number, name as its text has it, MIME type, content in base64."""
    for number, (name, kinds) in enumerate(cell.attachments.items(), start=1):
        for kind, value in kinds.items() if isinstance(kinds, dict) else ():
            if kind in FORMATS:
                yield number, name, kind, value
                break


def _pictures_in(path: str, cell: Cell) -> Iterator[tuple[str, bytes]]:
    for number, output in enumerate(cell.outputs, start=1):
        data = output.raw.get("data")
        for kind, ending in FORMATS.items():
            if isinstance(data, dict) and kind in data and (content := decode(kind, data[kind])) is not None:
                yield name_of(path, cell, number, ending), content
                break
    for number, _, kind, value in attached(cell):
        if (content := decode(kind, value)) is not None:
            yield name_of(path, cell, number, FORMATS[kind], "a"), content
