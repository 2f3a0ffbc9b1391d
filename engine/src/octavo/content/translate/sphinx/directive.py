"""`Directive`: a directive as it is written, and what takes its place."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from octavo.content.translate.sphinx.options import Options
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

Translate = Callable[[str], str]
Report = Callable[[str], None]


class Directive(msgspec.Struct):
    """A directive as it is written in a page."""

    name: str
    argument: str
    options: Options = msgspec.field(default_factory=Options)
    body: str = ""
    line: int = 1
    """Line of the file in which the body begins."""

    def option(self, *names: str) -> str:
        """Give the first of these options that is there; all of them count as asked for."""
        return next(iter([self.options[name] for name in names if name in self.options]), "")

    @property
    def anchor(self) -> str:
        """Id by which references find it, made of its name as docutils does."""
        return re.sub(r"[^a-z0-9]+", "-", self.option("label", "name").lower()).strip("-")


CARDS = frozenset(["card", "grid-item-card"])
"""Directives whose text may have a head and a foot."""
PART_OF_CARD = re.compile(r"[ \t>]*(?:\^{3,}|\+{3,})[ \t]*")
"""The line between the head and the text of a card, or the text and the foot."""


class Rewritten(msgspec.Struct, frozen=True):
    """What takes the place of a directive."""

    opening: str = ""
    closing: str = ""
    takes_body: bool = False
    """`opening` replaces the body as well; otherwise the body is Markdown between the two."""


Draw = Callable[[Directive, Surroundings, Translate, Report], Rewritten]


_MANUAL = re.compile(r"(?P<page>[^\s()]+?)(?:\((?P<number>[0-9n]\w*)\)|\.(?P<section>[0-9]\w*))")


def manual_page(text: str, address: str) -> str:
    """Give the address of a page of the manual, `ls(1)` or `ls.1`; empty where there is none.

    Args:
        text: What the role holds.
        address: With `{page}`, `{section}` and `{path}`, as `manpages_url` of Sphinx has it.
    """
    found = _MANUAL.fullmatch(text.strip())
    if not address or found is None:
        return ""
    section = found["number"] or found["section"]
    parts = {"{page}": found["page"], "{section}": section, "{path}": f"{found['page']}.{section}"}
    for mark, value in parts.items():
        address = address.replace(mark, value)
    return address


def without_number(text: str, named: str) -> str:
    """Write the text of a reference by number, `Fig. %s: {name}`: figures and tables have no numbers here.

    Args:
        text: As it is written.
        named: The title of what it refers to.
    """
    return text.replace("%s", "").replace("{number}", "").replace("{name}", named).strip() or named
