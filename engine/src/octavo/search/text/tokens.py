"""The tokenizer: one for records and queries, made for developers' texts.

A text is cut into *chunks*, which are words of prose or whole identifiers (`--dry-run`, `$HOME`, `/api/v1/x`,
`std::vector`, `readFileSync`, `C++`). Each chunk gives

- *parts*, the words in it, one at each position of the text: `dry`, `run`
- *names*, the identifier whole and its segments, at the position of their first part: `--dry-run`, `dry-run`

Everything is in lower case and without accents; runs of scripts without spaces give pairs of letters, see `scripts`.
Nothing here knows the index: a second implementation must give the same tokens for the same text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.search.text.scripts import INNER_APOSTROPHE, UNSPACED, fold, has_plain_letters, is_unspaced, marks, pairs

LONGEST_TOKEN = 80
"""Characters; what is longer (hashes, data in base64) is cut: nobody types it, and it would swell the dictionary."""

LONGEST_WORD = 400
"""Characters between two spaces that are looked at: minified code is one word of many thousands."""


def _chunk_pattern(letter: str, more: str) -> re.Pattern[str]:
    """Make the pattern of chunks.

    Args:
        letter: Pattern of a letter or digit.
        more: Further alternatives, before all others.
    """
    segment = rf"(?:{letter}+|\{{{letter}(?:{letter}|-)*\}})"
    return re.compile(
        rf"""
        {more}
        (?: (?<![\w-])--?(?=\w) | (?<!\w)\$\{{?(?=\w) | (?<![\w@])@(?=\w) | (?<!\w)\.(?=[A-Za-z])
          | (?<![\w/])(?:~|\.{{1,2}})?/(?=[\w{{]) )?      # a flag, a variable, a scope, a dotted name, a route
        {segment}
        (?: (?: ://|::|->|\.{{1,2}}/|[-._/:@\\] ) {segment} )*
        (?: \+\+ | \#(?!\w) )?                            # C++, C#
        | (?<!\S)(?:[!~^&*+=<>?%:|]{{2,3}}|~)(?!\S)       # operators between spaces
        """,
        re.VERBOSE,
    )


_CHUNK = _chunk_pattern(r"\w", "")


@cache
def _foreign_chunk() -> re.Pattern[str]:
    """Give the pattern for texts that are not ASCII alone: with marks on letters, and with scripts without spaces."""
    return _chunk_pattern(
        rf"(?:[^\W{UNSPACED}][{marks()}]*|{INNER_APOSTROPHE})",
        rf"[{UNSPACED}{marks()}]*[{UNSPACED}][{UNSPACED}{marks()}]* |",
    )


_WORD = re.compile(r"\S+")
_PARTS = re.compile(
    r"[A-Z]{2,}s(?![A-Za-z])|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+(?:\d+[a-z]*)*|\d+(?:[a-z]+\d*)*|[^\W\d_]+\d*"
)


_LATIN_PARTS = re.compile(r"[^\W\d_]+\d*|\d+(?:[a-z]+\d*)*")
"""Parts of words in texts without combining marks; `_foreign_parts` is for all others."""


@cache
def _foreign_parts() -> re.Pattern[str]:
    return re.compile(rf"(?:[^\W\d_][{marks()}]*|{INNER_APOSTROPHE})+\d*|\d+(?:[a-z]+\d*)*")


_STRONG = re.compile(r"://|::|->|[./:@\\$~]+")
_MARKS = re.compile(r"^(?:--?|\$\{?|@|~?\.{0,2}/|\.|[vV](?=\d+\.\d))")
_VERSION = re.compile(r"[vV]\d+\.\d")
"""`v1.2` is `1.2`."""


class Part(NamedTuple):
    """A word, or a word of an identifier."""

    form: str
    start: int
    end: int
    """Characters from the beginning of the chunk, end exclusive."""


class Name(NamedTuple):
    """An identifier, or a segment of one."""

    form: str
    first: int
    """Index of its first part."""
    size: int
    """Number of its parts."""


class Chunk(NamedTuple):
    """What one chunk says."""

    parts: tuple[Part, ...]
    names: tuple[Name, ...]
    """The whole first."""
    is_identifier: bool
    """It is written as no word of prose is: with separators, a mark, or capitals inside."""


class TextSpan(NamedTuple):
    """A chunk at its place in a text."""

    start: int
    end: int
    position: int
    """Position of its first part."""
    chunk: Chunk


def spans(text: str) -> Iterator[TextSpan]:
    """Find the chunks of a text with their places."""
    position = 0
    for word in _WORD.finditer(text):
        start = word.start()
        for found in _chunks(word[0]):
            chunk = analyse(found[0])
            yield TextSpan(start + found.start(), start + found.end(), position, chunk)
            position += len(chunk.parts)


def _chunks(word: str) -> Iterator[re.Match[str]]:
    """Find the chunks of the text between two spaces; in scripts without spaces that may be a whole text."""
    if word.isascii():
        return _CHUNK.finditer(word[:LONGEST_WORD])
    return (_CHUNK if has_plain_letters(word) else _foreign_chunk()).finditer(word)


@lru_cache(maxsize=4096)
def spans_of_word(word: str) -> tuple[TextSpan, ...]:
    """Find the chunks of the text between two spaces; cached, because words of queries recur."""
    return tuple(spans(word))


@lru_cache(maxsize=65_536)
def analyse(written: str) -> Chunk:
    """Take a chunk apart."""
    folded = written.lower() if written.isascii() else ""
    if written.isalpha() and (written.islower() or written.istitle()):
        return Chunk((Part((folded or fold(written))[:LONGEST_TOKEN], 0, len(written)),), (), is_identifier=False)
    if not folded and is_unspaced(written):
        return Chunk(tuple(Part(*pair) for pair in pairs(written)), (), is_identifier=False)
    pattern = _PARTS if folded else _LATIN_PARTS if has_plain_letters(written) else _foreign_parts()
    places = [match.span() for match in pattern.finditer(written, 1 if _VERSION.match(written) else 0)]
    if not places:  # operators
        return Chunk((Part(fold(written), 0, len(written)),), (), is_identifier=True)
    parts = tuple(
        Part((folded[start:end] if folded else fold(written[start:end]))[:LONGEST_TOKEN], start, end)
        for start, end in places
    )
    names: tuple[Name, ...]
    if written.isalnum():
        names = (Name(_name_form(written), 0, len(parts)),) if len(parts) > 1 else ()
    else:
        names = tuple(_names(written, parts))
    return Chunk(parts, names, is_identifier=bool(names) or len(parts) > 1)


def _names(written: str, parts: tuple[Part, ...]) -> Iterator[Name]:
    """List the whole, what remains without its mark, and the segments between strong separators."""
    known: set[str] = set()
    for text, start in _named_pieces(written):
        end = start + len(text)
        inside = [index for index, part in enumerate(parts) if start <= part.start < end]
        if not inside or (len(inside) == 1 and len(text) == parts[inside[0]].end - parts[inside[0]].start):
            continue  # a plain word is a part already
        form = _name_form(text)
        if form and form not in known and (len(inside) > 1 or parts[inside[0]].form != form):
            known.add(form)
            yield Name(form, inside[0], len(inside))


def _named_pieces(written: str) -> Iterator[tuple[str, int]]:
    yield written, 0
    mark = _MARKS.match(written)
    offset = mark.end() if mark else 0
    if mark:
        yield written[offset:], offset
    for separator in _STRONG.finditer(written, offset):
        if separator.start() > offset:
            yield written[offset : separator.start()], offset
        offset = separator.end()
    if offset:
        yield written[offset:], offset


def _name_form(text: str) -> str:
    """Write an identifier as it is compared: `${HOME}` is `$home`, `{name}` is `name`."""
    form = fold(text)
    if form.startswith("${"):
        form = "$" + form[2:].rstrip("}")
    elif form.startswith("{"):
        form = form[1:].rstrip("}")
    return form[:LONGEST_TOKEN]


LONGEST_KEPT = 200
"""Characters of a word up to which its tokens are kept: a text without spaces occurs once."""

_Tokens = tuple[tuple[str, ...], tuple[tuple[int, str], ...]]


class Stream(NamedTuple):
    """All tokens of a text, as the index keeps them."""

    parts: list[str]
    """The part at each position."""
    names: list[tuple[int, str]]
    """(position of the first part, name)."""


def make_stream(text: str) -> Stream:
    """Tokenize a text for the index."""
    parts: list[str] = []
    names: list[tuple[int, str]] = []
    for word in text.split():
        own_parts, own_names = tokens_of_word(word) if len(word) <= LONGEST_KEPT else _tokens_of(word)
        if own_names:
            base = len(parts)
            names += [(base + first, form) for first, form in own_names]
        parts += own_parts
    return Stream(parts, names)


@lru_cache(maxsize=131_072)
def tokens_of_word(word: str) -> _Tokens:
    """Tokenize the text between two spaces; pages contain few different words, so the cache answers nearly all calls."""
    return _tokens_of(word)


def bare_word(word: str) -> str | None:
    """Give the one token of a word of prose, in ASCII, with marks around it or without; None for all else."""
    bare = word.rstrip(".,:;)!?").lstrip("(")
    if bare.isalpha() and bare.isascii() and (bare.islower() or bare.istitle()):
        return bare.lower()[:LONGEST_TOKEN]
    return None


def _tokens_of(word: str) -> _Tokens:
    bare = bare_word(word)
    if bare is not None:
        return (bare,), ()
    parts: list[str] = []
    names: list[tuple[int, str]] = []
    for written in _chunks(word):
        chunk = analyse(written[0])
        names += [(len(parts) + name.first, name.form) for name in chunk.names]
        parts += [part.form for part in chunk.parts]
    return tuple(parts), tuple(names)
