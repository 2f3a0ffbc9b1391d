"""Running servers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Response
from pydantic import BeforeValidator

from tool_api.creation import apply_defaults, ignored_fields, validate
from tool_api.logs import log
from tool_api.models import ContainerInfo, createRequest, createServerResponse, serverListResponse
from tool_api.routes import NO_SERVER, refusals, with_slash
from tool_api.state import Held

router = APIRouter(prefix="/api/v1beta/servers", tags=["servers"])


def _flag(text: object) -> bool:
    # `1`, `yes` and the like are refused: the contract knows these two texts only.
    if text in ("true", "false", True, False):
        return text in ("true", True)
    raise ValueError("use true or false")


Name = Annotated[str, Path(description="Name of the server, or identifier of its container.")]
All = Annotated[bool, BeforeValidator(_flag), Query(description="Add servers that do not run.")]
Force = Annotated[bool, BeforeValidator(_flag), Query(description="Kill it, and remove it whatever the engine says.")]

MAX_LOGGED = 64
"""Characters of a field, and fields of a request, that are logged."""

_FLAG = "A parameter is neither true nor false."
_ENGINE = "The container engine refused."


@router.get(
    "",
    operation_id="list-servers",
    summary="List the running servers",
    response_model=serverListResponse,
    responses=refusals(s400=_FLAG, s500="The container engine does not answer."),
)
async def list_servers(state: Held, all: All = False) -> Response:  # noqa: A002 - the contract's name
    found = serverListResponse(servers=await state.servers.infos(stopped=all))
    # Written here: FastAPI would check the model, which was checked when it was made, a second time.
    return Response(found.model_dump_json(by_alias=True), media_type="application/json")


@router.post(
    "",
    operation_id="create-server",
    status_code=201,
    summary="Create and start a server",
    responses=refusals(
        s400="The body or one of its fields is wrong; the sentence names the field.",
        s409="The name is taken.",
        s500=_ENGINE,
    ),
)
async def create_server(
    request: Annotated[createRequest, Body(description="What to run, and how.")], state: Held
) -> createServerResponse:
    if ignored := ignored_fields(request):
        log("fields_ignored", level="warning", fields=[field[:MAX_LOGGED] for field in ignored[:MAX_LOGGED]])
    complete, permissions = apply_defaults(request, state.registries.entry_of(request.image))
    row = await state.servers.create(state.mounts.apply(validate(complete, permissions)))
    return createServerResponse(name=row.name, port=row.port)


@router.get(
    "/{name}",
    operation_id="get-server",
    summary="Get one server",
    responses=refusals(s404=NO_SERVER, s500="The container engine does not answer."),
)
async def get_server(name: Name, state: Held) -> ContainerInfo:
    return await state.servers.info(name)


@router.delete(
    "/{name}",
    operation_id="delete-server",
    status_code=204,
    summary="Delete a server",
    responses=refusals(s400=_FLAG, s404=NO_SERVER, s500=_ENGINE),
)
async def delete_server(name: Name, state: Held, force: Force = False) -> Response:
    await state.servers.delete(name, force=force)
    return Response(status_code=204)


@router.post(
    "/{name}/stop",
    operation_id="stop-server",
    status_code=204,
    summary="Stop a server",
    responses=refusals(s404=NO_SERVER, s500=_ENGINE),
)
async def stop_server(name: Name, state: Held) -> Response:
    await state.servers.stop(name)
    return Response(status_code=204)


@router.post(
    "/{name}/restart",
    operation_id="restart-server",
    status_code=204,
    summary="Stop a server if it runs, and start it again",
    responses=refusals(s404=NO_SERVER, s500=_ENGINE),
)
async def restart_server(name: Name, state: Held) -> Response:
    await state.servers.restart(name)
    return Response(status_code=204)


with_slash(router, "/api/v1beta/servers")
