"""The routes of the protocol, with an engine that runs elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from engine.tests.unit.search.conftest import SETTINGS, records
from octavo.search import EngineSettings, IndexWriter, SearchRoutes, SearchService, make_entries

CREDENTIALS = {"x-algolia-application-id": "app", "x-algolia-api-key": "key"}


@contextmanager
def client_of(folder: Path, engine: EngineSettings) -> Iterator[TestClient]:
    """Serve an index by another engine than that of its folder."""
    if not (folder / "index").exists():
        writer = IndexWriter(folder / "index")
        writer.add(make_entries(records("Kiln", "Fires clay."), "/kiln"))
        writer.commit(SETTINGS)

    async def name_index() -> str:
        return "index"

    routes = SearchRoutes(SearchService(folder, name_index, engine)).routes()
    with TestClient(Starlette(routes=routes), headers=CREDENTIALS) as client:
        yield client
