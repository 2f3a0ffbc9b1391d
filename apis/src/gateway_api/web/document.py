"""The OpenAPI document: the contract that this server keeps."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

DOCUMENT = "contract.json"


def document_text() -> str:
    """Read the document as it is published."""
    return files("gateway_api").joinpath(DOCUMENT).read_text(encoding="utf-8")


def load_document() -> dict[str, Any]:
    """Read the document as data."""
    document: dict[str, Any] = json.loads(document_text())
    return document


class Methods:
    """The methods of each path, for the `Allow` header: routes know of their own method only."""

    def __init__(self, document: dict[str, Any]) -> None:
        templates = sorted(document["paths"], key=lambda path: path.count("{"))  # fixed paths win
        self._methods = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), ", ".join(sorted(map(str.upper, document["paths"][path]))))
            for path in templates
        ]

    def at(self, path: str) -> str | None:
        """List the methods of a path, as the header writes them; None where the document has no such path."""
        return next((methods for pattern, methods in self._methods if pattern.fullmatch(path)), None)
