"""The server of a site that is being written: the one of production, with a script in each page that follows builds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recto.dev.state import load_state
from recto.server.app import create_app

SCRIPT_ADDRESS = "/_recto/dev/client.js"
EVENTS_ADDRESS = "/_recto/dev/events"
SCRIPT_TAG = f'<script src="{SCRIPT_ADDRESS}" defer></script>\n'.encode()
"""Stands at the end of each page, and is all in which it differs from the published one."""

_LOOK_S = 0.03
_NEVER_KEPT = {"Cache-Control": "no-store"}


def create_dev_app(out_dir: Path, state_path: Path) -> Starlette:
    """Make the application.

    Args:
        out_dir: The folder that builds publish to.
        state_path: File in which the builder says how builds went.
    """
    script = (files("recto.dev") / "client.js").read_bytes()

    async def send_script(_: Request) -> Response:
        return Response(script, media_type="text/javascript", headers=_NEVER_KEPT)

    async def send_events(_: Request) -> Response:
        return StreamingResponse(_events(state_path), media_type="text/event-stream", headers=_NEVER_KEPT)

    app = create_app(out_dir, interval_s=0)
    app.router.routes[:0] = [Route(SCRIPT_ADDRESS, send_script), Route(EVENTS_ADDRESS, send_events)]
    app.add_middleware(AddScript)
    return app


async def _events(state_path: Path) -> AsyncIterator[bytes]:
    """Tell the state at once, and again whenever it has changed."""
    told = -1
    while True:
        state = load_state(state_path)
        if state is not None and state.number != told:
            told = state.number
            yield b"data: " + msgspec.json.encode(state) + b"\n\n"
        await asyncio.sleep(_LOOK_S)


class AddScript:
    """Puts the script at the end of pages; they are sent uncompressed and whole."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A page that the browser has may be the same while its script is not, and a compressed one cannot be added to.
        unwanted = (b"accept-encoding", b"if-none-match", b"range")
        scope["headers"] = [header for header in scope["headers"] if header[0].lower() not in unwanted]
        is_page = False

        async def send_on(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                is_page = headers.get(b"content-type", b"").startswith(b"text/html")
                if is_page:
                    length = int(headers.get(b"content-length", b"0")) + len(SCRIPT_TAG)
                    kept = [h for h in message["headers"] if h[0] not in (b"content-length", b"etag", b"cache-control")]
                    added = [(b"content-length", str(length).encode()), (b"cache-control", b"no-store")]
                    message["headers"] = kept + added
            elif is_page and not message.get("more_body", False) and scope["method"] != "HEAD":
                message["body"] = message.get("body", b"") + SCRIPT_TAG
            await send(message)

        await self._app(scope, receive, send_on)
