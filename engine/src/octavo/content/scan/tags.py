"""Tags and expressions inside a text that is scanned: what they are, and what takes their place."""

from __future__ import annotations

import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.content.context import nearest
from octavo.content.foreign_components import FRAMES, canonical_name, foreign_components
from octavo.content.html_names import is_element
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.code_groups import tab_label
from octavo.content.scan.containers import Container, Containers
from octavo.content.scan.expressions import NotLiteralError, has_known_name
from octavo.content.scan.jsx import (
    ChildrenValue,
    MissingProp,
    Nothing,
    Tag,
    find_expression_end,
    parse_expression,
    parse_tag,
)
from octavo.content.scan.jsx_html import needs_html, tag_to_html
from octavo.content.scan.nodes import Children, Element, InlineClose, InlineOpen, Value
from octavo.content.scan.plain_lines import in_address
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

BLOCK_COMPONENTS = frozenset(
    {"Tabs", "TabItem", "DocCard", "DocCardList", "CodeBlock", "TOCInline", "details", "summary"}
)
"""Components that are always blocks of their own."""
_OF_THEME = frozenset({"Tabs", "TabItem", "DocCard", "DocCardList", "CodeBlock", "ThemedImage", "TOCInline"})
"""Components that a page may import under another name, and that are drawn from the text between their tags."""
STOCK_COMPONENTS = BLOCK_COMPONENTS | {"Changed", "Fragment", "Icon", "Removed", "Since", "ThemedImage"}

_MAX_BROKEN = 60
"""Malformed tags and expressions reported in one file; further ones are text. Keeps hostile input cheap."""
_SHEET = re.compile(
    r"""^import[ \t]+(?:\*[ \t]+as[ \t]+)?(\w+)[ \t]+from[ \t]+["'][^"'\n]+\.(?:css|scss|sass|less)["']""", re.MULTILINE
)
_CARDS_OF_CATEGORY = re.compile(r"\{\s*useCurrentSidebarCategory\(\)\??\.items\s*\}")
_DECORATION = re.compile(r"\{\s*<[A-Z][^<>]*/>\s*\}")
_SHOWN = 60
"""Characters of an expression that a message shows."""

_TAG_START = re.compile(r"</?([A-Za-z][\w:.-]*)")
_TAG_CLOSE = re.compile(r"</[A-Za-z][\w:.-]*\s*>")
_HTML_TAG = re.compile(r"""</?[A-Za-z][\w:.-]*(?:\s(?:"[^"<]*+"|'[^'<]*+'|[^<>"']++)*|/)?>""")
_ADDRESS = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[\w.+-]+@[\w.-]+>")
_HEADING_ID = re.compile(r"\{#[^{}\n]+\}[ \t]*(?=\n|\Z)")
_HEADING_ID_COMMENT = re.compile(r"\{/\*\s*#([^\s*{}]+)\s*\*/\}[ \t]*(?=\n|\Z)")
_VERBATIM = frozenset({"script", "style", "pre", "textarea"})
EMPTY_VERBATIM = re.compile(
    r"""<([sS][cC][rR][iI][pP][tT]|[sS][tT][yY][lL][eE]|[pP][rR][eE]|[tT][eE][xX][tT][aA][rR][eE][aA])((?:\s(?:"[^"<]*+"|'[^'<]*+'|[^<>"'/]++|/(?!>))*)?)/>"""
)
"""Both cases are spelled out: only then the search for the bracket is quick. Self-closed: the parser would take it for the beginning of a block that reaches to its end tag."""


@cache
def _sentence() -> re.Pattern[str]:
    """Give the pattern of a quoted sentence; at first use: classes of many letters take 1 ms to compile."""
    return re.compile(r"[\"'`][^\"'`\n]*(?:\w+[ ]+\w+[ ,]+\w|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2})")


