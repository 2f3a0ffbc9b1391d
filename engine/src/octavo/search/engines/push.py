"""Sending the records of a published site to an engine that runs elsewhere."""

from __future__ import annotations

from octavo.search.engines.backend import Publisher
from octavo.search.engines.documents import documents
from octavo.search.engines.forms import forms_of, synonyms_of
from octavo.search.index.tantivy_index import IndexReader


def push_records(reader: IndexReader, engine: Publisher) -> int:
    """Put the records of an index in the place of those that an engine has, in one step.

    Returns:
        Their number.

    Raises:
        UsageError: the engine does not take them; what it had stays.
    """
    records = list(documents(reader))
    engine.publish(records, synonyms_of(reader.settings), forms_of(reader))
    return len(records)
