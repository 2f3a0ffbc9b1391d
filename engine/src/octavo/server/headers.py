"""Headers of every response, and those that set how long a response may be cached."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from octavo.host_headers import DIAGRAM_FRAMES, FRAME_POLICY, IMMUTABLE, REVALIDATE
from octavo.manifest import Manifest, is_hashed


def content_policy(manifest: Manifest, path: str) -> str:
    """Give the content security policy of a published HTML file."""
    return FRAME_POLICY if DIAGRAM_FRAMES.fullmatch(path) else manifest.content_policy


def cache_control(path: str) -> str:
    """Say how long a published file may be kept without asking again."""
    return IMMUTABLE if is_hashed(path) else REVALIDATE


def encode_headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI wants them."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


class StandingHeaders:
    """Adds headers to every answer that has none of the same name."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = encode_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = [header for header in self._headers if header[0] not in present]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, send_with_headers)
