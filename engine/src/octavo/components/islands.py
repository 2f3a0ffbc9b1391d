"""The element that holds a drawn component, with what the browser needs to hydrate it."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from typing import Any

from octavo.components.children import Trees
from octavo.components.component import Component
from octavo.content import SLOT
from octavo.rendering import Use


def client_of(components: Iterable[Component]) -> str:
    """Say when components that are drawn together come alive: as soon as the first of them wants to."""
    clients = {component.client for component in components}
    return next((client for client in ("load", "idle", "visible") if client in clients), "none")


def write_island(
    component: Component,
    use: Use,
    drawn: str,
    module: str,
    client: str,
    trees: Trees | None,
    modules: Mapping[str, str],
) -> str:
    """Write the island of a use; its id and its children are slots.

    Args:
        component: What was drawn.
        use: Its use.
        drawn: Its HTML.
        module: Address of its module.
        client: When it is hydrated.
        trees: Its content as elements, where it looks into it.
        modules: Addresses of the modules of the components in these, by name.
    """
    tag = "span" if use.is_inline else "div"
    attributes = {
        "class": "island",
        "data-island": "component",
        "data-id": f"{SLOT}ID{SLOT}",
        "data-source": component.path,
        "data-module": module,
        "data-client": client,
        "data-props": _json(use.props),
    }
    if trees is not None:
        attributes["data-trees"] = _json(trees.nodes)
        attributes |= {"data-modules": _json(modules)} if modules else {}
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    # What it does not draw at first must be there when it does.
    has_slot = use.has_children and (trees is None or "children" not in trees.nodes)
    hidden = f"{SLOT}C0{SLOT}" if has_slot and f"{SLOT}C0{SLOT}" not in drawn else ""
    if trees is not None:
        slots = [f"{SLOT}P{number}{SLOT}" for number in range(len(trees.parts))]
        hidden += "".join(
            f'<div data-part="{number}">{slot}</div>' for number, slot in enumerate(slots) if slot not in drawn
        )
    is_whole = bool(use.has_children or trees) and bool(hidden)
    rest = f'<template data-children="{SLOT}ID{SLOT}">{hidden}</template>' if is_whole else ""
    return f"<{tag}{written}>{drawn}</{tag}>{rest}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
