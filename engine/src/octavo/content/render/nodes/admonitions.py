"""Admonitions: `:::tip[Title]` and the alerts of GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.context import nearest
from octavo.content.escape import escape, escape_attribute
from octavo.content.extended.slots import draw_slot, plain_text
from octavo.content.icons import find_icon, local_name
from octavo.content.render.unwrap import unwrap
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Mapping

    from octavo.content.context import CompileContext
    from octavo.content.dialect import Dialect
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Admonition

OWN_KINDS = ("note", "tip", "info", "warning", "danger", "caution", "important")
"""Kinds that every page knows."""
_CLASSES = {kind: kind for kind in OWN_KINDS}
_CLASSES |= {"success": "tip", "secondary": "note"}
"""Kind → kind that it looks like; the last two are old names."""
KINDS_OF_MKDOCS = (
    _CLASSES
    | dict.fromkeys(("abstract", "summary", "tldr", "todo", "question", "help", "faq", "new", "settings"), "info")
    | dict.fromkeys(("hint", "check", "done"), "tip")
    | dict.fromkeys(("seealso", "example", "quote", "cite"), "note")
    | dict.fromkeys(("failure", "fail", "missing", "error", "bug"), "danger")
    | {"attention": "warning"}
)
"""The same with the kinds of MkDocs' themes."""

_NOTE = "M12 11v5.5M12 7.5v.1M3 12a9 9 0 1018 0 9 9 0 10-18 0"
_WARNING = "M12 4L2.5 20h19zM12 10v4.5M12 17.3v.1"
_PICTURES = {
    "tip": "M9 18h6M10 21h4M8.5 14.5a6 6 0 117 0c-.5.5-.5 1-.5 1.5h-6c0-.5 0-1-.5-1.5z",
    "warning": _WARNING,
    "danger": _WARNING,
    "caution": _WARNING,
}
"""Look → path of its icon in a square of 24 units; all others have that of a note."""


def looks(dialect: Dialect) -> dict[str, str]:
    """The kinds of a dialect: kind → kind that it looks like."""
    kinds = (
        KINDS_OF_MKDOCS
        if dialect.extensions & {"admonitions", "blocks", "details", "hugo", "myst", "rst"}
        else _CLASSES
    )
    return kinds | dialect.containers if dialect.containers else kinds


def admonition_name(kind: str, words: Mapping[str, str]) -> str:
    """Title of an admonition that is given none."""
    return words.get(f"admonition.{kind}") or kind.capitalize()


def new_admonition_id(context: CompileContext) -> str:
    """Take the next id for an admonition's title."""
    name = f"adm-{context.serial('adm')}"
    context.anchors.append(name)
    return name


def frame_admonition(
    name: str, look: str, title: str, body: str, anchor: str | None = None, classes: str = "", icon: str = ""
) -> str:
    """Put an admonition together.

    Args:
        name: Id of its title; empty where it has none, then the title is its name for screen readers only.
        look: Kind that it looks like.
        title: HTML.
        body: HTML.
        anchor: Its own id, where the author gave one.
        classes: More classes.
        icon: Drawing before its title; that of its look where it is empty.
    """
    own = f' id="{escape_attribute(anchor)}"' if anchor else ""
    names = escape_attribute(f"admonition admonition-{look} {classes}".rstrip())
    if not name:
        label = escape_attribute(title)
        return f'<div class="{names}" role="note"{own} aria-label="{label}"><div class="admonition-body">{body}</div></div>'
    return (
        f'<div class="{names}" role="note"{own} aria-labelledby="{name}">'
        f'<p class="admonition-title" id="{name}">{icon or _picture(look)}{title}</p>'
        f'<div class="admonition-body">{body}</div></div>'
    )


def alert_tags(kind: str) -> tuple[str, str]:
    """Give the start and the end of an alert of GitHub in a text whose language is its own and which has no ids."""
    start = f'<div class="admonition admonition-{kind}" role="note"><p class="admonition-title">'
    return f'{start}{_picture(kind)}{admonition_name(kind, {})}</p><div class="admonition-body">', "</div></div>"


def _picture(look: str) -> str:
    path = _PICTURES.get(look, _NOTE)
    return f'<svg class="admonition-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg>'


def draw_admonition(node: Admonition, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw an admonition: its HTML, and a quote with a bold title as Markdown."""
    context = renderer.context
    name = "" if node.is_untitled else new_admonition_id(context)
    if node.anchor:
        context.anchors.append(node.anchor)
    title = title_markdown = escape(admonition_name(node.kind, context.words))
    known = looks(renderer.fragment.source.dialect)
    if node.kind not in known:
        _report_unknown(node, known, renderer)
    if node.title is not None:
        html, title_markdown = renderer.nested(node.title, "admonition")
        title = unwrap(html)
    icon = _own_icon(node, renderer) if node.icon else ""
    body, body_markdown = renderer.nested(node.body, "admonition")
    if "admonition" in context.options.slots:
        props = {"kind": node.kind, "title": "" if node.is_untitled else plain_text(title)}
        html = draw_slot(context, "admonition", renderer.fragment.source.span(node.offset), props, body)
    else:
        html = frame_admonition(name, known.get(node.kind, "info"), title, body, node.anchor, node.classes, icon)
    label = "" if node.is_untitled else f"**{bare_label(title_markdown)}**\n\n"
    quoted = f"{label}{body_markdown.strip()}".rstrip()
    return html, "\n".join(f"> {line}".rstrip() for line in quoted.split("\n"))


def _own_icon(node: Admonition, renderer: NodeRenderer) -> str:
    """Draw the icon that an author chose, or an emoji; empty, and a finding, where there is none of this name."""
    context, source = renderer.context, renderer.fragment.source
    if not re.search(r"[A-Za-z]", node.icon):
        return f'<span class="admonition-icon">{escape(node.icon)}</span>'
    drawn = find_icon(local_name(node.icon), context, source, node.offset)
    if drawn is None:
        context.icons.append((node.icon, source, node.offset))
    return (drawn or "").replace('class="icon ', 'class="admonition-icon icon ', 1)


def bare_label(markdown: str) -> str:
    """Escape a label for use between `**`."""
    return " ".join(markdown.replace("**", "").split())


def _report_unknown(node: Admonition, known: dict[str, str], renderer: NodeRenderer) -> None:
    close = nearest(node.kind, [*known, *renderer.context.options.directives])
    renderer.context.report(
        "warn",
        "unknown-admonition",
        f'The admonition kind "{node.kind}" is not known; it is drawn as "info" with this name as its title.',
        renderer.fragment.source,
        node.offset,
        suggestion=f'Did you mean "{close}"?' if close else f"Known kinds: {', '.join(sorted(known))}.",
    )
