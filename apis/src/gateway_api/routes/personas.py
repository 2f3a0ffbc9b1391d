"""Personas."""

from __future__ import annotations

from fastapi import APIRouter
from sqlalchemy import Connection

from gateway_api.models.personas import Persona, PersonaRequest, PersonaUpdateRequest
from gateway_api.store import personas as store
from gateway_api.web.deps import DatabaseDep

router = APIRouter(prefix="/api/v1/personas", tags=["Personas"])


@router.get("", operation_id="v1_list_personas")
def list_personas(database: DatabaseDep) -> list[Persona]:
    with database.reading() as connection:
        return store.list_personas(connection)


@router.post("", operation_id="v1_create_persona", status_code=201)
async def create_persona(database: DatabaseDep, body: PersonaRequest) -> Persona:
    compared = await database.read(lambda connection: store.compare(connection, body.description))
    return await database.write(lambda connection: store.create(connection, body.name, body.description, compared))


@router.get("/{persona_name}", operation_id="v1_get_persona")
def get_persona(database: DatabaseDep, persona_name: str) -> Persona:
    with database.reading() as connection:
        return store.get_persona(connection, persona_name)


@router.put("/{persona_name}", operation_id="v1_update_persona")
async def update_persona(database: DatabaseDep, persona_name: str, body: PersonaUpdateRequest) -> Persona:
    compared = await database.read(lambda connection: store.compare(connection, body.new_description))

    def work(connection: Connection) -> Persona:
        return store.change(connection, persona_name, body.new_name, body.new_description, compared)

    return await database.write(work)


@router.delete("/{persona_name}", operation_id="v1_delete_persona", status_code=204)
async def delete_persona(database: DatabaseDep, persona_name: str) -> None:
    await database.write(lambda connection: store.remove(connection, persona_name))
