"""Words by which texts are compared outside of an index."""

from __future__ import annotations

from octavo.search.text.stemming import languages_of, stems_of
from octavo.search.text.stop_words import STOP_WORDS
from octavo.search.text.tokens import make_stream


def text_stems(text: str, language: str) -> list[str]:
    """List the words of a text in order, reduced to their stems.

    Args:
        text: Any text.
        language: Tag of its language; words of one without a stemmer are stemmed as English where they are in Latin letters.
    """
    parts = make_stream(text).parts
    stems = stems_of(parts, languages_of([language], ())[-1])
    return [stem or part for part, stem in zip(parts, stems, strict=True)]


def question_stems(question: str, language: str) -> list[str]:
    """List the stems of the words that tell what is asked for, each once; of all words where there are no others."""
    telling = " ".join(word for word in question.split() if word.casefold().strip("?!.,:;") not in STOP_WORDS)
    return list(dict.fromkeys(text_stems(telling, language) or text_stems(question, language)))
