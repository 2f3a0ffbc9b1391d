"""Blocks of the extensions: `!!!`, `???`, `===`, `///`, `:::`, abbreviations and included files.

Each rule looks at a line whose content starts with its mark. It answers None where the line is none of its own; then
the line is prose. Bodies are Markdown of their own and are scanned in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from octavo.content.extended.uses import make_directive
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.includes import Includes, code_block
from octavo.content.scan.inline_marks import InlineMarks
from octavo.content.scan.nodes import Admonition, Element, Include, Node
from octavo.content.source import Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope

CALLOUT = re.compile(
    r"""(?P<mark>!!!|\?\?\?\+?)[ \t]*(?P<words>[\w-]+(?:[ \t]+[\w-]+)*|(?<=[?+][ \t])(?=["']))(?:(?:[ \t]+|(?<=[?+][ \t]))(?P<quote>["'])(?P<title>[^\n]*?)(?P=quote))?[ \t]*(?=\n|\Z)"""
)
"""`???` may have a title alone."""
TAB = re.compile(
    r"""===(?P<flags>[!+]{0,2})[ \t]+(?P<quote>["'])(?P<title>[^\n]*)(?P=quote)[ \t]*(?:\{[^\n]*\})?[ \t]*(?=\n|\Z)"""
)
_ABBREVIATION = re.compile(r"\*\[(?P<word>[^\]\n]{1,999})\]:[ \t]*(?P<meaning>[^\n]*)")
_AUTODOC = re.compile(
    r":::(?:[ \t]*[\w$]+(?:\.[\w$]+)+[ \t]*(?=\n|\Z)|[ \t]+[a-z][\w.-]*[ \t]*(?=(?:\n[ \t]*)*\n(?: {4}|\t)[ \t]*:[\w-]+:))"
)
"""A dotted name, or any name with options of the form `:name: value` below it."""
AUTODOC = "autodoc"
"""Directive of an extension that draws `::: package.name`, the form of mkdocstrings."""
_MEMBER = re.compile(
    r"(?:(?P<marks>#{1,6})[ \t]*)?:::(?:[ \t]+(?=\w)|(?=\w+\.))(?P<name>[A-Za-z_]\w*(?:\.\w+)*)[ \t]*(?=\n|\Z)"
)
"""Without a space only a dotted name: `:::note` opens a container."""
_CLOSING = re.compile(r"^[ \t>]*:::[ \t]*$", re.MULTILINE)
_ICON = re.compile(r":[a-z0-9]+(?:-[a-z0-9]+)+:(?:\{[^}\n]*\})?[ \t]*")
_EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
MAX_DEPTH = 40
"""Texts within texts that are looked into."""
BODY = 4
"""Columns by which a body is indented."""

Rule = Callable[[int, int, int], int | None]
"""(offset of the line, of its content, of the next line) → offset of the line to go on with, or None."""

_RULES = {
    "admonitions": ("!", "_callout"),
    "details": ("?", "_callout"),
    "tabs": ("=", "_tab"),
    "abbr": ("*", "_abbreviation"),
}
"""Extension → first character of a line's content, and the method that is the rule. Its name alone: a scanner that held its own
methods would refer to itself, and while a build runs nobody collects such circles."""


class BlockScanner(InlineMarks):
    """The part of the scanner that knows the blocks of the extensions."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext, *, depth: int = 0) -> None:
        super().__init__(fragment, scope, context)
        self._depth = depth
        names = scope.source.dialect.extensions
        self._rules = {char: rule for name, (char, rule) in _RULES.items() if name in names}
        """First character of a line's content → name of the rule."""
        self._includes = Includes.of(scope, context)

    def _rule(self, name: str) -> Rule:
        rule: Rule = getattr(self, name)
        return rule

    def scan_again(self, fragment: Fragment) -> Fragment:
        """Lift everything out of a body as well."""
        raise NotImplementedError

    # Bodies

    def _indented_body(self, start: int, width: int) -> tuple[Fragment, int]:
        """Take the lines that are indented by a number of columns at least, and blank ones between them.

        Returns:
            The lines without this indentation, scanned; and the offset after them, `start` where there are none.
        """
        text, buffer = self._text, Buffer(self.fragment)
        position = end = start
        blanks: list[int] = []
        while position < len(text):
            stop = text.find("\n", position) + 1 or len(text)
            if not text[position:stop].strip():
                blanks.append(stop)
            else:
                first = after_columns(text, position, width)
                if first is None:
                    break
                if end > start:
                    for blank in blanks:
                        buffer.copy(blank - 1, blank)
                blanks = []
                buffer.copy(first, stop)
                end = stop
            position = stop
        is_contained = self.fragment.is_contained or len(self.open) > 1
        if end == start:
            return Fragment(self.fragment.source, "", [0], [self._at(max(start - 1, 0))]), start
        return self.scan_again(buffer.fragment(is_contained=is_contained)), end

    def _title(self, title: str, origin: int) -> Fragment:
        fragment = Fragment(self.fragment.source, title, [0], [origin])
        return fragment if self._interesting.search(title) is None else self.scan_again(fragment)

    def _leave(self, node: Node, position: int, start: int, end: int) -> int:
        """Leave a node in the place of lines; give the line to go on with."""
        self._begin_block(position, start)
        self.top.buffer.write_node(self.add(node), self._at(start))
        self._after_blank = True
        return end

    def _column(self, position: int, start: int) -> int:
        return len(self._text[position:start].expandtabs(4))

    def _report_empty(self, shown: str, offset: int) -> None:
        message = f'"{shown}" has no body.'
        hint = f"Indent what belongs to it by {BODY} spaces more than its first line."
        self.report("warn", "empty-block", message, offset, suggestion=hint)

    # Admonitions, details and tabs with an indented body

    def _callout(self, position: int, start: int, end: int) -> int | None:
        match = CALLOUT.match(self._text, start)
        if match is None or (match["mark"][0] == "!" and match["mark"] != "!!!"):
            return None
        offset = self._at(start)
        kind, *more = match["words"].lower().split() or ["details"]
        body, after = self._body_below(end, self._column(position, start))
        if not body.text.strip() and (not match["title"] or match["mark"][0] == "?"):
            # A title of its own may be all that an admonition says; details with nothing to open are a mistake.
            self._report_empty(match[0].strip(), offset)
        title = self._title(match["title"], self._at(match.start("title"))) if match["title"] else None
        if match["mark"][0] == "?":
            is_open = match["mark"].endswith("+")
            node: Node = self.details(kind, title, body, offset, is_open=is_open)
        else:
            inline = [word for word in more if word not in ("inline", "end")]
            node = Admonition(kind, title, None, offset, body, match["title"] == "", " ".join(inline))
        return self._leave(node, position, start, after)

    def _body_below(self, end: int, column: int) -> tuple[Fragment, int]:
        """Take what is indented below a line at a column; one to three columns of the line itself need not be added to."""
        body, after = self._indented_body(end, column + BODY)
        if 0 < column < BODY and not self.top.lists and not body.text.strip():
            return self._indented_body(end, BODY)
        return body, after

    def details(
        self,
        kind: str,
        title: Fragment | None,
        body: Fragment,
        offset: int,
        *,
        is_open: bool,
        anchor: str | None = None,
    ) -> Element:
        """Make a `<details>` of a kind of admonition; the kind is its label where it has no title."""
        source = self.fragment.source
        label = title or Fragment(source, kind.replace("-", " ").capitalize(), [0], [offset])
        buffer = Buffer(body)
        buffer.write_node(self.add(Element("summary", {}, offset, label)), offset)
        buffer.copy(0, len(body.text))
        attributes: dict[str, object] = {"open": is_open}
        if kind != "details":
            attributes["className"] = f"details-{kind}"
        if anchor:
            attributes["id"] = anchor
        whole = buffer.fragment(is_contained=False)
        whole.is_contained = body.is_contained
        return Element("details", attributes, offset, whole)

    def _tab(self, position: int, start: int, end: int) -> int | None:
        match = TAB.match(self._text, start)
        if match is None:
            return None
        column = self._column(position, start)
        offset = self._at(start)
        body, after = self._body_below(end, column)
        if not body.text.strip():
            self._report_empty(match[0].strip(), offset)
        self._begin_block(position, start)
        item = tab_item(match["title"], body, offset, is_default="+" in match["flags"])
        self.add_tab(item, column, is_first="!" in match["flags"])
        self._after_blank = True
        return after

    # Single lines

    def autodoc(self, position: int, start: int, end: int) -> int | None:
        """Let an extension draw `::: package.name`, or report it where none does; options are indented below it."""
        if AUTODOC in self.context.options.directives:
            after = self._drawn_autodoc(position, start, end)
            if after is not None:
                return after
        match = _AUTODOC.match(self._text, start)
        if match is None:
            return None
        message = f'"{match[0].strip()}" asks for a reference made from code; only the name is shown.'
        hint = "Write the reference, or link to it."
        self.report("warn", "foreign-syntax", message, self._at(start), suggestion=hint)
        _, after = self._indented_body(end, self._column(position, start) + BODY)
        self.top.buffer.copy(position, start)
        self.top.buffer.write(f"`{match[0].strip().strip(':# ')}`\n", self._at(start))
        return after

    def _drawn_autodoc(self, position: int, start: int, end: int) -> int | None:
        """Draw `::: package.name` as `::autodoc[package.name]`, with what is indented below it as its content."""
        text = self._text
        match = _MEMBER.match(text, start)
        if match is None:
            return None
        after = self._indented_end(end, self._column(position, start) + BODY)
        if "." not in match["name"] and after == end and _CLOSING.search(text, end):
            return None  # a container, which is closed
        offset = self._at(start)
        self._begin_block(position, start)
        heading = f"{{heading_level={len(match['marks'])} show_root_heading=true}}" if match["marks"] else ""
        rest = f"[{match['name']}]{heading}"
        made = make_directive(AUTODOC, rest, text[end:after], None, self.fragment.source, offset, self.context)
        self.top.buffer.write_node(self.add(made), offset)
        self._after_blank = True
        return after

    def _indented_end(self, start: int, width: int) -> int:
        """Find the end of the lines that are indented by a number of columns at least; `start` where there are none."""
        text = self._text
        position = end = start
        while position < len(text):
            stop = text.find("\n", position) + 1 or len(text)
            if text[position:stop].strip():
                if after_columns(text, position, width) is None:
                    break
                end = stop
            position = stop
        return end

    def _abbreviation(self, position: int, start: int, end: int) -> int | None:  # noqa: ARG002 - a rule
        match = _ABBREVIATION.match(self._text, start)
        if match is None:
            return None
        word, meaning = match["word"].strip(), match["meaning"].strip()
        if self.scope.abbreviations.get(word, meaning) != meaning:
            message = f'"{word}" is explained above in another way; this explanation is the one that is shown.'
            hint = "Take one of them out."
            self.report("warn", "duplicate-definition", message, self._at(start), suggestion=hint)
        self.scope.abbreviations[word] = meaning
        return end

    def _include_line(self, position: int, end: int) -> int | None:
        """Include the file that a line names; in code, as text in the same place."""
        includes = self._includes
        if includes is None:
            return None
        found = includes.read_line(self._text, position, end, self, in_code=self._fence is not None)
        if found is None:
            return None
        indent = self._text[position : found.start]
        for piece in found.pieces:
            if "*[" in piece.text:
                words = _ABBREVIATION.finditer(piece.text)
                self.scope.abbreviations |= {word["word"].strip(): word["meaning"].strip() for word in words}
        if found.is_escaped:
            self.top.buffer.copy(position, found.start)
            self.top.buffer.copy(found.start + 1, end)
        elif self._fence is not None:
            for line in "".join(piece.text for piece in found.pieces).splitlines():
                self.top.buffer.write(f"{indent if line else ''}{line}\n", self._at(found.start))
        else:
            self._enter_lists(position, found.start, len(indent.expandtabs(4)))
            for piece in found.pieces:
                if found.language is None:
                    self._leave(Include(piece, self._at(found.start)), position, found.start, found.end)
                else:
                    block = code_block(piece, found.language, self._at(found.start), found.label)
                    self._leave(block, position, found.start, found.end)
        return found.end

    _fence: object | None = None

    def _enter_lists(self, position: int, start: int, indent: int) -> int:
        raise NotImplementedError


def tab_item(title: str, body: Fragment, offset: int, *, is_default: bool = False) -> Element:
    """Make a tab; its label is text without marks."""
    label = " ".join(_EMPHASIS.sub("", _ICON.sub("", title)).split()) or title.strip()
    attributes: dict[str, object] = {"value": label, "label": label}
    if is_default:
        attributes["default"] = True
    return Element("TabItem", attributes, offset, body)


def after_columns(text: str, position: int, width: int) -> int | None:
    """Offset in a line after white space of so many columns; None where it has less."""
    columns = 0
    while columns < width:
        char = text[position : position + 1]
        if char == " ":
            columns += 1
        elif char == "\t":
            columns += 4 - columns % 4
        else:
            return None
        position += 1
    return position
