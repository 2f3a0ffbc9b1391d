"""The walk over a fragment's Markdown events that writes HTML, text for search, and what belongs to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from octavo.content.audit.foreign import audit
from octavo.content.code.blocks import draw_for_managers, render_code
from octavo.content.code.notations import annotations_of, count_entries
from octavo.content.code.package_managers import commands_of_fumadocs
from octavo.content.document import SLOT, TextChunk
from octavo.content.escape import escape, inline_code
from octavo.content.extended.draw import draw_made
from octavo.content.extended.uses import make_fence
from octavo.content.html_names import is_element
from octavo.content.plain import resolve_markdown
from octavo.content.render.html_pieces import APART, UNSEEN, HtmlPiece, texts_of_html, with_markdown
from octavo.content.render.parsing import parse
from octavo.content.render.tables import Tables
from octavo.content.render.text_blocks import Handler
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.inline_marks import has_marks
from octavo.content.scan.nodes import PLACEHOLDER, Include, Value
from octavo.content.source import MARK_OPEN, ByteOffsets, Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope

_TAG_NAME = re.compile(r"\s*</?([A-Za-z][\w:.-]*)")
_ADDRESS = re.compile(r"\((?:[^\s()]|\([^\s()]*\))+(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)")
"""Address behind the text of a link, with its title."""
_LINE_HEAD = re.compile(r"^[ \t]*(?=<[A-Za-z/!])", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ \t]*(?:[-+*]|\d+[.)]|#{1,6}|>)[ \t]", re.MULTILINE)
_LANGUAGE = re.compile(r"(?:#!|:::)[\w#.+-]+[ \t]+(?=\S)")
"""Before code in a line, where the extension `inlinehilite` is on."""
_FOOTNOTE_USE = re.compile(r"\[\^([^\]\s]{1,999})\]")

_LIFTED = re.compile(f"{SLOT}H([0-9]+){SLOT}")
_MAX_DEPTH = 100
"""Fragments within fragments."""

_OPENING = {"Emphasis": "<em>", "Strong": "<strong>", "Strikethrough": "<del>"}
_CLOSING = {"Emphasis": "</em>", "Strong": "</strong>", "Strikethrough": "</del>"}


def _parts_of_html(html: str) -> list[str]:
    """Split a block of HTML where something was lifted out, and where Markdown of blocks begins or ends."""
    parts: list[str] = []
    was = ""
    has_blocks = _BLOCK_MARK.search(html) is not None
    for line in html.splitlines(keepends=True):
        kind = "lifted" if PLACEHOLDER.fullmatch(line) else "text"
        if has_blocks and kind == "text" and line.lstrip()[:1] in ("<", ""):
            kind = "html"
        if kind == was and kind != "lifted":
            parts[-1] += line
        else:
            parts.append(line)
        was = kind
    return parts


_LONGEST_LIST = 50_000
"""Characters of a list of annotations that are looked at."""


class Renderer(Tables):
    """Draws one fragment; what it finds on the way goes to the page."""

    def __init__(self, context: CompileContext, scope: Scope, fragment: Fragment, kind: str, depth: int) -> None:
        super().__init__(context, scope, fragment, kind, depth)
        self.is_again = False
        """The fragment is a piece of one that another renderer draws."""

    def render(self) -> str:
        """Draw the fragment and give its HTML with slots."""
        text = self.fragment.text
        limit = len(text) if text.isascii() else len(text.encode())
        footnotes = self._missing_footnotes()
        self.events = parse(text + footnotes, self.scope, self._undefined_reference)
        if not self.is_again:
            audit(
                self.fragment,
                self.context,
                lambda text: parse(text + footnotes, self.scope),
                self.scope.source.dialect,
            )
        out, plain = self.out, self.plain
        words = self.abbreviations()
        link_ends, has_marks = self.link_ends, bool(self.scope.nodes)
        starts, ends, others = self.starts, self.ends, self.others
        dialect = self.scope.source.dialect
        names_languages = "inlinehilite" in dialect.extensions
        line_end = "<br>\n" if "nl2br" in dialect.extensions else "\n"
        refers = bool(dialect.repository)
        # The hottest loop of the build: what is most frequent comes first and calls nothing.
        for event, place in self.events:
            if event.__class__ is str:
                if event == "SoftBreak":
                    out.append(line_end)
                    plain.append(" ")
                else:
                    self._break(event)
                continue
            key, value = event.popitem()
            if key == "Text":
                if (has_marks and MARK_OPEN in value) or (
                    ("://" in value or "@" in value or "www." in value) and not link_ends
                ):
                    self.rich_text(value, place["start"])
                elif words is not None and words.search(value):
                    self.explained_text(value, place["start"])
                elif refers and not link_ends:
                    self.rich_text(value, place["start"])
                else:
                    plain.append(value)
                    out.append(escape(value) if "&" in value or "<" in value or ">" in value else value)
            elif key == "End":
                if value.__class__ is not str:
                    value, data = value.popitem()
                    ends[value](self, data, place["start"])
                elif value == "Paragraph":
                    if plain:
                        self._flush()
                    out.append("</p>")
                elif value in _CLOSING:
                    out.append(_CLOSING[value])
                else:
                    ends[value](self, None, place["start"])
            elif key == "Start":
                if value.__class__ is not str:
                    value, data = value.popitem()
                    if place["start"] >= limit:
                        self._skip_footnote()
                    else:
                        starts[value](self, data, place["start"])
                elif value == "Paragraph":
                    if plain:
                        self._flush()
                    out.append("<p>")
                elif value in _OPENING:
                    out.append(_OPENING[value])
                else:
                    starts[value](self, None, place["start"])
            elif key == "Code":
                if has_marks:
                    value = self.plain_marks(value)
                if names_languages and (language := _LANGUAGE.match(value)):
                    value = value[language.end() :]
                plain.append(value)
                out.append(inline_code(value))
            else:
                others[key](self, value, place["start"])
        self._flush()
        if not self.is_again:
            self.raw.report_open()
        return "".join(out)

    def nested(self, fragment: Fragment, kind: str, scope: Scope | None = None) -> tuple[str, str]:
        """Draw another fragment: its HTML with slots, and itself as plain Markdown."""
        scope = scope or self.scope
        if self.depth >= _MAX_DEPTH:
            message = f"Components and quotes are nested more than {_MAX_DEPTH} deep here."
            self.context.report("error", "too-deep", message, fragment.source, fragment.origin(0))
            return "", ""
        if self.out:
            self.context.is_blank = False
        renderer = Renderer(self.context, scope, fragment, kind, self.depth + 1)
        html = renderer.render()
        return html, renderer.markdown()

    def markdown(self) -> str:
        """Give the fragment as plain Markdown; it has been rendered."""
        return resolve_markdown(with_markdown(self.fragment.text, self.pieces), self.markdown_of)

    def _missing_footnotes(self) -> str:
        """Definitions that make the parser see footnotes which are defined elsewhere in the file."""
        if not self.scope.footnotes or "[^" not in self.fragment.text:
            return ""
        used = dict.fromkeys(_FOOTNOTE_USE.findall(self.fragment.text))
        return "".join(f"\n\n[^{label}]: -" for label in used if label in self.scope.footnotes)

    def _skip_footnote(self) -> None:
        for event, _ in self.events:
            if event.__class__ is not str and event.get("End") == "FootnoteDefinition":
                break

    def _break(self, event: str) -> None:
        if event == "HardBreak":
            self.out.append("<br>\n")
            self.plain.append(" ")
        else:
            self._flush()
            self.context.has_rule = True
            self.out.append("<hr>")

    def _undefined_reference(self, link: Any) -> None:
        """Report a reference whose definition is missing; `[text]` alone is prose."""
        end = ByteOffsets(self.fragment.text).char(link["span"]["end"])
        # `[][Type](address)` is a link behind empty brackets: a reference of Kubernetes writes lists of a type so.
        if link["link_type"] in ("Reference", "Collapsed") and not _ADDRESS.match(self.fragment.text, end):
            message = f'The reference "{link["reference"]}" is not defined; it is shown as text.'
            self.context.report(
                "warn",
                "undefined-reference",
                message,
                self.fragment.source,
                self.fragment.origin(ByteOffsets(self.fragment.text).char(link["span"]["start"])),
                suggestion=f'Write "[{link["reference"]}]: address" on a line of its own.',
            )

    # Code and HTML

    def _code(self, data: Any, byte: int) -> None:
        self._flush()
        parts: list[str] = []
        end = byte
        for event, place in self.events:
            if "End" in event:
                end = place["end"]
                break
            parts.append(event["Text"])
        if data != "Indented":
            self._check_fence(byte, end)
        code = self.plain_marks("".join(parts)) if data != "Indented" else "".join(parts)
        if data == "Indented":
            self.out.append(self._indented(code, byte, end))
        else:
            info = self.plain_marks(data["Fenced"])
            if self.context.options.fences and self._extended_fence(info, code, self.origin(byte)):
                return
            if "annotations" in self.fragment.source.dialect.extensions and (marks := annotations_of(code)):
                self._check_annotations(marks, byte, end)
            if info.strip() == "math" and "math" in self.fragment.source.dialect.extensions:
                # As GitHub, GitLab and remark-math have it, beside `$$`.
                self.out.append("<p>")
                self._formula(code.strip(), byte, is_block=True)
                self._flush()
                self.out.append("</p>")
                return
            info, code = commands_of_fumadocs(info, code, self.fragment.source.dialect.extensions)
            draw = draw_for_managers if "npm2yarn" in info else render_code
            self.out.append(draw(self.context, info, code, self.fragment.source, self.origin(byte)))

    def _check_annotations(self, marks: list[int], byte: int, end: int) -> None:
        """Report annotations of a block without an entry in the list below it, and entries without one."""
        below = self.char(end)
        text = self.fragment.text[below : below + _LONGEST_LIST]
        # The list may be in a file that the next line takes in.
        if (mark := PLACEHOLDER.match(text.lstrip(" \t\n>"))) is not None:
            node = self.scope.nodes[int(mark[1])]
            text = node.fragment.text[:_LONGEST_LIST] if isinstance(node, Include) else text
        entries = count_entries(text)
        for number in marks:
            if number > entries:
                message = f'The annotation "({number})" has no entry in a list below this block.'
                hint = "Write a numbered list below the block, with an entry for each."
                self._report("undefined-footnote", message, byte, hint)
        if entries > max(marks):
            message = f"The list below this block has {entries} entries, but its highest annotation is ({max(marks)})."
            self._report("unused-footnote", message, byte, "Put the missing annotations into the code.")

    def _extended_fence(self, info: str, code: str, offset: int) -> bool:
        """Draw a block whose language an extension has registered; gives whether one has, and gave something."""
        language, _, rest = info.partition(" ")
        if language not in self.context.options.fences:
            return False
        made = make_fence(language, rest, code.removesuffix("\n"), self.fragment.source, offset, self.context)
        if made is not None:
            self.out.append(draw_made(made, self)[0])
        return made is not None

    def _check_fence(self, byte: int, end: int) -> None:
        """Report a fence that nothing closes: it takes the rest of its list item, or of the page."""
        text, start = self.fragment.text, self.char(byte)
        block = text[start : self.char(end)].rstrip("\n")
        marks = block[: len(block) - len(block.lstrip(block[:1]))]
        last = block[block.rfind("\n") + 1 :].strip(" \t>") if "\n" in block else ""
        if not last.startswith(marks) or last.strip(marks[:1]):
            message = "This block of code is never closed: everything behind it is taken for code."
            self._report("unclosed-fence", message, byte, f'Close it with a line "{marks}".')

    def _indented(self, text: str, start: int, end: int) -> str:
        """Draw what the parser took for code; where indentation never means code it is Markdown."""
        if self.fragment.is_contained:
            first, last = self.char(start), self.char(end)
            return self._draw_again(self.fragment.realigned(text, first, last), first, last, "indented")
        return render_code(self.context, "", self.plain_marks(text), self.fragment.source, self.origin(start))

    def _draw_again(
        self, fragment: Fragment, start: int, end: int, kind_of_piece: Literal["markdown", "indented"] = "markdown"
    ) -> str:
        """Draw a piece of this fragment as Markdown of its own; its lines may have lost their prefix."""
        if self.depth >= _MAX_DEPTH:
            return escape(fragment.text)
        if self.out:
            self.context.is_blank = False
        kind = "item" if self._items else self.kind
        renderer = Renderer(self.context, self.scope, fragment, kind, self.depth + 1)
        renderer.is_again, renderer.raw.open = True, self.raw.open
        html = renderer.render()
        self.pieces.append(HtmlPiece(start, end, kind_of_piece, renderer.markdown()))
        return html

    def _html_block(self, _data: Any, byte: int) -> None:
        self._flush()
        parts: list[str] = []
        end = byte
        for event, place in self.events:
            if "End" in event:
                end = place["end"]
                break
            parts.append(event.get("Html") or event["Text"])
        html = "".join(parts)
        if match := PLACEHOLDER.fullmatch(html):
            self.print_node(int(match[1]))
            return
        start, end = self.char(byte), self.char(end)
        name = _TAG_NAME.match(html)
        if name and not is_element(name[1]):
            if html.lstrip().startswith("</") and self.raw.leaves_out_end(name[1], self.fragment.origin(start)):
                length = html.find(">") + 1
                start, html = start + length, html[length:]
                if not html.strip():
                    return
                self.out.append(self._draw_again(self.fragment.realigned(html, start, end), start, end))
                return
            self.out.append(
                self._draw_again(self.fragment.realigned(html.replace("<", "\\<", 1), start, end), start, end)
            )
            return
        if self.scope.source.is_mdx and has_marks(html):
            self._marks_between_tags(html, start, end)
            return
        self.pieces.append(HtmlPiece(start, end, "block", html))
        fragment = self.fragment.realigned(html, start, end)
        is_hidden, heading = self.raw.is_within(UNSEEN), len(self.context.headings) - 1
        lifted: list[tuple[str, str]] = []

        def draw(text: str) -> str:
            """Draw what was lifted out between two tags, apart from the block: it records its own texts, but for values in a line."""
            if MARK_OPEN not in text:
                return text
            drawn = self.draw_marks(text)
            lifted.append((drawn, " ".join("".join(self.plain).split())))
            self.plain.clear()
            return f"{SLOT}H{len(lifted) - 1}{SLOT}"

        drawn = self.raw.rewrite(html, fragment.origin, draw)
        if not is_hidden:
            said = _LIFTED.sub(lambda match: f" {escape(lifted[int(match[1])][1])} ", drawn)
            self.context.chunks += [
                TextChunk(kind, heading, text, anchor) for kind, text, anchor in texts_of_html(said)
            ]
        self.out.append(self.plain_marks(_LIFTED.sub(lambda match: lifted[int(match[1])][0], drawn)))

    def _marks_between_tags(self, html: str, start: int, end: int) -> None:
        """Draw a block of HTML whose text is Markdown, as MDX reads it; CommonMark would show its marks as they are.

        An empty value before each tag at the head of a line keeps the parser from taking the lines for HTML.
        """
        whole = self.fragment.realigned(html, start, end)
        self.scope.nodes.append(Value(""))
        nothing = len(self.scope.nodes) - 1
        position = 0
        written: list[str] = []
        for part in _parts_of_html(html):
            if lifted := PLACEHOLDER.fullmatch(part):
                self.print_node(int(lifted[1]))
                written.append(part)
            else:
                buffer = Buffer(whole)
                done = position
                for head in _LINE_HEAD.finditer(part):
                    buffer.copy(done, position + head.start())
                    buffer.write_mark(nothing, whole.origin(position + head.start()))
                    done = position + head.end()
                buffer.copy(done, position + len(part))
                fragment = buffer.fragment(is_contained=self.fragment.is_contained)
                self.out.append(unwrap(self._draw_again(fragment, start, end)))
                written.append(self.pieces.pop().text)
            position += len(part)
        self.pieces.append(HtmlPiece(start, end, "markdown", "\n".join(one.strip("\n") for one in written)))

    def _inline_html(self, html: str, byte: int) -> None:
        if match := PLACEHOLDER.fullmatch(html):
            self.print_mark(int(match[1]))
            return
        start = self.char(byte)
        if self.fragment.text.startswith(html, start):
            self.pieces.append(HtmlPiece(start, start + len(html), "inline", html))
        origin = self.origin(byte)
        drawn = self.plain_marks(self.raw.rewrite(html, lambda offset: origin + offset, self.draw_marks))
        if drawn.startswith("&lt;"):
            self.plain.append(html)
        elif (name := _TAG_NAME.match(html)) and name[1].lower() in APART and not self.is_heading:
            self.plain.append(" ")
        self.out.append(drawn)

    starts: ClassVar[dict[str, Handler]] = Tables.starts | {"CodeBlock": _code, "HtmlBlock": _html_block}
    others: ClassVar[dict[str, Handler]] = Tables.others | {"InlineHtml": _inline_html}
