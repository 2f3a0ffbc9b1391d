"""Footnotes: numbered in order of use, printed at the end of the page, with named ways back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.escape import escape_attribute
from octavo.content.slugger import Slugger
from octavo.words import fill_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from octavo.content.document import TextChunk
    from octavo.content.source import DocumentText

_Key = tuple[str, str]
"""Path of the file and label as typed."""


class Footnotes:
    """The footnotes of a page. A label belongs to its file."""

    __slots__ = ("_chunks", "_html", "_ids", "_places", "_slugger", "_uses", "_words")

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        self._slugger = Slugger()
        self._ids: dict[_Key, str] = {}
        """In order of first use."""
        self._uses: dict[_Key, int] = {}
        self._html: dict[_Key, str] = {}
        self._chunks: dict[_Key, list[TextChunk]] = {}
        self._places: dict[_Key, tuple[DocumentText, int]] = {}
        """Where each is defined: file, and offset in characters."""

    def _word(self, key: str, number: int | str) -> str:
        return escape_attribute(fill_word(self._words[key], number=number))

    def refer(self, source: DocumentText, label: str) -> str:
        """Count a use of a footnote and draw its number."""
        key = (source.path, label)
        if key not in self._ids:
            self._ids[key] = self._slugger.slug(label) or self._slugger.unique("note")
        self._uses[key] = use = self._uses.get(key, 0) + 1
        number = list(self._ids).index(key) + 1 if use > 1 else len(self._ids)
        name = escape_attribute(self._ids[key])
        return (
            f'<sup class="footnote-ref"><a href="#fn-{name}" id="{_reference_id(name, use)}"'
            f' aria-label="{self._word("footnote", number)}">{number}</a></sup>'
        )

    def define(self, source: DocumentText, label: str, html: str, chunks: list[TextChunk], offset: int) -> bool:
        """Take in the content and the text of a footnote.

        Args:
            source: The file that defines it.
            label: As typed.
            html: Its content.
            chunks: The text of its content.
            offset: Of its definition, in characters of the file.

        Returns:
            False for another definition of a label, which is ignored.
        """
        if self._places.get((source.path, label), (source, offset))[1] != offset:
            return False
        self._places.setdefault((source.path, label), (source, offset))
        self._html.setdefault((source.path, label), html)
        self._chunks.setdefault((source.path, label), chunks)
        return True

    def chunks(self) -> list[TextChunk]:
        """The text of the footnotes that the page uses."""
        return [chunk for key in self._ids for chunk in self._chunks.get(key, ())]

    def unused(self) -> list[tuple[str, DocumentText, int]]:
        """Footnotes that are defined and nowhere referred to, so that nobody sees them: label, file and offset."""
        return [(key[1], *place) for key, place in self._places.items() if key not in self._ids]

    def anchors(self) -> list[str]:
        """Every id that the footnotes bring to the page."""
        ids = [f"fn-{name}" for name in self._ids.values()]
        for key, name in self._ids.items():
            ids.extend(_reference_id(name, use) for use in range(1, self._uses[key] + 1))
        return ids

    def render(self) -> str:
        """Draw the section at the end of the page; nothing where no footnote is used."""
        if not self._ids:
            return ""
        items = "".join(self._item(key, number) for number, key in enumerate(self._ids, 1))
        return f'<section class="footnotes" aria-label="{escape_attribute(self._words["footnotes"])}"><ol>{items}</ol></section>'

    def _item(self, key: _Key, number: int) -> str:
        name = escape_attribute(self._ids[key])
        uses = self._uses[key]
        back = " ".join(
            f'<a class="footnote-backref" href="#{_reference_id(name, use)}" aria-label="'
            f'{self._word("footnote.back", number if uses == 1 else f"{number}-{use}")}">↩</a>'
            for use in range(1, uses + 1)
        )
        html = self._html.get(key, "")
        head, closing, tail = html.rpartition("</p>")
        body = f"{head} {back}</p>" if closing and not tail.strip() else f"{html}<p>{back}</p>"
        return f'<li id="fn-{name}">{body}</li>'


def _reference_id(name: str, use: int) -> str:
    return f"fnref-{name}" if use == 1 else f"fnref-{name}-{use}"
