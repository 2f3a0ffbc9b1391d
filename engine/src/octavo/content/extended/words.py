"""Words of the theme in texts that extensions make: they do not know the language of the page, so they mark the words."""

from __future__ import annotations

from collections.abc import Mapping

from octavo.lazy import regex as re
from octavo.words import fill_word

MARK = "\ue010"
_MARKED = re.compile("\ue010(?P<key>[a-z.-]+)(?P<values>(?:\ue011[a-z]+=[^\ue010-\ue012]*)*)\ue012")
"""`octavo.shipped.python_api.words` writes them."""


def with_words(text: str, words: Mapping[str, str]) -> str:
    """Write the words of a language in the place of their marks; a key that no language has stays as it is."""
    if MARK not in text:
        return text

    def word(match: re.Match[str]) -> str:
        values = dict(value.split("=", 1) for value in match["values"].split("\ue011")[1:])
        return fill_word(words.get(match["key"], match["key"]), **values)

    return _MARKED.sub(word, text)
