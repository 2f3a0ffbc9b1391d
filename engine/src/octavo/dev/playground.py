"""Compile text that somebody types into a page of the preview. Nothing is saved, and no document of the site is read.

The text may come from anybody who can open the preview, so its size and the number of texts at a time are limited, and
extensions, which can read files, are not called for it. Pages must show the HTML in a frame without scripts.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from octavo.background import TaskThread
from octavo.errors import RenderError

PLAYGROUND_ADDRESS = "/_octavo/dev/playground"
MOST_BYTES = 40_000
"""Size of a request; the text of a long page is smaller."""
_MOST_AT_ONCE = 4
"""Texts that wait for the task thread. It also renders the author's pages, which must not wait for long."""
_NEVER_KEPT = {"Cache-Control": "no-store"}


class Typed(msgspec.Struct, frozen=True):
    """A request of the playground: the text that was typed."""

    path: str
    """Address of the page: its dialect and its components are those of the result, and relative links start there."""
    text: str
    """The Markdown, front matter included."""


class Finding(msgspec.Struct, frozen=True):
    """One problem of the text."""

    level: str
    """`error` or `warn`."""
    code: str
    message: str
    line: int
    column: int


class PlaygroundResult(msgspec.Struct, frozen=True):
    """The answer."""

    html: str
    """The article. It may contain whatever raw HTML the text has."""
    findings: list[Finding]


class Playground(Protocol):
    """Compiles texts; used in the task thread."""

    def try_text(self, path: str, text: str) -> PlaygroundResult | None:
        """Compile a text as if it were the source of the page at a path; None where no document has that address.

        Raises:
            RenderError: the theme failed on it.
        """


def playground_route(site: Playground, tasks: TaskThread, token: str) -> Route:
    """Return the route that pages send text to.

    Args:
        site: Compiles.
        tasks: The thread that owns the site.
        token: The one in the pages of this run. Pages of other sites cannot read it.
    """
    waiting = 0

    async def compile_text(request: Request) -> Response:
        nonlocal waiting
        if not secrets.compare_digest(request.headers.get("x-octavo-token", "").encode(), token.encode()):
            return _refuse("The token belongs to another run of the server; reload the page.", 403)
        body = await _read(request)
        if body is None:
            return _refuse(f"The text has more than {MOST_BYTES:,} bytes; shorten it.", 413)
        try:
            typed = msgspec.json.decode(body, type=Typed)
        except msgspec.MsgspecError as error:
            return _refuse(f'The request must be JSON with "path" and "text": {error}.', 400)
        if waiting >= _MOST_AT_ONCE:
            return _refuse("Other texts are being compiled; try again in a second.", 503, {"Retry-After": "1"})
        waiting += 1
        try:
            compiled = await asyncio.wrap_future(tasks.run(lambda: site.try_text(typed.path, typed.text)))
        except RenderError as error:
            compiled = PlaygroundResult("", [Finding("error", "render", str(error), 1, 1)])
        finally:
            waiting -= 1
        if compiled is None:
            return _refuse(f"{typed.path} is not the address of a document of this site.", 404)
        return Response(msgspec.json.encode(compiled), media_type="application/json", headers=_NEVER_KEPT)

    return Route(PLAYGROUND_ADDRESS, compile_text, methods=["POST"])


async def _read(request: Request) -> bytes | None:
    """Read the body; None where it is too large, whatever its length was said to be."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    return body


def _refuse(reason: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{reason}\n", status, headers={**_NEVER_KEPT, **(headers or {})})
