"""Providers: their addresses, their credentials and their models."""

from __future__ import annotations

import re

from fastapi import APIRouter
from sqlalchemy import Connection

from gateway_api.discovery import DEFAULT_ENDPOINTS
from gateway_api.errors import ConflictError, DiscoveryError, InvalidError, NotFoundError
from gateway_api.models.providers import (
    AddProviderEndpointRequest,
    ConfigureAuthMaterial,
    ModelByProvider,
    ProviderAuthType,
    ProviderEndpoint,
)
from gateway_api.observing import log
from gateway_api.sealing import Seal, check_fingerprint
from gateway_api.store import providers as store
from gateway_api.store.providers import StoredProvider
from gateway_api.values.names import RESERVED_PROVIDER
from gateway_api.web.deps import DatabaseDep, Parts, PartsDep, ProviderName

_MAY_HAVE_SECRETS = re.compile(r"[?#]|^\s*(?:[^/\\@:]*:)?[/\\]*[^/\\]*@")
"""User and password before the host, a query, a fragment: endpoints are stored and returned as they are, API keys are
encrypted and never returned."""

_USER = re.compile(r"^(\s*(?:[^/\\@:]*:)?[/\\]*)[^/\\]*@")

router = APIRouter(prefix="/api/v1/provider-endpoints", tags=["Providers"])


@router.get("", operation_id="v1_list_provider_endpoints")
def list_provider_endpoints(database: DatabaseDep, name: str | None = None) -> list[ProviderEndpoint]:
    with database.reading() as connection:
        found = store.list_providers(connection) if name is None else [store.get_provider(connection, name).endpoint]
    return [_without_secrets(endpoint) for endpoint in found]


@router.post("", operation_id="v1_add_provider_endpoint", status_code=201)
async def add_provider_endpoint(parts: PartsDep, body: AddProviderEndpointRequest) -> ProviderEndpoint:
    """Ask the provider for its models first, then store both in one transaction."""
    endpoint = _effective(body)
    _refuse_reserved(body.name)
    if body.auth_type is ProviderAuthType.API_KEY and not body.api_key:
        raise InvalidError("API key must be provided for API auth type")
    await parts.database.read(lambda connection: store.refuse_taken_name(connection, body.name))
    names = await parts.discovery.find_models(
        endpoint.provider_type, endpoint.endpoint, endpoint.auth_type, body.api_key
    )
    key = body.api_key if body.auth_type is ProviderAuthType.API_KEY else None
    return await parts.database.write(lambda connection: _store_new(connection, parts.seal, endpoint, key, names))


@router.get("/models", operation_id="v1_list_all_models_for_all_providers")
def list_all_models(database: DatabaseDep) -> list[ModelByProvider]:
    with database.reading() as connection:
        return store.list_models(connection)


@router.get("/{provider_name}/models", operation_id="v1_list_models_by_provider")
def list_models_by_provider(database: DatabaseDep, provider_name: ProviderName) -> list[ModelByProvider]:
    with database.reading() as connection:
        return store.list_models(connection, store.get_provider(connection, provider_name).row_id)


@router.get("/{provider_name}", operation_id="v1_get_provider_endpoint")
def get_provider_endpoint(database: DatabaseDep, provider_name: ProviderName) -> ProviderEndpoint:
    with database.reading() as connection:
        return _without_secrets(store.get_provider(connection, provider_name).endpoint)


@router.put("/{provider_name}", operation_id="v1_update_provider_endpoint")
async def update_provider_endpoint(
    parts: PartsDep, provider_name: ProviderName, body: ProviderEndpoint
) -> ProviderEndpoint:
    """Replace a provider; its models are listed again if the credentials allow it, and kept if that fails.

    An address that has changed does not get the stored API key: the key is deleted, and the caller sends it again.
    """
    endpoint = _effective(body)
    _refuse_reserved(body.name)
    found = await parts.database.read(lambda connection: store.get_provider(connection, provider_name))
    async with parts.turns.of(found.row_id):
        current = await parts.database.read(lambda connection: store.get_same(connection, found.row_id))
        names = await _found_again(parts, current, endpoint)
        return await parts.database.write(lambda connection: _store_changed(connection, found, endpoint, names))


@router.delete("/{provider_name}", operation_id="v1_delete_provider_endpoint", status_code=204)
async def delete_provider_endpoint(database: DatabaseDep, provider_name: ProviderName) -> None:
    await database.write(lambda connection: store.delete_provider(connection, provider_name))


@router.put("/{provider_name}/auth-material", operation_id="v1_configure_auth_material", status_code=204)
async def configure_auth_material(parts: PartsDep, provider_name: ProviderName, body: ConfigureAuthMaterial) -> None:
    """Store credentials after the provider has listed its models for them.

    The provider is the one that has the name when the request arrives, also if it is renamed meanwhile. If it is
    deleted or gets another address meanwhile, nothing is stored.
    """
    is_key = body.auth_type is ProviderAuthType.API_KEY
    if is_key and not body.api_key:
        raise InvalidError("API key must be provided for API auth type")
    if not is_key and body.api_key:
        raise InvalidError("API key cannot be provided for this auth type")
    row_id = await parts.database.read(lambda connection: _row_named(connection, provider_name))
    async with parts.turns.of(row_id):
        found = await parts.database.read(lambda connection: store.get_same(connection, row_id))
        names = await parts.discovery.find_models(*found.address, body.auth_type, body.api_key)
        await parts.database.write(lambda connection: _store_auth(connection, parts.seal, found, body, names))


