"""A search engine that runs elsewhere, in its smallest form: a list of documents, in the order in which it finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from octavo.search.engines.backend import Batch, Question
from octavo.search.engines.documents import Document, StoredRecord, document_of, read_document
from octavo.search.fields import COUNTED, NUMBER_OF
from octavo.search.index.record import Indexed, Record
from octavo.search.query.filters import All, Equals, Filter, Not
from octavo.search.query.filters import Any as AnyOf
from octavo.search.query.parameters import Parameters
from octavo.search.ranking.meets import meets


class ListedDocuments:
    """See `Backend`; a record holds a word where the text of a document does."""

    name = "List"

    def __init__(self, pages: Iterable[Sequence[Indexed]]) -> None:
        self.documents = [document_of(StoredRecord(record, False, None)) for page in pages for record, _ in page]
        self.questions: list[Question] = []

    def refuse(self, parameters: Parameters) -> None:
        """See `Backend`; it can do everything."""

    def note(self, question: Question) -> str:
        """See `Backend`."""
        return f"{len(question.words)} words"

    def ask(self, question: Question) -> Batch:
        """See `Backend`."""
        self.questions.append(question)
        quantity = all if question.needs_all else any
        found: dict[str, Document] = {}
        for document in self._meeting(question.filter):
            text = _text(document)
            texts = [*question.phrases, *question.words]
            if (quantity(one in text for one in texts) or not texts) and not any(
                one in text for one in question.excluded
            ):
                found.setdefault(document["url"] if question.distinct else document["objectID"], document)
        hits = list(found.values())
        counts = {name: _counted([read_document(hit).record for hit in hits], name) for name in question.facets}
        end = question.offset + question.length
        return Batch(hits[question.offset : end], len(hits), is_exact=True, counts=counts)

    def load(self, filter_: Filter | None, offset: int, count: int) -> tuple[Sequence[Document], int]:
        """See `Backend`."""
        found = self._meeting(filter_)
        return found[offset : offset + count], len(found)

    def _meeting(self, filter_: Filter | None) -> list[Document]:
        if filter_ is None:
            return self.documents
        return [one for one in self.documents if _meets(read_document(one).record, filter_)]


def _meets(record: Record, filter_: Filter) -> bool:
    """Apply a filter; that of an address is for engines that run elsewhere only."""
    match filter_:
        case Equals("url", url):
            return record.url == url
        case Not(item):
            return not _meets(record, item)
        case All(items):
            return all(_meets(record, item) for item in items)
        case AnyOf(items):
            return any(_meets(record, item) for item in items)
        case _:
            return meets(record, filter_)


def _text(document: Document) -> str:
    return "\n".join([*document["hierarchy"].values(), document.get("content", "")]).lower()


def _counted(records: Sequence[Record], name: str) -> dict[str, int]:
    facet = COUNTED.get(name) or NUMBER_OF[name]
    return dict(Counter(str(facet.read(record)) for record in records))
