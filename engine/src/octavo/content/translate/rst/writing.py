"""From the tree of docutils to lines of Markdown that know their lines in the file."""

from __future__ import annotations

import ast
import html
import textwrap
from collections.abc import Callable, Iterable, Sequence

from docutils import nodes

from octavo.content.translate.directives import draw_directive
from octavo.content.translate.output import fenced
from octavo.content.translate.rst.inline import (
    InlineWriter,
    anchors_of,
    code,
    escape,
    escape_heads,
    ids_of,
    link,
    preformatted,
)
from octavo.content.translate.rst.nodes import DirectiveNode, Title
from octavo.content.translate.rst.page import RstPage
from octavo.content.translate.rst.tables import Line, table_lines
from octavo.lazy import regex as re

_DEEPEST_HEADING = 6
_ERROR = 3
"""Level of messages about what is left out."""
_NUMBERED = {"arabic": "1", "loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I"}
_PARAMETERS = re.compile(
    r"(?:param|parameter|arg|argument|key|keyword|kwarg)[ \t]+(?:(?P<type>.*)[ \t]+)?(?P<name>\S+)\Z", re.DOTALL
)
_RAISES = re.compile(r"(?:raises|raise|except|exception|throws)[ \t]+(?P<name>.+)\Z", re.DOTALL)
_FIELDS = {"returns": "returns", "return": "returns", "rtype": "return-type", "type": "type", "default": "default"}
"""Field → word of the theme."""
_UNSEEN = (
    nodes.comment,
    nodes.substitution_definition,
    nodes.pending,
    nodes.decoration,
    nodes.meta,
)


_TABS = ("tab", "tab-item", "group-tab", "code-tab")
_NEEDS_SPACE = re.compile(
    r".*`{3}|[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(?::[ \t]{3}|<(?:dl|dt|dd|table|figure|details|div|ol|section)\b)"
)
"""A line of a block that ends, or whose content is read as Markdown, at an empty line only."""
_CONTAINER = re.compile(r"[ \t]*(?::{3,}|<(?:Tabs|CardGrid|Card|Steps|details)\b)")


