"""`python -m bench.search.server FOLDER PORT`: the routes of search over an index, without a site and without limits."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from octavo.search.protocol.routes import SearchRoutes
from octavo.search.service import SearchService


def main(folder: Path, port: int) -> None:
    """Serve until the process is ended."""

    async def name_index() -> str:
        return folder.name

    routes = SearchRoutes(SearchService(folder.parent, name_index)).routes()
    uvicorn.run(Starlette(routes=routes), port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
