"""Which of the served indices a request may use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from starlette.requests import Request

from octavo.search.engines.interface import IndexEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.settings import IndexSettings
from octavo.search.protocol.limit import address_of
from octavo.search.protocol.replicas import replicas_of
from octavo.search.protocol.secured_keys import Key, check_key
from octavo.search.query.values import Raw
from octavo.search.service import SearchService


class OpenedIndex(NamedTuple):
    """An index that a request may use."""

    engine: IndexEngine
    settings: IndexSettings
    key: Key
    is_own: bool
    """It is that of the served site, whose searches and events are kept."""


class IndexCall(NamedTuple):
    """What a handler works with."""

    request: Request
    body: Raw
    engine: IndexEngine
    settings: IndexSettings
    key: Key
    is_own: bool


class Indices:
    """The index of the served site, and those of further sites."""

    def __init__(self, service: SearchService, others: Sequence[SearchService]) -> None:
        self._services = (service, *others)

    async def opened(self, request: Request, name: object = None) -> OpenedIndex:
        """Open the index that a request names; where it names none, the first whose key it has.

        An unknown name opens that of the site, whose handler says that there is none of this name.

        Raises:
            ProtocolError: it has not the key.
        """
        found = await self.named(name) if len(self._services) > 1 else []
        refused: ProtocolError | None = None
        for engine, settings, is_own in found or [(*await self._services[0].engine(), True)]:
            try:
                key = check_key(settings, request.headers, request.query_params, address=address_of(request))
            except ProtocolError as error:
                refused = refused or error
            else:
                return OpenedIndex(engine, settings, key, is_own)
        raise refused or ProtocolError(403, "Invalid Application-ID or API key")

    async def named(self, name: object) -> list[tuple[IndexEngine, IndexSettings, bool]]:
        """Find the indices of a name, which is one or none; all without a name. What is not published is left out."""
        found = []
        for service in self._services:
            try:
                engine, settings = await service.engine()
            except ProtocolError:
                continue
            if name is None or name == settings.index_name or name in replicas_of(settings.index_name):
                found.append((engine, settings, service is self._services[0]))
        return found

    async def turned_to(self, call: IndexCall, name: object) -> IndexCall:
        """Turn to the index that a part of a request names."""
        if len(self._services) == 1 or name == call.settings.index_name or not isinstance(name, str):
            return call
        return IndexCall(call.request, call.body, *await self.opened(call.request, name))
