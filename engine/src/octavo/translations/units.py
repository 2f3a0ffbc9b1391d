"""Texts of a page that are translated one by one: paragraphs and fields of front matter, and what is put in their place.

Blocks of code, imports and lines without a letter are no texts: a translation takes them over as they are.
"""

from __future__ import annotations

import difflib
import json
import re
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from octavo.translations.paragraphs import split_paragraphs

FIELDS = ("title", "description", "sidebar_label", "pagination_label", "summary", "tagline")
"""Keys of front matter that readers see."""

_YAML, _TOML = "---", "+++"
_FIELD = re.compile(r"(?P<key>[\w-]+)[ \t]*(?P<sign>:|=)[ \t]*(?P<value>.*)")
_FIXED = re.compile(
    r"[ \t]*((?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*>?(?:`{3,}|~{3,})|\$\$.*\$\$\s*$|import\s.+\sfrom\s|import\s['\"]|export\s|<!--.*-->\s*$|\{/\*.*\*/\}\s*$)",
    re.DOTALL,
)
_LETTER = re.compile(r"[^\W\d_]")
_ONLY_MARK = re.compile(r"[ \t]*:{3,}[ \t]*[\w-]*[ \t]*(\{[^}]*\})?[ \t]*")
_CLOSE = 0.6
"""Likeness from which a new text is taken for an old one that was changed."""


class Unit(NamedTuple):
    """A text of a page and its translation."""

    page: str
    """File of the original, from the site's folder."""
    context: str
    """Key of front matter; empty for a paragraph."""
    line: int
    """1-based line of the original."""
    source: str
    target: str = ""
    """Empty where there is none."""
    is_fuzzy: bool = False
    """The translation is that of `previous`, and must be looked through."""
    previous: str = ""
    """What the source was when it was translated; only of fuzzy ones."""


class _Piece(NamedTuple):
    """A part of a source: a text, or (with an empty `text`) what is taken over."""

    first: int
    """0-based number of its first line."""
    lines: list[str]
    context: str
    text: str
    """Without the indentation that all its lines have."""


def units_of(page: str, text: str) -> list[Unit]:
    """List the texts of an original, each once."""
    found: dict[tuple[str, str], Unit] = {}
    for piece in _pieces(text):
        if piece.text:
            unit = Unit(page, piece.context, piece.first + 1, piece.text)
            found.setdefault((unit.context, unit.source), unit)
    return list(found.values())


def with_translations(page: str, text: str, base: str | None, translated: str) -> tuple[list[Unit], bool]:
    """List the texts of an original with what its translation says.

    Args:
        page: File of the original.
        text: The original as it is now.
        base: The original that the translation was made from; None where that is not to be had.
        translated: The translation.

    Returns:
        (units, whether the paragraphs of the translation could be told apart: it has the shape of what it was made from).
    """
    pairs = _pairs(text if base is None else base, translated)
    units = units_of(page, text)
    if pairs is None:
        return units, False
    known = {(old.context, old.text): new.text for old, new in pairs if old.text}
    kept = {(unit.context, unit.source) for unit in units}
    loose = {source: target for (context, source), target in known.items() if (context, source) not in kept}
    return [_with_translation(unit, known, loose) for unit in units], True


def _with_translation(unit: Unit, known: Mapping[tuple[str, str], str], loose: Mapping[str, str]) -> Unit:
    target = known.get((unit.context, unit.source))
    if target is not None:
        return unit._replace(target=target)
    near = difflib.get_close_matches(unit.source, list(loose), 1, _CLOSE)
    return unit._replace(target=loose[near[0]], is_fuzzy=True, previous=near[0]) if near else unit


def write_translation(
    original: str, existing: str | None, targets: Mapping[tuple[str, str], str]
) -> tuple[str, list[Unit]]:
    """Put translations in the place of the texts of an original.

    Args:
        original: The original as it is now.
        existing: The translation so far: its blocks of code are kept where it has the shape of the original.
        targets: (context, source) → translation.

    Returns:
        (the translation, texts of the original that have none and stay as they are).
    """
    pairs = _pairs(original, existing) if existing is not None else None
    lines = original.replace("\r\n", "\n").split("\n")
    missing: list[Unit] = []
    pieces = pairs or [(piece, piece) for piece in _pieces(original)]
    for piece, own in reversed(pieces):
        if not piece.text:
            put = own.lines
        elif target := targets.get((piece.context, piece.text), "").strip("\n"):
            put = _placed(piece, target)
        else:
            missing.append(Unit("", piece.context, piece.first + 1, piece.text))
            continue
        lines[piece.first : piece.first + len(piece.lines)] = put
    end = _end_of_front_matter(lines)
    if existing is not None and end:
        lines[end - 1 : end - 1] = _own_fields(existing, lines[:end])
    return "\n".join(lines), missing[::-1]


