"""Partials and registered components: Markdown files that other files take in, with props and content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from octavo.content.code.blocks import render_code
from octavo.content.escape import escape
from octavo.content.front_matter import body_start
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Content, Scope
from octavo.content.source import Fragment, Source

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_TITLES = ("title", "summary", "label")
_SENTENCE = re.compile(r"\A[A-Z][^<>{}]*\w[ ]+\w+[ ,]+\w[^<>{}]*\Z", re.DOTALL)
"""Three words that begin with a capital letter: not a list of classes, a path or a query."""
_MAX_EXPANSIONS = 1000
"""Partials that one page may take in; files that take each other in twice would grow without end."""


def draw_partial(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the file that a component imports, in a scope of its own."""
    context = renderer.context
    path = renderer.scope.imports.get(node.name)
    if path is None:
        path = f"{context.options.components_dir}/{node.name}.mdx"
    if not path:  # the import has been reported
        return draw_bare(node, renderer, content)
    if path in renderer.scope.chain:
        chain = " → ".join((*renderer.scope.chain[renderer.scope.chain.index(path) :], path))
        _report(node, renderer, "recursive-partial", f'"<{node.name}>" takes itself in: {chain}.')
        return "", ""
    text = context.read(path)
    if text is None:
        _report(node, renderer, "missing-partial", f'The file "{path}" of "<{node.name}>" does not exist.')
        return draw_bare(node, renderer, content)
    if context.serial("partial") > _MAX_EXPANSIONS:
        _report(node, renderer, "too-many-partials", f"The page takes in more than {_MAX_EXPANSIONS} partials.")
        return "", ""
    if content is None and node.body is not None:
        content = Content(node.body, renderer.scope, is_tight=node.is_tight)
    source = Source(path, text, context.options.dialect_of(path))
    scope = Scope(source, props=node.attributes, content=content, chain=renderer.scope.chain)
    fragment = scan(Fragment.whole(source, body_start(source)), scope, context)
    html, markdown = renderer.nested(fragment, renderer.kind, scope)
    if content is not None and not scope.is_content_used and _is_there(content):
        message = f'The content of "<{node.name}>" is not shown: "{path}" has no {{props.children}}.'
        context.report("warn", "unused-content", message, renderer.fragment.source, node.offset)
    return html, markdown.strip("\n")


def draw_bare(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the children of a missing component, which has been reported, below its title."""
    if content is not None:
        return content.html, ""
    html, markdown = ("", "") if node.body is None else renderer.nested(node.body, renderer.kind)
    title = next((node.attributes[name] for name in _TITLES if name in node.attributes), None)
    if not isinstance(title, str) or not title.strip():
        return html, markdown
    renderer.context.prose(renderer.kind, title)
    return f"<p><strong>{escape(title)}</strong></p>{html}", f"**{title}**\n\n{markdown.lstrip()}"


def draw_stub(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw what a page gives to a component that an import could not take over: title, sentences and children."""
    html, markdown = draw_bare(node, renderer, content)
    if content is not None:  # within a line, where paragraphs have no place
        return html, markdown
    for name, value in node.attributes.items():
        if name in _TITLES or not isinstance(value, str):
            continue
        if "\n" in (code := value.strip()):
            block = render_code(renderer.context, "", f"{code}\n", renderer.fragment.source, node.offset)
            html, markdown = f"{block}{html}", f"{_fenced(code)}\n\n{markdown.lstrip()}"
            continue
        if not _SENTENCE.search(value):
            continue
        renderer.context.prose(renderer.kind, value)
        html, markdown = f"<p>{escape(value)}</p>{html}", f"{value}\n\n{markdown.lstrip()}"
    return html, markdown


def _fenced(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}\n{code}\n{fence}"


def draw_children(renderer: NodeRenderer) -> tuple[str, str]:
    """Draw the children given to the component that this file is used as."""
    scope = renderer.scope
    content = scope.content
    scope.is_content_used = True
    if content is None:
        return "", ""
    if content.fragment is None:
        return content.html, content.markdown
    html, markdown = renderer.nested(content.fragment, renderer.kind, content.scope)
    return (unwrap(html) if content.is_tight else html), markdown.strip("\n")


def _is_there(content: Content) -> bool:
    return bool(content.html.strip() or (content.fragment is not None and content.fragment.text.strip()))


def _report(node: Element, renderer: NodeRenderer, code: str, message: str) -> None:
    renderer.context.report("error", code, message, renderer.fragment.source, node.offset)
