"""Workspaces in the database: live, archived, and the one that is active."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from gateway_api.errors import ConflictError, InvalidError, NotFoundError
from gateway_api.models.workspaces import ActiveWorkspace, Workspace
from gateway_api.tables import active_workspace, models, mux_rules, personas, prompts, providers, workspaces
from gateway_api.values.moments import from_us, now_us
from gateway_api.values.names import DEFAULT_WORKSPACE, lookup_name, workspace_name
from gateway_api.values.text import key_of

_MISSING = "Workspace does not exist"
_BY_NAME = select(workspaces).where(
    workspaces.c.name_key == bindparam("key"),
    workspaces.c.is_archived == bindparam("is_archived"),
    workspaces.c.deleted_at.is_(None),
)


def _active_id() -> Any:
    return select(active_workspace.c.workspace_id).scalar_subquery()


def list_live(connection: Connection, provider_name: str | None = None) -> list[Workspace]:
    """List workspaces that are not archived, oldest first; with a provider, those that have a rule for it."""
    query = select(workspaces.c.name, (workspaces.c.id == _active_id()).label("is_active"))
    query = query.where(~workspaces.c.is_archived).order_by(workspaces.c.id)
    if provider_name:
        query = query.where(workspaces.c.id.in_(_with_rule_for(provider_name)))
    return [Workspace(name=row.name, is_active=bool(row.is_active)) for row in connection.execute(query)]


def _with_rule_for(provider_name: str) -> Select[tuple[int]]:
    return (
        select(mux_rules.c.workspace_id)
        .join(models, models.c.id == mux_rules.c.model_id)
        .join(providers, providers.c.id == models.c.provider_id)
        .where(providers.c.name_key == key_of(provider_name))
    )


def list_archived(connection: Connection) -> list[Workspace]:
    """List archived workspaces, the one archived last first."""
    query = (
        select(workspaces.c.name)
        .where(workspaces.c.is_archived, workspaces.c.deleted_at.is_(None))
        .order_by(workspaces.c.archived_at.desc(), workspaces.c.id.desc())
    )
    return [Workspace(name=name, is_active=False) for name in connection.scalars(query)]


def is_unused(connection: Connection) -> bool:
    """Return whether a database is as it was made: one workspace, and nothing else."""
    tables = (prompts, providers, personas)
    rows = sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables)
    names = [workspace.name for workspace in list_live(connection) + list_archived(connection)]
    return rows == 0 and names == [DEFAULT_WORKSPACE]


def get_active(connection: Connection) -> ActiveWorkspace:
    """Read the active workspace and the moment of its activation."""
    query = select(workspaces.c.name, active_workspace.c.activated_at).join(
        active_workspace, active_workspace.c.workspace_id == workspaces.c.id
    )
    row = connection.execute(query).one()
    return ActiveWorkspace(name=row.name, is_active=True, last_updated=from_us(row.activated_at))


def get_live(connection: Connection, name: str) -> Row[Any]:
    """Read the row of a workspace that is not archived.

    Raises:
        NotFoundError: There is none of that name.
    """
    return _get(connection, name, is_archived=False)


def _get(connection: Connection, name: str, *, is_archived: bool) -> Row[Any]:
    row = connection.execute(_BY_NAME, {"key": key_of(lookup_name(name)), "is_archived": is_archived}).one_or_none()
    if row is None:
        raise NotFoundError(_MISSING)
    return row


def _refuse_taken_name(connection: Connection, name: str, *, own_id: int | None = None) -> None:
    query = select(workspaces.c.id, workspaces.c.is_archived).where(workspaces.c.name_key == key_of(name))
    taken = connection.execute(query).one_or_none()
    if taken is not None and taken.id != own_id:
        raise ConflictError(f"Workspace {name} already exists" + (" in the archive" if taken.is_archived else ""))


def create(connection: Connection, name: str) -> int:
    """Store a new workspace and return the id of its row.

    Raises:
        InvalidError: The name is not allowed.
        ConflictError: A workspace has it, perhaps an archived one.
    """
    stored = workspace_name(name)
    _refuse_taken_name(connection, stored)
    row_id = connection.scalar(
        insert(workspaces).values(name=stored, name_key=key_of(stored), is_archived=False).returning(workspaces.c.id)
    )
    return row_id or 0


def rename(connection: Connection, row: Row[Any], name: str) -> None:
    """Give a workspace another name, or the same.

    Raises:
        InvalidError: It is the default workspace, or the name is not allowed.
        ConflictError: Another workspace has the name, perhaps an archived one.
    """
    if row.name == DEFAULT_WORKSPACE:
        raise InvalidError("Cannot update the default workspace")
    stored = workspace_name(name)
    _refuse_taken_name(connection, stored, own_id=row.id)
    connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(name=stored, name_key=key_of(stored)))


def activate(connection: Connection, name: str) -> None:
    """Make a workspace the only active one.

    Raises:
        NotFoundError: No live workspace has the name.
        ConflictError: It is active already.
    """
    row = get_live(connection, name)
    if connection.scalar(select(active_workspace.c.workspace_id)) == row.id:
        raise ConflictError("Workspace is already active")
    connection.execute(update(active_workspace).values(workspace_id=row.id, activated_at=now_us()))


def archive(connection: Connection, name: str) -> None:
    """Move a workspace to the archive.

    Raises:
        NotFoundError: No live workspace has the name.
        InvalidError: It is the default or the active one.
    """
    row = get_live(connection, name)
    if row.name == DEFAULT_WORKSPACE:
        raise InvalidError("Cannot archive the default workspace")
    if connection.scalar(select(active_workspace.c.workspace_id)) == row.id:
        raise InvalidError("Cannot archive the active workspace")
    # Never before the newest of the archive, also after the clock was set back: the list shows the order of events.
    newest = connection.scalar(select(func.max(workspaces.c.archived_at))) or 0
    values = {"is_archived": True, "archived_at": max(now_us(), newest + 1)}
    connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(**values))


def recover(connection: Connection, name: str) -> None:
    """Bring a workspace back from the archive; it does not become active."""
    row = _get(connection, name, is_archived=True)
    connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(is_archived=False, archived_at=None))


def delete_for_good(connection: Connection, name: str) -> None:
    """Delete an archived workspace: it is gone for everybody, and its name is free.

    What was recorded in it is removed by `purging.Purge`.

    Raises:
        NotFoundError: No archived workspace has the name.
    """
    row = _get(connection, name, is_archived=True)
    # No hash of a name looks like this key, so the row is found under no name.
    gone = {"name": "", "name_key": f"deleted {row.id}", "custom_instructions": "", "deleted_at": now_us()}
    connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(**gone))
    connection.execute(delete(mux_rules).where(mux_rules.c.workspace_id == row.id))


def set_instructions(connection: Connection, row_id: int, prompt: str) -> None:
    """Store the instructions of a workspace."""
    connection.execute(update(workspaces).where(workspaces.c.id == row_id).values(custom_instructions=prompt))
