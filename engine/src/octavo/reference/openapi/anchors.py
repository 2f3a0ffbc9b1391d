"""Ids on the pages of an API description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from octavo.content import Island
from octavo.reference.api_views import View


def find_anchors(view: View) -> list[str]:
    """List the ids that the island of a view has."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                walk(item)
        elif isinstance(value, dict):
            found.extend([value["anchor"]] if value.get("anchor") else [])
            for item in value.values():
                walk(item)

    walk(msgspec.to_builtins(view))
    return found


def unique_anchors(islands: Iterable[Island]) -> list[str]:
    found = [str(island.props.get("anchor")) for island in islands if island.props.get("anchor")]
    return list(dict.fromkeys(found))
