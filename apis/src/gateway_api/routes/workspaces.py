"""Workspaces: live, active, archived; their instructions and mux rules."""

from __future__ import annotations

from fastapi import APIRouter
from sqlalchemy import Connection

from gateway_api.models.workspaces import (
    ActivateWorkspaceRequest,
    CustomInstructions,
    FullWorkspace,
    ListActiveWorkspacesResponse,
    ListWorkspacesResponse,
    MuxRule,
    WorkspaceConfig,
)
from gateway_api.store import muxes
from gateway_api.store import workspaces as store
from gateway_api.values.names import workspace_name
from gateway_api.web.deps import DatabaseDep, PartsDep

router = APIRouter(prefix="/api/v1/workspaces")


@router.get("", operation_id="v1_list_workspaces", tags=["Workspaces"])
def list_workspaces(database: DatabaseDep, provider_name: str | None = None) -> ListWorkspacesResponse:
    with database.reading() as connection:
        return ListWorkspacesResponse(workspaces=store.list_live(connection, provider_name))


@router.post("", operation_id="v1_create_workspace", tags=["Workspaces"], status_code=201)
async def create_workspace(database: DatabaseDep, body: FullWorkspace) -> FullWorkspace:

    def work(connection: Connection) -> FullWorkspace:
        row_id = store.create(connection, body.name)
        if body.config:
            store.set_instructions(connection, row_id, body.config.custom_instructions)
            muxes.replace_rules(connection, row_id, body.config.muxing_rules)
        return _full(connection, workspace_name(body.name))

    return await database.write(work)


@router.get("/active", operation_id="v1_list_active_workspaces", tags=["Workspaces"])
def list_active_workspaces(database: DatabaseDep) -> ListActiveWorkspacesResponse:
    with database.reading() as connection:
        return ListActiveWorkspacesResponse(workspaces=[store.get_active(connection)])


@router.post("/active", operation_id="v1_activate_workspace", tags=["Workspaces"], status_code=204)
async def activate_workspace(database: DatabaseDep, body: ActivateWorkspaceRequest, status_code: int = 204) -> None:  # noqa: ARG001 - accepted from clients that send it, without effect
    await database.write(lambda connection: store.activate(connection, body.name))


@router.get("/archive", operation_id="v1_list_archived_workspaces", tags=["Workspaces"])
def list_archived_workspaces(database: DatabaseDep) -> ListWorkspacesResponse:
    with database.reading() as connection:
        return ListWorkspacesResponse(workspaces=store.list_archived(connection))


@router.post(
    "/archive/{workspace_name}/recover", operation_id="v1_recover_workspace", tags=["Workspaces"], status_code=204
)
async def recover_workspace(database: DatabaseDep, workspace_name: str) -> None:
    await database.write(lambda connection: store.recover(connection, workspace_name))


@router.delete(
    "/archive/{workspace_name}", operation_id="v1_hard_delete_workspace", tags=["Workspaces"], status_code=204
)
async def hard_delete_workspace(parts: PartsDep, workspace_name: str) -> None:
    await parts.database.write(lambda connection: store.delete_for_good(connection, workspace_name))
    parts.purge.wake()


@router.get("/{workspace_name}", operation_id="v1_get_workspace_by_name", tags=["Workspaces"])
def get_workspace(database: DatabaseDep, workspace_name: str) -> FullWorkspace:
    with database.reading() as connection:
        return _full(connection, workspace_name)


@router.put("/{workspace_name}", operation_id="v1_update_workspace", tags=["Workspaces"])
async def update_workspace(database: DatabaseDep, workspace_name: str, body: FullWorkspace) -> FullWorkspace:
    """Rename and configure in one step; what is left out or empty stays as it was."""

    def work(connection: Connection) -> FullWorkspace:
        row = store.get_live(connection, workspace_name)
        store.rename(connection, row, body.name)
        if body.config and body.config.custom_instructions:
            store.set_instructions(connection, row.id, body.config.custom_instructions)
        if body.config and body.config.muxing_rules:
            muxes.replace_rules(connection, row.id, body.config.muxing_rules)
        return _full(connection, body.name)

    return await database.write(work)


@router.delete("/{workspace_name}", operation_id="v1_delete_workspace", tags=["Workspaces"], status_code=204)
async def delete_workspace(database: DatabaseDep, workspace_name: str) -> None:
    await database.write(lambda connection: store.archive(connection, workspace_name))


@router.get(
    "/{workspace_name}/custom-instructions", operation_id="v1_get_workspace_custom_instructions", tags=["Workspaces"]
)
def get_custom_instructions(database: DatabaseDep, workspace_name: str) -> CustomInstructions:
    with database.reading() as connection:
        return CustomInstructions(prompt=store.get_live(connection, workspace_name).custom_instructions)


@router.put(
    "/{workspace_name}/custom-instructions",
    operation_id="v1_set_workspace_custom_instructions",
    tags=["Workspaces"],
    status_code=204,
)
async def set_custom_instructions(database: DatabaseDep, workspace_name: str, body: CustomInstructions) -> None:
    await database.write(
        lambda connection: store.set_instructions(
            connection, store.get_live(connection, workspace_name).id, body.prompt
        )
    )


@router.delete(
    "/{workspace_name}/custom-instructions",
    operation_id="v1_delete_workspace_custom_instructions",
    tags=["Workspaces"],
    status_code=204,
)
async def delete_custom_instructions(database: DatabaseDep, workspace_name: str) -> None:
    await database.write(
        lambda connection: store.set_instructions(connection, store.get_live(connection, workspace_name).id, "")
    )


@router.get("/{workspace_name}/muxes", operation_id="v1_get_workspace_muxes", tags=["Muxes"])
def get_muxes(database: DatabaseDep, workspace_name: str) -> list[MuxRule]:
    with database.reading() as connection:
        return muxes.list_rules(connection, store.get_live(connection, workspace_name).id)


@router.put("/{workspace_name}/muxes", operation_id="v1_set_workspace_muxes", tags=["Muxes"], status_code=204)
async def set_muxes(database: DatabaseDep, workspace_name: str, body: list[MuxRule]) -> None:
    await database.write(
        lambda connection: muxes.replace_rules(connection, store.get_live(connection, workspace_name).id, body)
    )


def _full(connection: Connection, name: str) -> FullWorkspace:
    row = store.get_live(connection, name)
    rules = muxes.list_rules(connection, row.id)
    config = WorkspaceConfig(custom_instructions=row.custom_instructions, muxing_rules=rules)
    return FullWorkspace(name=row.name, config=config)
