"""Shortcodes of Hugo: those that are built in, those of well-known themes, and simple ones of the site."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from octavo.content.source import Fragment
from octavo.content.translate.hugo_templates.objects import INNER
from octavo.content.translate.hugo_templates.prose import CODE
from octavo.content.translate.hugo_templates.render import render_template, tidy
from octavo.content.translate.hugo_templates.syntax import TemplateError
from octavo.content.translate.output import CodeRanges, Output, replaced
from octavo.content.translate.shortcodes import (
    BLOCK,
    SHORTCODES,
    TABS,
    Draw,
    DrawnShortcode,
    ShortcodeCall,
    draw_tab,
    draw_tabs,
)
from octavo.content.translate.surroundings import PAGE, Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_QUOTED = r"\"(?:[^\"\\]|\\.){0,800}\"|`[^`]{0,800}`"
_TOKEN = re.compile(
    rf"\{{\{{(?:<(?P<angle>(?:[^>`\"{{]|{_QUOTED}|>(?!\}}\}})|\{{(?!\{{)){{0,800}}?)>"
    rf"|%(?P<percent>(?:[^%`\"{{]|{_QUOTED}|%(?!\}}\}})|\{{(?!\{{)){{0,800}}?)%)\}}\}}"
)
"""Bounded, so that text made to break it costs no more than its length."""
_NAME = re.compile(r"\s*(?P<close>/?)\s*(?P<name>[\w./-]*\w)?")
_ARGUMENT = re.compile(r"""(?:(?P<key>[\w-]+)\s*=\s*)?(?P<value>"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s"`]+)""")
_MOST_TOKENS = 5000
_DEEPEST = 8
_SHORTCODE_IN_TEXT = re.compile(r"\{\{[<%]\s*\w")
_MARKDOWN_IN_TEXT = re.compile(r"(?:\A|\n)[ \t]*\n[ \t]*(?:#{1,6} |[-*+] |\d+\. |[A-Z\[*_`])")
"""Blocks of Markdown in what a template writes."""

_HANDED = re.compile(r"\.Parent\.(?:Scratch|Store)\.(?:Add|Set|SetInMap)\b[^{}]*\.Inner\b")
"""A template hands its content to the shortcode around it."""
_TAB_LIST = re.compile(r"\btab(?:s|list|panel)?\b")


class _Token:
    __slots__ = ("call", "closing", "end", "is_closing", "is_comment", "is_single", "start", "text")

    def __init__(self, start: int, end: int, text: str) -> None:
        self.start, self.end, self.text = start, end, text
        self.is_closing = self.is_comment = self.is_single = False
        self.closing: _Token | None = None
        self.call = ShortcodeCall("")


_COLUMN = re.compile(r"^[ \t]*<--->[ \t]*$", re.MULTILINE)
"""The line between two columns of the themes Book and Geekdoc."""


def translate_hugo(fragment: Fragment, context: CompileContext, depth: int = 0) -> Fragment:
    """Rewrite the shortcodes of a fragment; `depth` counts the files that took in the text."""
    if "<--->" in fragment.text:
        code = CodeRanges(fragment.text)
        lines = (match.span() for match in _COLUMN.finditer(fragment.text) if not code.holds(match.start()))
        fragment = replaced(fragment, ((start, end, "") for start, end in lines))
    if "{{" not in fragment.text or depth > _DEEPEST:
        return fragment
    tokens = _read(fragment.text)
    return _Translator(fragment, context, tokens, depth).run() if tokens else fragment


