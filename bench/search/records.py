"""100,000 records made of the corpus, the same ones each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.corpus import Corpus, page_paths
from octavo.content import Document, TextChunk
from octavo.content.compile import ContentOptions, compile_document
from octavo.search.index.facts import PageFacts
from octavo.search.index.record import Indexed, make_records

SEED = 100_000
ORIGIN = "https://docs.example.org"


class PageSource(msgspec.Struct, frozen=True):
    """What the records of one page are made of."""

    facts: PageFacts
    document: Document


def load_pages(corpus: Corpus, most: int | None = None) -> list[PageSource]:
    """Compile the corpus; of more pages than `most`, as many that are drawn, the same ones each time."""
    chosen = page_paths(corpus.folder)
    if most is not None and len(chosen) > most:
        chosen = sorted(random.Random(SEED).sample(chosen, most))
    return [_load(corpus.folder, path) for path in chosen]


def make_record_pages(pages: list[PageSource], records: int) -> Iterator[tuple[str, list[Indexed]]]:
    """Make so many records.

    The corpus has about half as many. So it is gone through again with the sentences of each page shuffled among its
    texts, under other addresses and titles: new texts of real words, in which each word is as frequent as before.

    Returns:
        (route, records) of each page.
    """
    rng = random.Random(SEED)
    made = round_ = 0
    while made < records:
        for page in pages:
            found = _records(page, round_, rng)[: records - made]
            if found:
                made += len(found)
                yield page.facts.url + f"?{round_}" * bool(round_), found
            if made >= records:
                return
        round_ += 1


def _records(page: PageSource, round_: int, rng: random.Random) -> list[Indexed]:
    if not round_:
        return make_records(page.facts, page.document.headings, page.document.text)
    facts = msgspec.structs.replace(
        page.facts, url=f"{page.facts.url}-{round_}", title=f"{page.facts.title}, part {round_ + 1}"
    )
    return make_records(facts, page.document.headings, _shuffled(page.document.text, rng))


def _shuffled(chunks: list[TextChunk], rng: random.Random) -> list[TextChunk]:
    """Shuffle the sentences of a page among its texts; headings and code stay."""
    prose = [index for index, chunk in enumerate(chunks) if chunk.kind not in ("heading", "code")]
    sentences = [sentence for index in prose for sentence in chunks[index].text.split(". ")]
    rng.shuffle(sentences)
    result = list(chunks)
    for index in prose:
        count = chunks[index].text.count(". ") + 1
        text = ". ".join(sentences[:count])
        del sentences[:count]
        result[index] = TextChunk(chunks[index].kind, chunks[index].heading, text)
    return result


def _load(folder: Path, path: str) -> PageSource:
    text = (folder / path).read_text(encoding="utf-8")
    document = compile_document(text, source_path=path, load=lambda _: None, options=ContentOptions())
    section, _, _ = path.partition("/")
    facts = PageFacts(
        url=f"{ORIGIN}/{path.removesuffix('.md')}",
        title=document.front_matter.title or path,
        description=document.excerpt,
        lvl0=section,
        section=section,
        language="en",
        version="current",
        tag="docs-default-current",
        kind="guide",
        page_rank=10,
    )
    return PageSource(facts, document)
