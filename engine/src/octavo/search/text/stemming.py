"""English stemming: `running` and `runs` are found by `run`.

Source:
    M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two later departures of the
    author's own implementation (`bli`, `logi`), read 2026-11-20.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CONSONANT = r"[^aeiou]"
_VOWEL = r"[aeiouy]"
_CONSONANTS = rf"{_CONSONANT}[^aeiouy]*"
_VOWELS = rf"{_VOWEL}[aeiou]*"

_MEASURE_1_UP = re.compile(rf"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}")
_MEASURE_1 = re.compile(rf"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?$")
_MEASURE_2_UP = re.compile(rf"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}")
_HAS_VOWEL = re.compile(rf"^(?:{_CONSONANTS})?{_VOWEL}")
_ENDS_CVC = re.compile(rf"^{_CONSONANTS}{_VOWEL}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = re.compile(r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$")
_ENDS_2 = re.compile(f"(?:{'|'.join(sorted(_STEP_2, key=len, reverse=True))})$")
_ENDS_3 = re.compile(f"(?:{'|'.join(sorted(_STEP_3, key=len, reverse=True))})$")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Reduce a word in lower case to its stem; words with other letters than a to z stay as they are."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    first = word[0]
    if first == "y":  # at the beginning a consonant
        word = "Y" + word[1:]
    word = _past_and_progressive(_plural(word))
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _ENDS_2, _STEP_2)
    word = _replace(word, _ENDS_3, _STEP_3)
    word = _without_final_e(_without_suffix(word))
    return "y" + word[1:] if first == "y" else word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_1_UP.match(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            root = word[: -len(suffix)]
            return _mended(root) if _HAS_VOWEL.match(root) else word
    return word


def _mended(root: str) -> str:
    """Give a root back what `-ed` and `-ing` have taken: `hoping` → `hope`, `hopping` → `hop`."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if _DOUBLE.search(root):
        return root[:-1]
    return root + "e" if _ENDS_CVC.match(root) else root


def _replace(word: str, ends: re.Pattern[str], replacements: dict[str, str]) -> str:
    found = ends.search(word)
    if found is None or not _MEASURE_1_UP.match(word[: found.start()]):
        return word
    return word[: found.start()] + replacements[found[0]]


def _without_suffix(word: str) -> str:
    found = _STEP_4.search(word)
    if found is None or not _MEASURE_2_UP.match(word[: found.start()]):
        return word
    return word[: found.start()]


def _without_final_e(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if _MEASURE_2_UP.match(root) or (_MEASURE_1.match(root) and not _ENDS_CVC.match(root)):
            word = root
    if word.endswith("ll") and _MEASURE_2_UP.match(word):
        word = word[:-1]
    return word
