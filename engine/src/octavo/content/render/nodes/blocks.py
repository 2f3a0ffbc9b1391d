"""Included files, HTML elements that hold Markdown, and attribute lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.escape import escape_attribute
from octavo.content.html_names import written_as
from octavo.content.render.raw_html import TABLE_END, TABLE_START
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Scope
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Include, Wrapper

_MAX_INCLUDES = 1000
"""Files that one page may take in."""
_TAKES_IN = re.compile(r"8<|\{!|\{%|\{\{|<include|<<<|@include")
"""A mark of a line that takes in another file; a part of the page itself without one has an end."""
_SIZE = re.compile("\x00W[0-9]+\x00")


def draw_include(node: Include, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw the lines of another file in this place: its HTML, and its plain Markdown."""
    source, around = node.fragment.source, renderer.scope
    context = renderer.context
    if source.path in around.chain and _TAKES_IN.search(node.fragment.text):
        chain = " → ".join((*around.chain, source.path))
        message = f"This line takes its own file in: {chain}."
        context.report("error", "recursive-partial", message, renderer.fragment.source, node.offset)
        return "", ""
    if context.serial("partial") > _MAX_INCLUDES:
        message = f"The page takes in more than {_MAX_INCLUDES} files."
        context.report("error", "too-many-partials", message, renderer.fragment.source, node.offset)
        return "", ""
    scope = Scope(source, props=around.props, content=around.content, chain=around.chain)
    scope.abbreviations = around.abbreviations
    fragment = scan(node.fragment, scope, context)
    scope.definitions = {**around.definitions, **scope.definitions}
    html, markdown = renderer.nested(fragment, renderer.kind, scope)
    return html, markdown.strip("\n")


def draw_wrapper(node: Wrapper, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an HTML element around Markdown."""
    opening = renderer.opening_tag(node.opening, node.offset)
    html, markdown = renderer.nested(node.body, renderer.kind)
    closing = f"</{written_as(node.name)}>{TABLE_END if opening.startswith(TABLE_START) else ''}"
    return f"{opening}{unwrap(html) if node.is_span else html}{closing}", markdown.strip("\n")


def add_attributes(tag: str, attributes: dict[str, str]) -> str:
    """Write attributes into an opening tag; what it has already is replaced, classes are added."""
    if "width" in attributes or "height" in attributes:
        tag = _SIZE.sub("", tag)
    for name, value in attributes.items():
        if name.lower().startswith("on"):
            continue
        there = re.search(rf'(?<=\s){re.escape(name)}="([^"]*)"', tag)
        shown = escape_attribute(value)
        if there is None:
            tag = re.sub(r"(?=/?>)", lambda _, name=name, shown=shown: f' {name}="{shown}"', tag, count=1)  # type: ignore[misc]
        else:
            merged = shown
            if name == "class":
                merged = " ".join(dict.fromkeys(f"{there[1]} {shown}".split()))
            tag = f'{tag[: there.start()]}{name}="{merged}"{tag[there.end() :]}'
    return tag
