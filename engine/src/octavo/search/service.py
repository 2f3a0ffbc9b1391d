"""The index that is published now, opened: exchanged when another build takes its place."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Protocol

from octavo.errors import ServeError
from octavo.runtime import settle_memory
from octavo.search.engines.choice import EngineSettings, open_remote
from octavo.search.engines.interface import IndexEngine
from octavo.search.engines.remote import RemoteEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader, read_settings
from octavo.search.protocol.thread import SearchThread
from octavo.search.ranking.engine import Engine

_log = logging.getLogger(__name__)


class SearchService:
    """Gives the engine to answer from."""

    def __init__(self, out_dir: Path, name_index: NameIndex, engine: EngineSettings | None = None) -> None:
        """Answer for a published folder.

        Args:
            out_dir: The published folder.
            name_index: Says where in it the index lies that is published now; empty where there is none.
            engine: A search engine that answers in place of the published index; `octavo search push` fills it.
        """
        self._engine = engine
        self._out_dir = out_dir
        self._name_index = name_index
        self._name = ""
        self._open: tuple[IndexEngine, IndexSettings] | None = None
        self._lock = asyncio.Lock()
        self.thread = SearchThread()
        """Where all searches of a server run, whatever protocol asks for them."""

    async def engine(self) -> tuple[IndexEngine, IndexSettings]:
        """The index of the current build.

        Raises:
            ProtocolError: none is published, or it cannot be opened.
        """
        name = await self._name_index()
        if name != self._name:
            async with self._lock:
                if name != self._name:
                    await self._exchange(name)
        if self._open is None:
            raise ProtocolError(404, "No index is published here")
        return self._open

    async def _exchange(self, name: str) -> None:
        if not name:
            self._name, self._open = name, None
            return
        try:
            self._open = await asyncio.to_thread(_open_index, self._out_dir / name, self._engine)
        except ServeError as error:
            # A build that is being published right now is found at the next request.
            _log.warning("%s", error)
            if self._open is None:
                raise ProtocolError(503, "The index cannot be opened; try again in a moment") from error
            return
        self._name = name


class NameIndex(Protocol):
    """Path of the published index, from the published folder."""

    async def __call__(self) -> str: ...


def _open_index(folder: Path, remote: EngineSettings | None) -> tuple[IndexEngine, IndexSettings]:
    if remote is not None:
        settings = read_settings(folder)
        return RemoteEngine(open_remote(remote, settings.index_name), settings), settings
    reader = IndexReader(folder)
    engine = Engine(reader)
    settle_memory()
    return engine, reader.settings
