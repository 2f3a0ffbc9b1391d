"""Components of Nextra, Fumadocs and Mintlify, whose pages are MDX with the components of a theme."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from octavo.content.context import nearest
from octavo.content.escape import escape, escape_attribute
from octavo.content.render.html_tree import in_ticks
from octavo.content.render.nodes.admonitions import draw_admonition
from octavo.content.render.nodes.parts import (
    Draw,
    draw_children,
    draw_inline,
    draw_panel,
    make_frame,
    text_of,
    with_icon,
)
from octavo.content.render.nodes.tabs import draw_group
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.code_groups import split_code_group
from octavo.content.scan.nodes import Admonition, Element
from octavo.content.source import Fragment

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.scope import Content

CALLOUT_KINDS = {
    "check": "tip",
    "danger": "danger",
    "error": "danger",
    "idea": "tip",
    "important": "important",
    "info": "info",
    "note": "note",
    "success": "tip",
    "tip": "tip",
    "warn": "warning",
    "warning": "warning",
}
"""Type of a callout → kind of an admonition; any other is a note."""


CALLOUTS = {
    "Banner": "info",
    "Callout": "",
    "Check": "tip",
    "Danger": "danger",
    "Info": "info",
    "Note": "note",
    "Tip": "tip",
    "Warning": "warning",
}
"""Component that is an admonition → its kind; empty where its `type` says it."""


def _make_callout(kind: str = "") -> Draw:
    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        title = text_of(node, "title")
        if content is not None or node.body is None:
            body, markdown = draw_children(node, renderer, content)
            return f'<div class="panel">{escape(title)} {body}</div>', f"{title} {markdown}".strip()
        head = Fragment(renderer.fragment.source, title, [0], [node.offset]) if title else None
        given = text_of(node, "type").lower()
        chosen = kind or CALLOUT_KINDS.get(given, "note")
        if not kind and given not in CALLOUT_KINDS and given not in ("", "default"):
            close = nearest(given, CALLOUT_KINDS)
            message = f'The type "{given}" of "<{node.name}>" is not known; it is drawn as a note.'
            hint = f'Did you mean "{close}"?' if close else f"Known types: {', '.join(CALLOUT_KINDS)}."
            source = renderer.fragment.source
            renderer.context.report("warn", "unknown-admonition", message, source, node.offset, suggestion=hint)
        return draw_admonition(
            Admonition(chosen, head, None, node.offset, node.body, icon=text_of(node, "icon", "emoji")), renderer
        )

    return draw


def _draw_entry(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a file or folder of a tree: an item of a list with those below it."""
    name = text_of(node, "name")
    renderer.context.prose(renderer.kind, name)
    body, markdown = draw_children(node, renderer, content)
    shown = f"<strong>{escape(name)}</strong>" if node.name == "Folder" else escape(name)
    inner = "\n".join(f"  {line}" for line in markdown.strip("\n").split("\n") if line.strip())
    return f"<ul><li>{shown}{body}</li></ul>", f"- {name}\n{inner}".rstrip()


