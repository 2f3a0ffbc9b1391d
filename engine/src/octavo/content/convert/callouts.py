"""Which admonition of ours stands for one of another engine."""

from __future__ import annotations

from typing import Any

from octavo.content.dialect import Dialect
from octavo.content.render.nodes.admonitions import OWN_KINDS, looks
from octavo.content.render.nodes.jsx_themes import CALLOUT_KINDS, CALLOUTS


def own_kind(kind: str, title: str, dialect: Dialect) -> tuple[str, str]:
    """Give the kind of ours that looks like one of another engine, and its title, which may be that kind's name."""
    look = looks(dialect).get(kind)
    if kind in OWN_KINDS or look is None:
        return kind, title
    return look, title or kind.capitalize()


def callout_of(name: str, attributes: dict[str, Any], extensions: frozenset[str]) -> tuple[str, str] | None:
    """Read a component that is an admonition: kind and title; None where it is none, or says more than that."""
    if name == "Aside":
        allowed, kind = {"type", "title"}, attributes.get("type", "note")
    elif name in CALLOUTS and extensions & {"nextra", "mintlify"}:
        allowed, kind = (
            {"type", "title"},
            CALLOUTS[name] or CALLOUT_KINDS.get(str(attributes.get("type")).lower(), "note"),
        )
    else:
        return None
    title = attributes.get("title", "")
    if attributes.keys() - allowed or not isinstance(kind, str) or not isinstance(title, str):
        return None
    if kind not in OWN_KINDS or "\n" in title or "[" in title or "]" in title:
        return None
    return kind, title.strip()