class Writer:
    """Writes one page."""

    def __init__(self, page: RstPage, document: nodes.document) -> None:
        self._page = page
        self._line = 1
        self._level = 0
        self._has_title = False
        self._used: set[str] = set()
        self._footnotes: list[Line] = []
        self._bullet = ""
        self._language = page.settings.highlight
        """Of blocks of code that name none."""
        self._notes = {
            str(note.children[0].astext())
            for note in document.findall(nodes.footnote)
            if note.children and note.get("backrefs")
        }
        self._inline = InlineWriter(self._image_text, self._notes.__contains__)

    def lines(self, document: nodes.document) -> list[Line]:
        """Write all blocks, and the footnotes at the end."""
        written = self._blocks(document.children)
        return [*written, ("", self._line), *self._footnotes] if self._footnotes else written

    def _blocks(self, children: Iterable[nodes.Node]) -> list[Line]:
        """Write blocks with blank lines between them."""
        lines: list[Line] = []
        in_tabs = False
        for child in children:
            is_tab = isinstance(child, DirectiveNode) and child.one.name in _TABS
            is_loose = is_tab and not _is_in_tabs(child)
            if in_tabs and not is_loose and not isinstance(child, _UNSEEN):
                lines += [("", self._line), ("</Tabs>", self._line)]
                in_tabs = False
            found = self._block(child)
            if not found:
                continue
            if lines:
                lines.append(("", found[0][1]))
            if is_loose and not in_tabs:
                lines += [("<Tabs>", found[0][1]), ("", found[0][1])]
                in_tabs = True
            lines += found
        return [*lines, ("", self._line), ("</Tabs>", self._line)] if in_tabs else lines

    def _block(self, node: nodes.Node) -> list[Line]:
        if isinstance(node, nodes.Text):
            return [(line, self._line) for line in escape(node.astext()).split("\n")] if node.astext().strip() else []
        if not isinstance(node, nodes.Element) or isinstance(node, _UNSEEN):
            return []
        if node.line and self._page.is_own(node.source):
            self._line = self._page.line(node.line)
        draw = getattr(self, f"_{node.tagname.lower()}", None)
        if draw is None and isinstance(node, (nodes.Inline, nodes.TextElement)):
            draw = self._paragraph
        lines: list[Line] = draw(node) if draw else self._blocks(node.children)
        if isinstance(node, (nodes.section, nodes.footnote, nodes.citation, nodes.target)):
            return lines
        return [*self._anchors(ids_of(node)), *lines]

    def _anchors(self, ids: Sequence[str]) -> list[Line]:
        """Write places that links lead to, once each."""
        new = [one for one in ids if one not in self._used]
        self._used.update(new)
        if not new:
            return []
        return [("".join(f'<a id="{html.escape(one)}"></a>' for one in new), self._line), ("", self._line)]

    def _text(self, text: str) -> list[Line]:
        """Give the lines of a text that begins at the line of the file that is written now."""
        return [(line, self._line + number) for number, line in enumerate(text.split("\n"))]

    def _same(self, text: str) -> list[Line]:
        return [(line, self._line) for line in text.split("\n")]

    # Text

    def _section(self, node: nodes.Element) -> list[Line]:
        self._level += 1
        lines = self._blocks(node.children)
        self._level -= 1
        return lines

    def _title(self, node: nodes.Element) -> list[Line]:
        section = node.parent
        if not isinstance(section, nodes.section):
            text = self._inline.write(node.children)
            return self._same(f"**{' '.join(text.split())}**") if text.strip() else []
        # docutils names the line of the rule below a title.
        line = self._line = max(self._page.line(node.line or section.line or self._line) - 1, 1)
        ids = ids_of(section)
        # A page has one title; further sections beside the first are its chapters.
        level = self._level + (1 if self._has_title and self._level == 1 else 0)
        self._has_title = True
        text = " ".join(self._inline.write(node.children).split())
        first = ids[0] if ids else ""
        own = "" if not first or first == nodes.make_id(node.astext()) else f" {{#{first}}}"
        self._used.add(first)
        anchors = self._anchors(ids[1:])
        return [*anchors, (f"{'#' * min(level, _DEEPEST_HEADING)} {text}{own}", line)]

    def _paragraph(self, node: nodes.Element) -> list[Line]:
        text = self._inline.write(node.children).strip("\n")
        text = "\n".join(line.strip() for line in text.split("\n") if line.strip())
        return self._text(escape_heads(text)) if text else []

    def _block_quote(self, node: nodes.Element) -> list[Line]:
        return [((f"> {line}" if line else ">"), at) for line, at in self._blocks(node.children)]

    def _attribution(self, node: nodes.Element) -> list[Line]:
        return self._same(f"— {' '.join(self._inline.write(node.children).split())}")

    def _transition(self, node: nodes.Element) -> list[Line]:
        del node
        return [("***", self._line)]

    def _line_block(self, node: nodes.Element) -> list[Line]:
        lines = list(self._lines_of(node, 0))
        return [
            (f"{line}\\" if number < len(lines) - 1 and line and lines[number + 1][0] else line, at)
            for number, (line, at) in enumerate(lines)
        ]

    def _lines_of(self, node: nodes.Element, depth: int) -> Iterable[Line]:
        for one in node.children:
            if isinstance(one, nodes.line_block):
                yield from self._lines_of(one, depth + 1)
            elif isinstance(one, nodes.Element):
                text = " ".join(self._inline.write(one.children).split())
                yield (
                    "&emsp;" * depth + escape_heads(text) if text else "",
                    self._page.line(one.line or 0) or self._line,
                )

    def _rubric(self, node: nodes.Element) -> list[Line]:
        return self._same(f"**{' '.join(self._inline.write(node.children).split())}**")

    # Code

    def _literal_block(self, node: nodes.Element) -> list[Line]:
        classes = [str(one) for one in node.get("classes") or []]
        language = next((one for one in classes if one not in ("code", "literal-block")), "")
        text = node.astext()
        if any(not isinstance(one, nodes.Text) for one in node.children):
            return self._same(f"<pre>{preformatted(node.children)}</pre>")
        if not language and "code" not in classes:
            language = self._language or _guess(text)
        return self._fence(text, "" if language in ("none", "text") else language)

    def _highlight(self, node: nodes.Element) -> list[Line]:
        self._language = str(node["language"])
        return []

    def _doctest_block(self, node: nodes.Element) -> list[Line]:
        return self._fence(node.astext(), "pycon")

    def _fence(self, text: str, info: str) -> list[Line]:
        lines = fenced(text, info).split("\n")
        return [(line, self._line + max(number - 1, 0)) for number, line in enumerate(lines)]

    def _math_block(self, node: nodes.Element) -> list[Line]:
        text = re.sub(r"\n\s*\n", "\n", node.astext().strip())
        if "\n" in text and "\\\\" in text and "\\begin" not in text:
            text = f"\\begin{{aligned}}\n{text}\n\\end{{aligned}}"
        return self._same(f"$$\n{text}\n$$")

    def _raw(self, node: nodes.Element) -> list[Line]:
        if "html" not in str(node.get("format", "")).split():
            return []
        # A block of HTML reaches to the next blank line.
        return self._same(re.sub(r"\n[ \t]*(?=\n)", "", textwrap.dedent(node.astext()).strip("\n")))

    # Lists

    def _bullet_list(self, node: nodes.Element) -> list[Line]:
        before = self._previous(node)
        bullet = "*" if isinstance(before, nodes.bullet_list) and self._bullet == "-" else "-"
        lines = self._items(node, lambda _: f"{bullet} ")
        self._bullet = bullet
        return lines

    def _enumerated_list(self, node: nodes.Element) -> list[Line]:
        kind = _NUMBERED.get(str(node.get("enumtype", "arabic")), "1")
        start = int(node.get("start", 1))
        if kind == "1":
            end = ")" if isinstance(self._previous(node), nodes.enumerated_list) else "."
            return self._items(node, lambda number: f"{start + number}{end} ")
        lines: list[Line] = [(f'<ol type="{kind}"' + (f' start="{start}"' if start != 1 else "") + ">", self._line)]
        for item in node.children:
            inner = self._blocks(item.children)
            lines += [("<li>", self._line), ("", self._line), *inner, ("", self._line), ("</li>", self._line)]
        return [*lines, ("</ol>", self._line)]

    def _previous(self, node: nodes.Element) -> nodes.Node | None:
        if node.parent is None:
            return None
        before = [one for one in node.parent.children[: node.parent.index(node)] if not isinstance(one, _UNSEEN)]
        return before[-1] if before else None

    def _items(self, node: nodes.Element, mark: Callable[[int], str]) -> list[Line]:
        lines: list[Line] = []
        is_tight = all(
            len(item.children) < 2 or (len(item.children) == 2 and isinstance(item.children[1], nodes.bullet_list))
            for item in node.children
        )
        for number, item in enumerate(node.children):
            head = mark(number)
            inner = self._blocks(item.children)
            if is_tight and not any(_NEEDS_SPACE.match(text) for text, _ in inner):
                inner = [one for one in inner if one[0]]
            if lines and not is_tight:
                lines.append(("", self._line))
            if not inner:
                lines.append((head.rstrip(), self._line))
            lines += indented(inner, head, " " * len(head))
        return lines

    def _definition_list(self, node: nodes.Element) -> list[Line]:
        lines: list[Line] = []
        as_html: list[Line] = [
            ("<dl>", self._page.line(node.line or 1) if self._page.is_own(node.source) else self._line)
        ]
        holds_blocks = False
        for item in node.children:
            if not isinstance(item, nodes.Element):
                continue
            start = len(lines)
            terms = [one for one in item.children if isinstance(one, nodes.term)]
            kinds = [one for one in item.children if isinstance(one, nodes.classifier)]
            body = [part for one in item.children if isinstance(one, nodes.definition) for part in one.children]
            if lines:
                lines.append(("", self._line))
            if item.line and self._page.is_own(item.source):
                self._line = self._page.line(item.line)
            for number, term in enumerate(terms):
                ids = anchors_of(item) + anchors_of(term)
                text = " ".join(self._inline.write(term.children).split())
                more = "".join(f" : *{' '.join(self._inline.write(one.children).split())}*" for one in kinds)
                end = "\\" if number < len(terms) - 1 else ""
                lines.append((ids + escape_heads(text) + more + end, self._line))
            heads = [(text.removesuffix("\\"), line) for text, line in lines[start:] if text]
            for text, line in heads:
                as_html += [("<dt>", line), ("", line), (text, line), ("", line), ("</dt>", line)]
            blocks = self._blocks(body) or [("", self._line)]
            holds_blocks = holds_blocks or any(_CONTAINER.match(text) for text, _ in blocks)
            as_html += [("<dd>", blocks[0][1]), ("", blocks[0][1]), *blocks, ("", self._line), ("</dd>", self._line)]
            lines += indented(blocks, ":   ", "    ")
        # Blocks of ours are read at the margin only; and a site may have texts in reStructuredText in files of Markdown.
        is_html = holds_blocks or "def_list" not in self._page.extensions
        return [*as_html, ("</dl>", self._line)] if is_html else lines

    def _option_list(self, node: nodes.Element) -> list[Line]:
        lines: list[Line] = []
        for item in node.children:
            group, description = item.children[0], item.children[-1]
            names = ", ".join(code(one.astext()) for one in group.children)
            lines += [("", self._line)] if lines else []
            lines.append((names, self._line))
            lines += indented(self._blocks(description.children) or [("", self._line)], ":   ", "    ")
        return lines

    def _field_list(self, node: nodes.Element) -> list[Line]:
        groups: dict[str, list[list[Line]]] = {}
        types = {
            field.children[0].astext().partition(" ")[2].strip(): field.children[1].astext()
            for field in node.children
            if field.children[0].astext().startswith("type ")
        }
        lines: list[Line] = []
        for field in node.children:
            name, body = field.children[0].astext().strip(), field.children[1]
            if not isinstance(body, nodes.Element) or name.startswith("type "):
                continue
            if field.line and self._page.is_own(field.source):
                self._line = self._page.line(field.line)
            inner = self._blocks(body.children)
            if match := _PARAMETERS.match(name):
                kind = match["type"] or types.get(match["name"], "")
                shown = code(match["name"]) + (f" ({code(kind)})" if kind else "")
                groups.setdefault("parameters", []).append(_after(f"{shown} – ", inner, self._line))
            elif match := _RAISES.match(name):
                groups.setdefault("raises", []).append(_after(f"{code(match['name'])} – ", inner, self._line))
            else:
                label = self._word(_FIELDS[name]) if name in _FIELDS else escape(name)
                lines += [("", self._line)] if lines else []
                lines += _after(f"**{label}:** ", inner, self._line)
        for title, items in groups.items():
            listed: list[Line] = [(f"**{self._word(title)}:**", self._line), ("", self._line)]
            for item in items:
                listed += indented(item, "- ", "  ")
            parts = [lines, listed] if title == "raises" else [listed, lines]
            lines = [*parts[0], ("", self._line), *parts[1]] if lines else listed
        return lines

    def _word(self, name: str) -> str:
        return self._page.around.word(f"directive.{name}")

    # Notes and references

    def _footnote(self, node: nodes.Element) -> list[Line]:
        name = node.children[0].astext()
        inner = self._blocks(node.children[1:])
        if name in self._notes:
            inner = inner or [("", self._line)]
            # A label is an address; numbers are given anew at each build.
            if node.get("auto") == 1 and not all(map(str.isdigit, node["names"])):
                anchor = (anchors_of(node), inner[0][1])
                is_prose = isinstance(next(iter(node.children[1:]), None), nodes.paragraph)
                inner = (
                    [(f"{anchor[0]}{inner[0][0]}", anchor[1]), *inner[1:]]
                    if is_prose
                    else [anchor, ("", anchor[1]), *inner]
                )
            self._footnotes += [*indented(inner, f"[^{name}]: ", "    "), ("", self._line)]
            return []
        return _after(f"\\[{escape(name)}\\] ", inner, self._line)

    def _citation(self, node: nodes.Element) -> list[Line]:
        anchors = anchors_of(node)
        name = node.children[0].astext()
        return _after(f"{anchors}**\\[{escape(name)}\\]** ", self._blocks(node.children[1:]), self._line)

    def _target(self, node: nodes.Element) -> list[Line]:
        if "refuri" in node or "refid" in node or "refname" in node:
            return []
        return self._anchors(ids_of(node))

    # Pictures and tables

    def _image_text(self, node: nodes.Element) -> str:
        address = self._page.file_address(str(node["uri"]))
        alt = escape(" ".join(str(node.get("alt", "")).split()))
        image = f"![{alt}]({f'<{address}>' if re.search(r'[ ()]', address) else address})"
        size = ""
        for key in ("width", "height"):
            if match := re.fullmatch(r"(\d+)(?:px)?", str(node.get(key, ""))):
                size += f' {key}="{match[1]}"'
        return f"{image}{{{size.strip()}}}" if size else image

    def _image(self, node: nodes.Element) -> list[Line]:
        return self._same(self._image_text(node))

    def _reference(self, node: nodes.Element) -> list[Line]:
        text = self._inline.write(node.children)
        href = str(node.get("refuri", "")) or f"#{node.get('refid', '')}"
        return self._same(link(text, href))

    def _figure(self, node: nodes.Element) -> list[Line]:
        lines: list[Line] = [("<figure>", self._line)]
        # A caption is at the end of its figure, so its legend is a part of it, as docutils writes it.
        captions = [one for one in node.children if isinstance(one, (nodes.caption, nodes.legend))]
        for one in node.children:
            at = self._line
            if captions and one is captions[0]:
                lines += [("", at), ("<figcaption>", at)]
            if isinstance(one, nodes.caption):
                lines += [("", at), (" ".join(self._inline.write(one.children).split()), at)]
            else:
                lines += [("", at), *self._block(one)]
            if captions and one is captions[-1]:
                lines += [("", at), ("</figcaption>", at)]
        return [*lines, ("", self._line), ("</figure>", self._line)]

    def _table(self, node: nodes.Element) -> list[Line]:
        return table_lines(node, self._inline.write, lambda cell: self._blocks(cell.children), self._line)

    # Directives

    def _system_message(self, node: nodes.Element) -> list[Line]:
        """Keep what docutils could not understand, as it was written; the finding about it was reported when it was parsed."""
        left = [one.astext() for one in node.children if isinstance(one, nodes.literal_block)]
        if not left or int(node.get("level", 0)) < _ERROR:
            return []
        if "title" in node.children[0].astext():
            text = next((line for line in left[0].split("\n") if any(map(str.isalnum, line))), "")
            return self._same(f"**{escape(text.strip())}**") if text else []
        return self._fence("\n".join(left), "rst")

    def _markdown(self, node: nodes.Element) -> list[Line]:
        return self._same(str(node["markdown"])) if str(node["markdown"]).strip() else []

    def _frame(self, node: nodes.Element) -> list[Line]:
        opening, closing = str(node["opening"]), str(node["closing"])
        return self._framed(opening, node.children, closing)

    def _framed(self, opening: str, children: Sequence[nodes.Node], closing: str) -> list[Line]:
        """Write blocks between two others, on lines of their own."""
        lines: list[Line] = self._same(opening.strip("\n")) if opening else []
        inner = self._blocks(children)
        lines += [("", lines[-1][1]), *inner] if lines and inner else inner
        return [*lines, ("", self._line), *self._same(closing.strip("\n"))] if closing else lines

    def _directive(self, node: DirectiveNode) -> list[Line]:
        one, children, line = node.one, node.children, self._line
        notes: list[nodes.Node] = []
        if children and isinstance(children[0], Title):
            one.argument = " ".join(self._inline.write(children[0].children).split())
            if one.name in _TABS:
                # What chooses a tab is a button, without references; these come first in it.
                notes = list(children[0].findall(nodes.footnote_reference))
            children = [nodes.paragraph("", "", *notes), *children[1:]] if notes else children[1:]
        if one.name in ("button-link", "button-ref"):
            one.body = " ".join(self._inline.write(child.children) for child in children)
        drawn = draw_directive(
            one, self._page.around, lambda text: text, lambda message: self._page.report(message, line)
        )
        if drawn.takes_body:
            return self._same(drawn.opening) if drawn.opening.strip() else []
        return self._framed(drawn.opening, children, drawn.closing)


