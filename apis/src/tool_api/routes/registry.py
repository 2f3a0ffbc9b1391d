"""Registries and their entries."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from tool_api.errors import NotOfferedError
from tool_api.models import getRegistryResponse, getServerResponse, listServersResponse, registryListResponse
from tool_api.registries import info
from tool_api.routes import NO_REGISTRY, refusals, with_slash
from tool_api.state import Held

router = APIRouter(prefix="/api/v1beta/registry", tags=["registry"])

_UNREADABLE = "The registry cannot be read."

Name = Annotated[str, Path(description="Name of the registry.")]
ServerName = Annotated[str, Path(alias="serverName", description="Name of the entry.")]


@router.get(
    "", operation_id="list-registries", summary="List the known registries", responses=refusals(s500=_UNREADABLE)
)
async def list_registries(state: Held) -> registryListResponse:
    return registryListResponse(registries=state.registries.infos())


@router.post(
    "",
    operation_id="add-registry",
    status_code=501,
    summary="Add a registry (not implemented)",
    responses=refusals(s501="Always; registries are named when the program starts."),
    response_class=Response,
)
async def add_registry() -> Response:
    raise NotOfferedError("Adding custom registries is not currently supported")


@router.get(
    "/{name}",
    operation_id="get-registry",
    summary="Get a registry with all its entries",
    responses=refusals(s404=NO_REGISTRY, s500=_UNREADABLE),
    response_model_exclude_none=True,
)
async def get_registry(name: Name, state: Held) -> getRegistryResponse:
    registry = state.registries.find(name)
    return getRegistryResponse(**info(name, registry).model_dump(), registry=registry)


@router.delete(
    "/{name}",
    operation_id="remove-registry",
    status_code=204,
    summary="Remove a registry",
    responses=refusals(s400="It is the default registry.", s404=NO_REGISTRY),
)
async def remove_registry(name: Name, state: Held) -> Response:
    state.registries.remove(name)
    return Response(status_code=204)


@router.get(
    "/{name}/servers",
    operation_id="list-registry-servers",
    summary="List the entries of a registry",
    responses=refusals(s404=NO_REGISTRY, s500=_UNREADABLE),
    response_model_exclude_none=True,
)
async def list_registry_servers(name: Name, state: Held) -> listServersResponse:
    servers = state.registries.find(name).servers
    return listServersResponse(servers=[servers[key] for key in sorted(servers)])


@router.get(
    "/{name}/servers/{serverName}",  # noqa: FAST003 - the alias names it
    operation_id="get-registry-server",
    summary="Get one entry of a registry",
    responses=refusals(s404="There is no such registry, or no such entry in it."),
    response_model_exclude_none=True,
)
async def get_registry_server(name: Name, server_name: ServerName, state: Held) -> getServerResponse:
    return getServerResponse(server=state.registries.server(name, server_name))


with_slash(router, "/api/v1beta/registry")
