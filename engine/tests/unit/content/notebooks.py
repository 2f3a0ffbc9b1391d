"""Notebooks as programs write them, and what their pages say."""

from __future__ import annotations

import json
from typing import Any

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n"
"""A picture of one pixel, as PNG in base64."""


def markdown(text: str, **more: Any) -> dict[str, Any]:
    """Make a cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True), **more}


def code(text: str, *outputs: dict[str, Any], tags: tuple[str, ...] = (), **metadata: Any) -> dict[str, Any]:
    """Make a cell of code."""
    own = {**({"tags": list(tags)} if tags else {}), **metadata}
    return {"cell_type": "code", "metadata": own, "source": text.splitlines(keepends=True), "outputs": list(outputs)}


def shown(metadata: dict[str, Any] | None = None, **data: Any) -> dict[str, Any]:
    """Make an output; `text_html` is the type `text/html`."""
    kinds = {name.replace("_", "/", 1).replace("__", "+"): value for name, value in data.items()}
    return {"output_type": "display_data", "metadata": metadata or {}, "data": kinds}


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    """Make an output of printed text."""
    return {"output_type": "stream", "name": name, "text": text.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any], language: str = "python", **metadata: Any) -> str:
    """Write a notebook as Jupyter does."""
    own = {"kernelspec": {"language": language, "name": "kernel"}, **metadata}
    return json.dumps({"cells": cells, "metadata": own, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def compiled(*cells: dict[str, Any], extensions: tuple[str, ...] = (), path: str = "docs/kite.ipynb") -> Document:
    """Compile the page of a notebook."""
    return compiled_text(notebook(*cells), extensions=extensions, path=path)


def compiled_text(text: str, *, extensions: tuple[str, ...] = (), path: str = "docs/kite.ipynb") -> Document:
    """Compile the page of a notebook that is written already."""
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"notebooks", *extensions}))})
    return compile_document(text, source_path=path, load=lambda _: None, options=options)


def findings(document: Document) -> list[str]:
    """List the findings of a page as `line code: message`."""
    return [f"{one.span.line} {one.code}: {one.message}" for one in document.diagnostics]
