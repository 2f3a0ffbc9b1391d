"""Translations as a gettext file: one entry for each text, with its page as context.

Source:
    "PO Files" and "Filling in the Header Entry", GNU gettext manual, read 2026-11-23.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.translations.exchange import Exchanged, ExchangeError
from octavo.translations.front_matter import is_field
from octavo.translations.units import Unit

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(.)")
_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s*(".*")\s*')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_LANGUAGE = re.compile(r"^Language:[ \t]*(\S+)", re.MULTILINE)


def write_po(language: str, source_language: str, units: Sequence[Unit]) -> str:
    """Write a gettext file; equal units make equal files."""
    head = (
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
        f"Language: {language}\nX-Source-Language: {source_language}\n"
    )
    entries = [f'msgid ""\nmsgstr {_quote(head)}', *map(_entry, units)]
    return "\n\n".join(entries) + "\n"


def _entry(unit: Unit) -> str:
    lines = [f"#. {unit.context}"] if unit.context else []
    lines.append(f"#: {unit.page}:{unit.line}")
    if unit.is_fuzzy:
        lines += ["#, fuzzy", *(f"#| {line}" for line in f"msgid {_quote(unit.previous)}".split("\n"))]
    lines += [
        f"msgctxt {_quote(_context(unit))}",
        f"msgid {_quote(unit.source)}",
        f"msgstr {_quote(unit.target)}",
    ]
    return "\n".join(lines)


def _context(unit: Unit) -> str:
    return f"{unit.page}#{unit.context}" if unit.context else unit.page


def _quote(text: str) -> str:
    parts = text.split("\n")
    lines = [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    quoted = [f'"{"".join(_ESCAPES.get(letter, letter) for letter in line)}"' for line in lines]
    return "\n".join(['""', *quoted]) if len(quoted) > 1 else (quoted or ['""'])[0]


class CatalogEntry(NamedTuple):
    """An entry of a catalog of any program."""

    source: str
    text: str
    """Its translation; empty where it has none."""
    is_fuzzy: bool


def read_messages(text: str) -> Iterator[CatalogEntry]:
    """Read the entries of a catalog that have no plural forms, without its head.

    Raises:
        ExchangeError: it is none.
    """
    for _, fields, is_fuzzy in _entries(text):
        if fields.get("msgid") and "msgid_plural" not in fields:
            yield CatalogEntry(fields["msgid"], fields.get("msgstr", ""), is_fuzzy)


def read_po(text: str) -> Exchanged:
    """Read a gettext file.

    Raises:
        ExchangeError: it is none, or does not say which language it is in.
    """
    head, units = "", []
    for line, fields, is_fuzzy in _entries(text):
        source = fields.get("msgid", "")
        if "msgid_plural" in fields or "msgstr" not in fields:
            raise ExchangeError(line, "This entry has plural forms or no msgstr; texts of pages have one msgstr each.")
        if not source:
            head = head or fields["msgstr"]
            continue
        page, _, key = (context := fields.get("msgctxt", "")).rpartition("#")
        if not is_field(key):
            page, key = context, ""
        if not page:
            raise ExchangeError(line, "This entry has no msgctxt, which names the page.")
        units.append(Unit(page, key, line, source, fields["msgstr"], is_fuzzy))
    language = _LANGUAGE.search(head)
    if language is None:
        raise ExchangeError(1, 'The first entry, msgid "", must have "Language: de\\n" or the like.')
    return Exchanged(language[1], units)


def _entries(text: str) -> Iterator[tuple[int, dict[str, str], bool]]:
    """Read the entries: (1-based line, keyword → text, whether it is fuzzy)."""
    fields: dict[str, str] = {}
    first, is_fuzzy, next_fuzzy, last = 1, False, False, ""
    for number, raw in enumerate(text.replace("\r\n", "\n").lstrip("\ufeff").split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            next_fuzzy = next_fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        match = _KEYWORD.fullmatch(line)
        if match is None and not (line.startswith('"') and last):
            raise ExchangeError(number, "Expected msgctxt, msgid, msgstr or a text in quotation marks.")
        if match is not None:
            last = match[1]
            if last in ("msgctxt", "msgid") and "msgid" in fields:  # that of the entry before
                yield first, fields, is_fuzzy
                fields = {}
            if not fields:
                first, is_fuzzy, next_fuzzy = number, next_fuzzy, False
            fields[last] = ""
        fields[last] += _unquote(match[2] if match else line, number)
    if "msgid" in fields:
        yield first, fields, is_fuzzy


def _unquote(quoted: str, line: int) -> str:
    match = _STRING.fullmatch(quoted)
    if match is None:
        raise ExchangeError(line, "The quotation marks of this line do not match.")
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), match[1])
