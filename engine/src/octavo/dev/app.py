"""The preview server: the routes of production, answered from memory, with a script added to each page."""

from __future__ import annotations

import asyncio
import html
import io
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import BinaryIO

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from octavo.background import TaskThread
from octavo.dev.messages import Channel
from octavo.dev.playground import playground_route
from octavo.dev.site import DevSite
from octavo.errors import RenderError
from octavo.host_headers import SECURITY_HEADERS
from octavo.manifest import Manifest, ManifestFile, hash_content, is_hashed
from octavo.preview import WorkingSite
from octavo.server import (
    AccessGuard,
    AccessRules,
    Addresses,
    Compressor,
    Pages,
    PagesBesideSearch,
    PublishedFiles,
    SearchBelowBase,
    StandingHeaders,
    UnreadableFileError,
    health_route,
)

SCRIPT_ADDRESS = "/_octavo/dev/client.js"
EVENTS_ADDRESS = "/_octavo/dev/events"

_NEVER_KEPT = {"Cache-Control": "no-store"}
_MOST_KEPT = 64
_NO_SITE = "There is no site to show yet. The reason is shown here and in the terminal."


def script_tag(number: int, token: str) -> bytes:
    """Return the tag that is added at the end of each page; nothing else differs from the published page.

    Args:
        number: State of the site that the page shows.
        token: Needed to open the event stream. Pages of other sites can load the script, but not read this tag.
    """
    return f'<script src="{SCRIPT_ADDRESS}" data-number="{number}" data-token="{token}" defer></script>\n'.encode()


class Snapshot:
    """One file in its current state; see `PublishedFiles`."""

    def __init__(self, working_site: WorkingSite, address: str, content: bytes) -> None:
        file = ManifestFile(hash_content(content), len(content))
        self.manifest: Manifest = msgspec.structs.replace(
            _EMPTY,
            base_url=working_site.site_files.site.config.base_url,
            files={address: file},
            content_policy=working_site.policy,
        )
        self.addresses: Addresses = working_site.addresses
        self._content = content

    def file(self, path: str) -> ManifestFile | None:
        """See `PublishedFiles`."""
        return self.manifest.files.get(path)

    async def ready(self, path: str) -> PublishedFiles:
        """See `PublishedFiles`."""
        del path
        return self

    def open(self, path: str) -> BinaryIO:
        """See `PublishedFiles`."""
        del path
        return io.BytesIO(self._content)

    def read(self, path: str) -> bytes:
        """See `PublishedFiles`."""
        del path
        return self._content


_EMPTY = Manifest(build="", base_url="/", files={}, routes={}, redirects={}, not_found="")


class _State:
    """The current state of the site; see `PublishedFiles`."""

    def __init__(self, working_site: WorkingSite, live: LiveSite) -> None:
        self._working_site = working_site
        self._live = live

    @property
    def manifest(self) -> Manifest:
        return msgspec.structs.replace(_EMPTY, build=self._working_site.build_id)

    @property
    def addresses(self) -> Addresses:
        return self._working_site.addresses

    def file(self, path: str) -> ManifestFile | None:
        return ManifestFile("", 0) if self._working_site.has(path) else None

    async def ready(self, path: str) -> PublishedFiles:
        return await self._live.ready(self._working_site, path)

    def open(self, path: str) -> BinaryIO:
        raise UnreadableFileError(path)

    def read(self, path: str) -> bytes:
        raise UnreadableFileError(path)


class LiveSite:
    """Serves a site whose pages are rendered on request; see `BuildSource`."""

    def __init__(self, site: DevSite, tasks: TaskThread) -> None:
        self._site = site
        self._tasks = tasks
        self._kept: dict[str, PublishedFiles] = {}

    @property
    def kept(self) -> Mapping[str, PublishedFiles]:
        """Shared files that pages of older states may still request."""
        return self._kept

    async def current(self) -> PublishedFiles | None:
        """See `BuildSource`."""
        working_site = self._site.working_site
        return _State(working_site, self) if working_site is not None else None

    async def look(self) -> None:
        """See `BuildSource`."""

    async def ready(self, working_site: WorkingSite, path: str) -> PublishedFiles:
        """Return a file; its page is rendered now if necessary.

        Raises:
            RenderError: the theme failed on it.
            UnreadableFileError: it no longer exists.
        """
        content = working_site.rendered_file(path)
        if content is None:
            content = await asyncio.wrap_future(self._tasks.run(lambda: self._make(working_site, path)))
        snapshot = Snapshot(working_site, path, content)
        if is_hashed(path) and path.endswith(".json"):
            self._kept.pop(path, None)
            self._kept[path] = snapshot
            if len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return snapshot

    def _make(self, working_site: WorkingSite, path: str) -> bytes:
        try:
            return working_site.file(path)
        except RenderError:
            if not self._site.restart_engines() or self._site.working_site is None:
                raise
            return self._site.working_site.file(path)
        except (OSError, KeyError) as error:
            raise UnreadableFileError(f"{path} no longer exists") from error


