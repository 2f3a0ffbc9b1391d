"""Synonyms and other forms of words, for engines that know neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.vocabulary import FORM, Vocabulary

LEAST_LETTERS = 3


def forms_of(reader: IndexReader) -> dict[str, list[str]]:
    """List for each word of an index its other forms there: plurals, conjugations."""
    vocabulary = Vocabulary(reader.frequencies(), reader.languages())
    found: dict[str, list[str]] = {}
    for word in reader.frequencies():
        if len(word) >= LEAST_LETTERS and word.isalpha():
            known = vocabulary.meanings(word, is_prefix=False, has_forms=True).tokens.get(FORM, ())
            forms = [form for form in known if form.isalpha() and form != word]
            if forms:
                found[word] = forms
    return found


def synonyms_of(settings: IndexSettings) -> dict[str, list[str]]:
    """List the synonyms of a site, each in the directions in which it holds."""
    found: dict[str, list[str]] = {}
    for word, meanings in settings.synonyms.items():
        for meaning in meanings:
            found.setdefault(word, []).append(meaning)
            found.setdefault(meaning, []).append(word)
    for word, meanings in settings.one_way_synonyms.items():
        found.setdefault(word, []).extend(meanings)
    return found


def joined(*tables: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Join tables of words that find others."""
    found: dict[str, list[str]] = {}
    for table in tables:
        for word, others in table.items():
            kept = found.setdefault(word, [])
            kept += [other for other in others if other not in kept]
    return found
