"""`ConvertingScanner`: the scanner of pages, which notes how to write what it finds in our own syntax.

It reads a page exactly as a build does. Where it meets a block of another engine that we have an own form for, it notes
edits of the file: the opening line, the indentation of the body, a closing line. Bodies are scanned in turn, and know
what comes before their lines in the file.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from octavo.content.attributes import parse_attributes
from octavo.content.convert.callouts import callout_of, own_kind
from octavo.content.convert.edits import Edits
from octavo.content.foreign_components import FOREIGN_COMPONENTS
from octavo.content.icons import find_icon, local_name
from octavo.content.icons.short_codes import SHORT_CODE, emoji, is_icon
from octavo.content.scan.blocks import BODY, CALLOUT, TAB, after_columns
from octavo.content.scan.containers import Container, split_title
from octavo.content.scan.imports import statement_names
from octavo.content.scan.jsx import parse_tag
from octavo.content.scan.nodes import Element
from octavo.content.scan.scanner import Scanner
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

_SLASH_KINDS = frozenset(["html", "define", "caption", "figure-caption", "table-caption"])
"""Blocks between slashes that have no own form."""
_TAB_ATTRIBUTES = frozenset(["items", "defaultIndex"])
_NO_MARK = re.compile(r"[^\s>]")


class _Opened(NamedTuple):
    """A container that is converted, while it is open."""

    start: int
    end: int
    """Of what opens it, in characters of the file."""
    prefix: str
    opening: str
    closing: str
    is_tab: bool = False


class _Tabs:
    """A group of tabs that follow each other."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.end = 0
        """After its last tab, in characters of the file."""


