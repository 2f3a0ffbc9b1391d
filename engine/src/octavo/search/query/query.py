"""What a reader has typed, taken apart: `Query`, and the `QueryPlan` of what each of its words may mean in an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from octavo.lazy import regex as re
from octavo.search.query.synonyms import Synonyms
from octavo.search.query.vocabulary import COMPOUND, EXACT, FORM, TYPO, Meanings, Vocabulary, allowed_typos
from octavo.search.text.distance import within
from octavo.search.text.tokens import Chunk, spans

LONGEST_QUERY = 512
"""Characters; what follows is cut."""

MOST_WORDS = 24
"""Words that are looked for; what follows is left out."""

CLOSING = '"+#!?,;)]}>`*=%&|^'
"""Characters behind which the last word is no longer unfinished: `C++` means no word that begins with C."""

RARE, MUCH_MORE, LEAST_RARE = 2, 20, 6
"""Records up to which a word is rare; how much more frequent what it may be misspelt for must be; letters of such a word."""

FARTHEST_TYPOS = 2
"""Mistakes that are forgiven at most."""

Typos = Literal["none", "unknown", "all"]
QueryType = Literal["prefixLast", "prefixAll", "prefixNone"]

_PHRASE = re.compile(r'"([^"]*)"?')
_LITERAL = re.compile(r"\(\s*([`\"'][^`\"']*[`\"'])\s*\)?")
_IN_PARTS = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)+")
_EXCLUDED = re.compile(r'(?<!\S)-(?:"([^"]*)"?|(?=[^\W\d_])(\S+))')


class QueryTerm(NamedTuple):
    """One word to look for: a word of prose, or a part of an identifier."""

    form: str
    names: tuple[str, ...]
    """Identifiers of which it is a part, as tokens."""
    is_prefix: bool


class TermGroup(NamedTuple):
    """Terms that together are one identifier, or one word written apart."""

    first: int
    size: int
    name: str
    is_prefix: bool
    is_form: bool = False
    """It is another way to write them."""


class Query(msgspec.Struct, frozen=True):
    """A query, taken apart."""

    terms: list[QueryTerm] = []
    groups: list[TermGroup] = []
    identifiers: list[str] = []
    """Identifiers that were typed in full, as tokens: records that contain all of them are ranked above all others."""
    phrases: list[tuple[int, int]] = []
    """(first term, number of terms) of what was quoted."""
    literals: frozenset[int] = frozenset()
    """Terms in the quoted arguments of pasted code, as in ``Host(`example.com`)``: examples that a page need not hold."""
    excluded: list[list[str]] = []
    """Tokens of each word or phrase that must not occur."""


class QuerySettings(msgspec.Struct, frozen=True):
    """How a query is read."""

    query_type: QueryType = "prefixLast"
    has_syntax: bool = False
    """Quotes and minus signs have a meaning."""
    has_forms: bool = True
    """Plurals and other forms of a word count as the word."""
    has_typos: bool = True
    one_typo_from: int = 4
    two_typos_from: int = 8


def parse_query(text: str, settings: QuerySettings | None = None) -> Query:
    """Take a query apart."""
    settings = settings or QuerySettings()
    text = text[:LONGEST_QUERY]
    excluded: list[list[str]] = []
    if settings.has_syntax:
        for found in _EXCLUDED.finditer(text):
            tokens = [form for span in spans(found[1] or found[2] or "") for form in _whole(span.chunk)]
            if tokens:
                excluded.append(tokens)
        text = _EXCLUDED.sub(" ", text)
    builder = _Builder(settings)
    offset = 0
    if settings.has_syntax:
        for found in _PHRASE.finditer(text):
            builder.add_code(text[offset : found.start()])
            builder.add(found[1], is_phrase=True)
            offset = found.end()
    builder.add_code(text[offset:])
    return builder.build(excluded, ends_open=not text[-1:].isspace() and text[-1:] not in CLOSING)


def _whole(chunk: Chunk) -> list[str]:
    return [chunk.names[0].form] if chunk.names else [part.form for part in chunk.parts]


def _written_together(chunk: Chunk) -> str:
    """Write a word in parts, such as `wi-fi`, as one word; an empty text for any other, and for numbers."""
    joined = "".join(part.form for part in chunk.parts)
    is_in_parts = any(_IN_PARTS.fullmatch(name.form) for name in chunk.names[:1])
    return joined if is_in_parts and not joined[0].isdecimal() else ""


class _Builder:
    def __init__(self, settings: QuerySettings) -> None:
        self._settings = settings
        self._chunks: list[tuple[Chunk, bool]] = []
        self._phrases: list[tuple[int, int]] = []
        self._literals: list[tuple[int, int]] = []
        self._count = 0

    def add_code(self, text: str) -> None:
        """Add text that may contain pasted code."""
        offset = 0
        for found in _LITERAL.finditer(text):
            self.add(text[offset : found.start(1)])
            first = self._count
            self.add(found[1])
            self._literals.append((first, self._count))
            offset = found.end(1)
        self.add(text[offset:])

    def add(self, text: str, *, is_phrase: bool = False) -> None:
        first = self._count
        for span in spans(text):
            if self._count + len(span.chunk.parts) > MOST_WORDS:
                break
            self._chunks.append((span.chunk, is_phrase))
            self._count += len(span.chunk.parts)
        if is_phrase and self._count > first:
            self._phrases.append((first, self._count - first))

    def build(self, excluded: list[list[str]], *, ends_open: bool) -> Query:
        terms: list[QueryTerm] = []
        groups: list[TermGroup] = []
        identifiers: list[str] = []
        kind = self._settings.query_type
        literals = frozenset(index for first, end in self._literals for index in range(first, end))
        for number, (chunk, is_phrase) in enumerate(self._chunks):
            is_last = number == len(self._chunks) - 1
            is_open = not is_phrase and (kind == "prefixAll" or (kind == "prefixLast" and is_last and ends_open))
            first, last = len(terms), len(chunk.parts) - 1
            groups += [
                TermGroup(first + name.first, name.size, name.form, is_open and name.first + name.size > last)
                for name in chunk.names
            ]
            if joined := _written_together(chunk):
                groups.append(TermGroup(first, len(chunk.parts), joined, is_prefix=False, is_form=True))
            names = tuple(name.form for name in chunk.names)
            terms += [QueryTerm(part.form, names, is_open and index == last) for index, part in enumerate(chunk.parts)]
            if chunk.is_identifier and chunk.names and first not in literals:
                identifiers.append(chunk.names[0].form)
        groups += [
            TermGroup(index, 2, terms[index].form + terms[index + 1].form, is_prefix=False)
            for index in range(len(terms) - 1)
            if not terms[index].names and not terms[index + 1].names
        ]
        return Query(terms, groups, identifiers, self._phrases, literals, excluded)


Sense = tuple[int, int, int]
"""What a token of the index means for the query; plain, for ranking takes thousands apart.

