"""The OpenAPI document: the contract that this server keeps."""

from __future__ import annotations

import json
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
