"""Personas in the database."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select, update

from gateway_api.errors import ConflictError, NotFoundError
from gateway_api.models.personas import Persona
from gateway_api.tables import personas
from gateway_api.values.moments import now_us
from gateway_api.values.names import persona_name
from gateway_api.values.similarity import THRESHOLD, Likeness, vector_of
from gateway_api.values.text import key_of


def list_personas(connection: Connection) -> list[Persona]:
    """List all personas, oldest first."""
    return [_persona(row) for row in connection.execute(select(personas).order_by(personas.c.id))]


def get_persona(connection: Connection, name: str) -> Persona:
    """Find a persona by its exact name.

    Raises:
        NotFoundError: There is none.
    """
    return _persona(_get(connection, name))


class Comparison(NamedTuple):
    """A description compared with all personas that were there at the time."""

    vector: bytes
    similar: frozenset[int]
    """Rows whose description says the same."""
    revision: int
    """The newest revision that was compared; the rest is compared when the persona is written."""


def compare(connection: Connection, description: str) -> Comparison:
    """Compare a description with all personas: slow, and so done without the lock."""
    return _compared(connection, Comparison(vector_of(description), frozenset(), -1))


def create(connection: Connection, name: str, description: str, compared: Comparison | None = None) -> Persona:
    """Store a new persona.

    Args:
        connection: A writing transaction.
        name: Its name.
        description: Its description.
        compared: What `compare` has found for the description a moment ago; None compares now.

    Raises:
        ConflictError: The name is taken, or the description says what another one says.
        InvalidError: The name is not allowed.
    """
    values = _checked_values(connection, name, description, compared, own_id=None) | {"public_id": str(uuid.uuid4())}
    connection.execute(insert(personas).values(**values))
    return Persona(id=values["public_id"], name=name, description=description)


def change(
    connection: Connection, name: str, new_name: str, new_description: str, compared: Comparison | None = None
) -> Persona:
    """Store another name and description; the id stays. Arguments and errors are those of `create`, `get_persona`."""
    row = _get(connection, name)
    values = _checked_values(connection, new_name, new_description, compared, own_id=row.id)
    connection.execute(update(personas).where(personas.c.id == row.id).values(**values))
    return Persona(id=row.public_id, name=new_name, description=new_description)


def remove(connection: Connection, name: str) -> None:
    """Delete a persona."""
    connection.execute(delete(personas).where(personas.c.id == _get(connection, name).id))


def _checked_values(
    connection: Connection, name: str, description: str, compared: Comparison | None, *, own_id: int | None
) -> dict[str, Any]:
    found = _compared(connection, compared) if compared else compare(connection, description)
    if found.similar - {own_id}:
        raise ConflictError("The description is too similar to that of another persona")
    key = key_of(persona_name(name))
    taken = connection.scalar(select(personas.c.id).where(personas.c.name_key == key))
    if taken is not None and taken != own_id:
        raise ConflictError(f"A persona named {name} already exists")
    values = {"name": name, "name_key": key, "description": description, "vector": found.vector}
    # The clock, so that no revision comes twice, also after the newest persona was deleted.
    return values | {"revision": max(now_us(), found.revision + 1)}


def _compared(connection: Connection, before: Comparison) -> Comparison:
    """Compare with the personas that were written since; those that are gone by now are no longer similar."""
    query = select(personas.c.id, personas.c.vector, personas.c.revision).where(personas.c.revision > before.revision)
    new = connection.execute(query).all()
    like = Likeness(before.vector)
    similar = {row.id for row in new if like.to(row.vector) > THRESHOLD}
    older = before.similar - {row.id for row in new}
    if older:
        similar |= set(connection.scalars(select(personas.c.id).where(personas.c.id.in_(older))))
    revision = max((row.revision for row in new), default=before.revision)
    return Comparison(before.vector, frozenset(similar), revision)


def _get(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(personas).where(personas.c.name_key == key_of(name))).one_or_none()
    if row is None:
        raise NotFoundError("Persona does not exist")
    return row


def _persona(row: Row[Any]) -> Persona:
    return Persona(id=row.public_id, name=row.name, description=row.description)