(index of the term that it matches; place of the term in the token, in parts, for an identifier matches several terms,
one after another; `TYPO * typos + kind`)
"""


class QueryPlan(msgspec.Struct, frozen=True):
    """A query against one index: which tokens match which of its terms, and how well."""

    query: Query
    senses: dict[str, tuple[Sense, ...]]
    """Token → its meanings."""
    meanings: list[Meanings]
    """For each term: the tokens that match it."""
    core: Sequence[int] = ()
    """Terms by which records are ranked; the others, small words, only decide between records that are equal in these."""
    wished: frozenset[int] = frozenset()
    """Terms of the core that a record need not hold."""
    held: Sequence[frozenset[str]] = ()
    """For each identifier of the query the tokens that hold it: itself, or those that begin with it where the index has none."""


def make_plan(
    query: Query,
    vocabulary: Vocabulary,
    settings: QuerySettings,
    *,
    typos: Typos,
    small: frozenset[int] = frozenset(),
    wished: frozenset[int] = frozenset(),
    synonyms: Synonyms | None = None,
) -> QueryPlan:
    """Find what each term of a query may mean in an index.

    Args:
        query: The query.
        vocabulary: The words of the index.
        settings: How the query is read.
        typos: Whether words may be misspelt: none of them, those that the index does not know, or all.
        small: Terms that are not part of `QueryPlan.core`.
        wished: See `QueryPlan.wished`.
        synonyms: Synonyms for the words of the query; quoted words have none.
    """
    senses: dict[str, tuple[Sense, ...]] = {}
    meanings: list[Meanings] = []
    quoted = {index for first, count in query.phrases for index in range(first, first + count)}
    for index, term in enumerate(query.terms):
        has_forms = settings.has_forms and index not in quoted
        right = vocabulary.meanings(term.form, is_prefix=term.is_prefix, has_forms=has_forms)
        is_doubtful = settings.has_typos and index not in quoted and _is_doubtful(term, right, settings)
        may_be_wrong = typos == "all" or (typos == "unknown" and not right.is_known) or is_doubtful
        wrong = _misspellings(term, vocabulary, settings) if may_be_wrong and index not in quoted else None
        if settings.has_typos and typos != "all" and _is_rare(term, right) and index not in quoted:
            wrong = _misspellings(term, vocabulary, settings)
            wrong = wrong if wrong and wrong.frequency >= MUCH_MORE * right.frequency else None
        if is_doubtful and wrong and wrong.is_known:
            right = Meanings({TYPO * FARTHEST_TYPOS + FORM: right.tokens[FORM]}, right.frequency)
        found = _joined(right, wrong) if wrong else right
        for quality, tokens in found.tokens.items():
            _add(senses, tokens, (index, 0, quality))
        for phrase in found.phrases:
            _add(senses, phrase, (index, 0, FORM))
        meanings.append(found)
    groups = query.groups
    if synonyms is not None:
        forms = ["" if index in quoted else term.form for index, term in enumerate(query.terms)]
        groups = [*groups, *(TermGroup(*place, is_prefix=False) for place in synonyms.within(forms))]
    for group in groups:
        names = vocabulary.meanings(group.name, is_prefix=group.is_prefix, has_forms=False)
        if group.is_form and names.tokens:
            names = Meanings({FORM: names.tokens[EXACT]}, names.frequency)
        for offset in range(group.size if names.tokens else 0):
            index = group.first + offset
            for quality, tokens in names.tokens.items():
                _add(senses, tokens, (index, offset, quality))
            meanings[index] = _joined(meanings[index], names)
    if synonyms is not None:
        others = [list(synonyms.of(form)) for form in forms]
        for first, size, phrase in synonyms.phrases_within(forms):
            # As a group of terms: a record that holds the other phrase holds each of these.
            for index in range(first, first + size):
                others[index].append(phrase)
        for index, phrases in enumerate(others):
            meanings[index] = _with_phrases(meanings[index], phrases, index, senses, vocabulary)
    core = [index for index in range(len(query.terms)) if index not in small]
    held = [_holding(name, query, vocabulary) for name in query.identifiers]
    return QueryPlan(query, senses, meanings, core, wished, held)


def taken_apart(plan: QueryPlan) -> QueryPlan | None:
    """Let a record hold either part of an unknown word that was taken apart, where none holds both; None for other queries.

    Where other words were typed as well, records that hold these are better answers than those with half of a word.
    """
    if len(plan.core) != 1:
        return None
    meanings = plan.meanings[plan.core[0]]
    if meanings.tokens or not meanings.phrases:
        return None
    parts = list(dict.fromkeys(token for phrase in meanings.phrases for token in phrase))
    changed = list(plan.meanings)
    changed[plan.core[0]] = Meanings({COMPOUND: parts}, meanings.frequency)
    return msgspec.structs.replace(plan, meanings=changed)


def _holding(name: str, query: Query, vocabulary: Vocabulary) -> frozenset[str]:
    if name in vocabulary:  # `HTTP-01` and `HTTP01` are one name, written in two ways
        return frozenset([name, name.replace("-", "")] if _IN_PARTS.fullmatch(name) else [name])
    is_open = any(group.is_prefix and group.name == name for group in query.groups)
    return frozenset(vocabulary.beginning_with(name) or [name] if is_open else [name])


def _is_rare(term: QueryTerm, meanings: Meanings) -> bool:
    """Return whether the index may hold a word only because somebody has misspelt it there as well."""
    is_plain = len(term.form) >= LEAST_RARE and term.form.isalpha() and not term.names
    return is_plain and 0 < meanings.frequency <= RARE


def _is_doubtful(term: QueryTerm, meanings: Meanings, settings: QuerySettings) -> bool:
    """Return whether a long word that the index does not hold may be misspelt, though others have its stem.

    Who misspells `maintenance` may have written `maintain` with another ending, but differs less from the former.
    """
    if meanings.tokens.keys() != {FORM} or meanings.phrases or term.names or not term.form.isalpha():
        return False
    limit = allowed_typos(term.form, one_from=settings.one_typo_from, two_from=settings.two_typos_from)
    if limit < FARTHEST_TYPOS:
        return False
    return not any(within(term.form, form, limit) for form in meanings.tokens[FORM])


def _misspellings(term: QueryTerm, vocabulary: Vocabulary, settings: QuerySettings) -> Meanings | None:
    limit = allowed_typos(term.form, one_from=settings.one_typo_from, two_from=settings.two_typos_from)
    return vocabulary.misspellings(term.form, limit=limit, is_prefix=term.is_prefix) if limit else None


def _joined(first: Meanings, second: Meanings) -> Meanings:
    tokens = dict(first.tokens)
    for quality, more in second.tokens.items():
        tokens[quality] = [*tokens.get(quality, ()), *more]
    return Meanings(tokens, first.frequency + second.frequency, [*first.phrases, *second.phrases])


def _with_phrases(
    meanings: Meanings,
    phrases: Sequence[tuple[str, ...]],
    index: int,
    senses: dict[str, tuple[Sense, ...]],
    vocabulary: Vocabulary,
) -> Meanings:
    """Let a term also mean phrases: a record that holds all words of one holds the term, in another form."""
    known = [phrase for phrase in phrases if all(token in vocabulary for token in phrase)]
    for token in {token for phrase in known for token in phrase}:
        if all(term != index for term, _, _ in senses.get(token, ())):
            _add(senses, [token], (index, 0, FORM))
    frequency = sum(min(map(vocabulary.frequency, phrase)) for phrase in known)
    return Meanings(meanings.tokens, meanings.frequency + frequency, known) if known else meanings


def _add(senses: dict[str, tuple[Sense, ...]], tokens: Sequence[str], sense: Sense) -> None:
    """Add a meaning to tokens. A prefix can match thousands, so new ones are added at once."""
    new: dict[str, tuple[Sense, ...]] = dict.fromkeys(tokens, (sense,))
    for token in senses.keys() & new.keys():
        new[token] = (*senses[token], sense)
    senses.update(new)