def _effective(body: ProviderEndpoint) -> ProviderEndpoint:
    """Fill in the default address of a provider type.

    Raises:
        InvalidError: None was given and the type has no default, or it has a place for secrets.
    """
    address = body.endpoint or DEFAULT_ENDPOINTS.get(body.provider_type)
    if not address:
        raise InvalidError("An endpoint is required for this provider type")
    if _MAY_HAVE_SECRETS.search(address):
        raise InvalidError("An endpoint has no user, password, ? or #; send credentials as the API key")
    return ProviderEndpoint(**body.model_dump(include=set(ProviderEndpoint.model_fields)) | {"endpoint": address})


def _without_secrets(endpoint: ProviderEndpoint) -> ProviderEndpoint:
    """Leave out of an answer what addresses were allowed to hold before this was refused; the stored one is still used."""
    if not _MAY_HAVE_SECRETS.search(endpoint.endpoint):
        return endpoint
    address = _USER.sub(r"\1", re.split(r"[?#]", endpoint.endpoint, maxsplit=1)[0])
    return endpoint.model_copy(update={"endpoint": address})


def _refuse_reserved(name: str) -> None:
    if name == RESERVED_PROVIDER:
        raise InvalidError(f"Provider name {name} is reserved")


def _row_named(connection: Connection, name: str) -> int:
    """Find the row of a provider by its name, or by the one that it had until a few seconds ago."""
    found = store.find_provider(connection, name)
    row_id = found.row_id if found else store.find_renamed(connection, name)
    if row_id is None:
        raise NotFoundError("Provider endpoint not found")
    return row_id


def _store_new(
    connection: Connection, seal: Seal, endpoint: ProviderEndpoint, api_key: str | None, names: list[str]
) -> ProviderEndpoint:
    public_id = store.make_public_id()
    sealed = _seal(connection, seal, api_key, public_id)
    added = store.add_provider(connection, endpoint, public_id=public_id, sealed_key=sealed)
    store.set_models(connection, added.row_id, names)
    return added.endpoint


async def _found_again(parts: Parts, current: StoredProvider, endpoint: ProviderEndpoint) -> list[str] | None:
    """Ask for the models with the stored credentials; None where that is not possible, which fails no update.

    Raises:
        KeyFileError: The stored API key cannot be decrypted.
    """
    auth_type, key = endpoint.auth_type, None
    if auth_type is ProviderAuthType.API_KEY:
        is_usable = current.endpoint.auth_type is auth_type and store.address_of(endpoint) == current.address
        if not is_usable or current.sealed_key is None:
            return None
        key = parts.seal.open(current.sealed_key, owner=current.endpoint.id or "")
    elif auth_type is ProviderAuthType.PASSTHROUGH:
        return []
    try:
        return await parts.discovery.find_models(endpoint.provider_type, endpoint.endpoint, auth_type, key)
    except DiscoveryError as error:
        log("models_not_refreshed", provider_id=current.endpoint.id, reason=error.reason)
        return None


def _store_changed(
    connection: Connection, found: StoredProvider, endpoint: ProviderEndpoint, names: list[str] | None
) -> ProviderEndpoint:
    current = store.get_same(connection, found.row_id)
    endpoint = endpoint.model_copy(update={"id": current.endpoint.id})
    is_moved = store.address_of(endpoint) != current.address
    is_key_kept = endpoint.auth_type is ProviderAuthType.API_KEY and not is_moved
    if is_moved and endpoint.auth_type is ProviderAuthType.API_KEY and current.sealed_key != found.sealed_key:
        raise ConflictError(
            "Other credentials were stored meanwhile; send the new endpoint first, then the credentials"
        )
    store.replace_provider(connection, current.row_id, endpoint)
    if endpoint.name != current.endpoint.name:
        store.note_former_name(connection, current.endpoint.name, current.row_id)
    if not is_key_kept:
        store.set_auth_material(connection, current.row_id, endpoint.auth_type, None)
    if names is not None:
        store.set_models(connection, current.row_id, names)
    return endpoint


def _store_auth(
    connection: Connection, seal: Seal, found: StoredProvider, body: ConfigureAuthMaterial, names: list[str]
) -> None:
    current = store.get_same(connection, found.row_id)
    if current.address != found.address:
        raise ConflictError("The provider's endpoint was changed meanwhile; send the credentials again")
    sealed = _seal(connection, seal, body.api_key, current.endpoint.id or "")
    store.set_auth_material(connection, current.row_id, body.auth_type, sealed)
    store.set_models(connection, current.row_id, names)


def _seal(connection: Connection, seal: Seal, api_key: str | None, public_id: str) -> bytes | None:
    """Encrypt an API key for its provider, with the key that the database belongs to.

    Raises:
        KeyFileError: Another server has started with another key meanwhile, or the key file has gone.
    """
    if not api_key:
        return None
    check_fingerprint(connection, seal)
    return seal.close(api_key, owner=public_id)
