"""Links as cards, with title and description from a file: `::preview[https://example.org/guide]`.

The file is JSON: address → `{"title": …, "description": …}`. A build asks no network; write the file by hand, or by a program.

    [extension_options.link_previews]
    file = "data/links.json"
"""

from __future__ import annotations

import html
import json
from typing import Any

from octavo.extensions import Directive, Extension, Inputs, Markdown, options

_FILE = str(options("link_previews").get("file", "data/links.json"))

extension = Extension("link_previews")


@extension.directive("preview")
def preview(block: Directive[Any]) -> Markdown:
    """Draw a link as a card; one without data as a plain link."""
    address = block.label.strip()
    try:
        about = _read(block.inputs).get(address)
    except (TypeError, ValueError) as error:
        block.warn(f'"{_FILE}" cannot be read: {error}.')
        return Markdown(f"<{address}>")
    if not isinstance(about, dict) or not about.get("title"):
        hint = f'Add it to "{_FILE}": {json.dumps({address: {"title": "…", "description": "…"}}, ensure_ascii=False)}'
        block.warn(f'"{_FILE}" has no title for "{address}"; it is shown as a plain link.', suggestion=hint)
        return Markdown(f"<{address}>")
    given = {"href": address, "label": about["title"], "description": about.get("description", "")}
    return Markdown(f"<DocCard {' '.join(f'{name}={_quoted(value)}' for name, value in given.items())} />")


def _read(inputs: Inputs) -> dict[str, Any]:
    if not inputs.exists(_FILE):
        return {}
    found = json.loads(inputs.read_text(_FILE))
    if not isinstance(found, dict):
        raise TypeError("expected an object of address → title and description")
    return found


def _quoted(value: object) -> str:
    return f'"{html.escape(" ".join(str(value).split()))}"'
