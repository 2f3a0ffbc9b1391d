"""Directives, roles and targets of MyST, rewritten as Octavo's own syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from octavo.content.translate.directives import draw_directive
from octavo.content.translate.output import Output, fenced
from octavo.content.translate.roles import Roles, anchor_of
from octavo.content.translate.sphinx import (
    CARDS,
    PART_OF_CARD,
    Directive,
    Rewritten,
    no_effect,
    options_in,
    without_effect,
)
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Iterator

    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_OPENING = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[-*+:]|\d{1,9}[.)])[ \t]+)*)(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?:\{(?P<name>[A-Za-z][\w:+.-]*)"
    r"(?P<attributes>(?:[ \t]+(?:[.#][\w-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'{}]+)))*)[ \t]*\}[ \t]*(?P<argument>[^\n]*)|(?P<info>[^\n]*))$"
)
_OPTION = re.compile(r"[ \t>]*:(?P<key>[A-Za-z][\w-]*):(?:[ \t]+(?P<value>[^\n]*))?$")
_QUOTED = re.compile(r"""\A(["'])(.*)\1\Z""")
"""A value of YAML."""
_TARGET = re.compile(r"[ \t]*\((?P<label>[^()\n]+)\)=[ \t]*$")
_NO_TEXT = re.compile(r"%(?!\w*%)|\+\+\+(?:[ \t]|$)")
_HEADING = re.compile(r"\s*(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*)")
_TITLE = re.compile(r"^#[ \t]", re.MULTILINE)
_OWN_LINE = re.compile(r"[ \t>]*(?P<mark>\{\{)[ \t]*(?P<name>[A-Za-z_][\w.]*)[ \t]*\}\}[ \t]*$")
"""A substitution on a line of its own may stand for a directive."""
_ITEM = re.compile(r"(?:[-*+:]|\d{1,9}[.)]|\[\^[^\]]+\]:)[ \t]")
_FORMULA = re.compile(
    r"[ \t>]*(?P<text>\\begin\{(?P<name>(?:equation|multline|gather|align|alignat|flalign|eqnarray)\*?)\}"
    r"(?:[^\n]*\n(?![ \t]*\n)){0,200}?[^\n]*\\end\{(?P=name)\})[ \t]*$",
    re.MULTILINE,
)
"""An environment of formulas with no marks around it, as the extension amsmath has it."""
_DEEPEST = 8


def translate_myst(fragment: Fragment, context: CompileContext, depth: int = 0) -> Fragment:
    """Rewrite what a fragment has of MyST."""
    return _Translator(fragment, context, depth).run()


_PARTS = frozenset(["tab", "tab-item", "group-tab", "code-tab", "card", "grid-item-card", "grid-item"])
"""Directives that are parts of a group, which holds nothing else: their id is within them."""
_ONE = r"(?:[#.][\w:.-]+|[A-Za-z][\w-]*=(?:\"[^\"\n]*\"|[^\s\"{}]+))"
_ATTRIBUTES = re.compile(rf"\{{(?P<given>{_ONE}(?:[ \t]+{_ONE})*)\}}")
_ID = re.compile(r"(?:^|\s)#(?P<id>[\w:.-]+)")
_OTHER = re.compile(r"(?:^|\s)([A-Za-z][\w-]*)=(?:\"([^\"\n]*)\"|([^\s\"]+))")
_QUOTE = re.compile(r"(?:[ \t]*>[^\n]*(?:\n|\Z))+")
_GATES = ("exercise", "solution")
"""Directives that may be written as two, `exercise-start` and `exercise-end`, with their content between them."""
_TABS = ("tab", "tab-item", "group-tab", "code-tab")
_NEXT_TAB = re.compile(r"\s*(?:`{3,}|~{3,}|:{3,})\{(?:tab|tab-item|group-tab|code-tab)\}")


_NEXT_CELL = re.compile(r"\n(?=\+{3}(?:[ \t]|$)|(?:`{3,}|:{3,})\{(?:code|raw)-cell\})", re.MULTILINE)


class CellData(msgspec.Struct):
    """What the line `+++ {…}` says of a cell of text; the rest is for programs that edit it, or its look."""

    tags: list[str] = []
    label: str = ""
    part: str = ""


class _Open:
    __slots__ = ("closing", "end", "indent", "is_card", "last_in_item")

    def __init__(self, end: int, closing: str, indent: int, is_card: bool) -> None:
        self.end = end
        """Offset of the line that closes it."""
        self.closing = closing
        self.indent = indent
        self.is_card = is_card
        self.last_in_item = -1
        """Offset of the last indented line that was found to belong to an item of a list."""


class _Translator:
    def __init__(self, fragment: Fragment, context: CompileContext, depth: int) -> None:
        self._fragment = fragment
        self._text = fragment.text
        self._context = context
        self._depth = depth
        self._around = Surroundings(fragment.source, context)
        self._roles = Roles(self._around, fragment, context)
        self._output = Output(fragment)
        self._open: list[_Open] = []
        self._loose_tabs: frozenset[int] = frozenset()
        """How many directives are around groups of tabs that go on, and have no directive of their own."""
        self._gates: list[tuple[str, int]] = []
        """What closes the blocks that are open between `-start` and `-end`, and where they begin; the innermost last."""
        self._has_formulas = "math" in fragment.source.dialect.extensions
        self._unclosed: set[tuple[str, int]] = set()
        """Marks of fences, and their columns, that no line from here on closes."""
        self._source_of_quote: tuple[int, str] | None = None
        """Where a quotation ends, and whose words it is."""
        self._prose = 0
        """Offset of the text that was not written yet."""

    def run(self) -> Fragment:
        text, position = self._text, 0
        while position < len(text):
            self._write_source_of_quote(position)
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            after = self._line(position, end)
            if after is None:
                position = end + 1
                continue
            position = self._prose = after
        self._write_prose(len(text))
        self._write_source_of_quote(len(text))
        while self._open:
            self._close(self._open.pop(), len(text), len(text))
        while self._gates:
            closing, at = self._gates.pop()
            self._output.block(closing, len(text), len(text))
            message = "This block is never closed: it holds the rest of the page."
            self._report(message, at, "unclosed", "Write the directive with -end where its content ends.")
        return self._output.fragment()

    def _line(self, start: int, end: int) -> int | None:
        """Look at a line; give the offset to go on from where it is none of the text."""
        line = self._text[start:end]
        stripped = line.strip(" \t>")
        if self._open and start >= self._open[-1].end:
            self._write_prose(start)
            while len(self._open) > 1 and self._open[-2].end <= start:
                self._close(self._open.pop(), start, start)
            self._close(self._open.pop(), start + len(line) - len(line.lstrip(" \t>")), end)
            return end
        if ("```" in line or "~~~" in line or ":::" in line) and (match := _OPENING.match(line)):
            return self._fence(match, start, end)
        if stripped[:1] in ("^", "+") and self._open and self._open[-1].is_card and PART_OF_CARD.fullmatch(line):
            self._write_prose(start)
            self._output.write("\n", start)
            return end
        if self._open and line[self._open[-1].indent :].startswith("    ") and stripped:
            return self._indented_code(start, self._open[-1])
        if stripped[:2] == "{{" and (name := _OWN_LINE.match(line)):
            value = self._around.substitutions.get(name["name"].lower(), "")
            if "```" not in value and ":::" not in value:
                return None
            self._write_prose(start)
            self._output.copy(start, start + name.start("mark"))
            self._output.block(self._translate(value.strip("\n")), start, end)
            return end
        if stripped.startswith("<!--"):
            self._write_prose(start)
            last = self._text.find("-->", start)
            after = self._text.find("\n", last) if last >= 0 else -1
            after = len(self._text) if after < 0 else after
            self._output.copy(start, after)
            return after
        if stripped[:1] == "{" and (given := _ATTRIBUTES.fullmatch(stripped)) and self._is_above_block(start, end):
            self._write_prose(start)
            self._write_attributes(given["given"], start, end)
            return end
        if stripped[:1] == "(" and (target := _TARGET.match(line)):
            self._write_prose(start)
            self._write_target(target["label"], start, end)
            return end
        if stripped.startswith("\\begin{") and (formula := _FORMULA.match(self._text, start)) and self._has_formulas:
            self._write_prose(start)
            self._output.block(f"$$\n{formula['text']}\n$$", start, formula.end())
            return formula.end()
        if stripped[:1] in ("%", "+") and _NO_TEXT.match(stripped) and line[:1] == stripped[:1]:
            self._write_prose(start)
            return min((self._cell(line, start) if line[:1] == "+" else end) + 1, len(self._text))
        return None

    def _cell(self, line: str, start: int) -> int:
        """Look at the line that begins a cell, with what it says of the cell; give the offset to go on from."""
        end = start + len(line)
        said = line.strip("+ \t")
        try:
            cell = msgspec.json.decode(said or "{}", type=CellData)
        except msgspec.MsgspecError:
            if said.startswith("{"):
                message = "What this line says of the cell below cannot be read: it has no effect."
                self._report(message, start, "unknown-attribute", 'Write JSON: +++ {"tags": ["remove-cell"]}.')
            return end
        if name := anchor_of(cell.label):
            self._output.block(f'<a id="{name}"></a>', start, end)
        tags = {tag.replace("_", "-") for tag in cell.tags}
        if "remove-cell" in tags:
            below = _NEXT_CELL.search(self._text, end)
            return below.start() if below else len(self._text)
        for tag in sorted(tags & {"hide-cell", "hide-input"}):
            message = f'The tag "{tag}" of this cell has no effect: its text is shown.'
            self._report(message, start, "unknown-attribute", "Put the text into a {dropdown}.")
        if cell.part:
            message = (
                f'This cell is the part "{cell.part}" of the page, which has no place of its own: it is shown here.'
            )
            self._report(message, start, "unknown-attribute", "Write a title above it.")
        return end

    def _write_prose(self, end: int) -> None:
        """Write the text up to an offset, with its roles, links and names replaced."""
        if self._prose < end:
            self._roles.write(self._text, self._prose, end, self._output)
        self._prose = max(self._prose, end)

    def _close(self, opened: _Open, start: int, end: int) -> None:
        if opened.closing:
            self._output.block(opened.closing, start, end)

    def _write_source_of_quote(self, position: int) -> None:
        """Say below a quotation that ends here whose words it is, where its attributes do."""
        if self._source_of_quote and position >= self._source_of_quote[0]:
            _, name = self._source_of_quote
            self._source_of_quote = None
            self._write_prose(position)
            before = "" if self._text[:position].endswith("\n") else "\n"
            self._output.write(f"{before}>\n> — {name}\n", max(position - 1, 0))

    def _is_above_block(self, start: int, end: int) -> bool:
        """Return whether the line above is empty and a block follows: attributes here belong to that block."""
        _, above = next(self._lines_above(start), (0, ""))
        below = self._text.find("\n", end + 1)
        return not above.strip(" \t>") and bool(self._text[end + 1 : below if below >= 0 else None].strip(" \t>"))

    def _write_attributes(self, given: str, start: int, end: int) -> None:
        """Write the id that a block is given; classes have no effect, and other attributes are reported."""
        if found := _ID.search(given):
            self._output.block(f'<a id="{found["id"]}"></a>', start, end)
        for name, quoted, bare in _OTHER.findall(given):
            if name == "attribution" and (quote := _QUOTE.match(self._text, end + 1)):
                self._source_of_quote = (quote.end(), quoted or bare)
                continue
            message = f'The attribute "{name}" of this block has no effect.'
            self._report(message, start, "unknown-attribute", "Write what it says as text.")

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
            last = self._end_of(mark, end, match.start("mark"))
            if self._open and last >= self._open[-1].end:
                # The end of the directive around it is that of the block of code as well.
                self._output.copy(start, self._open[-1].end)
                self._output.write(f"{match['before']}{mark}\n", start)
                return self._open[-1].end
            after = self._text.find("\n", last)
            after = len(self._text) if after < 0 else after
            self._output.copy(start, after)
            return after
        at = start + match.start("mark")
        self._write_prose(start)
        self._output.copy(start, at)
        directive = Directive(name.lower(), (match["argument"] or "").strip(), options_in(match["attributes"]))
        places = dict.fromkeys(directive.options, at)
        # All of it is reStructuredText: `:Author: A. Sailor` is a field of that.
        body = end + 1 if directive.name == "eval-rst" else self._options(directive, end + 1, places)
        last = self._end_of(mark, body - 1, match.start("mark"))
        if last >= len(self._text) and not self._depth:
            message = f'The directive "{{{name}}}" is never closed: it holds the rest of the page.'
            self._report(message, at, "unclosed", f"Write {mark} on a line of its own where its content ends.")
        if self._open:
            last = min(last, self._open[-1].end)
        if directive.name in ("eval-rst", "include"):
            directive.line = self._fragment.source.span(self._fragment.origin(min(body, len(self._text)))).line
        directive.body = self._text[min(body, last) : last]
        drawn = self._gate(directive, at) or draw_directive(
            directive, self._around, self._translate, lambda message: self._report(message, at)
        )
        drawn = self._named(directive, drawn)
        for option in without_effect(directive.name, directive.options):
            message, hint = no_effect(f"{{{name}}}", option)
            self._report(message, places.get(option, at), "unknown-attribute", hint)
        if drawn.takes_body:
            after = self._text.find("\n", last)
            after = len(self._text) if after < 0 or last >= len(self._text) else after
            if self._open and last >= self._open[-1].end:
                after = max(last - 1, at)
            if drawn.opening:
                self._output.block(drawn.opening, at, after)
            return after
        opening, closing = self._in_tabs(directive.name, last, drawn.opening, drawn.closing)
        if opening:
            self._output.block(f"{opening}\n", at, body - 1)
        self._open.append(_Open(last, closing, match.start("mark"), directive.name in CARDS))
        return min(body, len(self._text))

    def _named(self, directive: Directive, drawn: Rewritten) -> Rewritten:
        """Write the id of a directive where what takes its place does not have it."""
        anchor = directive.anchor
        if not anchor or f'id="{anchor}"' in drawn.opening or f"{{#{anchor}}}" in drawn.opening:
            return drawn
        target = f'<a id="{anchor}"></a>'
        if directive.name in _PARTS:
            return Rewritten(f"{drawn.opening}\n{target}\n", drawn.closing, drawn.takes_body)
        is_shown = drawn.opening or not drawn.takes_body
        return Rewritten(f"{target}\n\n{drawn.opening}", drawn.closing, drawn.takes_body) if is_shown else drawn

    def _gate(self, directive: Directive, at: int) -> Rewritten | None:
        """Open or close a block whose content lies between two directives, as code that runs needs it to."""
        name, _, side = directive.name.rpartition("-")
        if name not in _GATES or side not in ("start", "end"):
            return None
        if side == "end":
            return Rewritten(self._gates.pop()[0] if self._gates else "", takes_body=True)
        directive.name = name
        drawn = draw_directive(directive, self._around, self._translate, lambda message: self._report(message, at))
        self._gates.append((drawn.closing, at))
        return Rewritten(f"{drawn.opening}\n", takes_body=True)

    def _in_tabs(self, name: str, last: int, opening: str, closing: str) -> tuple[str, str]:
        """Put tabs that follow each other, as sphinx-inline-tabs has them, into a group; `last` is where this one ends."""
        is_inside = bool(self._open) and self._open[-1].closing == "</Tabs>"
        if name not in _TABS or is_inside:
            return opening, closing
        depth = len(self._open)
        if depth not in self._loose_tabs:
            opening = f"<Tabs>\n\n{opening}"
        after = self._text.find("\n", last)
        is_followed = after >= 0 and _NEXT_TAB.match(self._text, after) is not None
        if not is_followed:
            closing = f"{closing}\n\n</Tabs>"
        self._loose_tabs = self._loose_tabs | {depth} if is_followed else self._loose_tabs - {depth}
        return opening, closing

    def _indented_code(self, start: int, around: _Open) -> int | None:
        """Write a block of code that is indented as one with fences: within a component, indentation means nothing."""
        _, above = next(self._lines_above(start), (0, ""))
        if above.strip() and not _OPENING.match(above) and not _OPTION.match(above):
            return None  # the rest of a paragraph
        for offset, line in self._lines_above(start):
            own = line[around.indent :]
            # What was found of a line above holds here too: all lines between are as far in.
            if offset == around.last_in_item or (
                line.strip() and not own.startswith("    ") and (_ITEM.match(own) or own.startswith(" "))
            ):
                around.last_in_item = start
                return None  # it belongs to an item of a list
            if line.strip() and not own.startswith("    "):
                break
        end, lines = start, []
        while end < around.end:
            after = self._text.find("\n", end, around.end) + 1 or around.end
            line = self._text[end:after]
            if line.strip() and not line[around.indent :].startswith("    "):
                break
            lines.append(line[around.indent + 4 :].rstrip("\n"))
            end = after
        code = "\n".join(lines).rstrip()
        end = start + len(self._text[start:end].rstrip())
        self._write_prose(start)
        indent = " " * around.indent
        written = fenced(code, "").replace("\n", f"\n{indent}")
        self._output.write(f"{indent}{written}", start)
        return end

    def _lines_above(self, start: int) -> Iterator[tuple[int, str]]:
        """Give the lines above an offset with their own, the nearest first."""
        while start > 0:
            begin = self._text.rfind("\n", 0, start - 1) + 1
            yield begin, self._text[begin : start - 1]
            start = begin

    def _options(self, directive: Directive, position: int, places: dict[str, int]) -> int:
        """Read the options under the opening of a directive, with their places; give the offset of its body."""
        text = self._text
        # What shows MyST as it is written may begin with front matter.
        while position < len(text) and directive.name != "myst":
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            line = text[position:end]
            if line.strip(" \t>") == "---" and not directive.options:
                closing = re.compile(r"^[ \t>]*---[ \t]*$", re.MULTILINE).search(text, end)
                if closing is None:
                    break
                for pair in re.finditer(r"[^\n]+", text[end : closing.start()]):
                    key, colon, value = pair[0].strip(" \t>").partition(":")
                    # What is within the table of outputs is about these, but for the name of a figure.
                    is_inner = "mystnb" in places and pair[0][:1] in " \t" and key.strip() != "name"
                    if colon and not is_inner:
                        directive.options[key.strip().lower()] = value.strip().strip("\"'")
                        places[key.strip().lower()] = end + pair.start() + pair[0].index(key)
                return min(closing.end() + 1, len(text))
            option = _OPTION.match(line)
            if option is None:
                break
            places[option["key"].lower()] = position + option.start("key") - 1
            directive.options[option["key"].lower()] = _QUOTED.sub(r"\2", (option["value"] or "").strip())
            position = end + 1
        return min(position, len(text))

    def _end_of(self, mark: str, position: int, column: int) -> int:
        """Find the line that closes a fence: offset of its head, or of the text's end.

        A line that is indented by four or more than the fence closes nothing: it belongs to what is in it.
        """
        if (mark, column) in self._unclosed:
            return len(self._text)
        indent = f"[ \\t>]{{0,{column + 3}}}"
        closing = re.compile(rf"^{indent}{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$", re.MULTILINE)
        found = closing.search(self._text, max(position, 0))
        if found is None:
            # Nor is there one for those that begin further down: each would look to the end of the text again.
            self._unclosed.add((mark, column))
        return found.start() if found else len(self._text)

    def _translate(self, text: str) -> str:
        """Rewrite text that is in a directive, or in a file that one takes in."""
        if self._depth >= _DEEPEST:
            return text
        inner = type(self._fragment)(self._fragment.source, text, [0], [self._fragment.origin(0)])
        return translate_myst(inner, self._context, self._depth + 1).text

    def _report(
        self,
        message: str,
        at: int,
        code: str = "foreign-syntax",
        hint: str = "Write it in plain Markdown, or as a component.",
    ) -> None:
        self._context.report("warn", code, message, self._fragment.source, self._fragment.origin(at), suggestion=hint)
