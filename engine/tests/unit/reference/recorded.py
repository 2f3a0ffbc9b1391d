"""What the documents of a description hold, without what is empty."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from octavo.content import SLOT, Document
from tests.support.recorded import write_lines

_COLOR = re.compile(r'<span class="\w+">|</span>')
_SLOT = re.compile(f"{SLOT}(?P<name>[A-Z]\\d+){SLOT}")


def write_documents(documents: Iterable[Document], *, leaves_out: Iterable[str] = ()) -> str:
    """Write documents as JSON, without what is empty."""
    written = []
    for document in documents:
        links = [f"{link.href} ({link.span})" for link in document.links]
        # The description itself is one of the files.
        files = {name: text for name, text in document.files.items() if not name.endswith(".json")}
        one = msgspec.to_builtins(document) | {"links": links, "files": files}
        written.append(_lean({key: value for key, value in one.items() if key not in leaves_out}))
    return write_lines(written)


def _lean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: lean for key, item in value.items() if (lean := _lean(item)) not in ("", [], {}, None, False)}
    if isinstance(value, list):
        return [_lean(item) for item in value]
    if isinstance(value, str):
        # Another version of the highlighter may name colors otherwise.
        value = _COLOR.sub("", value) if "<pre" in value else value
        return _SLOT.sub(r"⟨\g<name>⟩", value)
    return value