def _read(text: str) -> list[_Token]:
    """Find the shortcodes of a text, and the end of each that has one."""
    tokens: list[_Token] = []
    stack: list[_Token] = []
    for match in _TOKEN.finditer(text):
        inner = match["angle"] if match["angle"] is not None else match["percent"]
        token = _Token(*match.span(), match[0])
        if inner.strip().startswith("/*"):
            token.is_comment = True
            tokens.append(token)
            continue
        head = _NAME.match(inner)
        if head is None or not (head["name"] or (head["close"] and not inner[head.end() :].strip())):
            continue
        arguments = inner[head.end() :].strip()
        is_single = arguments.endswith("/") and not arguments.endswith("=/")
        token.is_closing = bool(head["close"])
        token.is_single = is_single
        token.call = ShortcodeCall(
            head["name"] or "", *_arguments(arguments.removesuffix("/") if is_single else arguments)
        )
        token.call.bare = _bare(arguments)
        token.call.is_markdown = match["percent"] is not None
        tokens.append(token)
        if token.is_closing:
            # A mark without a name, `{{</>}}`, is the end of the innermost one.
            name = token.call.name or (stack[-1].call.name if stack else "")
            index = next((n for n in range(len(stack) - 1, -1, -1) if stack[n].call.name == name), None)
            if index is not None:
                stack[index].closing = token
                stack[index].call.inner = text[stack[index].end : token.start]
                del stack[index:]
        elif not is_single:
            token.call.parent = next((one.call for one in reversed(stack)), None)
            stack.append(token)
        if len(tokens) > _MOST_TOKENS:
            break
    _settle_parents(tokens)
    return tokens


def _settle_parents(tokens: list[_Token]) -> None:
    """Give each shortcode the innermost one around it that has an end."""
    around: list[_Token] = []
    for token in tokens:
        while around and around[-1].closing is not None and around[-1].closing.start <= token.start:
            around.pop()
        if not token.is_closing and not token.is_comment:
            token.call.parent = around[-1].call if around else None
            if token.call.parent is not None:
                token.call.number = sum(1 for one in token.call.parent.children if one.name == token.call.name)
                token.call.parent.children.append(token.call)
            if token.closing is not None:
                around.append(token)


def _arguments(text: str) -> tuple[list[str], dict[str, str]]:
    plain: list[str] = []
    named: dict[str, str] = {}
    for match in _ARGUMENT.finditer(text):
        value = match["value"]
        if value[0] == '"':
            value = re.sub(r"\\(.)", lambda one: {"n": "\n", "t": "\t"}.get(one[1], one[1]), value[1:-1])
        elif value[0] == "`":
            value = value[1:-1]
        if match["key"]:
            named[match["key"]] = value
        else:
            plain.append(value)
    return plain, named


def _bare(arguments: str) -> frozenset[str | int]:
    """Name the arguments that are written without quotes: `true` and `false` are not texts there."""
    plain = 0
    found: set[str | int] = set()
    for match in _ARGUMENT.finditer(arguments):
        if match["value"] in ("true", "false"):
            found.add(match["key"] or plain)
        plain += not match["key"]
    return frozenset(found)


def _lines(text: str) -> str:
    """Give what a template writes as Markdown, without the lines that are left of its actions; code is on lines of its own."""
    return re.sub(r"\n(?:[ \t]*\n){2,}", "\n\n", text.replace(CODE, "\n")).strip()


