"""Words by which texts are compared outside of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from octavo.search.query.synonyms import Synonyms
from octavo.search.text.scripts import fold
from octavo.search.text.stemming import languages_of, stem, stems_of
from octavo.search.text.stop_words import STOP_WORDS, further_stop_words
from octavo.search.text.tokens import make_stream

Stems = tuple[str, ...]


def query_stems(text: str) -> Stems:
    """Take apart a query as the rules of `search.toml` compare it: in any form of its words. Empty where it has none.

    `C`, `C++` and `C#` are three words, although a search for one of them also finds the others.
    """
    parts, names = make_stream(text)
    languages = {first: form for first, form in names if form.endswith(("++", "#"))}
    return tuple(languages.get(position) or stem(part) for position, part in enumerate(parts))


def text_stems(text: str, language: str) -> list[str]:
    """List the words of a text in order, reduced to their stems.

    Args:
        text: Any text.
        language: Tag of its language; words of one without a stemmer are stemmed as English where they are in Latin letters.
    """
    parts = make_stream(text).parts
    stems = stems_of(parts, languages_of([language], ())[-1])
    return [stem or part for part, stem in zip(parts, stems, strict=True)]


def question_stems(
    question: str,
    language: str,
    synonyms: Mapping[str, Sequence[str]] | None = None,
    one_way: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, float]:
    """Find the stems of the words that tell what is asked; of all words where there are no others.

    Args:
        question: The question.
        language: Tag of its language.
        synonyms: The site's words of one meaning; their stems follow those of the question.
        one_way: Those that hold in one direction.

    Returns:
        Stem → its part of a word: a half each for the two words of a name such as `FireBrick`.
    """
    words = question.split()
    small = STOP_WORDS | further_stop_words([language])
    telling = [word for word in words if fold(word).strip("?!.,:;¿¡") not in small]
    known = Synonyms(synonyms, one_way)
    forms = make_stream(question).parts
    others = [" ".join(phrase) for form in forms for phrase in known.of(form)]
    others += [word for _, _, word in known.within(forms)]
    others += [" ".join(phrase) for _, _, phrase in known.phrases_within(forms)]
    found: dict[str, float] = {}
    for word in [*(telling or words), *others]:
        stems = text_stems(word, language)
        for one in stems:
            found[one] = max(found.get(one, 0.0), 1 / len(stems))
    return found
