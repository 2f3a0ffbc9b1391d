"""Keys of the front matter of other engines, written as those of ours that mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from octavo.content.front_matter import yaml_range
from octavo.content.front_matter_values import ALIASES, NESTED

if TYPE_CHECKING:
    from octavo.content.convert.edits import Edits
    from octavo.content.source import DocumentText

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def convert_front_matter(source: DocumentText, edits: Edits) -> None:
    """Note that keys which have another name here get that; values stay as they are."""
    place = yaml_range(source)
    if place is None:
        return
    start, end = place
    try:
        root = yaml.compose(source.text[start:end], _LOADER)
    except yaml.YAMLError:
        return
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return
    own = {key.value for key, _ in root.value}
    for key, value in root.value:
        if key.value in NESTED and isinstance(value, yaml.MappingNode) and not value.flow_style:
            _convert_nested(key, value, own, start, edits)
        elif (name := ALIASES.get(key.value)) is not None and name not in own and _is_meant(key.value, value):
            edits.replace(start + key.start_mark.index, start + key.end_mark.index, name)
            own.add(name)


def _is_meant(key: str, value: yaml.Node) -> bool:
    """Whether a key of this name says the same here: Hugo's weight of 0 says nothing."""
    if not isinstance(value, yaml.ScalarNode) or value.tag.endswith((":bool", ":null")):
        return False  # `editUrl: false` is not an address
    return not (key == "weight" and value.value in ("0", "0.0"))


def _convert_nested(key: yaml.Node, value: yaml.MappingNode, own: set[str], start: int, edits: Edits) -> None:
    """Write `sidebar: {order: 2}` as `sidebar_position: 2`, where all that it says can be written so."""
    names = [ALIASES.get(f"{key.value}.{inner.value}") for inner, _ in value.value]
    values = [one for _, one in value.value]
    if not names or None in names or own & set(names) or not all(_is_meant("", one) for one in values):
        return
    edits.replace(start + key.start_mark.index, start + value.value[0][0].start_mark.index, "")
    for number, ((inner, _), name) in enumerate(zip(value.value, names, strict=True)):
        first = inner.start_mark.index - (inner.start_mark.column if number else 0)
        edits.replace(start + first, start + inner.end_mark.index, str(name))
    own |= {str(name) for name in names}