def _draw_details(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    title = text_of(node, "title", "summary") or renderer.context.words["directive.details"]
    label, label_markdown = draw_inline(title, node, renderer)
    label = with_icon(label, node, renderer)
    lead, lead_markdown = _lead(node, renderer, "description")
    body, markdown = draw_children(node, renderer, content)
    plain = "\n\n".join(filter(None, (f"**{label_markdown}**", lead_markdown, markdown.strip())))
    anchor = text_of(node, "id")
    if anchor:
        renderer.context.anchors.append(anchor)
    own = f' id="{escape_attribute(anchor)}"' if anchor else ""
    return f"<details{own}><summary>{label}</summary>{lead}{body}</details>", plain


def _lead(node: Element, renderer: NodeRenderer, name: str) -> tuple[str, str]:
    """Draw an attribute as a paragraph; nothing where it is not given."""
    given = text_of(node, name)
    shown, markdown = draw_inline(given, node, renderer) if given else ("", "")
    return f"<p>{shown}</p>" if shown else "", markdown


def _draw_field(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a parameter of an API: its name with labels around it, its type, and whether it must be given."""
    name = text_of(node, "name", "path", "query", "body", "header")
    marks = [*_texts(node, "post"), text_of(node, "type")]
    marks += [word for word in ("required", "deprecated") if node.attributes.get(word) not in (None, False)]
    marks += [f"{word}: {_value_of(node, key)}" for word, key in _FIELD_VALUES.items() if _value_of(node, key)]
    shown = ", ".join(mark for mark in marks if mark)
    before = " ".join(_texts(node, "pre"))
    renderer.context.prose(renderer.kind, " ".join(filter(None, (before, name, shown))))
    body, markdown = draw_children(node, renderer, content)
    head = " ".join(filter(None, (escape(before), f"<code>{escape(name)}</code>", escape(shown))))
    plain = " ".join(filter(None, (before, f"`{name}`", shown)))
    return f'<div class="panel"><p class="panel-title">{head}</p>{body}</div>', f"{plain}\n\n{markdown.strip()}"


_FIELD_VALUES = {"default": "default", "for example": "placeholder"}


def _texts(node: Element, name: str) -> list[str]:
    """Give the texts of an attribute that holds a list of them, or one."""
    given = node.attributes.get(name)
    return [str(one) for one in (given if isinstance(given, list) else [given]) if isinstance(one, (str, int, float))]


def _value_of(node: Element, name: str) -> str:
    """Write the value of an attribute that may be of any type; empty where it is not given."""
    given = node.attributes.get(name)
    return "" if given is None else given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _draw_code_group(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    if node.body is None or content is not None:
        return draw_children(node, renderer, content)
    items = [
        Element("TabItem", {"label": label}, node.body.origin(offset), block)
        for label, block, offset in split_code_group(node.body, has_words=True)
    ]
    return draw_group(items, renderer) if items else draw_children(node, renderer, content)


def _draw_figure(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    hint, hint_markdown = _lead(node, renderer, "hint")
    body, markdown = draw_children(node, renderer, content)
    body, markdown = f"{hint}{body}", "\n\n".join(filter(None, (hint_markdown, markdown.strip())))
    caption = text_of(node, "caption")
    if not caption:
        return body, markdown
    shown, plain = draw_inline(caption, node, renderer)
    return f"<figure>{body}<figcaption>{shown}</figcaption></figure>", f"{markdown}\n\n{plain}"


def _draw_tip(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a word that has an explanation, and perhaps a link for more."""
    body, markdown = draw_children(node, renderer, content)
    tip = ": ".join(filter(None, (text_of(node, "headline"), text_of(node, "tip"))))
    href = text_of(node, "href")
    more, more_markdown = draw_inline(f"[{text_of(node, 'cta') or href}]({href})", node, renderer) if href else ("", "")
    shown = f'<abbr title="{escape_attribute(tip)}">{unwrap(body).strip()}</abbr>' if tip else unwrap(body).strip()
    said = ", ".join(filter(None, (tip, more_markdown)))
    return f"{shown} ({more})" if more else shown, f"{markdown.strip()} ({said})" if said else markdown


def _draw_type_table(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the table of Fumadocs that lists the properties of a type."""
    rows = node.attributes.get("type")
    if not isinstance(rows, dict):
        return draw_children(node, renderer, content)
    lines = ["| Prop | Type | Default |", "| --- | --- | --- |"]
    for name, what in rows.items():
        given = what if isinstance(what, dict) else {"type": what}
        mark = "" if given.get("required") else "?"
        about = f": {given['description']}" if given.get("description") else ""
        link = given.get("typeDescriptionLink")
        kind = _code(given.get("type"))
        more = str(given.get("typeDescription") or "")
        kind = f"[{kind}]({link})" if isinstance(link, str) and kind else kind
        gone = " (deprecated)" if given.get("deprecated") else ""
        cells = [f"{_code(f'{name}{mark}')}{gone}{about}", f"{kind} {more}".strip(), _code(given.get("default"))]
        lines.append(f"| {' | '.join(' '.join(cell.split()) for cell in cells)} |")
    text = "\n".join(lines)
    return renderer.nested(Fragment(renderer.fragment.source, text, [0], [node.offset]), renderer.kind)


def _code(value: object) -> str:
    """Write a value as code in a cell of a table."""
    if value is None or value == "":
        return ""
    text = " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split())
    return in_ticks(text.replace("|", "\\|"))


def _draw_repository(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the link of Fumadocs to a repository, without the figures that it asks for."""
    del content  # the component has attributes only
    name = "/".join(filter(None, (text_of(node, "owner"), text_of(node, "repo"))))
    return draw_inline(f"[{name}](https://github.com/{name})", node, renderer) if name else ("", "")


def _draw_update(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw an entry of a changelog, which has a label and a description."""
    words = [text_of(node, "label"), text_of(node, "description"), ", ".join(_texts(node, "tags"))]
    title = " – ".join(word for word in words if word)
    label, plain = draw_inline(title, node, renderer) if title else ("", "")
    body, markdown = draw_children(node, renderer, content)
    return f'<div class="panel"><p class="panel-title">{label}</p>{body}</div>', f"**{plain}**\n\n{markdown.strip()}"


JSX_THEMES: dict[str, Draw] = {
    **{name: _make_callout(kind) for name, kind in CALLOUTS.items()},
    "Accordion": _draw_details,
    "AccordionGroup": draw_children,
    "Accordions": draw_children,
    "Bleed": draw_children,
    "CardGroup": make_frame("panels"),
    "Cards": make_frame("panels"),
    "CodeGroup": _draw_code_group,
    "Column": draw_children,
    "Columns": make_frame("panels"),
    "Expandable": _draw_details,
    "File": _draw_entry,
    "Files": make_frame("file-tree"),
    "Folder": _draw_entry,
    "Frame": _draw_figure,
    "GithubInfo": _draw_repository,
    "Panel": draw_children,
    "ParamField": _draw_field,
    "Prompt": draw_panel,
    "RequestExample": _draw_code_group,
    "ResponseExample": _draw_code_group,
    "ResponseField": _draw_field,
    "Step": draw_panel,
    "Tile": draw_panel,
    "Tooltip": _draw_tip,
    "Tree": make_frame("file-tree"),
    "TypeTable": _draw_type_table,
    "Update": _draw_update,
    "View": draw_panel,
    "Visibility": draw_children,
}
"""Name of a component → its drawing."""