def _own_fields(existing: str, head: Sequence[str]) -> list[str]:
    """List the lines of front matter that only the translation has."""
    old = existing.replace("\r\n", "\n").split("\n")
    given = {match["key"] for line in head if (match := _FIELD.fullmatch(line))}
    lines = old[1 : max(1, _end_of_front_matter(old) - 1)]
    if not lines or old[0] != head[0]:
        return []
    found: list[str] = []
    for number, line in enumerate(lines):
        if (match := _FIELD.fullmatch(line)) and match["key"] not in given:
            found += lines[number : _end_of_value(lines, number, len(lines))]
    return found


def _placed(piece: _Piece, target: str) -> list[str]:
    if piece.context:
        match = _FIELD.match(piece.lines[0])
        sign = match["sign"] if match else ":"
        value = json.dumps(target, ensure_ascii=False)  # a string of JSON is one of YAML and of TOML
        return [f"{piece.context}{': ' if sign == ':' else ' = '}{value}"]
    source, first = piece.text.split("\n", 1)[0], piece.lines[0]
    margin = first[: len(first) - len(source)]
    if not target[0].isspace():  # tools of translators cut texts
        target = source[: len(source) - len(source.lstrip())] + target
    return [f"{margin}{line}" if line.strip() else "" for line in target.split("\n")]


def _pairs(base: str, translated: str) -> list[tuple[_Piece, _Piece]] | None:
    """Pair the parts of a source with those of its translation; None where their shapes differ."""
    before, after = list(_pieces(base)), list(_pieces(translated))
    # A translation may leave fields out, and has others of its own.
    known = {piece.context: piece for piece in after if piece.context}
    fields = [(piece, known[piece.context]) for piece in before if piece.context in known]
    old, new = [one for one in before if not one.context], [one for one in after if not one.context]
    if len(old) != len(new) or any(_shape(one) != _shape(other) for one, other in zip(old, new, strict=True)):
        return None
    given = {id(piece) for piece, _ in fields}
    rest = [(piece, piece._replace(text="")) for piece in before if piece.context and id(piece) not in given]
    return sorted([*fields, *rest, *zip(old, new, strict=True)], key=lambda pair: pair[0].first)


def _shape(piece: _Piece) -> tuple[bool, str]:
    """Tell paragraphs apart by what translating does not change: a heading of this level, an item of a list, a table."""
    mark = (
        re.match(r"#{1,6}(?= )|[-*+>|](?= )|\d+[.)](?= )|:{3,}[\w-]*", piece.lines[0].lstrip()) if piece.lines else None
    )
    found = mark[0] if mark else ""
    return bool(piece.text), "1." if found[:1].isdigit() else found


def _pieces(text: str) -> Iterator[_Piece]:
    lines = text.replace("\r\n", "\n").split("\n")
    end = _end_of_front_matter(lines)
    yield from _fields(lines, end)
    # The lines of front matter are empty for the division into paragraphs, which counts lines.
    rest = "\n".join([""] * end + lines[end:])
    for paragraph in split_paragraphs(rest):
        own = paragraph.text.split("\n")
        first = paragraph.line - 1
        plain = textwrap.dedent(paragraph.text)
        yield _Piece(first, own, "", "" if _is_fixed(plain) else plain)


def _is_fixed(text: str) -> bool:
    if _FIXED.match(text) or not _LETTER.search(text):
        return True
    return all(_ONLY_MARK.fullmatch(line) for line in text.split("\n"))


def _end_of_front_matter(lines: Sequence[str]) -> int:
    """Find the line behind front matter; 0 where there is none."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in (_YAML, _TOML):
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == mark), 0)


def _fields(lines: Sequence[str], end: int) -> Iterator[_Piece]:
    for number in range(1, max(1, end - 1)):
        match = _FIELD.fullmatch(lines[number].rstrip())
        if match is None or match["key"] not in FIELDS:
            continue
        own = list(lines[number : _end_of_value(lines, number, end - 1)])
        value = _value_of("\n".join(own), match["sign"], match["key"])
        if isinstance(value, str) and _LETTER.search(value):
            yield _Piece(number, own, match["key"], value.strip())


def _end_of_value(lines: Sequence[str], first: int, end: int) -> int:
    """Find the line behind a value, which goes on in lines that are indented, or in items of a list."""
    last = first + 1
    for number in range(first + 1, end):
        line = lines[number]
        if line.strip() and not line.startswith((" ", "\t", "- ")):
            break
        last = number + 1 if line.strip() else last
    return last


def _value_of(text: str, sign: str, key: str) -> Any:
    try:
        read = yaml.safe_load(text) if sign == ":" else tomllib.loads(text)
    except (yaml.YAMLError, tomllib.TOMLDecodeError):
        return None
    return read.get(key) if isinstance(read, dict) else None


def count_untranslated(units: Iterable[Unit]) -> int:
    """Count the texts that have no translation, or one that must be looked through."""
    return sum(not unit.target or unit.is_fuzzy for unit in units)