def indented(lines: Sequence[Line], first: str, others: str) -> list[Line]:
    """Put a mark before the first line and white space before the others."""
    return [
        (((first if number == 0 else others) + line).rstrip() if line or number == 0 else "", at)
        for number, (line, at) in enumerate(lines)
    ]


def _after(head: str, lines: list[Line], at: int) -> list[Line]:
    """Begin a paragraph with a text; what is not a paragraph comes below it."""
    if not lines:
        return [(head.rstrip().removesuffix("–").rstrip(), at)]
    if re.match(r"[-*>|<]|```|:::|\d+[.)] ", lines[0][0]):
        return [(head.rstrip().removesuffix("–").rstrip(), at), ("", at), *lines]
    return [(head + lines[0][0], lines[0][1]), *lines[1:]]


def _is_in_tabs(node: nodes.Node) -> bool:
    return isinstance(node.parent, DirectiveNode) and node.parent.one.name in ("tabs", "tab-set", "tab-set-code")


def _guess(text: str) -> str:
    """Name the language of a block that has none: Sphinx shows it as Python where it is."""
    if text.startswith(">>>"):
        return "pycon"
    if "\n" not in text.strip() and not re.match(r"(?:import|from|def|class|@|print)\b|\w+\(", text.strip()):
        return ""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ""
    return "python"
