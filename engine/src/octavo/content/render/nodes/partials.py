"""Partials and registered components: Markdown files that other files take in, with props and content."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from octavo.content.code.blocks import render_code
from octavo.content.context import nearest
from octavo.content.escape import escape
from octavo.content.front_matter import body_start
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Content, Scope
from octavo.content.source import DocumentText, Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_TITLES = ("title", "summary", "label")
_NAMES = (*_TITLES, "name", "text", "heading", "question")
"""Keys of an entry of a list that say what it is."""
_LINKS = ("href", "link", "url", "to")
_WORDS = re.compile(r"\A[^{}]*\w[ ]+\w+[ ,]+\w[^{}]*\Z", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NAME = re.compile(r"[A-Za-z_$][\w$-]*")
_PROP = re.compile(r"\bprops\.(\w+)")
_OF_REACT = frozenset(["children", "key", "ref"])
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
    place = context.place_of(path)
    source = DocumentText(place, text, context.options.dialect_of(place))
    scope = Scope(source, props=node.attributes, content=content, chain=renderer.scope.chain)
    fragment = scan(Fragment.whole(source, body_start(source)), scope, context)
    html, markdown = renderer.nested(fragment, renderer.kind, scope)
    if content is not None and not scope.is_content_used and _is_there(content):
        message = f'The content of "<{node.name}>" is not shown: "{path}" has no {{props.children}}.'
        context.report("warn", "unused-content", message, renderer.fragment.source, node.offset)
    _check_props(node, path, text, renderer)
    return html, markdown.strip("\n")


def _check_props(node: Element, path: str, text: str, renderer: NodeRenderer) -> None:
    """Report props that the file does not mention; one that hands all of them on may use any."""
    if not node.attributes or "...props" in text:
        return
    words = set(_NAME.findall(text))
    for name in node.attributes:
        # A slip of the pen is reported where the other name is missing.
        if name in words or name in _OF_REACT or nearest(name, {*_PROP.findall(text)} - node.attributes.keys()):
            continue
        message = f'"<{node.name}>" has no attribute "{name}": "{path}" does not use it.'
        hint = f"Write {{props.{name}}} there, or take it out."
        source = renderer.fragment.source
        renderer.context.report("warn", "unknown-attribute", message, source, node.offset, suggestion=hint)


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
        if not _is_sentence(value):
            continue
        text = _plain(value)
        renderer.context.prose(renderer.kind, text)
        html, markdown = f"<p>{escape(text)}</p>{html}", f"{text}\n\n{markdown.lstrip()}"
    for value in node.attributes.values():
        items = list(_items(value, node, renderer)) if isinstance(value, list) else []
        if items:
            html += f"<ul>{''.join(f'<li>{shown}</li>' for shown, _ in items)}</ul>"
            markdown = f"{markdown.rstrip()}\n\n" + "\n".join(f"- {plain}" for _, plain in items)
    return html, markdown


@cache
def _no_spaces() -> re.Pattern[str]:
    """Give the pattern of scripts that have no capital letters, and no spaces between words or other ones."""
    return re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")


def _is_sentence(value: str) -> bool:
    """Whether a value is something to read: three words after a capital letter, and no list of classes, path or query."""
    text = _plain(value)
    return (not text.isascii() and _no_spaces().search(text) is not None) or (
        text[:1].isupper() and _WORDS.search(text) is not None
    )


def _plain(value: str) -> str:
    return _TAG.sub("", value).strip()


def _items(value: list[object], node: Element, renderer: NodeRenderer) -> Iterator[tuple[str, str]]:
    """Draw the entries of a list that have something to read, each as HTML and as Markdown."""
    for one in value:
        fields = {key: text for key, text in one.items() if isinstance(text, str)} if isinstance(one, dict) else {}
        if isinstance(one, str) and _is_sentence(one):
            fields = {"": one}
        head = next((_plain(fields[name]) for name in _NAMES if fields.get(name)), "")
        texts = [_plain(text) for name, text in fields.items() if name not in _NAMES and _is_sentence(text)]
        if not head and not texts:
            continue
        renderer.context.prose(renderer.kind, " ".join(filter(None, [head, *texts])))
        shown, plain = (f"<strong>{escape(head)}</strong>", f"**{head}**") if head else ("", "")
        if head and (href := next((fields[name] for name in _LINKS if fields.get(name)), "")):
            place = renderer.fragment.source.span(node.offset)
            shown = f'<a href="{renderer.context.link(href, place, is_markup=True)}">{shown}</a>'
            plain = f"[{plain}]({href})"
        mark = ": " if head and texts else ""
        yield f"{shown}{mark}{escape(' '.join(texts))}", f"{plain}{mark}{' '.join(texts)}"


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
