"""The route by which a server says that it answers searches: a host of files sends the file that says it does not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from octavo.search.shards.files import MODE_PATH, mode_file


class _Mode(msgspec.Struct, frozen=True):
    root: str = ""
    bundle: bool = False


def mode_route(out_dir: Path, name_index: Callable[[], Awaitable[str]]) -> Route:
    """Make the route, below any base URL.

    Args:
        out_dir: The published folder.
        name_index: Says where in it the index lies that is published now; empty where there is none.
    """

    async def answer(_request: Request) -> Response:
        try:
            published = msgspec.json.decode((out_dir / MODE_PATH).read_bytes(), type=_Mode)
        except (OSError, msgspec.MsgspecError):
            published = _Mode()
        _, content = mode_file(published.root, has_server=bool(await name_index()), has_bundle=published.bundle)
        return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})

    return Route("/{base:path}" + MODE_PATH, answer)
