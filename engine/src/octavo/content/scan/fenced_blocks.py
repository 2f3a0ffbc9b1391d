"""Blocks between marks: `///` of Python-Markdown, those of `:::` that are not admonitions, and formulas."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from octavo.content.attributes import read_items
from octavo.content.scan.blocks import BODY, BlockScanner, after_columns, tab_item
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.code_groups import split_code_group, split_tabs
from octavo.content.scan.containers import Container
from octavo.content.scan.nodes import Admonition, Element, Node
from octavo.content.source import MARK_OPEN
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.dialect import Dialect
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

SLASHES = re.compile(
    r"(?P<mark>/{3,})(?:[ \t]*(?P<name>[A-Za-z][\w-]*)[ \t]*(?:\|[ \t]*(?P<title>[^\n]*?))?)?[ \t]*(?=\n|\Z)"
)
_FORMULA = re.compile(
    r"(?P<code>^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?[ \t>]*(?P=fence)[`~]*[ \t]*$)"
    r"|^[ \t]*(?:[-*+][ \t]+)?\$\$(?P<body>[ \t]*\n(?:(?!.*\$\$).*\n)+?[ \t]*|(?:[^$\n]|\$(?!\$))*\n(?:(?!.*\$\$|[ \t]*$).*\n)*?(?:[^$\n]|\$(?!\$))*)"
    r"\$\$(?=[ \t]*(?:\([^()\n]*\)|\{[^{}\n]*\})?[ \t]*$)",
    re.MULTILINE,
)
"""A formula between dollar signs at the ends of lines; within it are blank lines only where these are alone."""
_BREAKING = re.compile(r"[ \t]*(?:$|[-+*>#=<|]|\d{1,9}[.)][ \t])")
"""A line that would begin another block."""
_LINE_END = re.compile(r"[ \t]*\n\s*")
CONTENTS = re.compile(r"\[(?:TOC|\[_?(?i:toc)_?\])\]")
"""The list of headings of Python-Markdown, and of VitePress."""
_BLOCK_LINE = re.compile(
    r"^[ \t>]*(?:(?P<code>`{3,}|~{3,})|(?P<marks>:{3,})[ \t]*(?:(?P<name>[A-Za-z][\w-]*)[^\n]*)?$)", re.MULTILINE
)
"""A line that opens or closes code, or a block of colons."""
_OPTION = re.compile(r"(?P<key>[\w-]+)[ \t]*:[ \t]*(?P<value>[^\n]*)")
_OPTIONS = frozenset({"attrs", "class", "id", "new", "open", "select", "type"})
_CALLOUT_BLOCKS = frozenset(
    ["admonition", "note", "abstract", "info", "tip", "success", "question", "warning", "failure", "danger", "bug",
     "example", "quote", "attention", "caution", "hint", "important", "error", "new", "settings"]
)  # fmt: skip
_WRITE_PLAINLY = "Write it in plain Markdown."
_LIST = re.compile(rf"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\S|<[uo]l\b|{MARK_OPEN}", re.MULTILINE)
_LINK = re.compile(rf"\]\(|\]\[|<a\b|https?:|{MARK_OPEN}")
_CONTENT = {
    "actions": ("link", _LINK),
    "cta": ("link", _LINK),
    "faq": ("collapsed block such as :::details[Is it free?]", re.compile(rf"<details\b|{MARK_OPEN}")),
    "features": ("list", _LIST),
    "hero": ("heading", re.compile(rf"^[ \t]*#|^(?:=+|-+)[ \t]*$|<h[1-6]\b|{MARK_OPEN}", re.MULTILINE)),
    "logos": ("picture", re.compile(rf"!\[|<(?:img|svg|picture)\b|{MARK_OPEN}")),
    "split": ("second part", re.compile(rf"\S[^\n]*\n[ \t]*\n[ \t]*\S|\n[ \t]*(?:```|~~~|<|{MARK_OPEN})")),
    "steps": ("list", _LIST),
}
"""Block of a landing page → what it is for, and how that looks in its text; components and blocks in it are placeholders."""
LANDING_BLOCKS = frozenset(_CONTENT)
"""Blocks of landing pages: an element around Markdown, which the theme lays out by what is in it."""
_OTHER_BLOCKS = frozenset(["details", "tab", "html", "define", "caption", "figure-caption", "table-caption"])


def join_formulas(fragment: Fragment, dialect: Dialect) -> Fragment:
    """Write a formula in one line where its lines would begin other blocks: lists, quotes, headings, paragraphs."""
    text = fragment.text
    if "math" not in dialect.extensions or "$$" not in text:
        return fragment
    buffer = Buffer(fragment)
    position = 0
    for block in _FORMULA.finditer(text):
        body = block["body"] or ""
        lines = body.split("\n")[1:]
        inner = lines if lines and lines[-1].strip() else lines[:-1]
        # Behind a percent sign, TeX reads nothing more of a line.
        if not any(_BREAKING.match(line) for line in inner) or "%" in body.replace(r"\%", ""):
            continue
        for end in _LINE_END.finditer(text, block.start("body"), block.end("body")):
            buffer.copy(position, end.start())
            buffer.write(" ", fragment.origin(end.start()))
            position = end.end()
    if not position:
        return fragment
    buffer.copy(position, len(text))
    return buffer.fragment(is_contained=fragment.is_contained)


class FencedBlocks(BlockScanner):
    """The part of the scanner that knows blocks between marks."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext, *, depth: int = 0) -> None:
        super().__init__(fragment, scope, context, depth=depth)
        self._last_closing: dict[str, int] = {}
        """Marks of a block → offset behind which no line closes one."""
        if "blocks" in scope.source.dialect.extensions:
            self._rules["/"] = "_slash_block"
        if scope.source.dialect.has_contents_mark:
            self._rules["["] = "_contents_mark"

    def _contents_mark(self, position: int, start: int, end: int) -> int | None:
        """Take `[TOC]` or `[[toc]]`, alone in its paragraph, for the list of the page's headings."""
        line = self._text[start:end].strip()
        if not CONTENTS.fullmatch(line) or self._text[end:].partition("\n")[0].strip():
            return None
        return self._leave(Element("TOCInline", {"maxHeadingLevel": 6}, self._at(start)), position, start, end)

    def _slash_block(self, position: int, start: int, end: int) -> int | None:
        match = SLASHES.match(self._text, start)
        if match is None:
            return None
        name = match["name"]
        if name is None:
            is_open = any(container.fence == match["mark"] for container in self.open)
            return self._close_fenced(match["mark"], position, end, self._at(start)) if is_open else None
        name = name.lower()
        is_known = name in _CALLOUT_BLOCKS | _OTHER_BLOCKS
        if not (is_known or self._is_closed_below(match["mark"], end)) or not self.has_room(
            f"/// {name}", self._at(start)
        ):
            return None
        column = self._column(position, start)
        opened = Container(name, self._at(start), Buffer(self.fragment), fence=match["mark"])
        options, after = self._options(end, column + BODY, is_known=is_known)
        opened.attributes = options
        if title := match["title"]:
            # Of a block that an extension of the site draws, the name says as much as the title.
            title = title if is_known else f"{name.replace('-', ' ').capitalize()} {title}"
            opened.title = self._title(title, self._at(match.start("title")))
        self._begin_block(position, start)
        opened.finish = {
            "details": self._finish_details,
            "tab": lambda closed, body: self._finish_tab(closed, body, match["title"] or "", column),
            "html": lambda closed, body: self._finish_html(closed, body, match["title"] or "div"),
            "define": self._finish_lines,
        }.get(name, self._finish_callout)
        if name.endswith("caption"):
            opened.finish = self._finish_lines
        if not is_known and (own := sorted(options.keys() - _OPTIONS - {"attrs"})):
            # An extension of the site makes of it what it likes: a title would only name the extension.
            message = f'"/// {name}" is a block of an extension that is not known: its content is shown, its options are not: {", ".join(own)}.'
            self.report("warn", "foreign-syntax", message, self._at(start), suggestion=_WRITE_PLAINLY)
            opened.finish = self._finish_plain
        self.open.append(opened)
        self._after_blank = True
        return after

    def _is_closed_below(self, mark: str, end: int) -> bool:
        """Whether a line of these marks alone follows: without one, three slashes begin a comment of some language."""
        if self._last_closing.get(mark, len(self._text)) <= end:
            return False
        found = re.compile(rf"^[ \t>]*{mark}[ \t]*$", re.MULTILINE).search(self._text, end)
        if found is None:
            self._last_closing[mark] = end
        return found is not None

    def _options(self, start: int, width: int, *, is_known: bool) -> tuple[dict[str, str], int]:
        """Read the indented `key: value` lines under the opening of a block."""
        found: dict[str, str] = {}
        position = start
        while position < len(self._text):
            stop = self._text.find("\n", position) + 1 or len(self._text)
            first = after_columns(self._text, position, width)
            option = _OPTION.match(self._text, first) if first is not None else None
            if option is None:
                break
            found[option["key"]] = option["value"].strip().strip("\"'")
            position = stop
        for name in found.keys() - _OPTIONS if is_known else ():
            if close := difflib.get_close_matches(name, _OPTIONS, 1):
                message = f'A block has no option "{name}": it has no effect.'
                hint = f'Did you mean "{close[0]}"?'
                self.report("warn", "unknown-attribute", message, self._at(start), suggestion=hint)
        if attributes := found.pop("attrs", ""):
            pairs = (part.partition(":") for part in attributes.strip("{} ").split(","))
            found |= {key.strip(" \"'"): value.strip(" \"'") for key, _, value in pairs if value}
        return found, position

    def _finish_callout(self, closed: Container, body: Fragment) -> Node:
        options = closed.attributes
        kind = str(options.get("type", "note")) if closed.name == "admonition" else closed.name
        return Admonition(kind, closed.title, options.get("id"), closed.offset, body, classes=options.get("class", ""))

    def _finish_details(self, closed: Container, body: Fragment) -> Node:
        options = closed.attributes
        is_open = str(options.get("open", "")).lower() == "true"
        kind = str(options.get("type", "details"))
        return self.details(kind, closed.title, body, closed.offset, is_open=is_open, anchor=options.get("id"))

    def _finish_tab(self, closed: Container, body: Fragment, title: str, column: int) -> None:
        options = {key: str(value).lower() for key, value in closed.attributes.items()}
        item = tab_item(title, body, closed.offset, is_default=options.get("select") == "true")
        self.add_tab(item, column, is_first=options.get("new") == "true")

    def _finish_html(self, closed: Container, body: Fragment, selector: str) -> Node:
        name, attributes = _read_selector(selector)
        return self.wrapper(name, attributes, body, closed.offset)

    def _finish_lines(self, closed: Container, body: Fragment) -> Node:
        message = f'"/// {closed.name}" is not drawn as such; its content is shown as text.'
        self.report("warn", "foreign-syntax", message, closed.offset, suggestion=_WRITE_PLAINLY)
        return self.wrapper("div", {}, body, closed.offset)

    def _close_fenced(self, mark: str, position: int, end: int, offset: int) -> int:
        """Close the innermost block with these marks, or with fewer of them."""
        fences = [(index, self.open[index].fence) for index in range(len(self.open) - 1, 0, -1)]
        exact = (index for index, fence in fences if fence == mark)
        fewer = (index for index, fence in fences if fence and mark.startswith(fence))
        index = next(exact, None) or next(fewer, None)
        if index is None:
            message = f'"{mark}" closes nothing: no admonition is open here.'
            self.report("warn", "stray-end", message, offset)
            self.top.buffer.copy(position, end)
            return end
        self.close_down_to(index)
        self.close_top()
        while "vitepress" in self.fragment.source.dialect.extensions and self._is_closed_within(mark, end):
            self.close_top()
        return end

    def _is_closed_within(self, mark: str, end: int) -> bool:
        """Whether the block that is open now ends with the one in it, as in VitePress: no line below closes it.

        There a block ends at the first line with its marks, and what was opened within ends with it.
        """
        top = self.top
        if not top.fence or not mark.startswith(top.fence) or top.fence[0] != ":":
            return False
        if top.has_end is None:
            top.has_end = _has_end(self._text, end, top.fence)
        return not top.has_end

    def fenced_finish(self, name: str, opened: Container) -> None:
        """Settle what becomes of `::: details`, `::: code-group` and `::: raw`, which are not admonitions."""
        if self.scope.source.dialect.containers.get(name) == "plain":
            opened.finish = self._finish_plain
        elif name == "details":
            opened.finish = lambda closed, body: self.details(
                "details", closed.title, body, closed.offset, is_open=False, anchor=closed.anchor
            )
        elif name == "code-group":
            opened.finish = self._finish_code_group
        elif name == "tabs":
            opened.finish = self._finish_tabs
        elif name == "tab" and any(one.name == "tabs" and one.fence for one in self.open):
            opened.finish = self._finish_part
        elif name in LANDING_BLOCKS:
            opened.finish = lambda closed, body: self._finish_landing(closed, body, name)
        elif name in ("raw", "v-pre"):
            opened.finish = lambda closed, body: self.wrapper("div", {}, body, closed.offset)

    def _finish_plain(self, closed: Container, body: Fragment) -> Node:
        """Frame a block that the site declares: its title is the first paragraph."""
        buffer = Buffer(body)
        if closed.title is not None:
            buffer.write(f"{closed.title.text}\n\n", closed.title.origin(0))
        buffer.copy(0, len(body.text))
        whole = buffer.fragment(is_contained=False)
        whole.is_contained = body.is_contained
        attributes: dict[str, Any] = {"class": f"block-{closed.name}"}
        if closed.anchor:
            attributes["id"] = closed.anchor
        return self.wrapper("div", attributes, whole, closed.offset)

    def _finish_landing(self, closed: Container, body: Fragment, name: str) -> Node:
        """Frame a block of a landing page, and report one that lacks what it is for."""
        what, pattern = _CONTENT[name]
        if pattern.search(body.text) is None:
            message = f'":::{name}" contains no {what}.'
            self.report("warn", "empty-block", message, closed.offset, suggestion=f"Write a {what} between its lines.")
        return self.wrapper("div", {"class": f"block block-{name}"}, body, closed.offset)

    def _finish_tabs(self, closed: Container, body: Fragment) -> Node | None:
        """Make tabs of `::: tabs`, whose parts begin with `== Title`, as a plug-in of VitePress has them."""
        parts = split_tabs(body)
        if not parts and closed.group is not None:
            return self.wrapper("div", {}, body, closed.offset)
        if not parts:
            hint = 'Begin each with "== Title", or write <Tabs> and <TabItem>.'
            if "\n@tab" in f"\n{body.text}":
                hint += ' For "@tab", name "vuepress" among the extensions of [markdown].'
            self.report("warn", "empty-block", '"::: tabs" contains no tab.', closed.offset, suggestion=hint)
            return self.wrapper("div", {}, body, closed.offset)
        for number, (label, part, at) in enumerate(parts):
            self.add_tab(tab_item(label, part, body.origin(at)), -1, is_first=not number)
        return None

    def _finish_part(self, closed: Container, body: Fragment) -> None:
        """Make a tab of `:::tab[Title]` within `::::tabs`, as plug-ins for the directives of remark have them."""
        label = closed.title.text if closed.title is not None else "Tab"
        self.add_tab(tab_item(label, body, closed.offset), -1, is_first=self.top.group is None)

    def _finish_code_group(self, closed: Container, body: Fragment) -> Node | None:
        items = [
            tab_item(label, block, body.origin(at)) for label, block, at in split_code_group(body, self.scope.nodes)
        ]
        if not items:
            message = '"::: code-group" contains no code block.'
            self.report("warn", "empty-block", message, closed.offset, suggestion="Write blocks such as ```sh [npm].")
            return self.wrapper("div", {}, body, closed.offset)
        for number, item in enumerate(items):
            self.add_tab(item, -1, is_first=not number)
        return None


def _read_selector(selector: str) -> tuple[str, dict[str, str]]:
    """Read `div.class#id[key=value]`."""
    name = re.match(r"[a-z][\w-]*", selector)
    rest = selector[name.end() if name else 0 :]
    items = " ".join(re.findall(r"[#.][^\s#.\[\]]+", re.sub(r"\[[^\]]*\]", "", rest)))
    pairs = " ".join(pair for pair in re.findall(r"\[([^\]]*)\]", rest) if "=" in pair)
    return name[0] if name else "div", read_items(f"{items} {pairs}".strip()) or {}


def _has_end(text: str, position: int, fence: str) -> bool:
    """Whether a line behind a position closes a block of colons that is open there, and none within it."""
    depth, code = 1, ""
    for match in _BLOCK_LINE.finditer(text, position):
        if match["code"]:
            code = "" if code and match["code"].startswith(code) else code or match["code"]
        elif code:
            continue
        elif match["name"]:
            depth += 1
        elif match["marks"].startswith(fence):
            depth -= 1
            if not depth:
                return True
    return False
