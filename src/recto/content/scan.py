"""The scanner: lifts components, admonitions and expressions out of the text and leaves placeholders.

What is left is Markdown that the parser understands; a placeholder is an HTML block of one line, so that it
breaks neither the list nor the paragraph around it. What was lifted is Markdown of its own, freed from
the indentation that its place gave it. It runs only on pages that have something to lift.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyromark

from recto.content.buffer import Buffer
from recto.content.containers import Container, Containers, split_title
from recto.content.html_names import is_element
from recto.content.imports import read_statement
from recto.content.jsx import (
    Children as ChildrenValue,
)
from recto.content.jsx import (
    MissingProp,
    Nothing,
    NotLiteralError,
    Tag,
    find_expression_end,
    parse_expression,
    parse_tag,
)
from recto.content.jsx_html import needs_html, tag_to_html
from recto.content.nodes import Admonition, Children, Element, InlineClose, InlineOpen, Value
from recto.content.page import nearest
from recto.content.scope import Scope, fold_label
from recto.content.source import Fragment

if TYPE_CHECKING:
    from recto.content.page import Page

BLOCK_COMPONENTS = frozenset({"Tabs", "TabItem", "DocCard", "DocCardList", "CodeBlock", "details", "summary"})
"""Components that are always blocks of their own."""
STOCK_COMPONENTS = BLOCK_COMPONENTS | {"ThemedImage"}

_MAX_BROKEN = 60
"""Malformed tags and expressions reported in one file; further ones are text. Keeps hostile input cheap."""

_LIST_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*(?=\n|\Z))")
_FENCE = re.compile(r"(`{3,})(?=[^`\n]*(?:\n|\Z))|(~{3,})")
_COLONS = re.compile(r"(:{3,})[ \t]*(?:([A-Za-z][\w-]*)([^\n]*))?(?=\n|\Z)")
_TAG_START = re.compile(r"</?([A-Za-z][\w:.-]*)")
_TAG_CLOSE = re.compile(r"</[A-Za-z][\w:.-]*\s*>")
_HTML_TAG = re.compile(r"""</?[A-Za-z][\w:.-]*(?:\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*+|/)?>""")
_ADDRESS = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[\w.+-]+@[\w.-]+>")
_PARAGRAPH_END = re.compile(r"\n[ \t>]*(?=\n|```|~~~|:::|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)|\Z")
_HEADING_ID = re.compile(r"\{#[^{}\n]+\}[ \t]*(?=\n|\Z)")
_HEADING_ID_COMMENT = re.compile(r"\{/\*\s*#([^\s*{}]+)\s*\*/\}[ \t]*(?=\n|\Z)")
_INTERESTING = {False: re.compile(r"[\n`<\\]"), True: re.compile(r"[\n`<\\{]")}
_VERBATIM = frozenset({"script", "style", "pre", "textarea"})
_FOOTNOTE = re.compile(r"^[ \t>]*\[\^([^\]\s]+)\]:", re.MULTILINE)
_COLON_LINE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*:::", re.MULTILINE)
_PARTIAL_IMPORT = re.compile(
    r"""^import\b[^"'\n]*["'](?:@theme/|@docusaurus/|@site/|\.{1,2}/|[^"'\n]*\.mdx?["'])""", re.MULTILINE
)
_CAPITAL_TAG = re.compile(r"</?([A-Z]\w*)")
_QUOTED_LINE = re.compile(r"[ \t]*> ?([^\n]*(?:\n|\Z))")
_MAX_DEPTH = 40
"""Quotes within quotes that are looked into."""
_MAX_LISTS = 40
"""List items within list items that are kept track of."""
_SHOWN = 60
"""Characters of an expression that a message shows."""


def needs_scan(text: str, page: Page, *, is_mdx: bool) -> bool:
    """Whether a text may hold anything to lift. Most pages don't, and are not scanned."""
    if ":::" in text and _COLON_LINE.search(text):
        return True
    if is_mdx and ("{" in text or "<" in text or "export " in text):
        return True
    if "import " in text and _PARTIAL_IMPORT.search(text):
        return True
    if "<" not in text:
        return False
    if "<details" in text:
        return True
    names = page.options.components
    return any(name in names or name in STOCK_COMPONENTS for name in _CAPITAL_TAG.findall(text))


