"""Translations as XLIFF 1.2, the version that all tools of translators read: a file element for each page.

Source:
    "XLIFF Version 1.2", OASIS Standard, 1 February 2008, sections 2.2-2.4, read 2026-11-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from octavo.lazy import regex as re
from octavo.translations.exchange import Exchanged, ExchangeError
from octavo.translations.units import Unit

_NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"
_TAG = f"{{{_NAMESPACE}}}"
_REVIEWED = ("needs-review", "needs-adaptation", "needs-l10n")
"""Beginnings of the states of a target that somebody must look through. Not all tools change a state when they fill in a text."""
_UNSENDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML has no way to write."""


def write_xliff(language: str, source_language: str, units: Sequence[Unit]) -> str:
    """Write an XLIFF file; equal units make equal files."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<xliff version="1.2" xmlns="{_NAMESPACE}">']
    for page, own in groupby(units, key=lambda unit: unit.page):
        lines.append(
            f"  <file original={quoteattr(page)} source-language={quoteattr(source_language)}"
            f' target-language={quoteattr(language)} datatype="plaintext">'
        )
        lines += [
            "    <body>",
            *(_unit(number, unit) for number, unit in enumerate(own, 1)),
            "    </body>",
            "  </file>",
        ]
    return "\n".join([*lines, "</xliff>"]) + "\n"


def _unit(number: int, unit: Unit) -> str:
    name = f" resname={quoteattr(unit.context)}" if unit.context else ""
    state = "needs-review-translation" if unit.is_fuzzy else "translated" if unit.target else "needs-translation"
    note = f"<note>Translated from: {_text(unit.previous)}</note>" if unit.is_fuzzy else ""
    return (
        f'      <trans-unit id="{number}"{name} xml:space="preserve"><source>{_text(unit.source)}</source>'
        f'<target state="{state}">{_text(unit.target)}</target>'
        f'<context-group purpose="location"><context context-type="linenumber">{unit.line}</context></context-group>'
        f"{note}</trans-unit>"
    )


def _text(text: str) -> str:
    return escape(_UNSENDABLE.sub("\ufffd", text))


def read_xliff(text: str) -> Exchanged:
    """Read an XLIFF file of version 1.2.

    Raises:
        ExchangeError: it is none, or its parts name several languages or none.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ExchangeError(1, "An XLIFF file has no document type declaration.")
    try:
        root = ET.fromstring(text.lstrip("\ufeff").encode())  # noqa: S314 - without declarations there are no entities
    except ET.ParseError as error:
        raise ExchangeError(error.position[0], f"This is not XML: {error}.") from error
    if root.tag != f"{_TAG}xliff":
        raise ExchangeError(1, f'Expected <xliff version="1.2" xmlns="{_NAMESPACE}">, and found <{root.tag}>.')
    files = list(root.iter(f"{_TAG}file"))
    if not files:
        raise ExchangeError(
            1, "This XLIFF file has no <file> element, so that it holds no texts and names no target-language."
        )
    languages = {file.get("target-language", "") for file in files}
    if len(languages) != 1 or "" in languages:
        raise ExchangeError(1, "All <file> elements must have the same target-language.")
    return Exchanged(languages.pop(), [unit for file in files for unit in _units(file)])


def _units(file: ET.Element) -> Iterable[Unit]:
    page = file.get("original", "")
    for element in file.iter(f"{_TAG}trans-unit"):
        source, target = element.find(f"{_TAG}source"), element.find(f"{_TAG}target")
        if source is None:
            raise ExchangeError(1, f'The <trans-unit id="{element.get("id")}"> of {page} has no <source>.')
        text = "" if target is None else "".join(target.itertext())
        is_fuzzy = target is not None and target.get("state", "").startswith(_REVIEWED)
        yield Unit(page, element.get("resname", ""), 0, "".join(source.itertext()), text, is_fuzzy)
