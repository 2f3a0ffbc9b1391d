"""Writing systems: what belongs to a word in each, and how words are compared whatever their marks.

Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese write words without spaces between them, or (Korean) with
particles joined to them. Their runs are cut into pairs of neighbouring letters, in texts and queries alike. A dictionary
would cut at words, but only at those that it knows, and one for each language is a dependency of megabytes; pairs find
every word, new ones too, and ranking by distance puts those that belong together first.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise

from octavo.lazy import regex as re

_UNSPACED_RANGES = (
    "\u0e00-\u0e7f"  # Thai
    "\u0e80-\u0eff"  # Lao
    "\u1000-\u109f"  # Burmese
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Korean
    "\u1780-\u17ff"  # Khmer
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese syllables
)
_HIRAGANA = re.compile("[\u3041-\u309f]")


@cache
def _unspaced() -> re.Pattern[str]:
    """Give the pattern of a letter; at first use, because it takes 2 ms to compile and texts in ASCII do without."""
    return re.compile(f"[{_UNSPACED_RANGES}]")


def _ranges(codes: list[int]) -> str:
    """Write character codes, in their order, as the inside of a class of a regular expression."""
    found: list[list[int]] = []
    for code in codes:
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in found)


_NO_MARKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7A4), (0xE000, 0xF900), (0x17000, 0x18D00))
"""Blocks of letters alone: first, end."""


@cache
def marks() -> str:
    """Write the inside of a character class: combining marks and joiners, which are not letters by themselves.

    At first use: it looks at tens of thousands of characters, and texts in ASCII do without.
    """
    starts, ends = (0x300, *(end for _, end in _NO_MARKS)), (*(first for first, _ in _NO_MARKS), 0x20000)
    characters = [chr(code) for first, end in zip(starts, ends, strict=True) for code in range(first, end)]
    unspaced = _unspaced()
    categories = zip(characters, map(unicodedata.category, characters), strict=True)
    found = [one for one, category in categories if category in ("Mn", "Mc") and not unspaced.match(one)]
    return _ranges([*map(ord, found), 0x200C, 0x200D])


UNSPACED = _UNSPACED_RANGES
"""Inside of a class: letters of the scripts that are cut into pairs."""


@cache
def _cluster() -> re.Pattern[str]:
    """Give the pattern of a letter with its marks; of a Korean syllable, which may be written in its two or three parts."""
    more = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a\uff9e\uff9f"
    return re.compile(f"[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|.[{marks()}{more}]*", re.DOTALL)


_PLAIN_LETTERS = "[\x00-\u02ff\u2000-\u200b\u200e-\u20cf\u2100-\u2bff\U0001f300-\U0001faff]*"
_PLAIN = re.compile(rf"{_PLAIN_LETTERS}(?:(?<!\w)\ufe0f{_PLAIN_LETTERS})*")
"""Latin letters, punctuation, arrows, signs of mathematics and emoji: no combining marks but the one that shows a sign in color, which
behind a letter would belong to it; and no scripts without spaces."""


def has_plain_letters(text: str) -> bool:
    """Return whether a text can be taken apart without the patterns for marks and other scripts.

    Most texts that are not ASCII alone have a dash or curled quotes. To make these patterns takes 60 ms, in the search that
    is the first to need them.
    """
    return _PLAIN.fullmatch(text) is not None


INNER_APOSTROPHE = "(?<=[\u0400-\u052f])[\u0027\u02bc\u2019](?=[\u0400-\u052f])"
"""Belongs to its word, as in Ukrainian об'єкт; in Latin letters it joins two words."""

_DROPPED = re.compile(
    f"(?<!и)\u0306|{INNER_APOSTROPHE}|[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u20d0-\u20ff\ufe00-\ufe0f]"
)
"""Marks without which a word is still the same to who types it: accents, the dot of Indian letters (फ़ is फ to many), the
apostrophe within a Cyrillic word. Vowel signs of Indian scripts, the marks of Japanese syllables, and the breve of Russian й
are letters to their readers, and stay."""

_NASALS = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ")
"""What Hindi writes as a dot above as well: हिन्दी is हिंदी."""

_LETTERS = str.maketrans(
    {
        "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
        "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "’": "'",
    }
)  # fmt: skip
"""Letters that no decomposition takes apart, and that keyboards of other countries lack."""


def fold(text: str) -> str:
    """Write in lower case, in composed letters and without accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    folded = _DROPPED.sub("", decomposed).translate(_LETTERS)
    return unicodedata.normalize("NFC", _NASALS.sub("ं", folded))


def is_unspaced(text: str) -> bool:
    """Return whether a text starts with a letter of a script without spaces."""
    return not text.isascii() and _unspaced().match(text) is not None


def is_unspaced_text(text: str) -> bool:
    """Return whether a text is mostly written without spaces."""
    return not text.isascii() and len(_unspaced().findall(text)) * 2 > len(text)


def is_grammar(pair: str) -> bool:
    """Return whether a pair holds the endings and particles of Japanese, which change from sentence to sentence."""
    return _HIRAGANA.search(pair) is not None


def pairs(run: str) -> list[tuple[str, int, int]]:
    """Cut a run into pairs of neighbouring letters: (pair, start, end) in characters; one letter stays as it is."""
    clusters = [match.span() for match in _cluster().finditer(run)]
    if len(clusters) == 1:
        return [(fold(run), 0, len(run))]
    neighbours = pairwise(clusters)
    return [(fold(run[start:end]), start, end) for (start, _), (_, end) in neighbours]
