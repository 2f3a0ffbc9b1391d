"""Providers and their models in the database."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from gateway_api.errors import ConflictError, NotFoundError
from gateway_api.models.providers import ModelByProvider, ProviderAuthType, ProviderEndpoint, ProviderType
from gateway_api.tables import former_names, models, providers
from gateway_api.values.moments import now_us
from gateway_api.values.text import key_of

RENAME_GRACE_US = 5_000_000
"""How long credentials may still be sent under a provider's former name."""


@dataclass(frozen=True)
class StoredProvider:
    """A provider, with what is never sent to clients."""

    row_id: int
    """Never used again for another provider, also after this one was deleted."""
    endpoint: ProviderEndpoint
    sealed_key: bytes | None

    @property
    def address(self) -> tuple[ProviderType, str]:
        """Where an API key goes; a key that was stored for one address is sent to no other."""
        return address_of(self.endpoint)


def address_of(endpoint: ProviderEndpoint) -> tuple[ProviderType, str]:
    """Take the part of a provider that decides where its API key goes; a slash at the end makes no difference."""
    return endpoint.provider_type, endpoint.endpoint.rstrip("/")


def list_providers(connection: Connection) -> list[ProviderEndpoint]:
    """List all providers, oldest first."""
    return [_endpoint(row) for row in connection.execute(select(providers).order_by(providers.c.id))]


def find_provider(connection: Connection, name: str) -> StoredProvider | None:
    """Find a provider by its exact name."""
    row = connection.execute(select(providers).where(providers.c.name_key == key_of(name))).one_or_none()
    return StoredProvider(row.id, _endpoint(row), row.sealed_key) if row else None


def note_former_name(connection: Connection, name: str, row_id: int) -> None:
    """Remember for a few seconds, for all servers, that a provider had a name until now.

    The dashboard saves a provider's new name and its API key with two requests at once, both under the old name. The
    second one means the same provider, whichever comes first and whichever server gets it.
    """
    now = now_us()
    known = former_names.c
    connection.execute(delete(former_names).where(~_is_recent(now) | (known.name_key == key_of(name))))
    connection.execute(insert(former_names).values(name_key=key_of(name), provider_id=row_id, renamed_at=now))


def find_renamed(connection: Connection, name: str) -> int | None:
    """Find the row of a provider that had a name until a few seconds ago."""
    known = former_names.c
    query = select(known.provider_id).where(known.name_key == key_of(name), _is_recent(now_us()))
    found: int | None = connection.scalar(query)
    return found


def _is_recent(now: int) -> ColumnElement[bool]:
    """Choose names that were given up a few seconds ago; those of a later time are from before the clock was set back."""
    return former_names.c.renamed_at.between(now - RENAME_GRACE_US, now + RENAME_GRACE_US)


def get_provider(connection: Connection, name: str) -> StoredProvider:
    """Find a provider by its exact name.

    Raises:
        NotFoundError: There is none.
    """
    found = find_provider(connection, name)
    if found is None:
        raise NotFoundError("Provider endpoint not found")
    return found


def get_same(connection: Connection, row_id: int) -> StoredProvider:
    """Read a provider that was found before, whatever its name is now.

    Raises:
        NotFoundError: It was deleted, even if another one has its name by now.
    """
    row = connection.execute(select(providers).where(providers.c.id == row_id)).one_or_none()
    if row is None:
        raise NotFoundError("Provider endpoint not found")
    return StoredProvider(row.id, _endpoint(row), row.sealed_key)


def refuse_taken_name(connection: Connection, name: str, *, own_row_id: int | None = None) -> None:
    """Raise ConflictError where another provider has the name."""
    taken = connection.scalar(select(providers.c.id).where(providers.c.name_key == key_of(name)))
    if taken is not None and taken != own_row_id:
        raise ConflictError(f"A provider named {name} already exists")


def add_provider(
    connection: Connection, endpoint: ProviderEndpoint, *, public_id: str, sealed_key: bytes | None
) -> StoredProvider:
    """Store a new provider under an id that the caller has made."""
    refuse_taken_name(connection, endpoint.name)
    values = _values(endpoint) | {"public_id": public_id, "sealed_key": sealed_key}
    row_id = connection.scalar(insert(providers).values(**values).returning(providers.c.id))
    return StoredProvider(row_id or 0, endpoint.model_copy(update={"id": public_id}), sealed_key)


def replace_provider(connection: Connection, row_id: int, endpoint: ProviderEndpoint) -> None:
    """Store all fields of a provider but its id and its key."""
    refuse_taken_name(connection, endpoint.name, own_row_id=row_id)
    connection.execute(update(providers).where(providers.c.id == row_id).values(**_values(endpoint)))


def set_auth_material(
    connection: Connection, row_id: int, auth_type: ProviderAuthType, sealed_key: bytes | None
) -> None:
    """Store how the gateway authenticates."""
    values = {"auth_type": auth_type.value, "sealed_key": sealed_key}
    connection.execute(update(providers).where(providers.c.id == row_id).values(**values))


def delete_provider(connection: Connection, name: str) -> None:
    """Delete a provider; its models and all rules that target them go with it."""
    connection.execute(delete(providers).where(providers.c.id == get_provider(connection, name).row_id))


def set_models(connection: Connection, row_id: int, names: Iterable[str]) -> None:
    """Make the stored models those that were found: new ones come, vanished ones go together with their rules."""
    wanted = {key_of(name): name for name in names}
    known = set(connection.scalars(select(models.c.name_key).where(models.c.provider_id == row_id)))
    for key in known - wanted.keys():
        connection.execute(delete(models).where(models.c.provider_id == row_id, models.c.name_key == key))
    new = [{"provider_id": row_id, "name": name, "name_key": key} for key, name in wanted.items() if key not in known]
    if new:
        connection.execute(insert(models), new)


def list_models(connection: Connection, row_id: int | None = None) -> list[ModelByProvider]:
    """List models of one provider, or of all; oldest provider first, names in the order they were found."""
    query = (
        select(models.c.name, providers.c.provider_type, providers.c.name.label("provider_name"))
        .join(providers, providers.c.id == models.c.provider_id)
        .order_by(providers.c.id, models.c.id)
    )
    if row_id is not None:
        query = query.where(providers.c.id == row_id)
    return [
        ModelByProvider(name=row.name, provider_type=ProviderType(row.provider_type), provider_name=row.provider_name)
        for row in connection.execute(query)
    ]


def make_public_id() -> str:
    """Make an id that clients see."""
    return str(uuid.uuid4())


def _values(endpoint: ProviderEndpoint) -> dict[str, Any]:
    return {
        "name": endpoint.name,
        "name_key": key_of(endpoint.name),
        "description": endpoint.description,
        "provider_type": endpoint.provider_type.value,
        "endpoint": endpoint.endpoint,
        "auth_type": endpoint.auth_type.value,
    }


def _endpoint(row: Row[Any]) -> ProviderEndpoint:
    return ProviderEndpoint(
        id=row.public_id,
        name=row.name,
        description=row.description,
        provider_type=ProviderType(row.provider_type),
        endpoint=row.endpoint,
        auth_type=ProviderAuthType(row.auth_type),
    )
