"""Directives, roles and targets of MyST, rewritten as Octavo's own syntax."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from octavo.content.translate.directives import Directive, draw_directive
from octavo.content.translate.output import Output
from octavo.content.translate.roles import Roles, anchor_of
from octavo.content.translate.surroundings import Surroundings

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_OPENING = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?:\{(?P<name>[A-Za-z][\w:+.-]*)\}[ \t]*(?P<argument>[^\n]*)|(?P<info>[^\n]*))$"
)
_OPTION = re.compile(r"[ \t>]*:(?P<key>[A-Za-z][\w-]*):(?:[ \t]+(?P<value>[^\n]*))?$")
_TARGET = re.compile(r"[ \t]*\((?P<label>[^()\n]+)\)=[ \t]*$")
_NO_TEXT = re.compile(r"%(?!\w*%)|\+\+\+(?:[ \t]|$)")
_HEADING = re.compile(r"\s*(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*)")
_TITLE = re.compile(r"^#[ \t]", re.MULTILINE)
_DEEPEST = 8


def translate_myst(fragment: Fragment, context: CompileContext, depth: int = 0) -> Fragment:
    """Rewrite what a fragment has of MyST."""
    return _Translator(fragment, context, depth).run()


class _Open:
    __slots__ = ("closing", "mark")

    def __init__(self, mark: str, closing: str) -> None:
        self.mark = mark
        self.closing = closing


class _Translator:
    def __init__(self, fragment: Fragment, context: CompileContext, depth: int) -> None:
        self._fragment = fragment
        self._text = fragment.text
        self._context = context
        self._depth = depth
        self._around = Surroundings(fragment.source, context)
        self._roles = Roles(self._around)
        self._output = Output(fragment)
        self._open: list[_Open] = []
        self._prose = 0
        """Offset of the text that was not written yet."""

    def run(self) -> Fragment:
        text, position = self._text, 0
        while position < len(text):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            after = self._line(position, end)
            if after is None:
                position = end + 1
                continue
            position = self._prose = after
        self._write_prose(len(text))
        while self._open:
            self._close(self._open.pop(), len(text), len(text))
        return self._output.fragment()

    def _line(self, start: int, end: int) -> int | None:
        """Look at a line; give the offset to go on from where it is none of the text."""
        line = self._text[start:end]
        stripped = line.strip(" \t>")
        if stripped[:3] in ("```", "~~~", ":::"):
            if self._open and len(stripped) >= len(self._open[-1].mark) and not stripped.strip(self._open[-1].mark[0]):
                self._write_prose(start)
                self._close(self._open.pop(), start + len(line) - len(line.lstrip(" \t>")), end)
                return end
            if match := _OPENING.match(line):
                return self._fence(match, start, end)
        elif stripped[:1] == "(" and (target := _TARGET.match(line)):
            self._write_prose(start)
            self._write_target(target["label"], start, end)
            return end
        elif stripped[:1] in ("%", "+") and _NO_TEXT.match(stripped) and line[:1] == stripped[:1]:
            self._write_prose(start)
            return min(end + 1, len(self._text))
        return None

    def _write_prose(self, end: int) -> None:
        """Write the text up to an offset, with its roles, links and names replaced."""
        if self._prose < end:
            self._roles.write(self._text, self._prose, end, self._output)
        self._prose = max(self._prose, end)

    def _close(self, opened: _Open, start: int, end: int) -> None:
        if opened.closing:
            self._output.block(opened.closing, start, end)

    def _write_target(self, label: str, start: int, end: int) -> None:
        anchor = anchor_of(label)
        heading = _HEADING.match(self._text, end)
        # The first heading of level 1 is the title of the page, and has no id of its own.
        is_title = heading is not None and heading["marks"] == "#" and not _TITLE.search(self._text, 0, start)
        if not anchor or (heading and not is_title and anchor_of(heading["title"]) == anchor):
            return
        self._output.block(f'<a id="{anchor}"></a>', start, end)

    def _fence(self, match: re.Match[str], start: int, end: int) -> int | None:
        """Look at the opening of a fence; one that is code or not of MyST is taken over as it is."""
        mark, name = match["mark"], match["name"]
        if name is None:
            if mark[0] == ":" or (mark[0] == "`" and "`" in match["info"]):
                return None
            self._write_prose(start)
            last = self._end_of(mark, end)
            after = self._text.find("\n", last)
            after = len(self._text) if after < 0 else after
            self._output.copy(start, after)
            return after
        at = start + match.start("mark")
        self._write_prose(start)
        self._output.copy(start, at)
        directive = Directive(name.lower(), (match["argument"] or "").strip())
        body = self._options(directive, end + 1)
        last = self._end_of(mark, body - 1)
        directive.body = self._text[min(body, last) : last]
        drawn = draw_directive(directive, self._around, self._translate, lambda message: self._report(message, at))
        if drawn.takes_body:
            after = self._text.find("\n", last)
            after = len(self._text) if after < 0 or last >= len(self._text) else after
            if drawn.opening:
                self._output.block(drawn.opening, at, after)
            return after
        if drawn.opening:
            self._output.block(f"{drawn.opening}\n", at, body - 1)
        self._open.append(_Open(mark, drawn.closing))
        return min(body, len(self._text))

    def _options(self, directive: Directive, position: int) -> int:
        """Read the options under the opening of a directive; give the offset of its body."""
        text = self._text
        while position < len(text):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            line = text[position:end]
            if line.strip(" \t>") == "---" and not directive.options:
                closing = re.compile(r"^[ \t>]*---[ \t]*$", re.MULTILINE).search(text, end)
                if closing is None:
                    break
                for pair in text[end : closing.start()].splitlines():
                    key, colon, value = pair.strip(" \t>").partition(":")
                    if colon:
                        directive.options[key.strip().lower()] = value.strip().strip("\"'")
                return min(closing.end() + 1, len(text))
            option = _OPTION.match(line)
            if option is None:
                break
            directive.options[option["key"].lower()] = (option["value"] or "").strip()
            position = end + 1
        return min(position, len(text))

    def _end_of(self, mark: str, position: int) -> int:
        """Find the line that closes a fence: offset of its head, or of the text's end."""
        closing = re.compile(rf"^[ \t>]*{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$", re.MULTILINE)
        found = closing.search(self._text, max(position, 0))
        return found.start() if found else len(self._text)

    def _translate(self, text: str) -> str:
        """Rewrite text that is in a directive, or in a file that one takes in."""
        if self._depth >= _DEEPEST:
            return text
        inner = type(self._fragment)(self._fragment.source, text, [0], [self._fragment.origin(0)])
        return translate_myst(inner, self._context, self._depth + 1).text

    def _report(self, message: str, at: int) -> None:
        self._context.report(
            "warn",
            "foreign-syntax",
            message,
            self._fragment.source,
            self._fragment.origin(at),
            suggestion="Write it in plain Markdown, or as a component.",
        )
