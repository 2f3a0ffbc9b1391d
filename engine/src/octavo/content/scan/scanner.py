"""The scanner: lifts components, admonitions and expressions out of the text and leaves placeholders.

What is left is Markdown that the parser understands; a placeholder is an HTML block of one line, so that it
breaks neither the list nor the paragraph around it. What was lifted is Markdown of its own, freed from
the indentation that its place gave it. It runs only on pages that have something to lift.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from octavo.content.extended.uses import LEAF, make_directive
from octavo.content.plain import code_in
from octavo.content.scan.blocks import MAX_DEPTH
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.containers import Container, split_title
from octavo.content.scan.fenced_blocks import CONTENTS, FencedBlocks, join_formulas
from octavo.content.scan.imports import read_statement
from octavo.content.scan.includes import definitions
from octavo.content.scan.inline_marks import NO_FORMULA
from octavo.content.scan.jsx_html import prepare_jsx
from octavo.content.scan.nodes import Include, Node
from octavo.content.scan.plain_lines import (
    BLANK_LINES,
    DEEPEST_FENCE,
    PLAIN_FENCE,
    PlainParagraphs,
    closing_fence,
    end_of,
    follows_block,
    goes_on,
    may_end_in_item,
    plain_patterns,
)
from octavo.content.scan.scope import Scope
from octavo.content.scan.tags import EMPTY_VERBATIM, STOCK_COMPONENTS
from octavo.content.source import Fragment
from octavo.content.variables import fill_variables
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.dialect import Dialect


_FOOTNOTE_MARKER = re.compile(r"\[\^[^\]\s]+\]:[ \t]*")
_LIST_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*(?=\n|\Z))")
_FENCE = re.compile(r"(`{3,})(?=[^`\n]*(?:\n|\Z))|(~{3,})")
_COLONS = re.compile(r"(:{3,})[ \t]*(?:([A-Za-z][\w-]*)([^\n]*))?(?=\n|\Z)")
_FOOTNOTE = re.compile(r"^[ \t>]*\[\^([^\]\s]+)\]:", re.MULTILINE)
_COLON_LINE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*:::", re.MULTILINE)
_PARTIAL_IMPORT = re.compile(
    r"""^import\b[^"'\n]*["'](?:@theme/|@docusaurus/|@site/|\.{1,2}/|[^"'\n]*\.mdx?["'])""", re.MULTILINE
)
_DEEP_FENCE = re.compile(r"^(?=[ \t>]*?(?: {4}|\t))[ \t>]*(?:`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_CAPITAL_TAG = re.compile(r"</?([A-Z]\w*)")
_QUOTED_LINE = re.compile(r"[ \t]*> ?([^\n]*(?:\n|\Z))")
_PARSED = frozenset({"def_list", "footnotes", "math", "npm2yarn"})
"""Extensions that the parser, or the drawing of code, knows by itself."""
_WITHOUT_MARKS = _PARSED - {"math"}
REWRITTEN = frozenset(["callouts", "docfx", "docsify", "eleventy", "gitbook", "hugo", "jekyll", "loose", "macros", "mdbook_preprocessors", "mdc", "myst", "notebooks", "obsidian", "rst",
                       "retype", "table_reader", "version_notes", "vitepress", "vocs", "vuepress", "zola"])  # fmt: skip
TRANSLATED = REWRITTEN - {"vitepress"}
"""Extensions that are rewritten before a page is scanned, and those of them that nothing is left of then."""
_LIST_OR_DEFINITION = re.compile(rf"{_LIST_MARKER.pattern}|:[ \t]{{1,4}}(?=\S)")
_MAX_LISTS = 40
"""List items within list items that are kept track of."""


def needs_scan(text: str, context: CompileContext, dialect: Dialect) -> bool:
    """Whether a text may hold anything to lift. Most pages don't, and are not scanned."""
    is_mdx = dialect.is_mdx
    if dialect.extensions - _PARSED or ("math" in dialect.extensions and "$" in text and NO_FORMULA.search(text)):
        return True
    if dialect.has_contents_mark and "[" in text and CONTENTS.search(text):
        return True
    if ":::" in text and _COLON_LINE.search(text):
        return True
    if "::" in text and context.options.directives:
        return True
    if is_mdx and any(mark in text for mark in ("{", "<", "export ")):
        return True
    if is_mdx and ("```" in text or "~~~" in text) and _DEEP_FENCE.search(text):
        return True
    if "import " in text and _PARTIAL_IMPORT.search(text):
        return True
    if "<" not in text:
        return False
    if "<details" in text or EMPTY_VERBATIM.search(text):
        return True
    names = context.options.components
    return any(name in names or name in STOCK_COMPONENTS for name in _CAPITAL_TAG.findall(text))


def scan(fragment: Fragment, scope: Scope, context: CompileContext) -> Fragment:
    """Lift everything out of a file's body; the nodes go to the scope."""
    dialect = scope.source.dialect
    if dialect.extensions & REWRITTEN or (dialect.appended and len(scope.chain) == 1):
        from octavo.content.translate.translate import translate  # only for pages of a dialect that has such syntax

        fragment = translate(fragment, context)
    fragment = fill_variables(join_formulas(_without_mdx_fences(fragment, dialect), dialect), context)
    if dialect.is_mdx:
        fragment = prepare_jsx(fragment, scope, context.options.components)
    text = fragment.text
    if not needs_scan(text, context, dialect):
        return fragment
    scanner = Scanner(fragment, scope, context)
    result = scanner.run()
    if scope.nodes and ("]:" in text or any(isinstance(node, Include) for node in scope.nodes)):
        scope.definitions = definitions(text, result.text, scope, context)
        scope.footnotes = frozenset(_FOOTNOTE.findall(text))
    return result


def _without_mdx_fences(fragment: Fragment, dialect: Dialect) -> Fragment:
    """Take the fences away from blocks of the language `mdx-code-block`, whose content is a part of the page.

    Docusaurus knows them: they keep components from translators and from formatters of Markdown.
    """
    text = fragment.text
    if not dialect.is_mdx or "mdx-code-block" not in text:
        return fragment
    buffer = Buffer(fragment)
    position = 0
    for block in code_in(text):
        first = text.find("\n", block.start)
        if not block.fence or text[block.fence[1] : first].strip() != "mdx-code-block":
            continue
        last = text.rfind("\n", block.start, block.end)
        buffer.copy(position, block.fence[0])
        buffer.copy(first, max(last, first))
        position = block.end
    buffer.copy(position, len(text))
    return buffer.fragment(is_contained=fragment.is_contained)


class _Fence(NamedTuple):
    """A fence that is open."""

    char: str
    length: int
    least: int
    """Column of the content of the list item that it belongs to."""
    column: int
    """Where it begins."""
    shift: int = 0
    """Columns that its lines lose."""


class Scanner(FencedBlocks):
    """One pass over a fragment, from top to bottom."""

    _skips_indented: ClassVar[bool] = True
    """Indented lines in which nothing can be lifted need not be looked at one by one."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext, *, depth: int = 0) -> None:
        super().__init__(fragment, scope, context, depth=depth)
        self._fence: _Fence | None = None
        """The fence that is open."""
        self._marker = _LIST_OR_DEFINITION if "def_list" in fragment.source.dialect.extensions else _LIST_MARKER
        self._content_start = 0
        """Where the line's content begins, after list markers."""
        self._line_start = 0
        """Of the line that is scanned."""
        self._quiet_end = 0
        """Up to here no line ends the lists that are open, so that no stretch of plain lines is looked for again."""

    def run(self) -> Fragment:
        """Scan everything and give the text that is left."""
        position = 0
        while position < len(self._text):
            self._line_start = position
            position = self._plain_paragraphs(position) or self._plain_lines(position) or self._line(position)
        self._line_start = position
        self.report_open_inline()
        self.close_down_to(0)
        return self.top.buffer.fragment(is_contained=self.fragment.is_contained and self._depth == 0)

    # Lines

    def _plain_paragraphs(self, position: int) -> int:
        """Copy paragraphs of a page without extensions in which nothing can be lifted; give the offset after them, or 0."""
        paragraphs = self._paragraphs
        if paragraphs is None or self._fence is not None or self.inline or len(self.open) > 1 or self.scope.imports:
            return 0
        end = paragraphs.skip(position)
        if end == position:
            return 0
        self.top.lists.clear()
        self._after_blank = self._text.endswith("\n\n", 0, end)
        self._has_text = self._swallows_line_end = False
        return self._copy_line(position, end)

    @cached_property
    def _paragraphs(self) -> PlainParagraphs | None:
        is_plain = not (
            self._is_mdx
            or self._depth
            or self._rules
            or self._includes
            or self._extensions - _WITHOUT_MARKS
            or self.context.options.directives
            or self.fragment.is_contained
        )
        return PlainParagraphs(self._text) if is_plain and self._skips_indented else None

    def _plain_lines(self, position: int) -> int:
        """Copy lines, and whole blocks of code, in which nothing can be lifted; give the offset after them, or 0.

        It gives what `_line` gives for these lines one by one, in a tenth of the time. Most lines of most pages are such.
        """
        if self._fence is not None or self._includes is not None or self.inline or position < self._quiet_end:
            return 0
        text, end, lists = self._text, position, self.top.lists
        plain, quiet = self._plain
        while True:
            # A blank line ends no list, so the stretch ends with it only where no list is open.
            if (after := end_of(plain, text, end)) > end:
                if may_end_in_item(text, after):
                    self._quiet_end = after
                    break
                end = after
                lists.clear()
                self._after_blank = False
            if not lists and (after := end_of(BLANK_LINES, text, end)) > end:
                end = after
                self._after_blank = True
            start = end_of(quiet, text, end)
            fence = PLAIN_FENCE.match(text, start)
            closing = fence and closing_fence(fence[1]).search(text, fence.end())
            if fence is None or closing is None or len(closing[1]) > DEEPEST_FENCE or "\t" in closing[1]:
                self._quiet_end = start
                break
            lists.clear()
            self._after_blank = False
            end = closing.end()
        if end == position:
            return 0
        self._has_text = self._swallows_line_end = False
        return self._copy_line(position, end)

    @cached_property
    def _plain(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        interesting = self._interesting.pattern[1:-1]
        return plain_patterns("".join(sorted(self._rules)), interesting, is_indented=self._skips_indented)

    def _line(self, position: int) -> int:
        """Scan from the head of a line; give the head of a later one."""
        text = self._text
        end = text.find("\n", position) + 1 or len(text)
        line = text[position:end]
        stripped = line.lstrip(" \t")
        indent = _width(line[: len(line) - len(stripped)])
        if self._includes is not None and (after := self._include_line(position, end)) is not None:
            return after
        if self._fence is not None and self._goes_on_in_fence(stripped, indent):
            return self._fence_line(position, end, stripped, indent)
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
            column = _width(text[position:start])
            least = lists[-1][1] if lists else 0
            # Below a paragraph the parser would take a fence this deep for text; in MDX it is one.
            shift = column - least if self._is_mdx and column - least >= 4 and start == end - len(stripped) else 0
            self._fence = _Fence(first, len(fence[0]), least, column, shift)
            return self.top.buffer.copy_shifted(position, end, shift)
        if first == "#" and ":::" in text[start:end] and (after := self.autodoc(position, start, end)) is not None:
            return after
        if first == ":" and (colons := _COLONS.match(text, start)):
            after = self.autodoc(position, start, end)
            return self._colons(colons, position, end) if after is None else after
        known = self.context.options.directives
        if known and first == ":" and (leaf := LEAF.match(text, start)) and leaf["name"] in known:
            return self._leaf(leaf, position, start, end)
        if (name := self._rules.get(first)) is not None and (
            after := self._rule(name)(position, start, end)
        ) is not None:
            return after
        if first in ("i", "e") and self._may_be_statement(position, start, end - len(stripped), is_after_blank):
            after = self._statements(start)
            if after > start:
                self._after_blank = True
                return after + 1 if text[after : after + 1] == "\n" else after
        if first == ">":
            return self._quote(position, start)
        if self._interesting.search(text, start, max(end - 1, start)) is None:
            return self._copy_line(position, end)
        return self._inline_from(position, start)

    def _may_be_statement(self, position: int, start: int, first: int, is_after_blank: bool) -> bool:
        """Whether an `import` or `export` may begin at `start`; `first` is the line's first character in print."""
        is_first = start == (position if len(self.open) == 1 else first)
        return is_first and (is_after_blank or follows_block(self._text, position))

    def _statements(self, start: int) -> int:
        """Read the statements of a line; give the offset after the last one, `start` where the line is prose."""
        after = start
        while True:
            end = read_statement(self._text, after, self.scope, self.context, self._at(after))
            if end == after or not self._text.startswith("import", end):
                return end
            after = end

    def _copy_line(self, position: int, end: int) -> int:
        self.top.buffer.copy(position, end)
        return end

    def _goes_on_in_fence(self, stripped: str, indent: int) -> bool:
        """Whether a line belongs to the open fence; its closing line does."""
        assert self._fence is not None  # noqa: S101 - asked only where one is open
        if stripped not in ("", "\n") and indent < self._fence.least:
            self._fence = None
            return False
        return True

    def _fence_line(self, position: int, end: int, stripped: str, indent: int) -> int:
        """Copy a line of the open fence, and leave it at its end.

        In CommonMark a fence that is indented by four or more closes nothing. In MDX, where indentation never means
        code, it does: such a line is moved to where the parser sees it.
        """
        fence = self._fence
        assert fence is not None  # noqa: S101 - called only where one is open
        closing = stripped.rstrip()
        if len(closing) < fence.length or closing.strip(fence.char):
            return self.top.buffer.copy_shifted(position, end, fence.shift)
        ignores_indentation = self._is_mdx or self.fragment.is_contained or len(self.open) > 1
        if indent - (fence.column if ignores_indentation else fence.least) < 4:
            self._fence = None
            return self.top.buffer.copy_shifted(position, end, fence.shift)
        if ignores_indentation:
            self._fence = None
            start = end - len(stripped)
            self.top.buffer.write(" " * (fence.column - fence.shift), self._at(start))
            return self._copy_line(start, end)
        return self._copy_line(position, end)

    def _is_indented_code(self, indent: int) -> bool:
        is_at_root = len(self.open) == 1 and not self.fragment.is_contained
        lists = self.top.lists
        return is_at_root and self._after_blank and indent >= 4 + (lists[-1][1] if lists else 0)

    def _enter_lists(self, position: int, start: int, indent: int) -> int:
        """Leave the list items that end before this line, enter those that it begins; give its content's offset."""
        text, lists = self._text, self.top.lists
        if lists and not self._after_blank and indent < lists[-1][1] and goes_on(text, position, start):
            return start
        may_be_lifted = text[start : start + 1] in (":", "<")
        while lists and indent < lists[-1][1] and not (may_be_lifted and indent > lists[-1][0]):
            lists.pop()
        while len(lists) < _MAX_LISTS and (marker := self._marker.match(text, start)):
            lists.append((_width(text[position:start]), _width(text[position : marker.end()])))
            start = marker.end()
        if not lists and (footnote := _FOOTNOTE_MARKER.match(text, start)):
            lists.append((_width(text[position:start]), _width(text[position:start]) + 4))
            start = footnote.end()
        return start

    # Admonitions and quotes

    def _colons(self, match: re.Match[str], position: int, end: int) -> int:
        if match[2] is None:
            return self._close_fenced(match[1], position, end, self._at(match.start()))
        offset = self._at(match.start())
        if not self.has_room(match[1] + match[2], offset):
            return self._copy_line(position, end)
        self._begin_block(position, match.start())
        opened = Container(match[2], offset, Buffer(self.fragment), fence=match[1])
        if match[2] in self.context.options.directives:
            return self._directive(match[2], match[3], opened, end)
        self.fenced_finish(match[2], opened)
        line = split_title(match[3])
        self.take_attributes(opened, line, self._at(match.start(3)))
        if line.title:
            self.check_title(match[1] + match[2], line.title, offset)
            opened.title = self._title(line.title, self._at(match.start(3) + line.offset))
        self.open.append(opened)
        self._after_blank = True
        return end

    def _directive(self, name: str, rest: str, opened: Container, end: int) -> int:
        """Open a directive of an extension, which is called when it is closed."""

        def finish(closed: Container, body: Fragment) -> Node:
            text = self._text[end : self._line_start]
            return make_directive(name, rest, text, body, self.fragment.source, closed.offset, self.context)

        opened.finish = finish
        self.open.append(opened)
        self._after_blank = True
        return end

    def _leaf(self, match: re.Match[str], position: int, start: int, end: int) -> int:
        """Put in a directive without content."""
        offset = self._at(start)
        self._begin_block(position, start)
        made = make_directive(match["name"], match["rest"], "", None, self.fragment.source, offset, self.context)
        self.top.buffer.write_node(self.add(made), offset)
        self._after_blank = True
        return end

    def scan_again(self, fragment: Fragment) -> Fragment:
        """Lift everything out of a body as well."""
        return fragment if self._depth >= MAX_DEPTH else self._within(fragment, "").run()

    def _within(self, fragment: Fragment, prefix: str) -> Scanner:  # noqa: ARG002 - for scanners that write lines
        """Make the scanner of a text inside of this one, whose lines have a prefix."""
        return Scanner(fragment, self.scope, self.context, depth=self._depth + 1)

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
        if self._depth >= MAX_DEPTH or not self._has_marks(run):
            return self._copy_line(position, end)
        starts, origins, pieces, length = [], [], [], 0
        for first, last in lines:
            starts.append(length)
            origins.append(self._at(first))
            pieces.append(text[first:last])
            length += last - first
        inner = Fragment(self.fragment.source, "".join(pieces), starts, origins)
        left = self._within(inner, f"{text[position:start]}> ").run()
        self._write_quoted(left, text[position:start])
        return end

    def _has_marks(self, text: str) -> bool:
        marks = "::" if self.context.options.directives else ":::"
        return bool(marks in text or self._rules or self._includes or self._interesting.search(text.replace("\n", "")))

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
            elif char == "{" and self._is_mdx:
                begin, position = self._brace(begin, at)
            else:
                begin, position = self._extension_mark(begin, at)
        self.top.buffer.copy(begin, len(text))
        return len(text)


def _width(space: str) -> int:
    """Columns that a piece takes at the head of a line; tabs stop every four."""
    return len(space.expandtabs(4))
