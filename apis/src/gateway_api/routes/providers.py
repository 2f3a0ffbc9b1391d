"""Providers: their addresses, their credentials and their models."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from gateway_api.deps import DatabaseDep, Parts, PartsDep, ProviderName
from gateway_api.discovery import DEFAULT_ENDPOINTS
from gateway_api.errors import DiscoveryError, InvalidError
from gateway_api.models.providers import (
    AddProviderEndpointRequest,
    ConfigureAuthMaterial,
    ModelByProvider,
    ProviderAuthType,
    ProviderEndpoint,
)
from gateway_api.names import RESERVED_PROVIDER
from gateway_api.observing import log
from gateway_api.store import providers as store
from gateway_api.store.providers import StoredProvider

router = APIRouter(prefix="/api/v1/provider-endpoints", tags=["Providers"])


@router.get("", operation_id="v1_list_provider_endpoints")
def list_provider_endpoints(database: DatabaseDep, name: str | None = None) -> list[ProviderEndpoint]:
    with database.reading() as connection:
        return store.list_providers(connection) if name is None else [store.get_provider(connection, name).endpoint]


@router.post("", operation_id="v1_add_provider_endpoint", status_code=201)
async def add_provider_endpoint(parts: PartsDep, body: AddProviderEndpointRequest) -> ProviderEndpoint:
    """Ask the provider for its models first, then store both in one transaction."""
    endpoint = _effective(body)
    if body.name == RESERVED_PROVIDER:
        raise InvalidError(f"Provider name {body.name} is reserved")
    if body.auth_type is ProviderAuthType.API_KEY and not body.api_key:
        raise InvalidError("API key must be provided for API auth type")
    await run_in_threadpool(_refuse_taken_name, parts, body.name)
    names = await parts.discovery.find_models(
        endpoint.provider_type, endpoint.endpoint, endpoint.auth_type, body.api_key
    )
    key = body.api_key if body.auth_type is ProviderAuthType.API_KEY else None
    return await run_in_threadpool(_store_new, parts, endpoint, key, names)


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
        return store.get_provider(connection, provider_name).endpoint


@router.put("/{provider_name}", operation_id="v1_update_provider_endpoint")
async def update_provider_endpoint(
    parts: PartsDep, provider_name: ProviderName, body: ProviderEndpoint
) -> ProviderEndpoint:
    """Replace a provider; its models are asked for anew where the credentials allow it, and stay where that fails."""
    found = await run_in_threadpool(_get, parts, provider_name)
    endpoint = _effective(body).model_copy(update={"id": found.endpoint.id})
    if body.name == RESERVED_PROVIDER:
        raise InvalidError(f"Provider name {body.name} is reserved")
    names: list[str] | None = None
    if endpoint.auth_type in (found.endpoint.auth_type, ProviderAuthType.NONE):
        names = await _found_again(parts, found, endpoint)
    return await run_in_threadpool(_store_changed, parts, provider_name, endpoint, names)


@router.delete("/{provider_name}", operation_id="v1_delete_provider_endpoint", status_code=204)
def delete_provider_endpoint(database: DatabaseDep, provider_name: ProviderName) -> None:
    with database.writing() as connection:
        store.delete_provider(connection, provider_name)


@router.put("/{provider_name}/auth-material", operation_id="v1_configure_auth_material", status_code=204)
async def configure_auth_material(parts: PartsDep, provider_name: ProviderName, body: ConfigureAuthMaterial) -> None:
    """Store credentials with which the provider has listed its models."""
    found = (await run_in_threadpool(_get, parts, provider_name)).endpoint
    is_key = body.auth_type is ProviderAuthType.API_KEY
    if is_key and not body.api_key:
        raise InvalidError("API key must be provided for API auth type")
    if not is_key and body.api_key:
        raise InvalidError("API key cannot be provided for this auth type")
    names = await parts.discovery.find_models(found.provider_type, found.endpoint, body.auth_type, body.api_key)
    await run_in_threadpool(_store_auth, parts, provider_name, body, names)


def _effective(body: ProviderEndpoint) -> ProviderEndpoint:
    """Fill in the address that a type has by itself.

    Raises:
        InvalidError: None was given and the type has none.
    """
    address = body.endpoint or DEFAULT_ENDPOINTS.get(body.provider_type)
    if not address:
        raise InvalidError("An endpoint is required for this provider type")
    return ProviderEndpoint(**body.model_dump(include=set(ProviderEndpoint.model_fields)) | {"endpoint": address})


def _get(parts: Parts, name: str) -> StoredProvider:
    with parts.database.reading() as connection:
        return store.get_provider(connection, name)


def _refuse_taken_name(parts: Parts, name: str) -> None:
    with parts.database.reading() as connection:
        store.refuse_taken_name(connection, name)


def _store_new(parts: Parts, endpoint: ProviderEndpoint, api_key: str | None, names: list[str]) -> ProviderEndpoint:
    public_id = store.make_public_id()
    sealed = parts.seal.close(api_key, owner=public_id) if api_key else None
    with parts.database.writing() as connection:
        added = store.add_provider(connection, endpoint, public_id=public_id, sealed_key=sealed)
        store.set_models(connection, added.row_id, names)
    return added.endpoint


async def _found_again(parts: Parts, found: StoredProvider, endpoint: ProviderEndpoint) -> list[str] | None:
    """Ask for the models with the stored key; None where that fails, which does not fail the update."""
    key = parts.seal.open(found.sealed_key, owner=found.endpoint.id or "") if found.sealed_key else None
    try:
        return await parts.discovery.find_models(endpoint.provider_type, endpoint.endpoint, endpoint.auth_type, key)
    except DiscoveryError:
        log("models_not_refreshed", provider_id=found.endpoint.id)
        return None


def _store_changed(parts: Parts, name: str, endpoint: ProviderEndpoint, names: list[str] | None) -> ProviderEndpoint:
    with parts.database.writing() as connection:
        found = store.get_provider(connection, name)
        endpoint = endpoint.model_copy(update={"id": found.endpoint.id})
        store.replace_provider(connection, found.row_id, endpoint)
        if endpoint.auth_type is not ProviderAuthType.API_KEY:
            store.set_auth_material(connection, found.row_id, endpoint.auth_type, None)
        if endpoint.auth_type is ProviderAuthType.PASSTHROUGH:
            names = []
        if names is not None:
            store.set_models(connection, found.row_id, names)
    return endpoint


def _store_auth(parts: Parts, name: str, body: ConfigureAuthMaterial, names: list[str]) -> None:
    with parts.database.writing() as connection:
        found = store.get_provider(connection, name)
        sealed = parts.seal.close(body.api_key, owner=found.endpoint.id or "") if body.api_key else None
        store.set_auth_material(connection, found.row_id, body.auth_type, sealed)
        store.set_models(connection, found.row_id, names)
