"""The element that holds a drawn component, with what the browser needs to hydrate it."""

from __future__ import annotations

import html
import json

from octavo.components.component import Component
from octavo.content import SLOT
from octavo.rendering import Use


def write_island(component: Component, use: Use, drawn: str, module: str) -> str:
    """Write the island of a use; its id and its children are slots.

    Args:
        component: What was drawn.
        use: Its use.
        drawn: Its HTML.
        module: Address of its module.
    """
    tag = "span" if use.is_inline else "div"
    attributes = {
        "class": "island",
        "data-island": "component",
        "data-id": f"{SLOT}ID{SLOT}",
        "data-source": component.path,
        "data-module": module,
        "data-client": component.client,
        "data-props": json.dumps(use.props, ensure_ascii=False, separators=(",", ":")),
    }
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    children = f"{SLOT}C0{SLOT}" if use.has_children else ""
    # What it does not draw at first must be there when it does.
    waiting = f'<template data-children="{SLOT}ID{SLOT}">{children}</template>'
    rest = waiting if use.has_children and children not in drawn else ""
    return f"<{tag}{written}>{drawn}</{tag}>{rest}"
