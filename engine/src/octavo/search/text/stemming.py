"""Stems: `running` and `runs` are found by `run`, in each language that the texts are written in.

The Snowball stemmers of the native library that keeps the index: it is there already, and stems the whole vocabulary of
an index (50,000 words) in 16 ms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import filterfalse
from threading import Lock

import tantivy

from octavo.lazy import regex as re
from octavo.search.text.light_stemming import LIGHT_STEMMERS
from octavo.search.text.scripts import marks

_STEMMERS: Mapping[str, str] = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
"""Language (first part of its tag) → name of its stemmer."""

_KNOWN = frozenset([*_STEMMERS, *LIGHT_STEMMERS])
"""Languages that are stemmed where pages say that they are in them; Hebrew is, by its letters, wherever it is."""

_SCRIPTS: tuple[tuple[str, str, str], ...] = (
    ("ar", "\u0600", "\u06ff"), ("el", "\u0370", "\u03ff"), ("ru", "\u0400", "\u052f"), ("he", "\u0590", "\u05ff"),
    ("hi", "\u0900", "\u097f"), ("ta", "\u0b80", "\u0bff"),
)  # fmt: skip
"""Languages that are recognized by their script: (language, first letter, last letter of the script)."""

_LATIN_END = "\u024f"

COMPOUNDING = frozenset(["da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"])
"""Languages that write a word of several words as one."""

_SMALL_WORDS: Mapping[str, str] = {
    "cs": "jsou nebo pro pri jako ktere muzete pokud take jeho podle kdyz aby neni tento musi",
    "da": "og ikke bliver eller skal hvis fra til blive efter disse hver deres denne meget nar",
    "de": "und nicht werden sind eine wird wenn auch fur jede nach beim bei konnen mussen einen",
    "es": "los una para como pero esta cuando puede las sus mas desde tambien cada hasta segun",
    "fi": "ja ovat kun jos tama joka voit myos kuin eivat sen niiden kaikki jonka siita mutta",
    "fr": "les des une dans pour avec vous est aux sur sont cette qui pas votre leur",
    "hu": "es nem hogy egy vagy azt csak lehet minden kell amely ezek meg volt mint szerint",
    "it": "gli una per con che sono della puo nella dei alla questo ogni degli quando vengono",
    "nl": "het een niet worden voor wordt met zijn aan deze naar ook elke kunnen moet bij",
    "no": "og ikke blir eller skal hvis fra til bli etter disse hver deres denne hvordan nar",
    "pl": "jest nie oraz dla przez moze jako tylko nalezy jesli aby ktore lub tego zostanie przed",
    "pt": "uma para com nao voce pode quando esta dos das aos mais sao cada sem pelo",
    "ro": "si pentru care este sunt poate daca prin din dupa cele fiecare aceasta trebuie toate fara",
    "sv": "och inte eller ska kan fran till att eftersom efter dessa varje denna maste deras mycket",
    "tr": "ve bir icin ile veya olarak gibi daha her biz sonra olan kadar degil tum sonunda",
}  # fmt: skip
"""Frequent words, without accents, by which texts tell their language where the site does not: a page of an English
site may be German."""

_TELLING = 6
"""Of sixteen small words, how many an index holds where a language is used in it: a page of three paragraphs has them."""

_LEAST_LETTERS = 3

_HEBREW_PREFIXES = "והבלמכש"
"""Letters that stand for "and", "the", "in" and the like, written with the word that follows."""

_HEBREW_ENDING = re.compile("(?:יים|ים|ות|יות|ית|ה|ת|י)$")
_HEBREW_FINALS = str.maketrans("ךםןףץ", "כמנפצ")

_HEBREW_VOWEL = re.compile("(?<=.)ו(?=.)")
"""The letter of a vowel, which many forms of a word leave out: `קובץ`, `קבצים`."""

_TURKISH_PLURAL = re.compile(r"(?<=[^\W\d_]{3})l[ae]r(?:in?|[ae]|d[ae]n?|in(?:i|[ae]|d[ae]n?))?\b")
"""Plurals and their cases: the stemmer takes one ending away, and of `bildirim` what it takes for another."""

_ARABIC_JOINED = re.compile(r"(?<!\S)(?:[وبكف]ال|لل|ال)(?=\S{3})")
"""Article of an Arabic word, with the joined "and", "with", "as" or "for": the stemmer knows some of them, and takes off an ending
only where it has found none, so that a word with an article had another stem. Of 24 families of words, pairs of forms with one
stem: 85 % before, 97 % now."""
_ARABIC_ENDINGS = 5
"""Most endings that a word has."""

_PORTUGUESE = ((re.compile(r"(?<=[a-z]{2}[aeiou])is\b"), "l"), (re.compile(r"(?<=[a-z]{2})oes\b"), "ao"))
"""Plurals of `variável` and `aplicação`: the stemmer knows them with accents, which tokens have not."""

_BRITISH = re.compile(r"(?<=[a-z]{4})is(e[sdr]?|ers|ing|ations?|able)\b")
"""`customise`, `organisation`: words with fewer letters before it, such as `raise`, are spelt alike everywhere."""


@cache
def _marked() -> re.Pattern[str]:
    """Give the pattern of vowel signs: letters to the readers of Indian scripts, but not to `str.isalpha`."""
    return re.compile(f"[{marks()}]")


_lock = Lock()


@cache
def _analyzer(name: str) -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return builder.filter(tantivy.Filter.stemmer(name)).build()


def _american(text: str) -> str:
    return _BRITISH.sub(r"iz\1", text)


def stems(words: Sequence[str], language: str = "en") -> list[str]:
    """Reduce words, in the form of tokens, to their stems; English ones in either spelling to the same."""
    if not words:
        return []
    if language == "en":
        words = _american(" ".join(words)).split(" ")
    if language == "he":
        return list(map(_hebrew_stem, words))
    if language in LIGHT_STEMMERS:
        return list(map(LIGHT_STEMMERS[language], words))
    if language == "tr":
        words = _TURKISH_PLURAL.sub("", " ".join(words)).split(" ")
    if language == "pt":
        text = " ".join(words)
        for plural, singular in _PORTUGUESE:
            text = plural.sub(singular, text)
        words = text.split(" ")
    if language == "ar":
        words = _ARABIC_JOINED.sub("", " ".join(words)).split(" ")
    analyzer = _analyzer(_STEMMERS[language])
    with _lock:  # an analyzer serves one thread at a time
        found = analyzer.analyze(" ".join(words))
        # The Arabic one takes one ending off at each call.
        for _ in range(_ARABIC_ENDINGS if language == "ar" else 0):
            found, before = analyzer.analyze(" ".join(found)), found
            if found == before:
                break
        return found


def _hebrew_stem(word: str) -> str:
    """Take the ending, joined words and letters of vowels away; no stemmer of the library does."""
    least = _LEAST_LETTERS
    word = word.replace("יי", "י")
    shorter = _HEBREW_ENDING.sub("", word)
    kept = (shorter if len(shorter) >= least else word).translate(_HEBREW_FINALS)
    while len(kept) > least and kept[0] in _HEBREW_PREFIXES:
        kept = kept[1:]
    plain = _HEBREW_VOWEL.sub("", kept)
    return plain if len(plain) >= least else kept


def stem(word: str, language: str = "en") -> str:
    """Reduce a word, in the form of a token, to its stem; one that is not a plain word stays as it is."""
    return stems([word], language)[0] if _may_have_forms(word) and _fits(word, language) else word


def stems_of(words: Iterable[str], language: str) -> list[str]:
    """Give the stem of each word in a language; empty for one that has no forms in it."""
    listed = list(words)
    scripts = {name for name, _, _ in _SCRIPTS}
    fitting = [
        word
        for word in listed
        if _may_have_forms(word)
        and (_script_language(word) == language or (language not in scripts and word[0] <= _LATIN_END))
    ]
    found = dict(zip(fitting, stems(fitting, language), strict=True))
    return [found.get(word, "") for word in listed]


def languages_of(declared: Iterable[str], words: Collection[str]) -> list[str]:
    """List the languages in which the words of an index are stemmed.

    Args:
        declared: Tags of the languages that its pages are said to be in, as `de-CH`.
        words: All words of the index.
    """
    found = {"en": None}
    found.update(dict.fromkeys(tag for name in declared if (tag := name.lower().partition("-")[0]) in _KNOWN))
    for language, small in _SMALL_WORDS.items():
        if sum(word in words for word in small.split()) >= _TELLING:
            found[language] = None
    return list(found)


class Stems:
    """The words of an index by their stems."""

    def __init__(self, words: Iterable[str], languages: Sequence[str]) -> None:
        self._groups: dict[str, dict[str, list[str]]] = {}
        self._latin = languages
        plain = list(filter(_may_have_forms, words))
        for language, members in _by_language(plain, languages):
            groups: dict[str, list[str]] = {}
            for word, root in zip(members, stems(members, language), strict=True):
                groups.setdefault(root, []).append(word)
            self._groups[language] = groups

    def forms(self, word: str) -> list[str]:
        """Find the words that have a stem in common with one, which may be among them."""
        if not _may_have_forms(word):
            return []
        found: dict[str, None] = {}
        for language in self.languages(word):
            if groups := self._groups.get(language):
                members: Sequence[str] = groups.get(stem(word, language), ())
                found.update(dict.fromkeys(_near_forms(word, members) if language == "en" else members))
        return list(found)

    def languages(self, word: str) -> Sequence[str]:
        """List the languages that a word may be of, by its letters."""
        own = _script_language(word)
        return [own] if own else self._latin if word[0] <= _LATIN_END else []


def _by_language(words: Sequence[str], latin: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Sort words by their letters; those in Latin letters may be of any language that uses these."""
    western = list(filter(str.isascii, words))  # nearly all: the others are sorted one by one
    members: dict[str, list[str]] = {}
    for word in filterfalse(str.isascii, words):
        own = _script_language(word)
        if own:
            members.setdefault(own, []).append(word)
        elif word[0] <= _LATIN_END:
            western.append(word)
    scripts = {language for language, _, _ in _SCRIPTS}
    yield from ((language, western) for language in latin if language not in scripts)
    yield from members.items()


def _fits(word: str, language: str) -> bool:
    return (_script_language(word) or language) == language


def _script_language(word: str) -> str:
    first = word[0]
    return next((language for language, low, high in _SCRIPTS if low <= first <= high), "")


def _may_have_forms(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and (
        word.isalpha() or (not word.isascii() and _marked().sub("", word).isalpha())
    )


def _near_forms(word: str, members: Sequence[str]) -> Sequence[str]:
    """Keep the forms of an English word among those that have its stem; all, where the index holds none of them."""
    near = [member for member in members if are_forms(word, member)]
    return near or members


_ENDINGS = """
s es ed d e ing ings er ers or ors y ies ied i ion ions ive ation ations ator ators ment ments able ly ence ency encies
ent ents ance ances al ity ities ility ilities le
"""

ENDINGS = frozenset(["", *_ENDINGS.split()])
"""What forms of a word end in behind the letters that they share."""


def are_forms(one: str, other: str) -> bool:
    """Return whether two words of one stem are forms of a word; `author` and `authority` are none of `authorization`."""
    one, other = _american(one), _american(other)
    size = next(
        (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return all(end in ENDINGS or (end[1:] in ENDINGS and end[0] == one[size - 1]) for end in (one[size:], other[size:]))