def scan(fragment: Fragment, scope: Scope, page: Page) -> Fragment:
    """Lift everything out of a file's body; the nodes go to the scope."""
    text = fragment.text
    if not needs_scan(text, page, is_mdx=scope.source.is_mdx):
        return fragment
    scanner = Scanner(fragment, scope, page)
    result = scanner.run()
    if scope.nodes and "]:" in text:
        scope.definitions = {
            fold_label(label): (definition["dest"], definition["title"] or "")
            for label, definition in _definitions(text, scope).items()
        }
        scope.footnotes = frozenset(_FOOTNOTE.findall(text))
    return result


def _definitions(text: str, scope: Scope) -> dict[str, Any]:
    """Find the link definitions of the whole file, those inside its components included."""
    found: dict[str, Any] = dict(pyromark.reference_definitions(text))
    for node in scope.nodes:
        body = node.body if isinstance(node, (Admonition, Element)) else None
        if body is not None and "]:" in body.text:
            for label, definition in pyromark.reference_definitions(body.text).items():
                found.setdefault(label, definition)
    return found


class Scanner(Containers):
    """One pass over a fragment, from top to bottom."""

    def __init__(self, fragment: Fragment, scope: Scope, page: Page, *, depth: int = 0) -> None:
        super().__init__(fragment, scope, page)
        self._text = fragment.text
        self._depth = depth
        self._is_mdx = scope.source.is_mdx
        self._interesting = _INTERESTING[self._is_mdx]
        self._names = page.options.components | STOCK_COMPONENTS
        self._fence: tuple[str, int, int] | None = None
        """Character, length and least indentation of the fence that is open."""
        self._after_blank = True
        self._has_text = False
        """The line being scanned has printed more than white space and list markers."""
        self._swallows_line_end = False
        """What the line held was lifted: its line end goes too, or a blank line would remain."""
        self._content_start = 0
        """Where the line's content begins, after list markers."""
        self._paragraph_end = 0
        self._unmatched: set[int] = set()
        self._endless: set[str] = set()
        self._broken = 0

    def run(self) -> Fragment:
        """Scan everything and give the text that is left."""
        position = 0
        while position < len(self._text):
            position = self._line(position)
        self.report_open_inline()
        self.close_down_to(0)
        return self.top.buffer.fragment(is_contained=self.fragment.is_contained and self._depth == 0)

    def _at(self, offset: int) -> int:
        return self.fragment.origin(offset)

    # Lines

    def _line(self, position: int) -> int:
        """Scan from the head of a line; give the head of a later one."""
        text = self._text
        end = text.find("\n", position) + 1 or len(text)
        line = text[position:end]
        stripped = line.lstrip(" \t")
        indent = _width(line[: len(line) - len(stripped)])
        if self._fence is not None and self._goes_on_in_fence(stripped, indent):
            return self._copy_line(position, end)
        if stripped in ("", "\n"):
            self.report_open_inline()
            self._after_blank = True
            return self._copy_line(position, end)
        if self._is_indented_code(indent):
            return self._copy_line(position, end)
        start = self._enter_lists(position, end - len(stripped), indent)
        is_after_blank, self._after_blank = self._after_blank, False
        self._has_text = self._swallows_line_end = False
        self._content_start = start
        first = text[start : start + 1]
        if first in ("`", "~") and (fence := _FENCE.match(text, start)):
            lists = self.top.lists
            self._fence = (first, len(fence[0]), lists[-1][1] if lists else 0)
            return self._copy_line(position, end)
        if first == ":" and (colons := _COLONS.match(text, start)):
            return self._colons(colons, position, end)
        if first in ("i", "e") and start == position and is_after_blank and len(self.open) == 1:
            after = read_statement(text, start, self.scope, self.page, self._at(start))
            if after > start:
                self._after_blank = True
                return after + 1 if text[after : after + 1] == "\n" else after
        if first == ">":
            return self._quote(position, start)
        if self._interesting.search(text, start, max(end - 1, start)) is None:
            return self._copy_line(position, end)
        return self._inline_from(position, start)

    def _copy_line(self, position: int, end: int) -> int:
        self.top.buffer.copy(position, end)
        return end

    def _goes_on_in_fence(self, stripped: str, indent: int) -> bool:
        """Whether a line belongs to the open fence; its closing line does."""
        assert self._fence is not None  # noqa: S101 - asked only where one is open
        char, length, least = self._fence
        if stripped in ("", "\n"):
            return True
        if indent < least:
            self._fence = None
            return False
        closing = stripped.rstrip()
        if len(closing) >= length and not closing.strip(char):
            self._fence = None
        return True

    def _is_indented_code(self, indent: int) -> bool:
        is_at_root = len(self.open) == 1 and not self.fragment.is_contained
        return indent >= 4 and is_at_root and self._after_blank and not self.top.lists

    def _enter_lists(self, position: int, start: int, indent: int) -> int:
        """Leave the list items that end before this line, enter those that it begins; give its content's offset."""
        text, lists = self._text, self.top.lists
        may_be_lifted = text[start : start + 1] in (":", "<")
        while lists and indent < lists[-1][1] and not (may_be_lifted and indent > lists[-1][0]):
            lists.pop()
        while len(lists) < _MAX_LISTS and (marker := _LIST_MARKER.match(text, start)):
            lists.append((_width(text[position:start]), _width(text[position : marker.end()])))
            start = marker.end()
        return start

    def _place(self) -> int:
        """Column at which a placeholder belongs to the list item that is open."""
        return self.top.lists[-1][1] if self.top.lists else 0

    # Admonitions and quotes

    def _colons(self, match: re.Match[str], position: int, end: int) -> int:
        if match[2] is None:
            return self._close_admonition(len(match[1]), position, end, self._at(match.start()))
        offset = self._at(match.start())
        if not self.has_room(match[1] + match[2], offset):
            return self._copy_line(position, end)
        self._begin_block(position, match.start())
        opened = Container(match[2], offset, Buffer(self.fragment), colons=len(match[1]))
        title, title_offset, opened.anchor = split_title(match[3])
        if title:
            opened.title = self._title(title, self._at(match.start(3) + title_offset))
        self.open.append(opened)
        self._after_blank = True
        return end

    def _title(self, title: str, origin: int) -> Fragment:
        fragment = Fragment(self.fragment.source, title, [0], [origin])
        if self._interesting.search(title) is None or self._depth >= _MAX_DEPTH:
            return fragment
        return Scanner(fragment, self.scope, self.page, depth=self._depth + 1).run()

    def _close_admonition(self, colons: int, position: int, end: int, offset: int) -> int:
        candidates = range(len(self.open) - 1, 0, -1)
        exact = (index for index in candidates if self.open[index].colons == colons)
        fewer = (index for index in candidates if 0 < self.open[index].colons < colons)
        index = next(exact, None) or next(fewer, None)
        if index is None:
            message = f'"{":" * colons}" closes nothing: no admonition is open here.'
            self.report("warn", "stray-end", message, offset)
            return self._copy_line(position, end)
        self.close_down_to(index)
        self.close_top()
        return end

    def _quote(self, position: int, start: int) -> int:
        """Scan a block quote on its own, and write what is left of it behind its marks again."""
        text = self._text
        lines: list[tuple[int, int]] = []
        end = position
        while match := _QUOTED_LINE.match(text, start if not lines else end):
            lines.append(match.span(1))
            end = match.end()
            if end >= len(text):
                break
        run = text[start:end]
        if self._depth >= _MAX_DEPTH or (":::" not in run and self._interesting.search(run.replace("\n", "")) is None):
            return self._copy_line(position, end)
        starts, origins, pieces, length = [], [], [], 0
        for first, last in lines:
            starts.append(length)
            origins.append(self._at(first))
            pieces.append(text[first:last])
            length += last - first
        inner = Fragment(self.fragment.source, "".join(pieces), starts, origins)
        left = Scanner(inner, self.scope, self.page, depth=self._depth + 1).run()
        self._write_quoted(left, text[position:start])
        return end

    def _write_quoted(self, left: Fragment, before: str) -> None:
        buffer = self.top.buffer
        position = 0
        for line in re.findall(r"[^\n]*\n|[^\n]+", left.text):
            buffer.write(f"{before}>{' ' if line.strip() else ''}", left.origin(position))
            for first, last in left.runs(position, position + len(line)):
                buffer.write(left.text[first:last], left.origin(first))
            position += len(line)
            before = " " * _width(before)
        if not left.text.endswith("\n"):
            buffer.write("\n", left.origin(max(position - 1, 0)))

    # Inside lines

    def _inline_from(self, begin: int, position: int) -> int:
        """Scan to the end of a line, or of a later one where something reaches over line ends.

        Args:
            begin: Offset of what has not been written yet.
            position: Offset at which to look on.
        """
        text = self._text
        while match := self._interesting.search(text, position):
            at = match.start()
            char = text[at]
            if text[max(begin, self._content_start) : at].strip():
                self._has_text = True
            if char == "\n":
                is_empty = not text[begin:at].strip() and not self.top.buffer.tail.strip()
                if not (self._swallows_line_end and is_empty):
                    self.top.buffer.copy(begin, at + 1)
                return at + 1
            if char == "\\":
                position = at + 1 if text[at + 1 : at + 2] == "\n" else at + 2
            elif char == "`":
                position = self._code_span(at)
            elif char == "<":
                begin, position = self._angle(begin, at)
            else:
                begin, position = self._brace(begin, at)
        self.top.buffer.copy(begin, len(text))
        return len(text)

    def _code_span(self, at: int) -> int:
        """Give the offset after a code span, or after the backticks where they begin none."""
        text = self._text
        if at >= self._paragraph_end:
            end = _PARAGRAPH_END.search(text, at)
            self._paragraph_end = end.start() if end else len(text)
            self._unmatched.clear()
        length = len(text[at : self._paragraph_end]) - len(text[at : self._paragraph_end].lstrip("`"))
        if length and length not in self._unmatched:
            closing = _closing_ticks(length).search(text, at + length, self._paragraph_end)
            if closing:
                return closing.end()
            self._unmatched.add(length)
        return at + max(length, 1)

    def _angle(self, begin: int, at: int) -> tuple[int, int]:
        """Look at a `<`; give the offsets of what has not been written and of where to look on."""
        text = self._text
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            is_block = not self._has_text
            return begin, end + 3 if end >= 0 else len(text) if is_block else at + 1
        start = _TAG_START.match(text, at)
        if start is None:
            return begin, at + 1
        if address := _ADDRESS.match(text, at):
            return begin, address.end()
        name = start[1]
        is_closing = text[at + 1] == "/"
        if self._is_component(name):
            return self._close_tag(begin, at, name) if is_closing else self._open_tag(begin, at, name)
        return self._html_tag(begin, at, name, is_closing=is_closing)

    def _is_component(self, name: str) -> bool:
        if name in ("details", "summary"):
            around = "details" if name == "summary" else None
            is_open = any(container.name == name for container in self.open)
            return is_open or (not self._has_text and around in (None, self.top.name))
        return name in self._names or name in self.scope.imports or (self._is_mdx and name[0].isupper())

    def _html_tag(self, begin: int, at: int, name: str, *, is_closing: bool) -> tuple[int, int]:
        text = self._text
        folded = name.lower()
        if folded in _VERBATIM and not is_closing and not (self._is_mdx and folded in ("pre", "textarea")):
            return begin, self._verbatim_end(folded, at)
        if not self._is_mdx or is_closing or not is_element(name):
            tag = _HTML_TAG.match(text, at)
            return begin, tag.end() if tag else at + 1
        parsed = parse_tag(text, at, self.scope.props) if self._broken < _MAX_BROKEN else None
        if parsed is None:
            self._broken += 1
            return begin, at + 1
        self._report_values(parsed)
        if not needs_html(parsed):
            return begin, parsed.end
        self.top.buffer.copy(begin, at)
        self.top.buffer.write(tag_to_html(parsed), self._at(at))
        return parsed.end, parsed.end

    def _verbatim_end(self, name: str, at: int) -> int:
        """Find where an element ends whose content is not Markdown; without an end it takes what is left."""
        if name not in self._endless:
            end = re.compile(f"</{name}\\s*>", re.IGNORECASE).search(self._text, at)
            if end:
                return end.end()
            self._endless.add(name)
        return at + 1 if self._has_text else len(self._text)

    def _begin_block(self, begin: int, at: int) -> None:
        """Write what stands before a block, which needs a line of its own at the place of its list item."""
        buffer = self.top.buffer
        before = self._text[begin:at]
        if before.strip():
            buffer.copy(begin, at)
        if self._has_text and buffer.tail.strip():
            buffer.write("\n", self._at(at))
        if not buffer.tail.strip() and not (before.strip() and not self._has_text):
            buffer.write(" " * max(self._place() - len(buffer.tail), 0), self._at(at))

    def _open_tag(self, begin: int, at: int, name: str) -> tuple[int, int]:
        text = self._text
        tag = parse_tag(text, at, self.scope.props) if self._broken < _MAX_BROKEN else None
        offset = self._at(at)
        if tag is None:
            if self._broken < _MAX_BROKEN:
                self._broken += 1
                message = f'The tag "<{name}" cannot be read.'
                hint = "Check its quotes, its braces and its closing bracket."
                self.report("error", "malformed-tag", message, offset, suggestion=hint)
            return begin, at + 1
        self._report_values(tag)
        if name not in self._names and name not in self.scope.imports:
            self._report_unknown(name, offset)
        if not self._is_block(tag):
            return self._open_inline(begin, at, tag)
        if not self.has_room(f"<{name}>", offset):
            return begin, tag.end
        self._begin_block(begin, at)
        self._has_text, self._swallows_line_end, self._after_blank = False, True, True
        if name == "CodeBlock" and not tag.is_self_closing:
            return self._code_block(tag, offset)
        if tag.is_self_closing:
            self.top.buffer.write_node(self.add(Element(name, tag.attributes, offset)), offset)
        else:
            is_in_line = bool(text[tag.end : _line_end(text, tag.end)].strip())
            opened = Container(name, offset, Buffer(self.fragment, begins_in_line=is_in_line))
            opened.attributes = tag.attributes
            self.open.append(opened)
        return tag.end, tag.end

    def _is_block(self, tag: Tag) -> bool:
        if tag.name in BLOCK_COMPONENTS:
            return True
        if self._has_text:
            return False
        rest = self._text[tag.end : _line_end(self._text, tag.end)].strip()
        closes_line = not tag.is_self_closing and rest.endswith(f"</{tag.name}>")
        return not rest or closes_line or (rest[0] == "<" and rest[1:2].isupper() and rest[-1] == ">")

    def _open_inline(self, begin: int, at: int, tag: Tag) -> tuple[int, int]:
        offset = self._at(at)
        self.top.buffer.copy(begin, at)
        element = Element(tag.name, tag.attributes, offset)
        number = self.add(element if tag.is_self_closing else InlineOpen(element))
        if not tag.is_self_closing:
            self.inline.append((tag.name, number, offset))
        self.top.buffer.write_mark(number, offset)
        self._has_text = True
        return tag.end, tag.end

    def _code_block(self, tag: Tag, offset: int) -> tuple[int, int]:
        """Take the content of a `<CodeBlock>` as it is, or as the literal that it holds."""
        text = self._text
        end = text.find("</CodeBlock>", tag.end)
        end = len(text) if end < 0 else end
        code = text[tag.end : end]
        stripped = code.strip()
        if stripped.startswith("{"):
            try:
                value, _ = parse_expression(stripped, 0, self.scope.props)
                code = value if isinstance(value, str) else code
            except NotLiteralError:
                self._report_expression(stripped[:_SHOWN], offset)
        else:
            code = textwrap.dedent(code)
        attributes = tag.attributes | {"code": code.strip("\n")}
        self.top.buffer.write_node(self.add(Element("CodeBlock", attributes, offset)), offset)
        end = min(end + len("</CodeBlock>"), len(text))
        return end, end

    def _close_tag(self, begin: int, at: int, name: str) -> tuple[int, int]:
        text = self._text
        tag = _TAG_CLOSE.match(text, at)
        if tag is None:
            return begin, at + 1
        index = next((i for i in range(len(self.inline) - 1, -1, -1) if self.inline[i][0] == name), None)
        if index is not None:
            self.report_open_inline(keep=index + 1)
            self.inline.pop()
            self.top.buffer.copy(begin, at)
            self.top.buffer.write_mark(self.add(InlineClose(name)), self._at(at))
            return tag.end(), tag.end()
        found = (i for i in range(len(self.open) - 1, 0, -1) if self.open[i].name == name and not self.open[i].colons)
        index = next(found, None)
        if index is None:
            self.top.buffer.copy(begin, at)
            self.report("error", "stray-end", f'"</{name}>" closes nothing: no "<{name}>" is open here.', self._at(at))
            return tag.end(), tag.end()
        self.top.buffer.copy(begin, at)
        self.close_down_to(index)
        self.close_top()
        self._has_text, self._swallows_line_end, self._after_blank = False, True, True
        rest = text[tag.end() : _line_end(text, tag.end())].strip()
        if rest and not rest.startswith("<"):
            self.top.buffer.write(" " * self._place(), self._at(at))
        return tag.end(), tag.end()

    # Expressions

    def _brace(self, begin: int, at: int) -> tuple[int, int]:
        """Look at a `{` of a file with expressions."""
        text, buffer = self._text, self.top.buffer
        if heading_id := _HEADING_ID.match(text, at):
            return begin, heading_id.end()
        if self._broken >= _MAX_BROKEN:
            return begin, at + 1
        if heading_id := _HEADING_ID_COMMENT.match(text, at):
            buffer.copy(begin, at)
            buffer.write(f"{{#{heading_id[1]}}}", self._at(at))
            return heading_id.end(), heading_id.end()
        try:
            value, end = parse_expression(text, at, self.scope.props)
        except NotLiteralError:
            return self._bad_expression(begin, at)
        if isinstance(value, (list, dict)):
            return self._bad_expression(begin, at)
        self._write_value(value, begin, at, end)
        return end, end

    def _write_value(self, value: Any, begin: int, at: int, end: int) -> None:
        buffer, offset = self.top.buffer, self._at(at)
        if isinstance(value, ChildrenValue):
            number = self.add(Children(offset))
            rest = self._text[end : _line_end(self._text, end)].strip()
            if not self._has_text and not rest:
                self._begin_block(begin, at)
                buffer.write_node(number, offset)
                self._swallows_line_end = True
                return
            buffer.copy(begin, at)
            buffer.write_mark(number, offset)
            return
        buffer.copy(begin, at)
        if isinstance(value, MissingProp):
            self._report_missing_prop(value.name, offset)
        elif isinstance(value, Nothing) or value is None or isinstance(value, bool):
            self._swallows_line_end = True
        else:
            buffer.write_mark(self.add(Value(str(value))), offset)
            self._has_text = True

    def _bad_expression(self, begin: int, at: int) -> tuple[int, int]:
        """Report an expression that is no literal; the page shows it as it is written."""
        text = self._text
        self._broken += 1
        end = find_expression_end(text, at)
        offset = self._at(at)
        if end < 0:
            message = 'The brace "{" is never closed.'
            self.report("error", "expression", message, offset, suggestion='Write "\\{" for a brace that is text.')
            end = at + 1
        else:
            self._report_expression(text[at:end], offset)
        self.top.buffer.copy(begin, at)
        self.top.buffer.write_mark(self.add(Value(text[at:end])), offset)
        self._has_text = True
        return end, end

    # Problems

    def _report_expression(self, expression: str, offset: int) -> None:
        self.report(
            "error",
            "expression",
            f'The expression "{_shortened(expression)}" is not a literal; nothing is computed in a page.',
            offset,
            suggestion='Write the text itself, or a literal such as {"text"}; for braces that are text write "\\{" and "\\}".',
        )

    def _report_values(self, tag: Tag) -> None:
        """Report what is wrong in the values of a tag."""
        for bad in tag.bad:
            self.report(
                "error",
                "expression",
                f'The expression "{_shortened(bad.text)}" in "<{tag.name}>" is not a literal; nothing is computed in a page.',
                self._at(bad.offset),
                suggestion='Write a literal, such as name="text", name={42} or name={["a", "b"]}.',
            )
        for name in tag.missing:
            self._report_missing_prop(name, self._at(tag.end - 1))

    def _report_missing_prop(self, name: str, offset: int) -> None:
        """Report a prop that looks like a slip of the pen; others may be left out."""
        if close := nearest(name, self.scope.props):
            message = f'The prop "{name}" is not given here; nothing is shown for it.'
            self.report("warn", "missing-prop", message, offset, suggestion=f'Did you mean "props.{close}"?')

    def _report_unknown(self, name: str, offset: int) -> None:
        known = {known for known in self._names if known[0].isupper()} | self.scope.imports.keys()
        close = nearest(name, known)
        self.report(
            "error",
            "unknown-component",
            f'There is no component "{name}".',
            offset,
            suggestion=f'Did you mean "<{close}>"?'
            if close
            else f"Write it as Markdown in {self.page.options.components_dir}/{name}.mdx, or import a partial of this name.",
        )


@lru_cache(maxsize=64)
def _closing_ticks(length: int) -> re.Pattern[str]:
    return re.compile(f"(?<!`)`{{{length}}}(?!`)")


def _shortened(expression: str) -> str:
    """An expression in one line, cut where it is long."""
    text = " ".join(expression.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _width(space: str) -> int:
    """Columns that a piece takes at the head of a line; tabs stop every four."""
    return len(space.expandtabs(4))