class _Translator:
    def __init__(self, fragment: Fragment, context: CompileContext, tokens: list[_Token], depth: int) -> None:
        self._fragment = fragment
        self._depth = depth
        self._text = fragment.text
        self._context = context
        self._tokens = tokens
        self._code = CodeRanges(self._text)
        self._around = Surroundings(fragment.source, context)
        self._output = Output(fragment)
        self._pending: dict[int, DrawnShortcode] = {}
        """Start of a closing mark → what its opening has settled."""
        self._reasons: dict[str, str] = {}
        """Shortcode → what its template asks for that is not known here."""

    def run(self) -> Fragment:
        position = 0
        for token in self._tokens:
            if token.start < position:
                continue
            after = self._token(token, position)
            position = position if after is None else after
        self._output.copy(position, len(self._text))
        return self._output.fragment()

    def _token(self, token: _Token, position: int) -> int | None:
        """Write what is before a shortcode, and it; give the offset to go on from, None to leave it as it is."""
        if token.is_comment:
            self._output.copy(position, token.start)
            inner = token.text[3:-3].strip()
            self._output.write(f"{token.text[:3]}{inner[2:-2]}{token.text[-3:]}", token.start)
            return token.end
        if token.is_closing:
            return self._closing(token, position)
        if self._code.holds(token.start):
            drawn = self._drawn(token, is_code=True)
            if drawn is None or drawn.is_block or not drawn.opening:
                return None
            self._output.copy(position, token.start)
            self._output.write(drawn.opening, token.start)
            return token.end
        drawn = self._drawn(token, is_code=False)
        self._output.copy(position, token.start)
        if drawn is None:
            self._report_unknown(token)
            drawn = DrawnShortcode("", "")
        if "\n" in drawn.opening and "```" not in drawn.opening and self._is_in_row(token.start):
            opening, closing = (" ".join(text.split("\n")) for text in (drawn.opening, drawn.closing))
            drawn = msgspec.structs.replace(drawn, opening=opening, closing=closing, is_block=False)
        elif not drawn.is_block and drawn.opening and not drawn.closing and self._follows_html(token):
            # Hugo writes HTML here; the Markdown that we write is read as such behind an empty line only.
            drawn = msgspec.structs.replace(drawn, opening=f"\n{drawn.opening}\n", is_block=True)
        if drawn.takes_inner and token.closing is not None:
            self._write(drawn.opening, token.start, token.closing.end, is_block=drawn.is_block)
            return token.closing.end
        # One without an end, `{{< card title="T" >}}` or `{{< tab "Name" />}}`, has no content: it ends where it begins.
        closing = drawn.closing if token.closing is None else ""
        gap = "\n" if closing and drawn.is_block else ""
        self._write(f"{drawn.opening}{gap}{closing}", token.start, token.end, is_block=drawn.is_block)
        if token.closing is not None:
            self._pending[token.closing.start] = drawn
        return token.end

    def _follows_html(self, token: _Token) -> bool:
        """Whether a shortcode has a line of its own, right below one of HTML."""
        start = self._text.rfind("\n", 0, token.start) + 1
        end = self._text.find("\n", token.end)
        before = self._text[self._text.rfind("\n", 0, max(start - 1, 0)) + 1 : start].strip()
        around = self._text[start : token.start] + self._text[token.end : end if end >= 0 else len(self._text)]
        return before.startswith("<") and before.endswith(">") and not around.strip()

    def _is_in_row(self, offset: int) -> bool:
        """Whether a place is in a row of a table, which is one line."""
        return self._text[self._text.rfind("\n", 0, offset) + 1 : offset].lstrip().startswith("|")

    def _closing(self, token: _Token, position: int) -> int | None:
        if self._code.holds(token.start) and token.start not in self._pending:
            return None
        self._output.copy(position, token.start)
        drawn = self._pending.pop(token.start, None)
        if drawn is not None:
            self._write(drawn.closing, token.start, token.end, is_block=drawn.is_block)
        return token.end

    def _write(self, text: str, start: int, end: int, *, is_block: bool) -> None:
        if not text:
            return
        if is_block:
            # A block of HTML reaches to the next blank line.
            self._output.block(f"{text}\n" if text.rstrip().endswith(">") else text, start, end)
        else:
            self._output.write(text, start)

    def _drawn(self, token: _Token, *, is_code: bool) -> DrawnShortcode | None:
        call = token.call
        draw = SHORTCODES.get(call.name.lower()) or SHORTCODES.get(call.name.rpartition("/")[2])
        # Templates for tabs need the scripts of the old theme, and each knows the others.
        if draw not in TABS:
            draw = self._tabs_of_site(call) or draw
        if draw not in TABS and (own := self._own(call)) is not None:
            return own
        if draw is None or (is_code and draw in BLOCK):
            return None
        drawn = draw(call, self._around)
        if drawn is None or not drawn.is_file:
            return drawn
        text = Fragment(self._fragment.source, drawn.opening, [0], [self._fragment.origin(token.start)])
        shown = translate_hugo(text, self._context, self._depth + 1).text
        return DrawnShortcode(shown, "", is_block="\n" in shown)

    def _tabs_of_site(self, call: ShortcodeCall) -> Draw | None:
        """Recognize tabs of the site by their templates: each hands its content to the one around it, which makes the tabs."""
        if call.parent is not None and self._is_tab(call):
            return draw_tab
        return draw_tabs if any(one.parent is call and self._is_tab(one) for one in call.children) else None

    def _is_tab(self, call: ShortcodeCall) -> bool:
        around = call.parent and next(self._templates(call.parent), "")
        return bool(around and _TAB_LIST.search(around)) and self._hands_content(call)

    def _hands_content(self, call: ShortcodeCall) -> bool:
        return any(map(_HANDED.search, self._templates(call)))

    def _templates(self, call: ShortcodeCall) -> Iterator[str]:
        for folder in self._fragment.source.dialect.shortcodes:
            for ending in (".html", ".md"):
                template = self._context.read(posixpath.join(folder, f"{call.name}{ending}"))
                if template is not None:
                    yield template

    def _own(self, call: ShortcodeCall) -> DrawnShortcode | None:
        """Draw a shortcode of the site from its template, where that is simple."""
        template = next(self._templates(call), None)
        if template is None:
            return None
        try:
            text = render_template(template, call, self._around)
        except TemplateError as error:
            self._reasons[call.name] = str(error)
            return None
        if INNER not in text and any(self._hands_content(one) for one in call.children if one.parent is call):
            self._reasons[call.name] = "the shortcodes in it hand it their content"
            return None
        if INNER not in text and (PAGE in text or _SHORTCODE_IN_TEXT.search(text)):
            return self._page_of(_lines(text) if call.is_markdown and PAGE not in text else tidy(text))
        if INNER not in text and call.is_markdown and _MARKDOWN_IN_TEXT.search(text):
            # Hugo reads what it writes as a part of the page, where empty lines and indentation count.
            return DrawnShortcode(_lines(text), "", is_block=True, takes_inner=True)
        before, inner, after = text.partition(INNER)
        in_code = before.count(CODE) % 2 == 1
        is_block = (
            CODE in text or "\n" in text.strip() or text.lstrip().startswith(("<div", "<p", "<section", "<table"))
        )
        if inner:
            gap = "\n" if is_block else ""
            opening, closing = tidy(before), tidy(after, in_code=in_code)
            gap = "" if in_code else gap
            return DrawnShortcode(f"{opening}{gap}", f"{gap}{closing}", is_block=is_block)
        return DrawnShortcode(tidy(text), "", is_block=is_block, takes_inner=True)

    def _page_of(self, text: str) -> DrawnShortcode:
        """Draw a page of the site that a template shows: its shortcodes are its own."""
        fragment = Fragment(self._fragment.source, text, [0], [0])
        shown = translate_hugo(fragment, self._context, self._depth + 1).text
        return DrawnShortcode(shown, "", is_block="\n" in shown.strip("\n"), takes_inner=True)

    def _report_unknown(self, token: _Token) -> None:
        shown = token.text if len(token.text) <= 60 else f"{token.text[:60]}…"
        kept = "; its content is kept." if token.closing is not None else "."
        reason = self._reasons.get(token.call.name)
        mistake = f"cannot be drawn by its template ({' '.join(reason.split())[:200]})" if reason else "is not known"
        self._context.report(
            "warn",
            "foreign-syntax",
            f'The shortcode "{token.call.name}" ({" ".join(shown.split())}) {mistake}: it is left out{kept}',
            self._fragment.source,
            self._fragment.origin(token.start),
            suggestion="Write the text itself, or a component in its place.",
        )
