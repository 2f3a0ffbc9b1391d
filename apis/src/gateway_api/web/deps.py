"""What operations receive: the parts that `create_app` has made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request

from gateway_api.database import Database
from gateway_api.discovery import ModelDiscovery
from gateway_api.events import AlertNews
from gateway_api.purging import Purge
from gateway_api.sealing import Seal
from gateway_api.turns import Turns
from gateway_api.values.text import unescape
from gateway_api.web.guard import SLASH


@dataclass(frozen=True)
class Parts:
    """The parts of one server."""

    database: Database
    discovery: ModelDiscovery
    seal: Seal
    news: AlertNews
    purge: Purge
    turns: Turns


async def _parts(request: Request) -> Parts:
    parts: Parts = request.app.state.parts
    return parts


async def _database(request: Request) -> Database:
    parts: Parts = request.app.state.parts
    return parts.database


async def _provider_name(provider_name: Annotated[str, Path()]) -> str:
    return unescape(provider_name, SLASH)


PartsDep = Annotated[Parts, Depends(_parts)]
DatabaseDep = Annotated[Database, Depends(_database)]
ProviderName = Annotated[str, Depends(_provider_name)]
"""A provider's name from the path; it may hold any character, an encoded slash included."""