class TagScanner(Containers):
    """The half of the scanner that knows tags and expressions, and the state that both halves share."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext) -> None:
        super().__init__(fragment, scope, context)
        self._text = fragment.text
        self._is_mdx = scope.source.is_mdx
        extensions = scope.source.dialect.extensions
        self._names = context.options.components | STOCK_COMPONENTS | foreign_components(extensions)
        self._extensions = extensions
        self._takes_components = "vitepress" in extensions
        self._takes_markdown = "md_in_html" in scope.source.dialect.extensions
        self._is_page = len(scope.chain) == 1
        """This file is the page itself, which nobody gives props."""
        self._after_blank = True
        self._has_text = False
        """The line being scanned has printed more than white space and list markers."""
        self._swallows_line_end = False
        """What the line held was lifted: its line end goes too, or a blank line would remain."""
        self._endless: set[str] = set()
        """Verbatim elements known to have no end further down."""
        self._broken = 0
        """Malformed tags and expressions so far."""

    def _at(self, offset: int) -> int:
        return self.fragment.origin(offset)

    def _place(self) -> int:
        """Column at which a placeholder belongs to the list item that is open."""
        return self.top.lists[-1][1] if self.top.lists else 0

    def _angle(self, begin: int, at: int) -> tuple[int, int]:
        """Look at a `<`; give the offsets of what has not been written and of where to look on."""
        text = self._text
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            is_block = not self._has_text
            return begin, end + 3 if end >= 0 else len(text) if is_block else at + 1
        start = _TAG_START.match(text, at)
        if start is None and self._is_mdx and text.startswith(("<>", "</>"), at):
            self.top.buffer.copy(begin, at)
            self._swallows_line_end = True
            end = text.index(">", at) + 1
            return end, end
        if start is None:
            return begin, at + 1
        if address := _ADDRESS.match(text, at):
            return begin, address.end()
        name = self._known_as(start[1])
        is_closing = text[at + 1] == "/"
        if self._is_component(name, is_closing=is_closing) or (
            self._takes_components and self._is_component_of_vue(at, name, is_closing=is_closing)
        ):
            return self._close_tag(begin, at, name) if is_closing else self._open_tag(begin, at, name)
        return self._html_tag(begin, at, name, is_closing=is_closing)

    def _known_as(self, name: str) -> str:
        """Give the name under which a component of another engine is known; one that is imported has its own."""
        stock = self.scope.builtins.get(name)
        if stock in _OF_THEME:
            return stock
        is_own = name in self.scope.imports or name in self.context.options.react
        return name if is_own else canonical_name(name, self._extensions)

    def _is_component(self, name: str, *, is_closing: bool) -> bool:
        if name in ("details", "summary"):
            around = "details" if name == "summary" else None
            is_open = any(container.name == name for container in self.open)
            return is_open or (not is_closing and not self._has_text and around in (None, self.top.name))
        return name in self._names or name in self.scope.imports or (self._is_mdx and name[0].isupper())

    def _is_component_of_vue(self, at: int, name: str, *, is_closing: bool) -> bool:
        """Whether a tag in a page of Vue is a component; `<T>` alone is more likely to be text."""
        if not name[0].isupper():
            return False
        if is_closing:
            return name in (container.name for container in self.open) or name in (one[0] for one in self.inline)
        tag = parse_tag(self._text, at, self.scope.props)
        return tag is not None and (
            tag.is_self_closing or bool(tag.attributes) or self._text.find(f"</{name}>", tag.end) >= 0
        )

    def _html_tag(self, begin: int, at: int, name: str, *, is_closing: bool) -> tuple[int, int]:
        text = self._text
        folded = name.lower()
        if (self._takes_markdown or self._is_mdx) and (
            after := self._markdown_tag(begin, at, name, is_closing=is_closing)
        ) is not None:
            return after
        if folded in _VERBATIM and not is_closing and (empty := EMPTY_VERBATIM.match(text, at)):
            self.top.buffer.copy(begin, at)
            self.top.buffer.write(f"<{empty[1]}{empty[2].rstrip()}></{empty[1]}>", self._at(at))
            return empty.end(), empty.end()
        if folded in _VERBATIM and not is_closing and not (self._is_mdx and folded in ("pre", "textarea")):
            return self._verbatim(begin, at, folded)
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
        self.report_repeated(parsed)
        self.top.buffer.copy(begin, at)
        self.top.buffer.write(tag_to_html(parsed), self._at(at))
        return parsed.end, parsed.end

    def _markdown_tag(self, begin: int, at: int, name: str, *, is_closing: bool) -> tuple[int, int] | None:
        """Look at a tag that may hold Markdown, or end an element that does; None where it is any other."""
        raise NotImplementedError

    def _verbatim(self, begin: int, at: int, name: str) -> tuple[int, int]:
        """Skip an element whose content is not Markdown; if a literal is its whole content, that is used."""
        text, end = self._text, self._verbatim_end(name, at)
        if self._takes_components and name == "script":
            # Code of a component of Vue, which a browser would run as a script of the page.
            self.top.buffer.copy(begin, at)
            self._swallows_line_end = True
            return end, end
        start, last = text.find(">", at) + 1, text.rfind("</", at, end)
        content = text[start:last].strip() if self._is_mdx and 0 < start <= last else ""
        if not content.startswith("{`"):
            return begin, end
        try:
            value, _ = parse_expression(content, 0, self.scope.props)
        except NotLiteralError:
            return begin, end
        self.top.buffer.copy(begin, start)
        self.top.buffer.write(str(value), self._at(start))
        return last, end

    def _verbatim_end(self, name: str, at: int) -> int:
        """Find where an element ends whose content is not Markdown; without an end it takes what is left."""
        if name not in self._endless:
            end = re.compile(f"</{name}\\s*>", re.IGNORECASE).search(self._text, at)
            if end:
                return end.end()
            self._endless.add(name)
        return at + 1 if self._has_text else len(self._text)

    def _begin_block(self, begin: int, at: int) -> None:
        """Write the prefix of a block, which needs a line of its own with the indentation of its list item."""
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
        if tag.elements and name in self.context.options.react and not self.scope.imports.get(name):
            tag = self.with_markup(tag, self._names)
        self._report_values(tag)
        self.report_repeated(tag)
        if name not in self._names and name not in self.scope.imports:
            self._report_unknown(name, offset)
        written = tag.name
        if self.scope.builtins.get(written) == name and name in _OF_THEME:
            tag = msgspec.structs.replace(tag, name=name)
        if name == "TabItem" and tag.name != name:
            tag = self._completed_tab(tag)
        is_block = self._is_block(tag, name)
        tag = tag if tag.name == name else msgspec.structs.replace(tag, name=name)
        if not is_block:
            return self._open_inline(begin, at, tag)
        if not self.has_room(f"<{name}>", offset):
            return begin, tag.end
        self._begin_block(begin, at)
        self._has_text, self._swallows_line_end, self._after_blank = False, True, True
        if name == "CodeBlock" and not tag.is_self_closing:
            return self._code_block(tag, offset, written)
        if tag.is_self_closing:
            self.top.buffer.write_node(self.add(Element(name, tag.attributes, offset)), offset)
        else:
            is_in_line = bool(text[tag.end : _line_end(text, tag.end)].strip())
            opened = Container(name, offset, Buffer(self.fragment, begins_in_line=is_in_line))
            opened.attributes = tag.attributes
            self.open.append(opened)
        return tag.end, tag.end

    def _completed_tab(self, tag: Tag) -> Tag:
        """Give a tab its value and label: its own title, or the entry of `items` at its place in the group."""
        # A component of the site around tabs hands their labels on to a group of them.
        is_group = self.top.name == "Tabs" or isinstance(self.top.attributes.get("items"), list)
        group = self.top if is_group else None
        number = len(group.tabs) if group else 0
        label = tab_label(tag.attributes, group.attributes.get("items") if group else None, number)
        value = label if group is None or label not in group.tabs else f"{label}-{number + 1}"
        attributes = {**tag.attributes, "label": label, "value": value}
        if group:
            group.tabs.append(value)
            if group.attributes.get("defaultIndex") == number:
                attributes["default"] = True
        return msgspec.structs.replace(tag, attributes=attributes)

    def _is_block(self, tag: Tag, name: str) -> bool:
        if tag.name in BLOCK_COMPONENTS or name in BLOCK_COMPONENTS:
            return True
        if self._has_text:
            return False
        if name in (FRAMES - self.context.options.components) & foreign_components(self._extensions):
            return True
        rest = self._text[tag.end : _line_end(self._text, tag.end)].strip()
        closes_line = not tag.is_self_closing and rest.endswith(f"</{tag.name}>")
        return not rest or closes_line or (rest[0] == "<" and rest[1:2].isupper() and rest[-1] == ">")

    def _open_inline(self, begin: int, at: int, tag: Tag) -> tuple[int, int]:
        offset = self._at(at)
        self.top.buffer.copy(begin, at)
        element = Element(tag.name, tag.attributes, offset, is_inline=True)
        number = self.add(element if tag.is_self_closing else InlineOpen(element))
        if not tag.is_self_closing:
            self.inline.append((tag.name, number, offset))
        self.top.buffer.write_mark(number, offset)
        self._has_text = True
        return tag.end, tag.end

    def _code_block(self, tag: Tag, offset: int, written: str) -> tuple[int, int]:
        """Take the content of a `<CodeBlock>` as it is, or as the literal that it holds; `written` is its name in the page."""
        text = self._text
        closing = f"</{written}>"
        end = text.find(closing, tag.end)
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
        end = min(end + len(closing), len(text))
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
        found = (i for i in range(len(self.open) - 1, 0, -1) if self.open[i].name == name and not self.open[i].fence)
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
            return (begin, at + 1) if in_address(text, at) else self._bad_expression(begin, at)
        if isinstance(value, (list, dict)) or (self._is_page and isinstance(value, (ChildrenValue, MissingProp))):
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
        """Report an expression that is not a literal; the page shows it as it is written."""
        text = self._text
        self._broken += 1
        end = find_expression_end(text, at)
        offset = self._at(at)
        shown = text[at : end if end >= 0 else at + 1]
        if "mdx1" in self._extensions and not has_known_name(shown, self.scope.source.text):
            end = end if end >= 0 else at + 1
            if text.startswith(("{%", "{{"), at):
                message = f'"{_shortened(shown)}" looks like a template; it is shown as text.'
                hint = "Pages have no templates: write the text itself."
                self.report("warn", "foreign-syntax", message, offset, suggestion=hint)
        elif end < 0:
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
        # Of what a stub is given, only sentences and lines of code would be drawn.
        is_stub = tag.name in self.context.options.stubs and not self.scope.imports.get(tag.name)
        # An icon of a known component has no words.
        is_foreign = canonical_name(tag.name, self._extensions) in foreign_components(self._extensions)
        for bad in tag.bad:
            if is_stub and "\n" not in bad.text and not _sentence().search(bad.text):
                continue
            if is_foreign and _DECORATION.fullmatch(bad.text):
                continue
            if tag.name == "DocCardList" and _CARDS_OF_CATEGORY.fullmatch(bad.text):  # what it lists by itself
                continue
            if tag.name == "TOCInline":  # parts of the list of contents: all of it is drawn
                continue
            if self._text.endswith("className=", 0, bad.offset) and self._is_of_sheet(bad.text):
                continue
            self.report(
                "error",
                "expression",
                f'The expression "{_shortened(bad.text)}" in "<{tag.name}>" is not a literal; nothing is computed in a page.',
                self._at(bad.offset),
                suggestion='Write a literal, such as name="text", name={42} or name={["a", "b"]}.',
            )
        for name in () if is_stub else tag.missing:
            if self._is_page:
                self._report_expression(f"{{props.{name}}}", self._at(tag.end - 1))
            else:
                self._report_missing_prop(name, self._at(tag.end - 1))

    def _is_of_sheet(self, expression: str) -> bool:
        """Whether an expression takes a class out of a style sheet that the file imports: readers see no word of it."""
        names = _SHEET.findall(self.scope.source.text)
        return any(re.search(rf"(?<![\w.]){re.escape(name)}[.\[]", expression) for name in names)

    def _report_missing_prop(self, name: str, offset: int) -> None:
        """Report a prop whose name looks mistyped; a prop with another name may have been left out on purpose."""
        if close := nearest(name, self.scope.props):
            message = f'The prop "{name}" is not given here; nothing is shown for it.'
            self.report("warn", "missing-prop", message, offset, suggestion=f'Did you mean "props.{close}"?')

    def _report_unknown(self, name: str, offset: int) -> None:
        known = {
            known for known in self._names if known[0].isupper() and known != "TOCInline"
        } | self.scope.imports.keys()
        close = nearest(name, known)
        folder = self.context.options.components_dir
        self.report(
            "error",
            "unknown-component",
            f'There is no component "{name}".',
            offset,
            suggestion=f'Did you mean "<{close}>"?'
            if close
            else f"Write it as Markdown in {folder}/{name}.mdx or in React in {folder}/{name}.tsx, or import a partial of this name.",
        )


def _shortened(expression: str) -> str:
    """An expression in one line, cut where it is long."""
    text = " ".join(expression.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
