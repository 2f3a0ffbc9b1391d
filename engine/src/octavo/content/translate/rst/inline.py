"""Text in lines: from nodes of docutils to Markdown."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable

from docutils import nodes

from octavo.content.translate.rst.nodes import InlineMarkdown
from octavo.lazy import regex as re

_SPECIAL = re.compile(
    r"[\\`*\[\]{}|$]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|~~|==|\+\+|\^\^|(?<![\w:]):(?=[\w+-]+:)"
)
_HEAD = re.compile(
    r"^([ \t]*)(?:(#{1,6}|[-+>]|:{1,3}|={2,}|-{2,}|%|!{3}|/{3})(?=[ \t]|$)|(\d{1,9})([.)])(?=[ \t]|$)|(:{3,}|~{3,}|!{3}))",
    re.MULTILINE,
)
_BARE = re.compile(r"(?:https?|ftp)://\S+")


def escape(text: str) -> str:
    """Write a text so that Markdown shows it as it is."""
    text = text.replace("\x00", "")
    return _SPECIAL.sub(lambda match: f"\\{match[0]}" if match[0] != "&" else "&amp;", text)


def escape_heads(text: str) -> str:
    """Keep the lines of a paragraph from being read as headings, lists and other blocks."""
    return _HEAD.sub(_escape_head, text)


def _escape_head(match: re.Match[str]) -> str:
    if match[3]:
        return f"{match[1]}{match[3]}\\{match[4]}"
    return f"{match[1]}\\{match[2] or match[5]}"


def code(text: str) -> str:
    """Write a text as code within a line."""
    text = " ".join(text.split("\n")).replace("\x00", "")
    if not text.strip():
        return text
    mark = "`"
    while mark in text:
        mark += "`"
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{mark}{space}{text}{space}{mark}"


def link(text: str, href: str) -> str:
    """Write a link; `text` is Markdown."""
    href = re.sub(r"\s+", "", href) if "://" in href else href.strip()
    if re.search(r"[\s()<>\\]", href):
        href = f"<{href.replace('<', '%3C').replace('>', '%3E')}>"
    return f"[{' '.join(text.split())}]({href})" if text.strip() else f"<{href}>" if "://" in href else ""


def ids_of(node: nodes.Element) -> list[str]:
    """Give the ids of a node."""
    return [str(one) for one in node.get("ids") or []]


def anchors_of(node: nodes.Element) -> str:
    """Write the places that links to a node lead to."""
    return "".join(f'<a id="{html.escape(one)}"></a>' for one in ids_of(node))


class InlineWriter:
    """Writes the nodes of a line."""

    def __init__(self, image: Callable[[nodes.Element], str], is_footnote: Callable[[str], bool]) -> None:
        self._image = image
        self._is_footnote = is_footnote

    def write(self, children: Iterable[nodes.Node]) -> str:
        """Write nodes beside each other."""
        return "".join(map(self._one, children))

    def _one(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return escape(node.astext())
        if isinstance(node, InlineMarkdown):
            return str(node["markdown"])
        if not isinstance(node, nodes.Element):
            return ""
        draw = getattr(self, f"_{node.tagname}", None)
        return str(draw(node)) if draw else self.write(node.children)

    def _marked(self, node: nodes.Element, mark: str, tag: str) -> str:
        text = self.write(node.children)
        inner = text.strip()
        if not inner:
            return text
        # Beside a letter, or with a punctuation at its edge, the marks of Markdown may not count.
        if _is_letter(node, -1) or _is_letter(node, 1) or inner[0] in "*_" or inner[-1] in "*_":
            return f"<{tag}>{text}</{tag}>"
        return f"{mark}{inner}{mark}"

    def _emphasis(self, node: nodes.Element) -> str:
        return self._marked(node, "*", "em")

    _title_reference = _emphasis

    def _strong(self, node: nodes.Element) -> str:
        return self._marked(node, "**", "strong")

    def _literal(self, node: nodes.Element) -> str:
        return code(node.astext())

    def _subscript(self, node: nodes.Element) -> str:
        return f"<sub>{self.write(node.children)}</sub>"

    def _superscript(self, node: nodes.Element) -> str:
        return f"<sup>{self.write(node.children)}</sup>"

    def _abbreviation(self, node: nodes.Element) -> str:
        return self.write(node.children)

    def _math(self, node: nodes.Element) -> str:
        return f"${' '.join(node.astext().split())}$"

    def _raw(self, node: nodes.Element) -> str:
        return node.astext() if "html" in str(node.get("format", "")).split() else ""

    def _reference(self, node: nodes.Element) -> str:
        text = self.write(node.children)
        href = str(node.get("refuri", "")) or (f"#{node['refid']}" if "refid" in node else "")
        plain = node.astext()
        if not href:
            return text
        if plain == href and "://" in href and not re.search(r"[\s<>]", href):
            return f"<{href}>"
        if href.startswith("mailto:") and plain == href.removeprefix("mailto:"):
            return f"<{plain}>"
        return link(text, href)

    def _footnote_reference(self, node: nodes.Element) -> str:
        name = node.astext()
        return f"[^{name}]" if self._is_footnote(name) else f"\\[{escape(name)}\\]"

    def _citation_reference(self, node: nodes.Element) -> str:
        text = f"\\[{escape(node.astext())}\\]"
        return link(text, f"#{node['refid']}") if "refid" in node else text

    def _target(self, node: nodes.Element) -> str:
        if "refuri" in node:
            return ""  # the name of the link before it
        ids = anchors_of(node)
        return ids + self.write(node.children)

    def _problematic(self, node: nodes.Element) -> str:
        return escape(node.astext().strip("`").rstrip("_"))

    def _substitution_reference(self, node: nodes.Element) -> str:
        return escape(node.astext())

    def _system_message(self, node: nodes.Element) -> str:
        del node
        return ""


_LINK = re.compile(r"\[(?P<text>.*)\]\(<?(?P<href>[^()<>]*)>?\)\Z", re.DOTALL)
_TAGS = {
    "emphasis": "em",
    "strong": "strong",
    "title_reference": "cite",
    "literal": "code",
    "subscript": "sub",
    "superscript": "sup",
}


def preformatted(children: Iterable[nodes.Node]) -> str:
    """Write text whose line ends and spaces count, and which has marks and links, as HTML."""
    return "".join(map(_preformatted, children))


def _preformatted(node: nodes.Node) -> str:
    if isinstance(node, InlineMarkdown):
        match = _LINK.match(str(node["markdown"]))
        text = html.escape(node.astext(), quote=False)
        return f'<a href="{html.escape(match["href"])}">{text}</a>' if match else text
    if not isinstance(node, nodes.Element):
        return html.escape(node.astext().replace("\x00", ""), quote=False)
    inner = preformatted(node.children)
    if (
        isinstance(node, nodes.reference)
        and (href := str(node.get("refuri", "")) or f"#{node.get('refid', '')}") != "#"
    ):
        return f'<a href="{html.escape(href)}">{inner}</a>'
    tag = _TAGS.get(node.tagname)
    return f"<{tag}>{inner}</{tag}>" if tag else inner


def _is_letter(node: nodes.Element, step: int) -> bool:
    """Whether the character beside a node is a letter or a digit."""
    if node.parent is None:
        return False
    at = node.parent.index(node) + step
    if not 0 <= at < len(node.parent):
        return False
    beside = node.parent[at].astext().replace("\x00", "")
    return bool(beside) and beside[-1 if step < 0 else 0].isalnum()
