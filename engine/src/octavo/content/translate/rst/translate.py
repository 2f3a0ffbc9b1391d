"""`translate_rst`: a file in reStructuredText as a fragment of Markdown."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import accumulate
from typing import TYPE_CHECKING

from octavo.content.source import DocumentText, Fragment
from octavo.content.translate.output import fenced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_OWN = re.compile(r"^\.\.[ \t]+\|(?P<name>version|release|today)\|", re.MULTILINE)
_TOO_DEEP = "Lists, quotations or directives of this page are too deep in each other; its source is shown."
_NAMES = ("version", "release", "today")


def translate_rst(fragment: Fragment, context: CompileContext) -> Fragment:
    """Write a file as Markdown; each line of it knows its line in the file."""
    source = fragment.source
    if find_spec("docutils") is None:
        context.report(
            "error",
            "foreign-syntax",
            "This page is written in reStructuredText, which cannot be read without docutils; its source is shown.",
            source,
            0,
            suggestion='Install what it needs: pip install "octavo[rst]".',
        )
        return Fragment(source, fenced(fragment.text, "rst"), [0], [0])
    try:
        lines = to_lines(fragment.text, source, context, source.text.count("\n", 0, fragment.origin(0)) + 1)
    except Exception as error:  # noqa: BLE001 - docutils raises many kinds; one page must not end a build
        _report_failure(error, source, context)
        return Fragment(source, fenced(fragment.text, "rst"), [0], [0])
    offsets = list(accumulate((len(line) + 1 for line in source.text.split("\n")), initial=0))
    starts, origins, pieces, position = [], [], [], 0
    for text, number in lines:
        starts.append(position)
        origins.append(offsets[min(max(number, 1), len(offsets) - 1) - 1])
        pieces.append(f"{text}\n")
        position += len(text) + 1
    return Fragment(source, "".join(pieces), starts or [0], origins or [0])


def markdown_of(text: str, source: DocumentText, context: CompileContext, line: int) -> str | None:
    """Write a text that is in a page of another syntax as Markdown; None where docutils is not there."""
    if find_spec("docutils") is None:
        return None
    try:
        return "\n".join(one for one, _ in to_lines(text, source, context, line, is_part=True)).strip("\n")
    except Exception as error:  # noqa: BLE001 - as above
        _report_failure(error, source, context)
        return fenced(text, "rst")


def _report_failure(error: Exception, source: DocumentText, context: CompileContext) -> None:
    """Report a page that docutils cannot read."""
    fault = f"docutils fails at this page ({type(error).__name__}: {error}); its source is shown."
    context.report("error", "foreign-syntax", _TOO_DEEP if isinstance(error, RecursionError) else fault, source, 0)


def to_lines(
    text: str, source: DocumentText, context: CompileContext, base: int = 1, *, is_part: bool = False
) -> list[tuple[str, int]]:
    """Write a text as lines of Markdown, each with its line in the file.

    Args:
        text: In reStructuredText.
        source: The file that it is in.
        context: Of the page.
        base: Line of the file, from 1, in which the text begins.
        is_part: It is a part of a page of another syntax: fields at its head are content.
    """
    from octavo.content.translate.rst.page import RstPage
    from octavo.content.translate.rst.parsing import parse
    from octavo.content.translate.rst.writing import Writer

    before = _before(text, source)
    page = RstPage(source, context, before.count("\n"), text.count("\n") + 1)
    page.base = base
    settings = source.dialect.rst
    document = parse(f"{before}{_without_docinfo(text, _SWITCHES if is_part else _DOCINFO)}\n\n{settings.epilog}", page)
    lines = Writer(page, document).lines(document)
    page.report_options()
    return lines


def _before(text: str, source: DocumentText) -> str:
    """Give what Sphinx would know at the beginning of each page."""
    settings = source.dialect.rst
    own = set(_OWN.findall(f"{text}\n{settings.prolog}\n{settings.epilog}"))
    values = source.dialect.variables
    # Files that are taken in use them too.
    used = f"{text}{settings.prolog}{settings.epilog}"
    may_take_in = "include::" in used
    written = [
        f".. |{name}| replace:: {values[name]}"
        for name in _NAMES
        if name in values and name not in own and (may_take_in or f"|{name}|" in used)
    ]
    if settings.default_role:
        written.append(f".. default-role:: {settings.default_role}")
    if settings.prolog:
        written.append(settings.prolog)
    return "\n\n".join([*written, ""]) if written else ""


_DOCINFO = re.compile(
    r"\A(?:[ \t]*\n)*(?::[A-Za-z][\w -]*:(?:[ \t][^\n]*)?\n(?:[ \t]+\S[^\n]*\n)*)+(?=[ \t]*(?:\n|\Z))"
)


_SWITCHES = re.compile(
    r"\A(?:[ \t]*\n)*(?::(?:orphan|tocdepth|nocomments|no-?search):(?:[ \t][^\n]*)?\n)+(?=[ \t]*(?:\n|\Z))"
)
"""Fields that only Sphinx reads."""


def _without_docinfo(text: str, pattern: re.Pattern[str]) -> str:
    """Blank the fields at the head of a file: they are about the file."""
    match = pattern.match(text)
    return "\n" * match[0].count("\n") + text[match.end() :] if match else text
