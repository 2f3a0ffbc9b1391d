"""HTML that authors write themselves: kept as it is, but for its links, images, ids and comments."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from octavo.content.audit.attributes import misspelt_attribute
from octavo.content.escape import escape, escape_attribute
from octavo.content.html_names import (
    VOID,
    is_element,
    is_external,
    needs_end_tag,
    refresh_address,
    refresh_finding,
    refresh_tag,
    split_sources,
    written_as,
)
from octavo.content.source import MARK_OPEN
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_TAG = re.compile(r"""<(/?)([A-Za-z][\w:.-]*)((?:[^<>"']++|"[^"]*+"|'[^']*+')*)>""")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_BARE_END = re.compile(r"=[ \t\n]*[^\s\"'=<>`]+/>\Z")
"""A value without quotation marks at the end of a tag: a slash there belongs to it."""
_VERBATIM = frozenset({"script", "style"})
_SHOWN_FILES = frozenset({"img", "source", "video", "audio"})
_OPTIONAL_END = frozenset(
    ["body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p", "rp", "rt", "tbody", "td",
     "tfoot", "th", "thead", "tr"]
)  # fmt: skip
"""Elements that HTML closes by itself."""
_OLD_NAMES = frozenset("BIQSU")
"""Elements of one letter, as programs that make references wrote them once."""
_OF_PAGES = frozenset({"html", "head", "body", "base", "frameset"})
"""Elements that a page has once, around its content or above it."""
_OF_HEADS = frozenset({"link", "meta", "title"})
_WITHIN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"), ("table",)),
    "source": ("video", "audio", "picture"),
    "track": ("video", "audio"),
    "param": ("object",),
    "frame": ("frameset",),
    "area": ("map",),
}
"""Element → those in one of which it must be for browsers to take it."""
_TABLE = ("table",)
TABLE_START, TABLE_END = '<div class="table-wrap" tabindex="0">', "</div>"
"""Around a table that is in no other one, as around those of Markdown: it scrolls where it is wider than the page."""
_LONGEST_PAIR = 500
_MAX_BROKEN = 50
"""Angle brackets that do not start a tag, after which the rest of a piece is taken as it is: keeps hostile input cheap."""
_OF_NOTEBOOK = re.compile(r"\.ipynb/[\w-]*-(?P<cell>\d+)-\d+\.\w+\Z")
"""Address of a picture that a cell has shown, see `notebooks.pictures`."""
_LIFTED = f"<?{MARK_OPEN}"


_MOST_OPEN = 500
"""Elements that an end tag is looked for in; more are open only where many have no end, which is reported."""


class RawHtml:
    """Rewrites the raw HTML of one fragment."""

    __slots__ = ("_capitals", "_context", "_fragment", "_sends_on", "open")

    def __init__(self, context: CompileContext, fragment: Fragment) -> None:
        self._context = context
        self._fragment = fragment
        self.open: list[tuple[str, int]] = []
        """Elements that have no end tag yet: (name, offset in the file)."""
        self._capitals: set[str] = set()
        self._sends_on = False
        """The piece that is rewritten sends readers on to another page."""

    def rewrite(self, text: str, locate: Callable[[int], int], draw_text: Callable[[str], str]) -> str:
        """Rewrite a piece of HTML.

        Args:
            text: As the author wrote it.
            locate: Offset in `text` → offset in the file, in characters.
            draw_text: Draws the text between tags. Not kept: it belongs to a renderer, which keeps this, and while a build
                runs nobody collects such circles.
        """
        out: list[str] = []
        position = broken = 0
        sent = refresh_tag(text)
        self._sends_on = sent is not None and bool(refresh_address(html.unescape(sent["content"])))
        while (start := text.find("<", position)) >= 0 and broken < _MAX_BROKEN:
            out.append(draw_text(text[position:start]))
            if text.startswith("<!--", start):
                end = text.find("-->", start + 4)
                if end < 0:
                    message = "This comment is never closed: everything behind it is hidden."
                    self._report("unclosed-comment", message, locate(start), 'Close it with "-->".')
                position = len(text) if end < 0 else end + 3
                continue
            if text.startswith(_LIFTED, start):
                position = text.find("?>", start) + 2
                out.append(draw_text(text[start:position]))
                continue
            match = _TAG.match(text, start)
            if match is None:
                out.append("<" if text[start + 1 : start + 2] in ("!", "/") else "&lt;")
                position, broken = start + 1, broken + 1
                continue
            if len(match[2]) == 1 and match[2] in _OLD_NAMES and self._is_paired(match, text):
                out.append(f"<{match[1]}{match[2].lower()}>")
                position = match.end()
                continue
            if match[1] and self.leaves_out_end(match[2], locate(start)):
                position = match.end()
                continue
            tag = self._tag(match, locate(start))
            position = match.end()
            ends_itself = match[0].endswith("/>") and _BARE_END.search(match[0]) is None
            is_closed = tag.endswith("/>") and ends_itself and needs_end_tag(match[2])
            name = match[2].lower()
            if name == "table" and not match[1] and not self.is_within(_TABLE):
                out.append(TABLE_START)
            out.append(f"{tag[:-2].rstrip()}></{written_as(match[2])}>" if is_closed else tag)
            is_table = name == "table" and self.is_within(_TABLE)
            if not ends_itself and is_element(match[2]):
                self._balance(name, locate(start), is_closing=bool(match[1]))
            if match[1] and is_table and not self.is_within(_TABLE):
                out.append(TABLE_END)
            if name in _VERBATIM and not match[1] and not is_closed:
                end = _find_folded(text, f"</{match[2].lower()}", position)
                out.append(draw_text(text[position:end]))
                position = end
        out.append(draw_text(text[position:]))
        return "".join(out)

    def leaves_out_end(self, name: str, offset: int) -> bool:
        """Report the end tag of an element that HTML lacks: it was meant as markup, while `<name>` may stand for a name.

        Returns:
            Whether it is left out, as browsers do: the text has no tag that begins it. A pair is shown as it is written.
        """
        if not name[0].islower() or is_element(name):
            return False
        if f"<{name}" not in self._fragment.text:
            self._stray_end(name, offset)
            return True
        message = f'HTML has no element "{name}": readers see its tags as they are written.'
        self._report("stray-mark", message, offset, "Use an element that HTML has, or put the tags into backticks.")
        return False

    def _is_paired(self, match: re.Match[str], text: str) -> bool:
        """Whether a tag with a capital for its name has its counterpart: `<B>Required</B>` is markup, `Vec<B>` is none."""
        name = match[2]
        if match[1]:
            is_open = name in self._capitals
            self._capitals.discard(name)
            return is_open
        if text.find(f"</{name}>", match.end(), match.end() + _LONGEST_PAIR) < 0:
            return False
        self._capitals.add(name)
        return True

    def _tag(self, match: re.Match[str], offset: int) -> str:
        closing, name, rest = match.groups()
        if not is_element(name):
            return escape(match[0])
        lowered = name.lower()
        tag = match[0].replace(name, written_as(name), 1)
        if not closing:
            self._check_place(lowered, rest, offset)
        if closing or "=" not in rest:
            return tag
        written = _ATTRIBUTE.findall(rest)
        # Of several values browsers take the first.
        attributes = {
            key.lower(): html.unescape(value.strip("\"'") if value else "") for key, value in reversed(written)
        }
        if len(attributes) < len(written):
            self._report_repeated(lowered, [key.lower() for key, _ in written], offset)
        if (slip := misspelt_attribute(attributes, is_component=False)) is not None:
            message = f'HTML has no attribute "{slip[0]}": it has no effect.'
            self._report("unknown-attribute", message, offset, f'Did you mean "{slip[1]}"?')
        if lowered == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            return self._sent_on(match[0], attributes.get("content", ""), offset)
        self._collect_anchors(lowered, attributes, offset)
        if lowered in ("a", "area") and "href" in attributes:
            slot = self._context.link(attributes["href"], self._fragment.source.span(offset), is_markup=False)
            return _replace(match[0], "href", slot)
        if lowered in _SHOWN_FILES:
            return self._shown_file(match[0], lowered, attributes, offset)
        return tag

    def _sent_on(self, tag: str, content: str, offset: int) -> str:
        """Write a link to the page that browsers would go on to: from another address than the author wrote it for."""
        href = refresh_address(content)
        if not href:
            return tag
        message, hint = refresh_finding('"<meta>"', href)
        self._report("foreign-syntax", message, offset, hint)
        slot = self._context.link(href, self._fragment.source.span(offset), is_markup=False)
        return f'<p><a href="{escape_attribute(slot)}">{escape(href)}</a></p>'

    def _report_repeated(self, name: str, keys: list[str], offset: int) -> None:
        repeated = next(key for index, key in enumerate(keys) if key in keys[:index])
        message = f'"{repeated}" is given more than once in "<{name}>"; browsers take the first value.'
        self._report("malformed-tag", message, offset, "Remove all but one of them.")

    def _stray_end(self, name: str, offset: int) -> None:
        self._report("stray-end", f'"</{name}>" closes nothing: no "<{name}>" is open here.', offset, "Take it out.")

    def _balance(self, name: str, offset: int, *, is_closing: bool) -> None:
        """Keep track of open elements, and report an end tag that matches none, or not the innermost one."""
        if name in VOID or name in _OPTIONAL_END:
            return
        if not is_closing:
            self.open.append((name, offset))
            return
        least = max(len(self.open) - _MOST_OPEN, 0)
        index = next((i for i in range(len(self.open) - 1, least - 1, -1) if self.open[i][0] == name), None)
        if index is None:
            if not least:
                self._stray_end(name, offset)
            return
        if index < len(self.open) - 1:
            inner = self.open[-1][0]
            message = f'"</{name}>" comes before "</{inner}>", though "<{inner}>" was opened later.'
            self._report("crossed-html", message, offset, f'Close "<{inner}>" first.')
            # The crossed end tag comes later, and is the same mistake.
            del self.open[index]
            return
        self.open.pop()

    def report_open(self) -> None:
        """Report the elements that have no end tag."""
        for name, offset in self.open:
            message = f'"<{name}>" is never closed: what follows is taken for its content.'
            self._report("unclosed-html", message, offset, f'Close it with "</{name}>".')
        self.open.clear()

    def _report(self, code: str, message: str, offset: int, suggestion: str) -> None:
        self._context.report("warn", code, message, self._fragment.source, offset, suggestion=suggestion)

    def _check_place(self, name: str, rest: str, offset: int) -> None:
        """Report a tag that browsers pass over where it is, so that readers see nothing of it."""
        hint = f"Put it into backticks if readers should see it: `<{name}>`."
        if name == "img" and "src" not in rest.lower():
            self._report("empty-link", "This image has no address.", offset, f"Give it one. {hint}")
        elif name in _OF_PAGES and self._sends_on:
            return  # around what sends readers on, which has a finding
        elif name in _OF_PAGES or (name in _OF_HEADS and not rest.strip(" /")):
            message = f'Browsers pass over "<{name}>" within a page: readers see nothing of it.'
            self._report("misplaced-html", message, offset, hint)
        elif (
            (around := _WITHIN.get(name))
            and not rest.strip(" /")
            and not self.is_within(around)
            # In MDX the element around it may be drawn elsewhere.
            and not self._fragment.source.is_mdx
        ):
            message = f'Browsers pass over "<{name}>" here: it belongs into "<{around[0]}>".'
            self._report("misplaced-html", message, offset, hint)
        elif name == "a" and "href" in rest and self.is_within(("a",)):
            message = "This link is within another one, which browsers end before it."
            self._report("misplaced-html", message, offset, 'Close the first with "</a>".')

    def is_within(self, names: Collection[str]) -> bool:
        """Whether one of these elements is open."""
        return any(name in names for name, _ in self.open)

    def _collect_anchors(self, name: str, attributes: dict[str, str], offset: int) -> None:
        if anchor := attributes.get("id"):
            if anchor in self._context.html_ids:
                message = f'The id "{anchor}" is used twice on this page: links lead to the first one.'
                self._report("duplicate-anchor", message, offset, "Give this element another id.")
            self._context.html_ids.setdefault(anchor, (self._fragment.source, self._fragment.origin(offset)))
            self._context.anchors.append(anchor)
        if name == "a" and (anchor := attributes.get("name")):
            self._context.anchors.append(anchor)

    def _shown_file(self, tag: str, name: str, attributes: dict[str, str], offset: int) -> str:
        source = self._fragment.source
        if name == "img" and "alt" not in attributes:
            report_missing_alt(self._context, self._fragment, offset, attributes.get("src", ""))
        for key in ("src", "poster"):
            href = attributes.get(key)
            if href and is_external(href):
                self._context.check_address(href, source.span(offset))
            elif href:
                has_size = name != "img" or key == "poster" or "width" in attributes or "height" in attributes
                address, size = self._context.asset(
                    href, source.span(offset), has_size=has_size, has_sources="srcset" in attributes
                )
                tag = _replace(tag, key, address)
                if not has_size:
                    end = len(tag) - (2 if tag.endswith("/>") else 1)
                    tag = f"{tag[:end].rstrip()}{size}{tag[end:]}"
        if (sources := attributes.get("srcset")) and "data:" not in sources:
            tag = _replace(
                tag, "srcset", ", ".join(self._one_of_sources(*one, offset) for one in split_sources(sources))
            )
        return tag

    def _one_of_sources(self, href: str, screens: str, offset: int) -> str:
        """Give one of the pictures of a `srcset` its address: the file, and for which screens it is."""
        if not is_external(href):
            href, _ = self._context.asset(href, self._fragment.source.span(offset), has_size=True, has_sources=True)
        return f"{href} {screens}".strip()


def report_missing_alt(context: CompileContext, fragment: Fragment, offset: int, href: str) -> None:
    """Say that a picture has no alternative text."""
    message = f'The image "{href}" has no alternative text.'
    hint = "Say in a few words what the image shows, for readers who cannot see it."
    if shown := _OF_NOTEBOOK.search(href):
        message = f"The picture that cell {shown['cell']} of the notebook shows has no alternative text."
        hint = 'Give the cell the metadata {"mystnb": {"image": {"alt": "…"}}}, and say in a few words what is seen.'
    context.report("warn", "missing-alt", message, fragment.source, offset, suggestion=hint)


def _find_folded(text: str, what: str, start: int) -> int:
    """Find a text without regard to case; the end of `text` where it is missing."""
    found = re.compile(re.escape(what), re.IGNORECASE).search(text, start)
    return found.start() if found else len(text)


def _replace(tag: str, name: str, value: str) -> str:
    """Give an attribute of a tag another value, in double quotes."""
    for match in _ATTRIBUTE.finditer(tag, 1):
        if match[1].lower() == name and match[2]:
            return f'{tag[: match.start()]}{match[1]}="{escape_attribute(value)}"{tag[match.end() :]}'
    return tag
