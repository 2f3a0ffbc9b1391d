"""Terms that a page explains: the first use of each becomes a button that opens what it means.

Buttons and popovers are the browser's own, so this works by key, by touch and without script; Escape closes it.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping

from octavo.content.document import SLOT, Term
from octavo.lazy import regex as re

_PIECE = re.compile(rf"(<!--.*?-->|<[a-zA-Z/](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|{SLOT}[^{SLOT}]*{SLOT})", re.DOTALL)
"""What is not text: a comment, a tag, a slot."""
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
"""Elements in which no term is marked: links and controls hold no others, and names and code are not prose."""


_CODE = re.compile(r"`([^`]+)`")


def terms_of(path: str, terms: Mapping[str, str | Term]) -> dict[str, Term]:
    """Choose the terms that the page of a source marks; `path` is from the site's folder."""
    whole = {name: term if isinstance(term, Term) else Term(term) for name, term in terms.items()}
    return {name: term for name, term in whole.items() if name.strip() and term.is_marked and _covers(term, path)}


def _covers(term: Term, path: str) -> bool:
    own_page = term.href.partition("#")[0].strip("/")
    if own_page and f"/{path.rpartition('.')[0]}".removesuffix("/index").endswith(f"/{own_page}"):
        return False
    return not term.folders or any(path.startswith(f"{folder.rstrip('/')}/") for folder in term.folders)


class Glossary:
    """The terms of one page."""

    def __init__(self, terms: Mapping[str, Term], link: Callable[[str], str]) -> None:
        """Initialize.

        Args:
            terms: Term → what it means. One without capitals is also found with a capital in front.
            link: Gives the address, as it is written into the page, of what a term names as its `href`.
        """
        self._meanings = terms
        self._link = link
        words = {word: name for name, term in terms.items() for word in (*term.also, name)}
        forms = {form: name for word, name in words.items() for form in _forms(word)}
        self._terms = {html.escape(form, quote=False): name for form, name in forms.items()}
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
            return (
                f'<button type="button" class="term" popovertarget="octavo-term-{number}">{found[0]}</button>'
                f'<span popover class="term-meaning" id="octavo-term-{number}">{self._meaning(term)}</span>'
            )

        return button

    def _meaning(self, name: str) -> str:
        term = self._meanings[name]
        text = _CODE.sub(r"<code>\1</code>", html.escape(term.definition, quote=False))
        if not term.href:
            return text
        return f'<a href="{self._link(term.href)}">{html.escape(name, quote=False)}</a>: {text}'


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
