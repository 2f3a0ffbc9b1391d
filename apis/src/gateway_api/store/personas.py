"""Personas in the database."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from gateway_api.errors import ConflictError, NotFoundError
from gateway_api.models.personas import Persona
from gateway_api.names import persona_name
from gateway_api.similarity import THRESHOLD, cosine, vector_of
from gateway_api.tables import personas
from gateway_api.text import key_of


def list_personas(connection: Connection) -> list[Persona]:
    """List all personas, oldest first."""
    return [_persona(row) for row in connection.execute(select(personas).order_by(personas.c.id))]


def get_persona(connection: Connection, name: str) -> Persona:
    """Find a persona by its exact name.

    Raises:
        NotFoundError: There is none.
    """
    return _persona(_get(connection, name))


def create(connection: Connection, name: str, description: str) -> Persona:
    """Store a new persona.

    Raises:
        ConflictError: The name is taken, or the description says what another one says.
        InvalidError: The name is not allowed.
    """
    values = _checked_values(connection, name, description, own_id=None) | {"public_id": str(uuid.uuid4())}
    connection.execute(insert(personas).values(**values))
    return Persona(id=values["public_id"], name=name, description=description)


def change(connection: Connection, name: str, new_name: str, new_description: str) -> Persona:
    """Store another name and description; the id stays. Raises as `create` and `get_persona` do."""
    row = _get(connection, name)
    values = _checked_values(connection, new_name, new_description, own_id=row.id)
    connection.execute(update(personas).where(personas.c.id == row.id).values(**values))
    return Persona(id=row.public_id, name=new_name, description=new_description)


def remove(connection: Connection, name: str) -> None:
    """Delete a persona."""
    connection.execute(delete(personas).where(personas.c.id == _get(connection, name).id))


def _checked_values(connection: Connection, name: str, description: str, *, own_id: int | None) -> dict[str, Any]:
    vector = vector_of(description)
    others = connection.execute(select(personas.c.id, personas.c.vector).where(personas.c.id != (own_id or 0)))
    if any(cosine(vector, other.vector) > THRESHOLD for other in others):
        raise ConflictError("The description is too similar to that of another persona")
    key = key_of(persona_name(name))
    taken = connection.scalar(select(personas.c.id).where(personas.c.name_key == key))
    if taken is not None and taken != own_id:
        raise ConflictError(f"A persona named {name} already exists")
    return {"name": name, "name_key": key, "description": description, "vector": vector}


def _get(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(personas).where(personas.c.name_key == key_of(name))).one_or_none()
    if row is None:
        raise NotFoundError("Persona does not exist")
    return row


def _persona(row: Row[Any]) -> Persona:
    return Persona(id=row.public_id, name=row.name, description=row.description)
