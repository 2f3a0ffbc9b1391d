"""Descriptions are compared without the lock, and what was written meanwhile under it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from gateway_api.database import Database
from gateway_api.errors import ConflictError, NotFoundError
from gateway_api.migrations import migrate
from gateway_api.store import personas as store
from gateway_api.values.similarity import DIMENSIONS, Likeness, cosine, vector_of

GUIDES, GUIDES_TOO = "Writes guides for readers.", "Writes guides for the readers"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    migrate(made)
    yield made
    made.close()


def create(database: Database, name: str, description: str, compared: store.Comparison | None = None) -> None:
    with database.writing() as connection:
        store.create(connection, name, description, compared)


def compare(database: Database, description: str) -> store.Comparison:
    with database.reading() as connection:
        return store.compare(connection, description)


def test_similar_description_that_came_after_the_comparison_is_found(database: Database) -> None:
    create(database, "reader", "Reads charts about sales.")
    compared = compare(database, GUIDES)
    create(database, "writer", GUIDES_TOO)
    with pytest.raises(ConflictError, match="too similar"):
        create(database, "other", GUIDES, compared)


def test_description_that_was_changed_after_the_comparison_is_found(database: Database) -> None:
    create(database, "reader", "Reads charts about sales.")
    compared = compare(database, GUIDES)
    with database.writing() as connection:
        store.change(connection, "reader", "reader", GUIDES_TOO)
    with pytest.raises(ConflictError, match="too similar"):
        create(database, "other", GUIDES, compared)


@pytest.mark.parametrize("what", ["changed", "removed"])
def test_description_that_is_gone_since_the_comparison_does_not_count(database: Database, what: str) -> None:
    create(database, "writer", GUIDES_TOO)
    compared = compare(database, GUIDES)
    assert compared.similar
    with database.writing() as connection:
        if what == "changed":
            store.change(connection, "writer", "writer", "Reads charts about sales.")
        else:
            store.remove(connection, "writer")
    create(database, "other", GUIDES, compared)


def test_description_that_replaces_the_newest_one_is_found(database: Database) -> None:
    create(database, "reader", "Reads charts about sales.")
    compared = compare(database, GUIDES)
    with database.writing() as connection:
        store.remove(connection, "reader")
    create(database, "writer", GUIDES_TOO)
    with pytest.raises(ConflictError, match="too similar"):
        create(database, "other", GUIDES, compared)


def test_own_description_may_stay(database: Database) -> None:
    create(database, "writer", GUIDES)
    with database.writing() as connection:
        store.change(connection, "writer", "author", GUIDES_TOO, store.compare(connection, GUIDES_TOO))
    with database.reading() as connection:
        assert store.get_persona(connection, "author").description == GUIDES_TOO
        with pytest.raises(NotFoundError):
            store.get_persona(connection, "writer")


def test_few_rows_are_read_under_the_lock(database: Database) -> None:
    """The number of personas is of no matter to whoever waits for the lock."""
    words = [f"{a}{b}" for a in ("alpha", "brick", "cloud", "drift") for b in ("zinc", "yarn", "wolf", "vast")]
    for number, word in enumerate(words):
        create(database, f"p{number}", f"{word} {word[::-1]}")
    compared = compare(database, GUIDES)
    asked: list[str] = []
    with database.writing() as connection:
        event.listen(connection, "before_cursor_execute", lambda *call: asked.append(f"{call[2]} {call[3]}"))
        store.create(connection, "other", GUIDES, compared)
    (vectors,) = [text for text in asked if "vector" in text and text.startswith("SELECT")]
    assert "revision > ?" in vectors
    assert str((compared.revision,)) in vectors


def test_cosine() -> None:
    one, other, nothing = vector_of("alpha beta"), vector_of("gamma delta"), vector_of("")
    assert cosine(one, one) == pytest.approx(1)
    assert cosine(one, other) == pytest.approx(cosine(other, one))
    assert cosine(one, nothing) == cosine(nothing, one) == 0
    assert len(nothing) == 4 * DIMENSIONS
    assert Likeness(vector_of(GUIDES)).to(vector_of(GUIDES_TOO)) > 0.7


def test_vectors_stay_comparable_with_those_that_are_stored() -> None:
    """They are in databases of earlier versions: with other places or weights, no persona is like one of before."""
    found = {number: round(value, 3) for number, value in enumerate(memoryview(vector_of("Kilns")).cast("f")) if value}
    assert found == {225: 0.943, 250: -0.236, 392: 0.236}
    two = memoryview(vector_of("Kiln glazes")).cast("f")
    assert [number for number in range(DIMENSIONS) if two[number]] == [122, 225, 231, 250, 392, 411, 486]
    assert round(two[411] / two[225], 3) == 0.4
