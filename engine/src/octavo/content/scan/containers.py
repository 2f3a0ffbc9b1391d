"""Containers: the components and admonitions that are open while a text is scanned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from octavo.content.attributes import parse_attributes
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.jsx import Tag
from octavo.content.scan.nodes import AdjacentTabs, Admonition, Element, Markup, Node, Value
from octavo.lazy import regex as re

_COMPONENT = re.compile(r"<([A-Z][\w.]*)")
_FRAGMENT_TAG = re.compile(r"\A<>|</>\Z")
_LINE = re.compile(r"[ \t]*(?P<text>[^\n]*?)[ \t]*(?P<end>\n|\Z)")

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

MAX_OPEN = 32
"""Components open at once; more deeply nested ones stay text."""

_TITLE_ATTRIBUTES = re.compile(r"\{([^{}]*)\}\s*\Z")


class Container:
    """A container whose end has not come yet."""

    __slots__ = (
        "anchor",
        "attributes",
        "buffer",
        "fence",
        "finish",
        "group",
        "has_end",
        "is_html",
        "lists",
        "name",
        "nested",
        "offset",
        "tabs",
        "title",
    )

    def __init__(self, name: str, offset: int, buffer: Buffer, *, fence: str = "") -> None:
        self.name = name
        """Of the component, or the kind of the admonition."""
        self.fence = fence
        """The marks around it, such as `:::`; empty for a component."""
        self.offset = offset
        """Of its opening, in characters of the file."""
        self.buffer = buffer
        self.attributes: dict[str, Any] = {}
        self.title: Fragment | None = None
        self.anchor: str | None = None
        self.lists: list[tuple[int, int]] = []
        """Open list items: (column of the marker, column of the content)."""
        self.finish: Callable[[Container, Fragment], Node | None] | None = None
        """Makes the node of its body, where it is neither component nor admonition; None has left one already."""
        self.group: TabGroup | None = None
        """The last tabs in it."""
        self.has_end: bool | None = None
        """Whether a line closes it, where it is a block of colons; None while nobody has asked."""
        self.is_html = False
        """It is an HTML element that holds Markdown."""
        self.nested = 0
        """Elements of its own name that are open in it, where it is an HTML element."""
        self.tabs: list[str] = []
        """Values of the tabs that were opened in it so far, where it is a group of tabs of another engine."""

    def shown(self) -> str:
        """The opening as its author wrote it, for messages."""
        return f"{self.fence}{' ' * self.fence.startswith('/')}{self.name}" if self.fence else f"<{self.name}>"


class TabGroup(NamedTuple):
    """Tabs to which others may be added while nothing else is between them."""

    items: list[Element]
    mark: int
    """Where the container's buffer was after the first."""
    column: int
    """Where they begin."""


