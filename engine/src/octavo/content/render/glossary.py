"""Terms that a page explains: the first use of each becomes a button that opens what it means.

Buttons and popovers are the browser's own, so this works by key, by touch and without script; Escape closes it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

from octavo.content.document import SLOT

_PIECE = re.compile(rf"(<!--.*?-->|<[a-zA-Z/](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|{SLOT}[^{SLOT}]*{SLOT})", re.DOTALL)
"""What is no text: a comment, a tag, a slot."""
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]*)")
_WITHOUT_TERMS = frozenset(
    [
        "a",
        "abbr",
        "audio",
        "button",
        "canvas",
        "code",
        "dfn",
        "dt",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "iframe",
        "kbd",
        "label",
        "math",
        "object",
        "option",
        "pre",
        "samp",
        "script",
        "select",
        "style",
        "summary",
        "svg",
        "template",
        "textarea",
        "title",
        "var",
        "video",
    ]
)
"""Elements in which no term is marked: links and controls hold no others, and names and code are no prose."""


class Glossary:
    """The terms of one page."""

    def __init__(self, terms: Mapping[str, str]) -> None:
        """Prepare.

        Args:
            terms: Term → what it means, both plain text. A term without capitals is also found with one in front.
        """
        self._meanings = {term: meaning for term, meaning in terms.items() if term.strip()}
        forms = {form: term for term in self._meanings for form in _forms(term)}
        self._terms = {html.escape(form, quote=False): term for form, term in forms.items()}
        longest_first = sorted(self._terms, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])")
        self._seen: dict[str, int] = {}

    def mark(self, body: str) -> str:
        """Mark the terms of a piece of HTML that have not been used before on this page."""
        if not self._terms:
            return body
        pieces = _PIECE.split(body)
        closed_off: list[str] = []
        """Elements without terms that are open here."""
        for index, piece in enumerate(pieces):
            if index % 2:
                _follow(piece, closed_off)
            elif piece and not closed_off:
                pieces[index] = self._pattern.sub(self._button, piece)
        return "".join(pieces)

    @property
    def _button(self) -> Callable[[re.Match[str]], str]:
        def button(found: re.Match[str]) -> str:
            term = self._terms[found[0]]
            if term in self._seen:
                return found[0]
            number = self._seen[term] = len(self._seen) + 1
            meaning = html.escape(self._meanings[term], quote=False)
            return (
                f'<button type="button" class="term" popovertarget="octavo-term-{number}">{found[0]}</button>'
                f'<span popover class="term-meaning" id="octavo-term-{number}">{meaning}</span>'
            )

        return button


def _follow(piece: str, closed_off: list[str]) -> None:
    """Note the start or the end of an element without terms."""
    name = _NAME.match(piece)
    if name is None or (tag := name[1].lower()) not in _WITHOUT_TERMS or piece.endswith("/>"):
        return
    if not piece.startswith("</"):
        closed_off.append(tag)
    elif tag in closed_off:
        while closed_off.pop() != tag:
            pass


def _forms(term: str) -> list[str]:
    return [term, term[0].upper() + term[1:]] if term == term.lower() else [term]
