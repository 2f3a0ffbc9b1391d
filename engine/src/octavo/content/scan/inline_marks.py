"""Marks of the extensions inside a line: attribute lists, keys, `==mark==`, icons and emoji, elements with Markdown."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from octavo.content.attributes import parse_attributes
from octavo.content.audit.attributes import misspelt_attribute
from octavo.content.icons import find_icon, local_name
from octavo.content.icons.short_codes import SHORT_CODE, emoji, is_icon, similar_emoji
from octavo.content.plain import without_code
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.containers import Container
from octavo.content.scan.jsx import parse_tag
from octavo.content.scan.jsx_html import needs_html, tag_to_html
from octavo.content.scan.nodes import Attributes, Element, Node, Wrapper
from octavo.content.scan.tags import TagScanner
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

_STANDARD = {False: "\\n`<\\\\", True: "\\n`<\\\\{"}
_CHARS = {
    "attr_list": "{",
    "critic": "{",
    "mdbook": "{",
    "mark": "=",
    "caret": "^",
    "tilde": "~",
    "keys": "+",
    "emoji": ":",
    "math": "$",
}
"""Extension → character by which its marks begin."""
_PAIRED = {"==": ("mark", "mark"), "^^": ("caret", "ins"), "^": ("caret", "sup"), "~": ("tilde", "sub")}
"""Mark → (extension, element)."""
_SINGLE = re.compile(r"(?P<mark>[\^~])[^\s^~]+(?P=mark)(?!(?P=mark))")
_DOUBLES = {
    mark: re.compile(rf"(?<![\s{re.escape(mark[0])}]){re.escape(mark)}(?!{re.escape(mark[0])})")
    for mark in ("==", "^^")
}
_KEYS = re.compile(r"\+\+(?P<keys>[A-Za-z0-9\"'][\w\"'.,;:/\\-]*(?:\+[\w\"'.,;:/\\-]+)*)\+\+")
_CRITIC = re.compile(
    r"\{(?P<mark>\+\+|--|~~|==|>>)(?P<text>(?:(?!\n[ \t]*\n).){0,500}?)(?P<end>\+\+|--|~~|==|<<)\}", re.DOTALL
)
_FORMULA = re.compile(r"\$\$(?:(?!\n[ \t]*\n).)+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$", re.DOTALL)
NO_FORMULA = re.compile(
    r"\$\d[^$\n]*\$\d|(?<=\d)\$(?=[,.;:!?)])"
    r"|\$(?!\$)[^$`\n]*+(?:`[^$`\n]*+`[^$`\n]*+)*`[^$`\n]*+\$[^`\n]*`"
)
"""Two amounts of money in a line, `$5 (or $7)` or `5$, not 7$`, are not a formula; nor does one end within code that begins in
it, as in a name and the code behind it (`$ref` without its backticks, before `#/$defs`)."""
_NO_LINK = "[]()"
_PARAGRAPH_END = re.compile(r"\n[ \t>]*(?=\n|```|~~~|:::|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)|\Z")
_MARKDOWN = re.compile(r"""\smarkdown(?:=(?P<quote>["']?)(?P<value>\w+)(?P=quote))?(?=[\s/>])""")
_VALUES = (None, "", "0", "1", "block", "span", "true")
_OPENING = re.compile(r"""<(?P<name>[a-z][\w-]*)(?P<rest>(?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?)>""", re.IGNORECASE)
_SPANS = frozenset(
    {"span", "a", "b", "i", "em", "strong", "figcaption", "summary", "p", "small", "h1", "h2", "h3", "td"}
)
_OF_MDX = frozenset(
    {
        *(
            "article",
            "aside",
            "blockquote",
            "caption",
            "center",
            "dd",
            "div",
            "dt",
            "figcaption",
            "footer",
            "h1",
            "h2",
            "h3",
        ),
        *("h4", "h5", "h6", "header", "li", "main", "nav", "p", "section", "td", "th"),
    }
)
"""Elements at the start of a line whose content MDX reads as Markdown, blank lines around it or not."""
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_IN_A_LINE = frozenset({"caption", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "p"})
"""Those of them that hold no blocks."""
_MARKED = re.compile(
    r"\*[^\s*]|(?<!\w)_[^\s_][^\n]{0,1000}_(?!\w)|`[^`\n]|~~\S|!?\[[^\[\]\n]+\]\(|^[ \t]*(?:[-+*]|\d+[.)]|#{1,6}|>)[ \t]",
    re.MULTILINE,
)
"""Something that CommonMark would show as it is written."""
_ANY_MARK = "*_`~[-+#>123456789"
_COMPONENT = re.compile(r"</?[A-Z]")
_NOT_TEXT = re.compile(r"<[^<>]*>|\{[^{}]*\}")
_INDENTED = 4
"""Columns from which on Python-Markdown takes no tag for the start of a block."""
_MOST_OF_MDX = 8_000
"""Characters of an element that is read as Markdown."""
_KEY_NAMES = {"ctrl": "Ctrl", "cmd": "Cmd", "alt": "Alt", "shift": "Shift", "esc": "Esc", "del": "Del", "ins": "Ins"}


_NOT_MARKDOWN = re.compile(r"<(?:!--|(?P<name>script|style|pre|textarea|svg|math|code)\b)", re.IGNORECASE)
"""Where something begins whose content is not Markdown, or is never meant as such."""


def has_marks(html: str) -> bool:
    """Whether the text between the tags of a piece of HTML holds marks of Markdown."""
    if not any(mark in html for mark in _ANY_MARK):
        return False
    kept: list[str] = []
    position = 0
    folded = html.lower()
    while opening := _NOT_MARKDOWN.search(html, position):
        end = folded.find(f"</{opening['name'].lower()}" if opening["name"] else "-->", opening.end())
        if end < 0:
            return False
        kept.append(html[position : opening.start()])
        position = folded.find(">", end) + 1 or len(html)
    kept.append(html[position:])
    return _MARKED.search(_NOT_TEXT.sub("", "".join(kept))) is not None


@lru_cache(maxsize=64)
def _closing_ticks(length: int) -> re.Pattern[str]:
    return re.compile(f"(?<!`)`{{{length}}}(?!`)")


_CELL_TEXT = re.compile(r"(?<!\\)\|[ \t]*[^\s|][^|]*\Z")
"""A cell with text in it, which goes on to here."""


class InlineMarks(TagScanner):
    """The part of the scanner that knows the marks of the extensions inside a line."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext) -> None:
        super().__init__(fragment, scope, context)
        self._extensions = scope.source.dialect.extensions
        chars = "".join(dict.fromkeys(char for name, char in _CHARS.items() if name in self._extensions))
        standard = _STANDARD[self._is_mdx]
        self._interesting = re.compile(f"[{standard}{re.escape(chars)}]")
        self._paragraph_end = 0
        self._unmatched: set[int] = set()
        """Lengths of backtick runs that have no counterpart in this paragraph."""
        self._hopeless: dict[str, int] = {}
        """Mark → offset up to which nothing closes it: keeps hostile lines cheap."""
        self._closers: dict[int, tuple[int, str]] = {}
        """Offset of a mark that closes an element → (its length, the end tag)."""

    def _code_span(self, at: int) -> int:
        """Give the offset after a code span, or after the backticks where they do not start one."""
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

    def _extension_mark(self, begin: int, at: int) -> tuple[int, int]:
        """Look at a character by which a mark of an extension may begin."""
        text = self._text
        if at in self._closers:
            length, tag = self._closers.pop(at)
            return self._write(begin, at, at + length, tag)
        char = text[at]
        if char == "{":
            return self._braces(begin, at)
        if char == "+":
            return self._keys(begin, at)
        if char == ":":
            return self._short_code(begin, at)
        if char == "$":
            formula = _FORMULA.match(text, at)
            if NO_FORMULA.match(text, at):
                return self._write(begin, at, at + 1, "\\$")
            return begin, formula.end() if formula else at + 1
        return self._paired(begin, at, char)

    def _write(self, begin: int, at: int, end: int, written: str) -> tuple[int, int]:
        """Write something else in the place of a mark."""
        self.top.buffer.copy(begin, at)
        self.top.buffer.write(written, self._at(at))
        self._has_text = True
        return end, end

    def _paired(self, begin: int, at: int, char: str) -> tuple[int, int]:
        """`==mark==`, `^^ins^^`, `^sup^`, `~sub~`: marks that touch their text on the inside."""
        text = self._text
        mark = char * 2 if text.startswith(char * 2, at) else char
        extension, element = _PAIRED.get(mark, ("", ""))
        if extension not in self._extensions:
            return begin, at + len(mark)
        end = self._single_end(at) if len(mark) == 1 else self._double_end(at, mark)
        if end is None:
            return begin, at + len(mark)
        self._closers[end] = (len(mark), f"</{element}>")
        return self._write(begin, at, at + len(mark), f"<{element}>")

    def _single_end(self, at: int) -> int | None:
        """Offset of the mark that closes a single one: nothing between them is white space."""
        match = _SINGLE.match(self._text, at)
        return match.end() - 1 if match else None

    def _double_end(self, at: int, mark: str) -> int | None:
        """Offset of the marks that close a pair of them in its line."""
        text = self._text
        if at < self._hopeless.get(mark, 0) or text[at + 2 : at + 3] in ("", mark[0]) or text[at + 2].isspace():
            return None
        line_end = text.find("\n", at)
        limit = len(text) if line_end < 0 else line_end
        close = _DOUBLES[mark].search(text, at + 3, limit)
        if close is None:
            self._hopeless[mark] = limit
            return None
        return close.start()

    def _keys(self, begin: int, at: int) -> tuple[int, int]:
        match = _KEYS.match(self._text, at)
        if match is None:
            return begin, at + (2 if self._text.startswith("++", at) else 1)
        names = [name.strip("\"'") for name in match["keys"].split("+")]
        keys = "+".join(f"<kbd>{escape(_KEY_NAMES.get(n, n.replace('-', ' ').capitalize()))}</kbd>" for n in names)
        return self._write(begin, at, match.end(), keys)

    def _short_code(self, begin: int, at: int) -> tuple[int, int]:
        text = self._text
        match = SHORT_CODE.match(text, at)
        before = text[at - 1 : at]
        # A colon before it may end another short code, behind which nothing is waiting to be copied.
        if match is None or before.isalnum() or before == "/" or (before == ":" and begin != at):
            return begin, at + 1
        if character := emoji(match["name"]):
            attributes = parse_attributes(text, match.end()) if "attr_list" in self._extensions else None
            return self._write(begin, at, attributes[1] if attributes else match.end(), character)
        if not is_icon(match["name"]):
            if (close := similar_emoji(match["name"])) is not None:
                message = f'No emoji is called "{match["name"]}": readers see its short code.'
                hint = f'Did you mean ":{close}:"?'
                self.report("warn", "stray-mark", message, self._at(at), suggestion=hint)
            return begin, match.end() - 1
        end = match.end()
        if attributes := parse_attributes(text, end):
            end = attributes[1]
        self.top.buffer.copy(begin, at)
        name, offset = local_name(match["name"]), self._at(at)
        if find_icon(name, self.context, self.fragment.source, offset) is not None:
            self.top.buffer.write_mark(self.add(Element("Icon", {"name": name}, offset)), offset)
            return end, end
        self.context.icons.append((match["name"], self.fragment.source, offset))
        if not self._has_text and text[end : end + 1] == " ":
            end += 1
        return end, end

    # Braces

    def _braces(self, begin: int, at: int) -> tuple[int, int]:
        text = self._text
        if "critic" in self._extensions and (match := _CRITIC.match(text, at)):
            return self._critic(begin, at, match)
        is_anywhere = "attr_list" in self._extensions
        found = parse_attributes(text, at) if is_anywhere or "mdbook" in self._extensions else None
        if found is None:
            return begin, at + 1
        attributes, end = found
        if (
            attributes.keys() == {"id"}
            and text.startswith(_NO_LINK, at - len(_NO_LINK))
            and at - len(_NO_LINK) >= begin
        ):
            # A place that other pages refer to, as mkdocs-autorefs writes it.
            self.top.buffer.copy(begin, at - len(_NO_LINK))
            self.top.buffer.write(f'<a id="{escape(attributes["id"])}"></a>', self._at(at))
            return end, end
        line_start = text.rfind("\n", 0, at) + 1
        line_end = text.find("\n", end)
        before, rest = text[line_start:at], text[end : line_end if line_end >= 0 else len(text)].strip()
        is_own_line = not before.strip(" \t>") and not rest
        is_heading = not rest and (before.lstrip().startswith("#") or self._is_underlined(line_end))
        if not is_anywhere and not is_heading:
            return begin, at + 1
        touches = before[-1:] in (")", "]", "*", "_", "`", ">", "~")
        is_cell = before[-1:] == " " and _CELL_TEXT.search(before) is not None and (not rest or rest[0] == "|")
        if not (is_own_line or is_heading or touches or is_cell):
            return begin, end
        self._check_attributes(attributes, at)
        text_end = at
        if is_heading and before.lstrip().startswith("#"):  # "## Title ## {#id}": the closing marks go too
            text_end = max(begin, line_start + len(before.rstrip().rstrip("#")))
            # After a space it is the heading's and not that of the code, link or bold text before it.
            text_end += text[text_end : text_end + 1] in (" ", "\t")
        self.top.buffer.copy(begin, text_end)
        if is_own_line and not text[text.rfind("\n", 0, max(line_start - 1, 0)) + 1 : line_start].strip():
            self._swallows_line_end = True
            return end, end
        number, origin = self.add(Attributes(attributes)), self._at(at)
        if before[-1:] in ("*", "_", "~") and before.rstrip(before[-1:])[-1:] in (
            "`",
            ")",
            "]",
            ">",
            '"',
            "'",
            ".",
            "!",
            "?",
        ):
            # Between punctuation and what is none, a mark of bold text would end nothing: a tag is punctuation.
            self.top.buffer.write_tag(number, origin)
        else:
            self.top.buffer.write_mark(number, origin)
        return end, end

    def _check_attributes(self, attributes: dict[str, str], at: int) -> None:
        """Report attributes that have no effect."""
        for name in attributes:
            if name.lower().startswith("on"):
                message = f'"{name}" is left out: scripts in attributes do not run.'
                hint = "Write a component, or a script of the site."
                self.report("warn", "unknown-attribute", message, self._at(at), suggestion=hint)
        if (slip := misspelt_attribute(attributes, is_component=False)) is not None:
            message = f'HTML has no attribute "{slip[0]}": it has no effect.'
            hint = f'Did you mean "{slip[1]}"?'
            self.report("warn", "unknown-attribute", message, self._at(at), suggestion=hint)

    def _is_underlined(self, line_end: int) -> bool:
        """Whether the line before this offset is a heading for the marks below it."""
        if line_end < 0:
            return False
        below = self._text[line_end + 1 :].partition("\n")[0].strip()
        return bool(below) and (not below.strip("=") or not below.strip("-"))

    def _critic(self, begin: int, at: int, match: re.Match[str]) -> tuple[int, int]:
        """Show what an editor has proposed as what it is, and say that it is still there."""
        mark, content = match["mark"], match["text"]
        message = f'"{" ".join(match[0].split())[:60]}" is a mark of an editor; readers see it.'
        self.report("warn", "critic-mark", message, self._at(at), suggestion="Accept or reject the change.")
        if mark == "~~":
            old, _, new = content.partition("~>")
            written = f"<del>{old}</del><ins>{new}</ins>"
        else:
            element = {"++": "ins", "--": "del", "==": "mark"}.get(mark)
            written = f"<{element}>{content}</{element}>" if element else ""
        return self._write(begin, at, match.end(), written)

    # HTML elements that hold Markdown

    def _markdown_tag(self, begin: int, at: int, name: str, *, is_closing: bool) -> tuple[int, int] | None:
        """Look at a tag that may hold Markdown, or end an element that does; None where it is any other."""
        if is_closing:
            return self._close_markdown_element(begin, at, name)
        opened = self._markdown_element(begin, at, name) if self._takes_markdown else None
        if opened is None and self._takes_markdown and not self._has_text and name in _OF_MDX:
            opened = self._indented_element(begin, at, name)
        if opened is None and self._is_mdx and not self._has_text and name in _OF_MDX:
            opened = self._mdx_element(begin, at, name)
        if opened is None and self.top.is_html and self.top.name == name:
            self.top.nested += 1
        return opened

    def _markdown_element(self, begin: int, at: int, name: str) -> tuple[int, int] | None:
        """Open `<div markdown>`; None where the tag is none of this kind."""
        match = _OPENING.match(self._text, at)
        marked = _MARKDOWN.search(match["rest"] + ">") if match else None
        if match is None or marked is None or marked["value"] == "0":
            return None
        offset = self._at(at)
        if marked["value"] not in _VALUES:
            message = f'markdown="{marked["value"]}" has no meaning of its own: it is read as markdown="1".'
            hint = 'Write markdown="1", "block" or "span".'
            self.report("warn", "unknown-attribute", message, offset, suggestion=hint)
        is_span = marked["value"] == "span" or name.lower() in _SPANS
        end = self._text.find(f"</{name}", match.end())
        if is_span and 0 <= end < (self._text.find("\n\n", at) + 1 or len(self._text)) and self._has_text:
            # In a line Markdown is read anyway.
            return self._write(begin, at, match.end(), _without(match[0], marked, match))
        if not self.has_room(f"<{name}>", offset):
            return None
        opening = _without(match[0], marked, match)
        is_in_line = bool(self._text[match.end() :].partition("\n")[0].strip())
        return self._open_element(begin, at, match.end(), name, opening, is_in_line=is_in_line, is_span=is_span)

    def _mdx_element(self, begin: int, at: int, name: str) -> tuple[int, int] | None:
        """Open an element whose content CommonMark would not read, for no blank line is around it, but MDX does."""
        tag = parse_tag(self._text, at, self.scope.props)
        if tag is None or tag.is_self_closing:
            return None
        content = self._unread_content(name, tag.end)
        if content is None or not self.has_room(f"<{name}>", self._at(at)):
            return None
        is_in_line = bool(content.partition("\n")[0].strip())
        opening = tag_to_html(tag) if needs_html(tag) else self._text[at : tag.end]
        is_span = is_in_line or name in _IN_A_LINE
        return self._open_element(begin, at, tag.end, name, opening, is_in_line=is_in_line, is_span=is_span)

    def _indented_element(self, begin: int, at: int, name: str) -> tuple[int, int] | None:
        """Open an element below an admonition, a tab or a list item: Python-Markdown takes HTML for a block only at the start of lines.

        Elsewhere it is a part of a paragraph, in which Markdown is read.
        """
        source, offset = self.fragment.source.text, self._at(at)
        before = source[source.rfind("\n", 0, offset) + 1 : offset]
        match = _OPENING.match(self._text, at)
        if before.strip() or len(before.expandtabs(_INDENTED)) < _INDENTED or match is None:
            return None
        content = self._unread_content(name, match.end())
        if content is None or not self.has_room(f"<{name}>", offset):
            return None
        is_in_line = bool(content.partition("\n")[0].strip())
        is_span = is_in_line or name in _IN_A_LINE
        return self._open_element(begin, at, match.end(), name, match[0], is_in_line=is_in_line, is_span=is_span)

    def _unread_content(self, name: str, start: int) -> str | None:
        """Give the content of an element in which CommonMark would show marks as they are written; None for any other."""
        content = self._text[start : start + _MOST_OF_MDX]
        if f"</{name}>" not in content or _BLANK_LINE.match(content):
            return None  # behind a blank line CommonMark reads it as well
        outside = without_code(content) if "`" in content or "~~~" in content else content
        end = outside.find(f"</{name}>")
        content, outside = content[: max(end, 0)], outside[: max(end, 0)]
        has_marks = outside != content or _MARKED.search(_NOT_TEXT.sub("", outside))
        return None if f"<{name}" in outside or _COMPONENT.search(outside) or not has_marks else content

    def _open_element(
        self, begin: int, at: int, end: int, name: str, opening: str, *, is_in_line: bool, is_span: bool
    ) -> tuple[int, int]:
        """Open an element whose content is Markdown, from `at` to `end`.

        Args:
            begin: Offset of what has not been written.
            at: Offset of its tag.
            end: Offset after that.
            name: As in its end tag.
            opening: Its tag, as it is published.
            is_in_line: Its content begins on the line of the tag.
            is_span: Its content is text in a line, no block.
        """
        self._begin_block(begin, at)
        offset = self._at(at)
        opened = Container(name, offset, Buffer(self.fragment, begins_in_line=is_in_line))
        opened.finish = lambda _, body: Wrapper(
            opening, name, offset, body, is_span or (name == "figure" and "\n\n" not in body.text.strip())
        )
        opened.is_html = True
        self.open.append(opened)
        self._has_text, self._swallows_line_end, self._after_blank = False, True, True
        return end, end

    def wrapper(self, name: str, attributes: dict[str, str], body: Fragment, offset: int) -> Node:
        """Make an HTML element around Markdown."""
        given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
        return Wrapper(f"<{name}{given}>", name, offset, body)

    def _close_markdown_element(self, begin: int, at: int, name: str) -> tuple[int, int] | None:
        """Close an element with Markdown, or count an end tag of another one inside it."""
        index = next((i for i in range(len(self.open) - 1, 0, -1) if self.open[i].is_html), None)
        if index is None or self.open[index].name != name:
            return None
        if self.open[index].nested:
            self.open[index].nested -= 1
            return None
        end = self._text.find(">", at) + 1
        if not end:
            return None
        self.top.buffer.copy(begin, at)
        self.close_down_to(index)
        self.close_top()
        self._has_text, self._swallows_line_end, self._after_blank = False, True, True
        return end, end


def _without(tag: str, marked: re.Match[str], opening: re.Match[str]) -> str:
    """The tag without its `markdown` attribute."""
    at = opening.start("rest") - opening.start()
    return tag[: at + marked.start()] + tag[at + marked.end() :]
