"""HTML that a program has shown: known elements with harmless attributes, balanced; what runs or has no place is left out."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape, unescape
from typing import NamedTuple

from octavo.lazy import regex as re

_TAG = re.compile(r"""<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]*)(?P<rest>(?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
_ATTRIBUTE = re.compile(r"""(?<![\w-])([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_INLINE = frozenset(
    ["a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "strong",
     "sub", "sup", "tt", "u", "var", "ruby", "rt", "rp"]
)  # fmt: skip
_BLOCKS = frozenset(
    ["p", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
     "details", "summary", "figure", "figcaption", "div", "h1", "h2", "h3", "h4", "h5", "h6"]
)  # fmt: skip
_BOXES = {
    "section": "div",
    "article": "div",
    "center": "div",
    "header": "div",
    "footer": "div",
    "main": "div",
    "strike": "s",
}
_VOID = frozenset(["br", "hr", "img", "iframe"])
_QUIET = frozenset(
    ["span", "font", "html", "body", "colgroup", "col", "wbr", "label", "nobr", "marquee", "progress", "meter", "big", "head", "meta", "link", "fieldset", "form", "noscript"]
)  # fmt: skip
"""Elements of which the content is shown and the tags are not; nothing is lost with them."""
_HIDDEN = frozenset(["style", "template", "title"])
"""Elements that are left out with their content: readers would not have seen it."""
_LEFT_OUT = frozenset(["script", "svg", "object", "embed", "applet", "video", "audio", "canvas", "math", "select", "textarea", "button"])  # fmt: skip
"""Elements that are left out with their content, which is reported."""
_WITHIN = {
    "li": ("ul", "ol"),
    **dict.fromkeys(("thead", "tbody", "tfoot", "caption"), ("table",)),
    "tr": ("table", "thead", "tbody", "tfoot"),
    **dict.fromkeys(("td", "th"), ("tr",)),
    **dict.fromkeys(("dt", "dd"), ("dl",)),
    "summary": ("details",),
}
_NUMBERS = ("colspan", "rowspan", "width", "height")
_KEPT = {
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "a": ("href", "title"),
    "img": ("src", "alt", "width", "height", "title"),
    "iframe": ("src", "title", "width", "height"),
    "abbr": ("title",),
    "ol": ("start",),
}
_SAFE = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
_SAFE_PICTURE = re.compile(r"(?:https?://|data:image/(?:png|jpe?g|gif|webp);base64,)", re.IGNORECASE)
_MARKS = {ord(mark): f"&#{ord(mark)};" for mark in "`{}$[]\\*_~^=+!@|"}
"""Signs that mean something to Markdown or to one of its extensions."""
_DEEPEST = 60


class Shown(NamedTuple):
    """HTML that may be part of a page."""

    html: str
    """One line without white space that matters; empty where nothing can be seen."""
    left_out: list[str]
    """Names of the elements that are missing."""


def shown_html(text: str) -> Shown:
    """Give of a text in HTML what a page may show."""
    writer = _Writer()
    position = 0
    last_comment = text.rfind("-->")
    while (start := text.find("<", position)) >= 0:
        if text.startswith("<!--", start) and start < last_comment:
            writer.text(text[position:start])
            position = text.find("-->", start) + 3
            continue
        match = _TAG.match(text, start)
        if match is None:
            writer.text(text[position : start + 1])
            position = start + 1
            continue
        writer.text(text[position:start])
        name = match["name"].lower()
        position = match.end()
        if name in _HIDDEN or name in _LEFT_OUT:
            if not match["end"] and not match["rest"].rstrip().endswith("/") and name != "embed":
                position = _end_of(text, name, position)
            if name in _LEFT_OUT and not match["end"]:
                writer.left_out.append(name)
        elif match["end"]:
            writer.close(_BOXES.get(name, name))
        else:
            writer.open(_BOXES.get(name, name), dict(_attributes(match["rest"])))
    writer.text(text[position:])
    writer.close_to(0)
    return Shown("".join(writer.parts).strip() if writer.has_content else "", list(dict.fromkeys(writer.left_out)))


def _end_of(text: str, name: str, position: int) -> int:
    """Find the end of an element whose content is left out; the end of the text where it has none."""
    found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, position)
    return found.end() if found else len(text)


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for match in _ATTRIBUTE.finditer(text):
        yield match[1].lower(), unescape(next((one for one in match.groups()[1:] if one is not None), ""))


class _Writer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.left_out: list[str] = []
        self.has_content = False
        self._open: list[str] = []

    def text(self, text: str) -> None:
        if not text:
            return
        shown = escape(unescape(text), quote=False).translate(_MARKS)
        shown = shown.replace("\n", "&#10;") if "pre" in self._open else re.sub(r"\s+", " ", shown)
        self.has_content = self.has_content or bool(shown.strip())
        # White space between the rows of a table is none of it.
        if shown.strip() or (self._open and self._open[-1] not in ("table", "thead", "tbody", "tr", "ul", "ol")):
            self.parts.append(shown)

    def open(self, name: str, attributes: dict[str, str]) -> None:
        if name in _VOID:
            self._void(name, attributes)
            return
        if name not in _INLINE and name not in _BLOCKS:
            if name not in _QUIET:
                self.left_out.append(name)
            return
        if within := _WITHIN.get(name):
            kin = {"ul", "ol", "dl", "details", "table", *within}
            found = next((at for at in range(len(self._open) - 1, -1, -1) if self._open[at] in kin), -1)
            if found < 0 or self._open[found] not in within:
                return
            self.close_to(found + 1)
        elif name in _BLOCKS and self._open and self._open[-1] in ("p", "summary"):
            self.close_to(len(self._open) - 1)
        if len(self._open) >= _DEEPEST:
            return
        if name == "a" and ("a" in self._open or not _SAFE.match(attributes.get("href", ""))):
            if attributes.get("href"):
                self.left_out.append("a")  # the link; its text is shown
            return
        self._open.append(name)
        self.parts.append(f"<{name}{_written(name, attributes)}>")

    def _void(self, name: str, attributes: dict[str, str]) -> None:
        if name == "iframe" and attributes.get("src", "").startswith("https://"):
            self.has_content = True
            self.parts.append(f"<iframe{_written(name, attributes)}></iframe>")
        elif name not in ("img", "iframe"):
            self.parts.append(f"<{name}>")
        elif name == "img" and _SAFE_PICTURE.match(attributes.get("src", "")):
            self.has_content = True
            self.parts.append(f"<img{_written(name, {'alt': '', **attributes})}>")
        else:
            self.left_out.append(name)

    def close(self, name: str) -> None:
        if name in self._open:
            self.close_to(len(self._open) - 1 - self._open[::-1].index(name))

    def close_to(self, height: int) -> None:
        while len(self._open) > height:
            self.parts.append(f"</{self._open.pop()}>")


def _written(name: str, attributes: dict[str, str]) -> str:
    kept = ((key, attributes[key]) for key in _KEPT.get(name, ()) if key in attributes)
    return "".join(
        f' {key}="{escape(" ".join(value.split()))}"' for key, value in kept if key not in _NUMBERS or value.isdigit()
    )
