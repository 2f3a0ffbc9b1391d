"""Published files as HTTP answers: pages, their data, assets."""

from __future__ import annotations

import functools
import logging
from collections.abc import AsyncIterator
from typing import BinaryIO
from urllib.parse import quote

import anyio.to_thread
import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from octavo.host_headers import REVALIDATE
from octavo.server.addresses import Answer, FoundFile, Moved, Unknown
from octavo.server.compression import Compressor
from octavo.server.headers import cache_control, content_policy, encode_headers
from octavo.server.media_types import media_type
from octavo.server.negotiation import (
    UnsatisfiableRangeError,
    header_values,
    matching_tag,
    parse_range,
    prefers_markdown,
)
from octavo.server.published_build import UnreadableFileError
from octavo.server.representation import choose_representation, entity_tag
from octavo.server.source import BuildSource, PublishedFiles

LARGEST_IN_MEMORY = 1 << 20
"""Files above this size, in bytes, are streamed when they are sent uncompressed."""

_CHUNK_BYTES = 256 << 10

_log = logging.getLogger(__name__)


class _Request(msgspec.Struct, frozen=True):
    """The parts of a request that an answer depends on."""

    scope: Scope
    receive: Receive
    send: Send
    accept_encoding: str
    if_none_match: str
    range: str
    if_range: str
    accept: str

    async def answer(self, status: int, headers: dict[str, str], content: bytes = b"") -> None:
        """Send an answer that is whole. HEAD gets the headers of GET, its length included."""
        if status != 304:
            headers["Content-Length"] = str(len(content))
        await self.send({"type": "http.response.start", "status": status, "headers": encode_headers(headers)})
        body = b"" if self.is_head else content
        await self.send({"type": "http.response.body", "body": body})

    async def plain(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        shared = {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": REVALIDATE}
        await self.answer(status, shared | (headers or {}), text.encode())

    @property
    def is_head(self) -> bool:
        return bool(self.scope["method"] == "HEAD")


class Pages:
    """The ASGI application of everything that was published."""

    def __init__(self, builds: BuildSource, compressor: Compressor) -> None:
        self._builds = builds
        self._compressor = compressor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        fields = header_values(scope["headers"], b"accept-encoding", b"if-none-match", b"range", b"if-range", b"accept")
        request = _Request(scope, receive, send, *fields)
        if scope["method"] not in ("GET", "HEAD"):
            await request.plain(405, "This address can only be read.\n", {"Allow": "GET, HEAD"})
            return
        build = await self._builds.current()
        if build is None:
            await request.plain(503, "Nothing is published here yet.\n", {"Retry-After": "5"})
            return
        try:
            await self._answer(request, build)
        except UnreadableFileError as error:
            await self._answer_again(request, build, error)

    async def holds(self, scope: Scope) -> bool:
        """Return whether there is something to read at the address of a request, or where it has moved to."""
        build = await self._builds.current()
        if build is None or scope["method"] not in ("GET", "HEAD"):
            return False
        return not isinstance(self._resolve(scope, build), Unknown)

    def _resolve(self, scope: Scope, build: PublishedFiles) -> Answer:
        # ASGI servers need not give the path as it was sent.
        raw_path = scope.get("raw_path") or quote(scope["path"]).encode()
        return build.addresses.resolve(raw_path, scope["query_string"], kept=self._builds.kept)

    async def _answer_again(self, request: _Request, build: PublishedFiles, error: UnreadableFileError) -> None:
        """A file could not be read: answer from the build that has taken over, if one has."""
        await self._builds.look()
        current = await self._builds.current()
        if current is not None and current is not build:
            try:
                await self._answer(request, current)
            except UnreadableFileError as later_error:
                error = later_error
            else:
                return
        _log.error("A published file cannot be read: %s. Build the site again.", error)
        await request.plain(503, "This page is being published. Try again in a moment.\n", {"Retry-After": "1"})

    async def _answer(self, request: _Request, build: PublishedFiles) -> None:
        match self._resolve(request.scope, build):
            case Moved(location, status):
                await request.answer(status, {"Location": location, "Cache-Control": REVALIDATE})
            case Unknown(""):
                await request.plain(404, "There is nothing at this address.\n")
            case Unknown(page):
                await self._send(request, build, page, status=404)
            case FoundFile(path):
                holder = build if build.file(path) else self._builds.kept[path]
                await self._send(request, holder, _preferred(request, holder, path), status=200)

    async def _send(self, request: _Request, build: PublishedFiles, path: str, *, status: int) -> None:
        """Send a file of a build in the form that the client likes best, unless it has that already."""
        build = await build.ready(path)
        form = choose_representation(build, path, request.accept_encoding)
        headers = {"Content-Type": media_type(path), "Cache-Control": cache_control(path)}
        if build.manifest.content_policy and headers["Content-Type"].startswith("text/html"):
            # On 304 as well: a page may be as it was, and the scripts of the site not.
            headers["Content-Security-Policy"] = content_policy(build.manifest, path)
        varies = ["Accept-Encoding"] if form.varies else []
        if markdown_of(build, path) or (path.endswith(".md") and status == 200):
            varies.insert(0, "Accept")
        if varies:
            headers["Vary"] = ", ".join(varies)
        if status == 200:
            if request.if_none_match and (tag := matching_tag(request.if_none_match, form.tags)):
                await request.answer(304, headers | {"ETag": tag})
                return
            headers["ETag"] = form.tags[0]
        if form.encoding != "identity":
            headers["Content-Encoding"] = form.encoding
        if form.is_stored:
            await self._send_stored(request, build, form.path, headers, status)
            return
        file = build.manifest.files[path]
        body = await self._compressor.body(file, form.encoding, functools.partial(build.read, path))
        if status == 200:
            headers["ETag"] = entity_tag(file, body.form)
        await request.answer(status, headers, body.content)

    async def _send_stored(
        self, request: _Request, build: PublishedFiles, path: str, headers: dict[str, str], status: int
    ) -> None:
        """Send a file, or a part of it, as it lies on disk."""
        file = build.manifest.files[path]
        start, end = 0, file.size
        if status == 200 and "Accept-Encoding" not in headers.get("Vary", ""):
            headers["Accept-Ranges"] = "bytes"
            if request.range and request.if_range in ("", headers["ETag"]):
                try:
                    part = parse_range(request.range, file.size)
                except UnsatisfiableRangeError:
                    await request.plain(416, "", {"Content-Range": f"bytes */{file.size}"})
                    return
                if part:
                    start, end = part
                    status = 206
                    headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
        if file.size <= LARGEST_IN_MEMORY:
            body = await self._compressor.body(file, "identity", functools.partial(build.read, path))
            await request.answer(status, headers, body.content[start:end])
            return
        with await anyio.to_thread.run_sync(build.open, path) as opened:
            headers["Content-Length"] = str(end - start)
            chunks = _chunks(opened, start, start if request.is_head else end)
            response = StreamingResponse(chunks, status)
            response.raw_headers = encode_headers(headers)
            await response(request.scope, request.receive, request.send)


def markdown_of(build: PublishedFiles, path: str) -> str:
    """Name the Markdown file of a page, given as HTML file; empty where it has none."""
    if not path.endswith(".html"):
        return ""
    folder = path.removesuffix("/index.html")
    names = [f"{folder}.md"] if folder != path else [f"{path.removesuffix('.html')}.md", f"{path}.md"]
    return next((name for name in names if build.file(name)), "")


def _preferred(request: _Request, build: PublishedFiles, path: str) -> str:
    return (prefers_markdown(request.accept) and markdown_of(build, path)) or path


async def _chunks(file: BinaryIO, start: int, end: int) -> AsyncIterator[bytes]:
    file.seek(start)
    left = end - start
    while left > 0 and (chunk := await anyio.to_thread.run_sync(file.read, min(_CHUNK_BYTES, left))):
        left -= len(chunk)
        yield chunk
