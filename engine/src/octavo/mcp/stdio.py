"""`octavo mcp`: the protocol over standard input and output, for programs that start their servers themselves."""

from __future__ import annotations

from pathlib import Path

import anyio

from octavo.mcp.finding import SectionFinder
from octavo.mcp.library import CurrentLibrary, CurrentSite
from octavo.mcp.problems import ProblemStore
from octavo.mcp.tools import Tools
from octavo.search import SearchService


def serve_stdio(current: CurrentSite, service: SearchService, problems: Path) -> None:
    """Answer until standard input ends.

    Args:
        current: Gives what is published now.
        service: The search index.
        problems: Database of reported problems.
    """
    from mcp.server.stdio import stdio_server

    from octavo.mcp.protocol import make_server

    library = CurrentLibrary(current)
    tools = Tools(library, SectionFinder(service), ProblemStore(problems))

    async def run() -> None:
        server = make_server(await library.title(), tools, library)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
