"""Descriptions: CommonMark of unknown origin, drawn without any HTML of its own."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any

import pyromark

from octavo.content import alert_tags, find_addresses, inline_code, parse_info, render_fence

# Of GitHub's Markdown the parser knows alerts, tables and struck text each by a name of their own.
_OPTIONS = pyromark.Options.ENABLE_GFM | pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
_SAFE_HREF = re.compile(r"(?:https?://|mailto:|#)[^\s\"<>\\]*", re.IGNORECASE)
_PLAIN_TAGS = {
    "Paragraph": "p",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "s",
    "Item": "li",
    "TableRow": "tr",
    "TableCell": "td",
}
_WITHIN_WORDS = ("Emphasis", "Strong", "Strikethrough", "Link")
"""Elements whose end separates no words."""


@lru_cache(maxsize=4096)
def render_text(markdown: str) -> str:
    """Draw a description. HTML in it is shown as text, and only links to the web, mail and this page are links."""
    if not markdown.strip():
        return ""
    events = pyromark.events(markdown.replace("\x00", "�"), options=_OPTIONS)
    return _Writer().write(events)


@lru_cache(maxsize=4096)
def plain_text(markdown: str) -> str:
    """Give the words of a description, in one line."""
    words: list[str] = []
    for event in pyromark.events(markdown.replace("\x00", "�"), options=_OPTIONS):
        if isinstance(event, dict):
            is_end = "End" in event and event["End"] not in _WITHIN_WORDS
            words.append(str(event.get("Text") or event.get("Code") or (" " if is_end else "")))
        elif event in ("SoftBreak", "HardBreak"):
            words.append(" ")
    return " ".join("".join(words).split())


class _Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._ends: list[str] = []
        self._code: list[str] | None = None
        self._words: list[str] = []
        """Text that the parser gives in pieces, such as an address with marks in it."""
        self._links = 0
        """Links that are open."""
        self._language = ""

    def write(self, events: Any) -> str:
        for event in events:
            if self._code is None and isinstance(event, dict) and "Text" in event:
                self._words.append(event["Text"])
                continue
            self._flush()
            if isinstance(event, str):
                self._parts.append({"SoftBreak": "\n", "HardBreak": "<br>", "Rule": "<hr>"}.get(event, ""))
                continue
            ((kind, value),) = event.items()
            if kind == "Start":
                self._start(value)
            elif kind == "End":
                self._end(value)
            elif kind == "Code":
                self._parts.append(inline_code(value))
            elif self._code is not None:
                self._code.append(str(value))
            elif isinstance(value, str):
                # Text, and HTML as text.
                self._parts.append(escape(value, quote=False))
        self._flush()
        return "".join(self._parts).strip()

    def _flush(self) -> None:
        """Write the text that has been collected; addresses in it are links, unless they are in one."""
        text, position = "".join(self._words), 0
        self._words.clear()
        for start, end, href in find_addresses(text) if "://" in text and not self._links else ():
            if _SAFE_HREF.fullmatch(href):
                self._parts.append(escape(text[position:start], quote=False))
                self._parts.append(f'<a href="{escape(href)}">{escape(text[start:end], quote=False)}</a>')
                position = end
        self._parts.append(escape(text[position:], quote=False))

    def _start(self, value: Any) -> None:
        name, detail = next(iter(value.items())) if isinstance(value, dict) else (value, None)
        if name == "CodeBlock":
            self._code = []
            self._language = detail.get("Fenced", "") if isinstance(detail, dict) else ""
            return
        start, end = self._tags(name, detail)
        self._links += name in ("Link", "Image")
        self._parts.append(start)
        self._ends.append(end)

    def _tags(self, name: str, detail: Any) -> tuple[str, str]:
        if name in _PLAIN_TAGS:
            return f"<{_PLAIN_TAGS[name]}>", f"</{_PLAIN_TAGS[name]}>"
        if name == "Heading":
            # Not a heading of the page: its level would not fit the page's outline.
            return "<p><strong>", "</strong></p>"
        if name == "BlockQuote":
            return alert_tags(detail.lower()) if detail else ("<blockquote>", "</blockquote>")
        if name == "List":
            return ("<ul>", "</ul>") if detail is None else (f'<ol start="{int(detail)}">', "</ol>")
        if name == "Table":
            return '<div class="table-wrap" tabindex="0"><table>', "</table></div>"
        if name == "TableHead":
            return "<tr>", "</tr>"
        if name == "Link" and _SAFE_HREF.fullmatch(detail["dest_url"]):
            return f'<a href="{escape(detail["dest_url"])}">', "</a>"
        return "", ""

    def _end(self, value: Any) -> None:
        name = next(iter(value)) if isinstance(value, dict) else value
        if name == "CodeBlock":
            self._parts.append(code_block("".join(self._code or []), self._language))
            self._code = None
        else:
            self._links -= name in ("Link", "Image")
            self._parts.append(self._ends.pop() if self._ends else "")


def code_block(code: str, language: str) -> str:
    """Draw a block of code as the pages' own blocks are drawn."""
    info = parse_info(language.split(" ", 1)[0])
    return render_fence(info, code.removesuffix("\n"), {})[0]