def create_dev_app(
    site: DevSite, tasks: TaskThread, channel: Channel, more: Sequence[BaseRoute], rules: Callable[[], AccessRules]
) -> Starlette:
    """Create the application.

    Args:
        site: The site.
        tasks: The thread that owns the site.
        channel: Sends messages to open pages.
        more: Further routes, such as that of search.
        rules: Returns who may read the site, which is not published; called for each request.
    """
    token = secrets.token_urlsafe(16)
    script = b"".join((files("octavo.dev") / name).read_bytes() for name in ("exchange.js", "client.js"))
    live = LiveSite(site, tasks)
    compressor = Compressor(None, 0)

    async def send_script(_: Request) -> Response:
        return Response(script, media_type="text/javascript", headers=_NEVER_KEPT)

    async def send_events(request: Request) -> Response:
        if not secrets.compare_digest(request.query_params.get("token", "").encode(), token.encode()):
            return PlainTextResponse("The token belongs to another run of the server; reload the page.\n", 403)
        return StreamingResponse(channel.listen(), media_type="text/event-stream", headers=_NEVER_KEPT)

    async def show_failure(_: Request, error: Exception) -> Response:
        text = f"<!doctype html><title>The page cannot be rendered</title><p>{html.escape(str(error))}</p>\n"
        return HTMLResponse(text, 500, headers=_NEVER_KEPT)

    async def base_url() -> str:
        return site.working_site.site_files.site.config.base_url if site.working_site is not None else "/"

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        channel.bind()
        yield
        compressor.close()

    pages = Pages(live, compressor)
    app = Starlette(
        routes=[
            Route(SCRIPT_ADDRESS, send_script),
            Route(EVENTS_ADDRESS, send_events),
            playground_route(site, tasks, token),
            health_route(live),
            *more,
        ],
        middleware=[
            Middleware(SearchBelowBase, base_url=base_url),
            Middleware(AccessGuard, rules=rules),
            Middleware(AddScript, site=site, token=token),
            Middleware(StandingHeaders, headers=SECURITY_HEADERS),
            Middleware(PagesBesideSearch, pages=pages),
        ],
        exception_handlers={RenderError: show_failure},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.router.default = WaitingPage(pages, site)
    return app


class WaitingPage:
    """Answers with a waiting page until there is a first state of the site."""

    def __init__(self, app: ASGIApp, site: DevSite) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._site.working_site is not None or scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        page = (
            f"<!doctype html><html lang=en><title>No site yet</title><main><h1>No site yet</h1><p>{_NO_SITE}</p></main>"
        )
        await HTMLResponse(page, 503, headers=_NEVER_KEPT)(scope, receive, send)


class AddScript:
    """Adds the script at the end of pages, which are sent uncompressed and whole."""

    def __init__(self, app: ASGIApp, site: DevSite, token: str) -> None:
        self._app = app
        self._site = site
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # An unchanged page may have a changed script tag, and nothing can be appended to a compressed page.
        unwanted = (b"accept-encoding", b"if-none-match", b"range")
        scope["headers"] = [header for header in scope["headers"] if header[0].lower() not in unwanted]
        # Read before the page is rendered, so that a save in the meantime is reported again.
        tag = script_tag(self._site.number, self._token)
        is_page = False

        async def send_on(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                is_page = headers.get(b"content-type", b"").startswith(b"text/html")
                if is_page:
                    length = int(headers.get(b"content-length", b"0")) + len(tag)
                    kept = [h for h in message["headers"] if h[0] not in (b"content-length", b"etag", b"cache-control")]
                    added = [(b"content-length", str(length).encode()), (b"cache-control", b"no-store")]
                    message["headers"] = kept + added
            elif is_page and not message.get("more_body", False) and scope["method"] != "HEAD":
                message["body"] = message.get("body", b"") + tag
            await send(message)

        await self._app(scope, receive, send_on)
