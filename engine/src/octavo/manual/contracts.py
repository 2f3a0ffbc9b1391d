"""JSON Schemas of the files that Octavo publishes for other programs."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.manual.fields import encoded_names, field_sentences
from octavo.page_list import PageEntry, PageHeading, PageList


def page_list_schema() -> dict[str, Any]:
    """Make the JSON Schema of `_octavo/pages.json`. It allows more fields, since new ones do not change the format."""
    schema = msgspec.json.schema(PageList)
    structs = {struct.__name__: struct for struct in (PageList, PageEntry, PageHeading)}
    for name, definition in schema["$defs"].items():
        sentences, names = field_sentences(structs[name]), encoded_names(structs[name])
        for key, part in definition["properties"].items():
            if sentence := sentences.get(names[key].name):
                part["description"] = sentence
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "_octavo/pages.json", **schema}
