"""Texts of a page that are translated one by one: paragraphs and fields of front matter, and what is put in their place.

Blocks of code, imports and lines without a letter are not texts: a translation takes them over as they are.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.translations.front_matter import end_of_front_matter, fields_of, front_matter_of_translation
from octavo.translations.notebooks import markdown_cells, with_cells
from octavo.translations.paragraphs import DIRECTIVE_OPTION, TEXT_FENCE, split_paragraphs
from octavo.translations.rst import is_title, place_title, rst_pieces

_FIXED = re.compile(
    r"[ \t]*((?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*>?(?:`{3,}|~{3,})|\$\$.*\$\$\s*$|import\s.+\sfrom\s|import\s['\"]|export\s|</?(?:script|style)\b|<<<[ \t]|@\[code|-{1,}8<-{1,}|\{\{#|\{%[^%\n]*%\}\s*$|<!--.*-->\s*$|\{/\*.*\*/\}\s*$)",
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
    text: str
    """Without the indentation that all its lines have."""


def units_of(page: str, text: str) -> list[Unit]:
    """List the texts of an original, each once."""
    found: dict[tuple[str, str], Unit] = {}
    if page.endswith(".ipynb"):
        for cell in markdown_cells(text):
            for unit in units_of("", cell.text):
                found.setdefault((unit.context, unit.source), unit._replace(page=page, line=cell.line + unit.line - 1))
        return list(found.values())
    for field in fields_of(_front_lines(text, page)):
        found.setdefault((field.path, field.text), Unit(page, field.path, field.line + 1, field.text))
    for piece in _pieces(text, page):
        if piece.text:
            found.setdefault(("", piece.text), Unit(page, "", piece.first + 1, piece.text))
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
    before = text if base is None else base
    units = units_of(page, text)
    if page.endswith(".ipynb"):
        cells = _paired_cells(before, translated)
        known = {key: value for old, new in cells or () for key, value in _known(old, new, "")[0].items()}
        is_paired = cells is not None and all(_pairs(old, new, "") is not None for old, new in cells)
    else:
        known, is_paired = _known(before, translated, page)
    kept = {(unit.context, unit.source) for unit in units}
    loose = {source: target for (context, source), target in known.items() if (context, source) not in kept}
    return [_with_translation(unit, known, loose) for unit in units], is_paired


def _known(before: str, translated: str, page: str) -> tuple[dict[tuple[str, str], str], bool]:
    """Find what a translation says: (context, source) → text, and whether its paragraphs could be told apart."""
    pairs = _pairs(before, translated, page)
    own = {field.path: field.text for field in fields_of(_front_lines(translated, page))}
    fields = fields_of(_front_lines(before, page))
    known = {(field.path, field.text): own[field.path] for field in fields if field.path in own}
    return known | {("", old.text): new.text for old, new in pairs or () if old.text}, pairs is not None


def _paired_cells(before: str, translated: str) -> list[tuple[str, str]] | None:
    """Pair the Markdown cells of a notebook with those of its translation; None where their numbers differ."""
    old, new = markdown_cells(before), markdown_cells(translated)
    return [(one.text, other.text) for one, other in zip(old, new, strict=True)] if len(old) == len(new) else None


def _with_translation(unit: Unit, known: Mapping[tuple[str, str], str], loose: Mapping[str, str]) -> Unit:
    target = known.get((unit.context, unit.source))
    if target is not None:
        return unit._replace(target=target)
    near = difflib.get_close_matches(unit.source, list(loose), 1, _CLOSE)
    return unit._replace(target=loose[near[0]], is_fuzzy=True, previous=near[0]) if near else unit


def write_translation(
    original: str,
    existing: str | None,
    targets: Mapping[tuple[str, str], str],
    base: str | None = None,
    page: str = "",
) -> tuple[str, list[Unit]]:
    """Put translations in the place of the texts of an original.

    Args:
        original: The original as it is now.
        existing: The translation so far: its blocks of code are kept where it has the shape of the original, and
            they are not those of `base`.
        targets: (context, source) → translation.
        base: The original that the translation so far was made from; None where that is not known.
        page: File of the original; its ending says how it is written. Markdown by default.

    Returns:
        (the translation, texts of the original that have none and stay as they are).
    """
    if page.endswith(".ipynb"):
        return _write_notebook(original, existing, targets, base)
    pairs = _pairs(original, existing, page) if existing is not None else None
    lines, own_lines = _lines(original), None if existing is None else _lines(existing)
    missing: list[Unit] = []
    known = {old.text: new.text for old, new in pairs or () if old.text}
    pieces = pairs or [(piece, piece) for piece in _pieces(original, page)]
    old = list(_pieces(base, page)) if base is not None else []
    has_old = len(old) == len(pieces)
    for number, (piece, own) in reversed(list(enumerate(pieces))):
        target = targets.get(("", piece.text), "").strip("\n")
        if not piece.text:
            is_as_it_was = has_old and old[number].lines == own.lines
            put = piece.lines if is_as_it_was else own.lines
        elif (
            pairs
            and target
            and target.strip() == known[piece.text].strip()
            and (base is None or (has_old and old[number].text == piece.text))
        ):
            # One text may have several translations in a page, of which a file holds one: where it is as before, all are.
            put = own.lines
        elif target:
            put = _placed(piece, target, page)
        else:
            missing.append(Unit("", "", piece.first + 1, piece.text))
            continue
        lines[piece.first : piece.first + len(piece.lines)] = put
    if page.endswith(".rst"):
        return "\n".join(lines), missing[::-1]
    base_lines = None if base is None else _lines(base)
    head, untranslated = front_matter_of_translation(_lines(original), base_lines, own_lines, targets)
    lines[: end_of_front_matter(lines)] = head
    return "\n".join(lines), [*(Unit("", one.path, one.line + 1, one.text) for one in untranslated), *missing[::-1]]


def _write_notebook(
    original: str, existing: str | None, targets: Mapping[tuple[str, str], str], base: str | None
) -> tuple[str, list[Unit]]:
    """Translate the Markdown cells of a notebook; everything else is that of the original."""
    cells, own = markdown_cells(original), markdown_cells(existing or "")
    old = markdown_cells(base or "")
    written: list[tuple[int, str]] = []
    missing: list[Unit] = []
    for number, cell in enumerate(cells):
        has_same = len(own) == len(cells)
        before = old[number].text if len(old) == len(cells) else None
        text, lacking = write_translation(cell.text, own[number].text if has_same else None, targets, before)
        written.append((cell.number, text))
        missing += [unit._replace(line=cell.line + unit.line - 1) for unit in lacking]
    return with_cells(original, written), missing


def _placed(piece: _Piece, target: str, page: str) -> list[str]:
    if page.endswith(".rst") and is_title(piece.lines):
        return place_title(piece.lines, target)
    source, first = piece.text.split("\n", 1)[0], piece.lines[0]
    margin = first[: len(first) - len(source)]
    if not target[0].isspace():  # tools of translators cut texts
        target = source[: len(source) - len(source.lstrip())] + target
    return [f"{margin}{line}" if line.strip() else "" for line in target.split("\n")]


def _pairs(base: str, translated: str, page: str) -> list[tuple[_Piece, _Piece]] | None:
    """Pair the paragraphs of a source with those of its translation; None where their shapes differ."""
    old, new = list(_pieces(base, page)), list(_pieces(translated, page))
    if len(old) != len(new) or any(_shape(one) != _shape(other) for one, other in zip(old, new, strict=True)):
        return None
    return list(zip(old, new, strict=True))


def _shape(piece: _Piece) -> tuple[bool, str]:
    """Tell paragraphs apart by what translating does not change: a heading of this level, an item of a list, a table."""
    mark = (
        re.match(r"#{1,6}(?= )|[-*+>|](?= )|\d+[.)](?= )|:{3,}[\w-]*", piece.lines[0].lstrip()) if piece.lines else None
    )
    found = mark[0] if mark else ""
    return bool(piece.text), "1." if found[:1].isdigit() else found


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _front_lines(text: str, page: str) -> list[str]:
    """Give the lines in which front matter is looked for: reStructuredText has none."""
    return [] if page.endswith(".rst") else _lines(text)


def _pieces(text: str, page: str) -> Iterator[_Piece]:
    """Divide what follows the front matter."""
    if page.endswith(".rst"):
        for piece in rst_pieces(text.replace("\r\n", "\n")):
            yield _Piece(*piece) if _LETTER.search(piece.text) else _Piece(piece.first, piece.lines, "")
        return
    lines = _lines(text)
    end = end_of_front_matter(lines)
    # The lines of front matter are empty for the division into paragraphs, which counts lines.
    rest = "\n".join([""] * end + lines[end:])
    for paragraph in split_paragraphs(rest):
        own = paragraph.text.split("\n")
        plain = textwrap.dedent(paragraph.text)
        yield _Piece(paragraph.line - 1, own, "" if _is_fixed(plain) else plain)


def _is_fixed(text: str) -> bool:
    if fence := TEXT_FENCE.match(text):
        return not _LETTER.search(fence["title"])
    if DIRECTIVE_OPTION.fullmatch(text) or _FIXED.match(text) or not _LETTER.search(text):
        return True
    return all(_ONLY_MARK.fullmatch(line) for line in text.split("\n"))


def count_untranslated(units: Iterable[Unit]) -> int:
    """Count the texts that have no translation, or one that must be looked through."""
    return sum(not unit.target or unit.is_fuzzy for unit in units)