class Containers:
    """The stack of open containers, and what is said about those that are never closed."""

    def __init__(self, fragment: Fragment, scope: Scope, context: CompileContext) -> None:
        self.fragment = fragment
        self.scope = scope
        self.context = context
        self.open = [Container("", fragment.origin(0), Buffer(fragment))]
        self.inline: list[tuple[str, int, int]] = []
        """Components open inside a line: (name, number of the node, offset in the file)."""
        self._said_too_deep = False

    @property
    def top(self) -> Container:
        """The innermost container; the file itself where nothing is open."""
        return self.open[-1]

    def add(self, node: Node) -> int:
        """Keep a node and give its number."""
        self.scope.nodes.append(node)
        return len(self.scope.nodes) - 1

    def report(self, level: Any, code: str, message: str, offset: int, *, suggestion: str = "") -> None:
        """Record a problem; `offset` counts characters of the file."""
        self.context.report(level, code, message, self.fragment.source, offset, suggestion=suggestion)

    def with_markup(self, tag: Tag, known: frozenset[str]) -> Tag:
        """Give a tag of a component in React the elements among its attributes, if all components in them are known."""
        attributes: dict[str, Any] = {}
        for name, (_, start, end) in tag.elements.items():
            text = self.fragment.text[start:end]
            if not all(used in known or used in self.scope.imports for used in _COMPONENT.findall(text)):
                continue
            buffer = Buffer(self.fragment)
            for line in _LINE.finditer(_FRAGMENT_TAG.sub(lambda match: " " * len(match[0]), text)):
                buffer.write(line["text"] + " " * bool(line["end"]), self.fragment.origin(start + line.start("text")))
            attributes[name] = Markup(buffer.fragment(is_contained=True))
        read = {tag.elements[name][0] for name in attributes}
        bad = [one for one in tag.bad if one.offset not in read]
        return msgspec.structs.replace(tag, attributes=tag.attributes | attributes, bad=bad) if attributes else tag

    def report_repeated(self, tag: Tag) -> None:
        """Report attributes that a tag has more than once: one of the values would be lost in silence."""
        for name, at in tag.repeated.items():
            message = f'"{name}" is given more than once in "<{tag.name}>"; the last value counts.'
            offset = self.fragment.origin(at)
            self.report("warn", "malformed-tag", message, offset, suggestion="Remove all but one of them.")

    def has_room(self, shown: str, offset: int) -> bool:
        """Whether one more container may be opened; says so once where it may not."""
        if len(self.open) <= MAX_OPEN:
            return True
        if not self._said_too_deep:
            self._said_too_deep = True
            message = f'"{shown}" is inside more than {MAX_OPEN} open components; it is taken as text.'
            self.report("error", "too-deep", message, offset)
        return False

    def check_title(self, shown: str, title: str, offset: int) -> None:
        """Report the title of an admonition whose bracket has no end: it would be shown with the bracket."""
        if title.startswith("[") and "]" not in title:
            message = f'The title of "{shown}" has no end: readers see its bracket.'
            self.report("warn", "stray-mark", message, offset, suggestion=f'Write "{shown}{title}]".')

    def take_attributes(self, container: Container, line: TitleLine, offset: int) -> None:
        """Note the attributes of a block of colons, and report those that have no effect.

        Args:
            container: The block, with `finish` where it is not an admonition.
            line: What follows its keyword.
            offset: Of that text, in characters of the file.
        """
        container.anchor = line.attributes.get("id")
        known = {"id"} if container.finish is not None else {"id", "class", "icon"}
        container.attributes = {name: value for name, value in line.attributes.items() if name in known}
        lost = [f'"{name}"' for name in line.attributes if name not in known]
        if lost or (line.braces and not line.attributes):
            shown = f"{', '.join(lost)} in {line.braces}" if lost else line.braces
            self.report(
                "warn",
                "foreign-syntax",
                f'{shown} after "{container.shown()}" has no effect.',
                offset,
                suggestion=(f"Known are {', '.join(sorted(known))}." if len(known) > 1 else 'Only "{#id}" is known.'),
            )

    def close_top(self) -> None:
        """Close the innermost container and leave a placeholder in the one around it."""
        closed = self.open.pop()
        # Between slashes indentation means code, as it does in Python-Markdown.
        body = closed.buffer.fragment(is_contained=not closed.fence.startswith("/"))
        node: Node | None
        if closed.finish is not None:
            node = closed.finish(closed, body)
            if node is None:
                return
        elif closed.fence:
            given = closed.attributes
            node = Admonition(
                closed.name,
                closed.title,
                closed.anchor,
                closed.offset,
                body,
                classes=given.get("class", ""),
                icon=given.get("icon", ""),
            )
        else:
            is_tight = "\n" not in body.text.strip()
            node = Element(closed.name, closed.attributes, closed.offset, body, is_tight)
        self.top.buffer.write_node(self.add(node), closed.offset)

    def add_tab(self, item: Element, column: int, *, is_first: bool) -> None:
        """Add a tab to the group right before it, or begin one at the end of what was written."""
        top = self.top
        group = top.group
        if group and not is_first and group.column == column and top.buffer.is_blank_since(group.mark):
            group.items.append(item)
            if top.buffer.tail:
                top.buffer.write("\n", item.offset)
            return
        items = [item]
        top.buffer.write_node(self.add(AdjacentTabs(items, item.offset)), item.offset)
        top.group = TabGroup(items, top.buffer.mark(), column)

    def close_down_to(self, index: int) -> None:
        """Close everything inside a container of the stack, which should have been closed already."""
        while len(self.open) - 1 > index:
            self.report_unclosed(self.top)
            self.close_top()

    def report_unclosed(self, container: Container) -> None:
        """Say that a container has no end."""
        end = container.fence or f"</{container.name}>"
        self.report(
            "error",
            "unclosed",
            f'"{container.shown()}" is never closed.',
            container.offset,
            suggestion=f'Close it with a line "{end}".' if container.fence else f'Close it with "{end}".',
        )

    def report_open_inline(self, keep: int = 0) -> None:
        """Say that components inside a line were not closed in their paragraph; they draw nothing."""
        while len(self.inline) > keep:
            name, number, offset = self.inline.pop()
            self.scope.nodes[number] = Value("")
            self.report(
                "error", "unclosed", f'"<{name}>" is never closed.', offset, suggestion=f'Close it with "</{name}>".'
            )


class TitleLine(NamedTuple):
    """What follows the keyword of an admonition."""

    title: str
    offset: int
    """Of the title, in the text that was read."""
    attributes: Mapping[str, str]
    """From `{#id .class icon="rocket"}` after it."""
    braces: str
    """These attributes as they are written."""


def split_title(text: str) -> TitleLine:
    """Read what follows the keyword of an admonition: a title, in brackets or bare, and attributes in braces."""
    attributes: dict[str, str] = {}
    braces = ""
    if found := _TITLE_ATTRIBUTES.search(text):
        before = text[: found.start()].rstrip()
        given = parse_attributes(text, found.start())
        attributes = given[0] if given and (not before or before.endswith("]") or "id" in given[0]) else {}
        if attributes or before.endswith("]"):
            text, braces = text[: found.start()], found[0].rstrip()
    stripped = text.strip()
    offset = len(text) - len(text.lstrip())
    if stripped.startswith("[") and stripped.endswith("]"):
        inner = stripped[1:-1]
        return TitleLine(inner.strip(), offset + 1 + len(inner) - len(inner.lstrip()), attributes, braces)
    if not stripped and (title := attributes.pop("title", "")):
        return TitleLine(title, len(text) + braces.find(title), attributes, braces if attributes else "")
    return TitleLine(stripped, offset, attributes, braces)
