"""Clients on this machine."""

from __future__ import annotations

from fastapi import APIRouter

from tool_api.clients import discover
from tool_api.models import clientStatusResponse
from tool_api.routes import refusals
from tool_api.state import Held

router = APIRouter(prefix="/api/v1beta/discovery", tags=["discovery"])


@router.get(
    "/clients",
    operation_id="list-clients",
    summary="List the supported clients and their state",
    responses=refusals(s500="The home folder cannot be read."),
)
async def list_clients(state: Held) -> clientStatusResponse:
    return clientStatusResponse(clients=discover(state.store.clients()))