class ConvertingScanner(Scanner):
    """One pass over a fragment that notes edits."""

    _skips_indented: ClassVar[bool] = False  # they may be code, which is fenced

    def __init__(
        self,
        fragment: Fragment,
        scope: Scope,
        context: CompileContext,
        edits: Edits,
        *,
        depth: int = 0,
        prefix: str = "",
        is_own_body: bool = False,
    ) -> None:
        """Initialize.

        Args:
            fragment: What is scanned.
            scope: As for any scanner.
            context: As for any scanner.
            edits: Takes what is to be changed.
            depth: Texts around this one.
            prefix: What comes before its lines in the converted file.
            is_own_body: It was indented, and is the body of a block of ours now: indentation means code no more.
        """
        super().__init__(fragment, scope, context, depth=depth)
        self._edits = edits
        self._prefix = prefix
        self._is_own_body = is_own_body
        self._body_prefix: str | None = None
        """Prefix of the body that is scanned next; None where that is not a body."""
        self._is_body_kept = False
        """It keeps its indentation."""
        self._groups: list[_Tabs] = []
        self._tabs: dict[int, _Tabs] = {}
        """Identity of a group's list of tabs → group."""
        self._opened: dict[int, _Opened] = {}
        """Identity of a container → how it is converted."""
        self._closing: tuple[int, int] | None = None
        """Place of what closes a container."""
        self._code_lines: list[tuple[int, int]] = []
        self._own_title = ""
        """The title that was scanned last, converted."""

    # Texts within texts

    def run(self) -> Fragment:
        """Scan everything; at the end the groups of tabs are closed."""
        found = super().run()
        for group in self._groups:
            self._edits.insert(group.end, f"{group.prefix}</Tabs>\n")
        self._fence_indented_code()
        return found

    def _within(self, fragment: Fragment, prefix: str) -> Scanner:
        before = _NO_MARK.sub(" ", prefix) if prefix else self._body_prefix
        is_own_body = self._body_prefix is not None and not prefix and not self._is_body_kept
        self._body_prefix, self._is_body_kept = None, False
        return ConvertingScanner(
            fragment,
            self.scope,
            self.context,
            self._edits,
            depth=self._depth + 1,
            prefix=self._prefix + (before or ""),
            is_own_body=is_own_body or (bool(prefix) and self._is_own_body),
        )

    def _title(self, title: str, origin: int) -> Fragment:
        """Convert a title by itself: it goes into an opening line that is written anew."""
        around, self._edits = self._edits, Edits()
        found = super()._title(title, origin)
        inner, self._edits = self._edits, around
        self._own_title = inner.apply(self.fragment.source.text, origin, origin + len(title)) or title
        self._edits.kept |= inner.kept
        return found

    def _file_end(self, after: int) -> int:
        """Offset in the file of the line that comes after a line of this text."""
        return self._at(after - 1) + 1 if after else self._at(0)

    def _indentation(self, position: int, start: int) -> str:
        return _NO_MARK.sub(" ", self._text[position:start])

    # Indented bodies

    def _convert_body(self, position: int, start: int, end: int, after: int) -> None:
        """Note that the lines of a body lose the indentation that they have beyond its opening line."""
        text, column = self._text, self._column(position, start)
        line, depth = end, column + BODY
        while line < after:
            stop = text.find("\n", line) + 1 or len(text)
            first = after_columns(text, line, depth) if text[line:stop].strip() else None
            if first is None and depth > BODY > column and text[line:stop].strip():
                depth = BODY  # the first line of the body counts from the margin
                first = after_columns(text, line, depth)
            if first is not None:
                own = after_columns(text, line, column)
                if own is not None and text[line:own] == " " * column:
                    self._edits.replace(self._at(line) + column, self._at(first - 1) + 1, "")
                else:
                    self._edits.replace(self._at(line), self._at(first - 1) + 1, " " * column)
            line = stop

    def _callout(self, position: int, start: int, end: int) -> int | None:
        match = CALLOUT.match(self._text, start)
        if match is None or (match["mark"][0] == "!" and match["mark"] != "!!!"):
            return None
        kind, *more = match["words"].lower().split() or ["details"]
        is_details = match["mark"][0] == "?"
        if match["title"] == "" or (set(more) - {"inline", "end"} and not is_details):
            self._edits.kept.add("details" if is_details else "admonitions")
            self._body_prefix, self._is_body_kept = self._indentation(position, start) + " " * BODY, True
            return super()._callout(position, start, end)
        prefix = self._indentation(position, start)
        self._body_prefix = prefix
        after = super()._callout(position, start, end)
        self._body_prefix = None
        if after is None:
            return None
        title = self._own_title if match["title"] else ""
        if is_details:
            label = title or kind.replace("-", " ").capitalize()
            own = f' class="details-{kind}"' if kind != "details" else ""
            is_open = " open" if match["mark"].endswith("+") else ""
            blank = "\n" if self._text[end:].partition("\n")[0].strip() else ""
            opening = f"<details{own}{is_open}>\n{self._prefix}{prefix}<summary>{label}</summary>{blank}"
            closing = f"\n{self._prefix}{prefix}</details>"
        else:
            kind, title = own_kind(kind, title, self.fragment.source.dialect)
            opening, closing = f":::{kind}{f'[{title}]' if title else ''}", f"{self._prefix}{prefix}:::"
        self._edits.replace(self._at(start), self._at(match.end() - 1) + 1, opening)
        self._convert_body(position, start, end, after)
        self._close_block(after, closing)
        return after

    def _close_block(self, after: int, closing: str) -> None:
        """Note a closing line after a line of this text."""
        lead = "" if self._text[after - 1 : after] == "\n" else "\n"
        self._edits.insert(self._file_end(after), f"{lead}{closing}\n")

    def _tab(self, position: int, start: int, end: int) -> int | None:
        match = TAB.match(self._text, start)
        if match is None:
            return None
        prefix = self._indentation(position, start)
        self._body_prefix = prefix
        after = super()._tab(position, start, end)
        self._body_prefix = None
        if after is None or self.top.group is None:
            return after
        items = self.top.group.items
        opening = self._tab_opening(items, self._prefix + prefix)
        is_open = self._text[end:].partition("\n")[0].strip()
        self._edits.replace(self._at(start), self._at(match.end() - 1) + 1, f"{opening}\n" if is_open else opening)
        self._convert_body(position, start, end, after)
        self._close_block(after, f"\n{self._prefix}{prefix}</TabItem>")
        self._tabs[id(items)].end = self._file_end(after)
        return after

    def _tab_opening(self, items: list[Element], prefix: str) -> str:
        """Write the opening tag of the last tab of a group, after that of the group where it is the first."""
        label = str(items[-1].attributes["label"])
        same = [item for item in items if item.attributes["label"] == label]
        value = label if len(same) == 1 else f"{label}-{len(items)}"
        is_default = " default" if "default" in items[-1].attributes else ""
        tag = f'<TabItem value="{escape(value)}" label="{escape(label)}"{is_default}>'
        if len(items) > 1 and id(items) in self._tabs:
            return tag
        self._tabs[id(items)] = group = _Tabs(prefix)
        self._groups.append(group)
        return f"<Tabs>\n{prefix}{tag}"

    # Code by indentation

    def _is_indented_code(self, indent: int) -> bool:
        found = super()._is_indented_code(indent)
        is_own = self._is_own_body if found else id(self.top) in self._opened and self.top.fence.startswith("/")
        goes_on = self._after_blank or (self._code_lines and self._code_lines[-1][1] == self._line_start)
        if is_own and goes_on and indent >= BODY + (self.top.lists[-1][1] if self.top.lists else 0):
            end = self._text.find("\n", self._line_start) + 1 or len(self._text)
            self._code_lines.append((self._line_start, end))
        return found

    def _fence_indented_code(self) -> None:
        """Put fences around blocks of code by indentation: in a block of ours it means nothing."""
        text = self._text
        blocks: list[list[tuple[int, int]]] = []
        for line in self._code_lines:
            if blocks and not text[blocks[-1][-1][1] : line[0]].strip():
                blocks[-1].append(line)
            else:
                blocks.append([line])
        for lines in blocks:
            first, last = lines[0][0], lines[-1][1]
            shared = min(len(text[a:b]) - len(text[a:b].lstrip(" ")) for a, b in lines)
            indent = " " * max(shared - BODY, 0) if self.top.lists else ""
            mark = "```" if "```" not in text[first:last] else "````"
            self._edits.insert(self._at(first), f"{self._prefix}{indent}{mark}\n")
            for start, _ in lines:
                own = after_columns(text, start, len(indent) + BODY)
                if own is not None:
                    self._edits.replace(self._at(start), self._at(own - 1) + 1, indent)
            lead = "" if text[last - 1 : last] == "\n" else "\n"
            self._edits.insert(self._file_end(last), f"{lead}{self._prefix}{indent}{mark}\n")

    # Blocks between marks

    def _slash_block(self, position: int, start: int, end: int) -> int | None:
        before = len(self.open)
        after = super()._slash_block(position, start, end)
        if after is None or len(self.open) <= before:
            return after
        opened = self.top
        options = opened.attributes
        name = opened.name
        prefix = self._prefix + self._indentation(position, start)
        title = self._own_title if opened.title is not None else ""
        if name in _SLASH_KINDS or {"class", "attrs", "select", "new"} & options.keys():
            self._edits.kept.add("blocks")
            return after
        place = (self._at(start), self._file_end(after), prefix)
        anchor = f" {{#{options['id']}}}" if options.get("id") else ""
        if name == "tab":
            self._opened[id(opened)] = _Opened(*place, "", f"\n{prefix}</TabItem>\n", is_tab=True)
        elif name == "details":
            kind = str(options.get("type", "details"))
            label = title or kind.replace("-", " ").capitalize()
            own = f' class="details-{kind}"' if kind != "details" else ""
            own += f' id="{escape(str(options["id"]))}"' if options.get("id") else ""
            own += " open" if str(options.get("open", "")).lower() == "true" else ""
            opening = f"<details{own}>\n{prefix}<summary>{label}</summary>\n\n"
            self._opened[id(opened)] = _Opened(*place, opening, f"\n{prefix}</details>\n")
        else:
            kind = str(options.get("type", "note")) if name == "admonition" else name
            kind, shown = own_kind(kind, title, self.fragment.source.dialect)
            opening = f":::{kind}{f'[{shown}]' if shown else ''}{anchor}\n"
            self._opened[id(opened)] = _Opened(*place, opening, ":::\n")
        return after

    def _colons(self, match: re.Match[str], position: int, end: int) -> int:
        kind = match[2]
        if kind is not None and kind not in self.context.options.directives:
            line = split_title(match[3])
            known, shown = own_kind(kind, line.title, self.fragment.source.dialect)
            if known != kind:
                own = f" {line.braces}" if line.braces else ""
                start = match.end(1)
                self._edits.replace(self._at(start), self._at(match.end() - 1) + 1, f"{known}[{shown}]{own}")
        return super()._colons(match, position, end)

    def _close_fenced(self, mark: str, position: int, end: int, offset: int) -> int:
        self._closing = (self._at(position), self._file_end(end))
        after = super()._close_fenced(mark, position, end, offset)
        self._closing = None
        return after

    def report_unclosed(self, container: Container) -> None:
        """Say that a container has no end; it stays as it is."""
        super().report_unclosed(container)
        if self._opened.pop(id(container), None) is not None:
            self._edits.kept |= self._extensions & {"blocks", "mintlify", "nextra", "starlight"}

    def close_top(self) -> None:
        """Close the innermost container; where it is converted, its two marks are rewritten."""
        closed = self.top
        super().close_top()
        opened = self._opened.pop(id(closed), None)
        if opened is None or self._closing is None:
            return
        opening = opened.opening
        group = self.top.group
        if opened.is_tab and group is not None:
            opening = f"{self._tab_opening(group.items, opened.prefix)}\n\n"
        self._edits.replace(opened.start, opened.end, opening)
        indent = opened.prefix if opened.closing.startswith(":") and closed.fence else ""
        self._edits.replace(*self._closing, f"{indent}{opened.closing}")
        if opened.is_tab and group is not None:
            self._tabs[id(group.items)].end = self._closing[1]
        self._closing = None

    # Tags

    def _open_tag(self, begin: int, at: int, name: str) -> tuple[int, int]:
        before = len(self.open)
        result = super()._open_tag(begin, at, name)
        known = self.scope.builtins.get(name, name)
        opened = self.top if len(self.open) > before else None
        tag = parse_tag(self._text, at, self.scope.props)
        if tag is None:
            return result
        if opened is not None and (callout := callout_of(known, opened.attributes, self._extensions)) is not None:
            self._open_callout(opened, callout, at, tag.end)
        elif name == "TabItem" and opened is not None and tag.name != name:
            attributes = opened.attributes
            default = " default" if attributes.get("default") else ""
            written = f'<TabItem value="{escape(attributes["value"])}" label="{escape(attributes["label"])}"{default}>'
            self._edits.replace(self._at(at), self._at(tag.end - 1) + 1, written)
        elif name == "Tabs" and opened is not None and _TAB_ATTRIBUTES & opened.attributes.keys():
            if opened.attributes.keys() - _TAB_ATTRIBUTES:
                self._edits.kept |= self._extensions & {"nextra", "mintlify"}
            else:
                self._edits.replace(self._at(at), self._at(tag.end - 1) + 1, "<Tabs>")
        else:
            self._note_use(known)
        return result

    def _open_callout(self, opened: Container, callout: tuple[str, str], at: int, end: int) -> None:
        text = self._text
        line = text.rfind("\n", 0, at) + 1
        indent = _NO_MARK.sub(" ", text[line:at]) if not text[line:at].strip(" \t>-*+0123456789.)") else ""
        prefix = self._prefix + indent
        lead = "" if not text[line:at].strip(" \t>-*+0123456789.)") else f"\n\n{prefix}"
        rest = text[end:].partition("\n")[0]
        kind, title = callout
        opening = f"{lead}:::{kind}{f'[{title}]' if title else ''}"
        tail = "" if not rest.strip() else f"\n\n{prefix}"
        self._opened[id(opened)] = _Opened(self._at(at), self._at(end - 1) + 1, prefix, f"{opening}{tail}", ":::")

    def _note_use(self, name: str) -> None:
        """Note the extensions that a component needs."""
        for extension, names in FOREIGN_COMPONENTS.items():
            if extension in self._extensions and name in names:
                self._edits.kept.add(extension)
        if self._takes_components and name[:1].isupper() and name not in self._names:
            self._edits.kept.add("vitepress")

    def _close_tag(self, begin: int, at: int, name: str) -> tuple[int, int]:
        text = self._text
        end = text.find(">", at) + 1 or len(text)
        opened = next((one for one in reversed(self.open[1:]) if one.name == name and not one.fence), None)
        is_inline = any(one[0] == name for one in self.inline)
        converted = self._opened.get(id(opened)) if opened is not None and not is_inline else None
        if converted is not None:
            line = text.rfind("\n", 0, at) + 1
            lead = "" if not text[line:at].strip(" \t>") else f"\n\n{converted.prefix}"
            rest = text[end:].partition("\n")[0]
            tail = "" if not rest.strip() else f"\n\n{converted.prefix}"
            self._opened[id(opened)] = converted._replace(closing=f"{lead}:::{tail}")
            self._closing = (self._at(at), self._at(end - 1) + 1)
        elif name == "TabItem" and not text.startswith("</TabItem", at) and opened is not None:
            self._edits.replace(self._at(at), self._at(end - 1) + 1, "</TabItem>")
        result = super()._close_tag(begin, at, name)
        self._closing = None
        return result

    def _statements(self, start: int) -> int:
        """Note that imports of what every page knows are not needed."""
        after = super()._statements(start)
        names = statement_names(self._text[start:after])
        if after > start and names is not None and names <= self.context.options.components | self._names:
            end = after + 1 if self._text[after : after + 1] == "\n" else after
            if self._text[start - 1 : start] in ("", "\n"):
                self._edits.replace(self._at(start), self._file_end(end), "")
        return after

    # Marks inside lines

    def _write(self, begin: int, at: int, end: int, written: str) -> tuple[int, int]:
        if "<div" not in written:
            self._edits.replace(self._at(at), self._at(end - 1) + 1, written)
        return super()._write(begin, at, end, written)

    def _short_code(self, begin: int, at: int) -> tuple[int, int]:
        match = SHORT_CODE.match(self._text, at)
        if (
            match
            and self.fragment.source.dialect.slugs in ("hugo", "kramdown")
            and self._text[self._text.rfind("\n", 0, at) + 1 :][:1] == "#"
        ):
            self._edits.kept.add("emoji")  # the id of a title has the name of an emoji that is written as its code
            return begin, match.end() - 1
        result = super()._short_code(begin, at)
        if match is None or result[0] == begin or emoji(match["name"]) or not is_icon(match["name"]):
            return result
        name = local_name(match["name"])
        if find_icon(name, self.context, self.fragment.source, self._at(at)) is None:
            self._edits.kept.add("emoji")
        else:
            self._edits.replace(self._at(at), self._at(result[0] - 1) + 1, f'<Icon name="{name}" />')
        return result

    def _braces(self, begin: int, at: int) -> tuple[int, int]:
        text = self._text
        result = super()._braces(begin, at)
        found = parse_attributes(text, at)
        if found is None or result[0] == begin:
            return result
        attributes, end = found
        line = text.rfind("\n", 0, at) + 1
        before, rest = text[line:at], text[end:].partition("\n")[0]
        if before.lstrip(" >").startswith("#") and not rest.strip() and attributes.keys() == {"id"}:
            start = line + len(before.rstrip().rstrip("#").rstrip())
            self._edits.replace(self._at(start), self._at(end - 1) + 1, f" {{#{attributes['id']}}}")
        else:
            self._edits.kept.add("attr_list")
        return result

    def _markdown_element(self, begin: int, at: int, name: str) -> tuple[int, int] | None:
        found = super()._markdown_element(begin, at, name)
        if found is not None:
            self._edits.kept.add("md_in_html")
        return found

    def _abbreviation(self, position: int, start: int, end: int) -> int | None:
        found = super()._abbreviation(position, start, end)
        if found is not None:
            self._edits.kept.add("abbr")
        return found

    def _include_line(self, position: int, end: int) -> int | None:
        found = super()._include_line(position, end)
        if found is not None:
            self._edits.kept |= self._extensions & {"snippets", "mdbook", "vitepress"}
        return found
