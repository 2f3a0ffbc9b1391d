"""`serve`: run the application on a port until it is stopped."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp

from octavo.config import ServerSettings
from octavo.errors import ServeError
from octavo.server.access import LimitedHttp, TrustedProxies, make_rules
from octavo.server.compression import MEMORY_BYTES
from octavo.server.published_build import open_published
from octavo.server.replica import Replica, following

if TYPE_CHECKING:
    from octavo.search import EngineSettings

_KEEP_ALIVE_S = 75
"""Longer than the idle time of the usual load balancers (60 s), which else send into a connection being closed."""

_SWITCH_S = 0.001
"""Time after which a search in its thread lets the event loop go on; a page needs several turns, each 5 ms by default."""

_GRACE_S = 10
"""Time that running requests get when the server stops."""

_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


def _do_nothing() -> None:
    pass


def _print_line(line: str) -> None:
    print(line, flush=True)


def serve(
    out_dir: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 3000,
    cache_dir: Path | None = None,
    memory_bytes: int = MEMORY_BYTES,
    insights_path: Path | None = None,
    report_secret: str | None = None,
    feedback_path: Path | None = None,
    problems_path: Path | None = None,
    settings: ServerSettings | None = None,
    site_url: str = "",
    also_search: Sequence[Path] = (),
    search_engine: EngineSettings | None = None,
    replica: Replica | None = None,
    replica_interval_s: float = 5.0,
    shows_requests: bool = False,
    announce: Callable[[str], None] = _print_line,
) -> None:
    """Serve a published folder until SIGINT or SIGTERM; answers under way are finished first.

    Args:
        out_dir: The published folder.
        host: Name or address to listen on; all addresses of a name are used. `::` takes IPv4 as well.
        port: 0 takes a free one.
        cache_dir: Folder for compressed forms; see `create_app`.
        memory_bytes: Most bytes of contents to hold in memory.
        insights_path: Database of searches and events; see `create_app`.
        report_secret: What opens the report on searches; see `create_app`.
        feedback_path: Database of readers' answers; see `create_app`.
        problems_path: Database of reported problems; see `create_app`.
        settings: Hosts, origins and proxies that the operator allows; None for the defaults.
        site_url: Address under which the site is published; its host is answered as well.
        also_search: Published folders of other sites; see `create_app`.
        search_engine: A search engine that answers; see `create_app`.
        replica: What `out_dir` is a copy of; new builds are copied while the server runs.
        replica_interval_s: Time between two looks for one.
        shows_requests: Write a line for each request to stdout.
        announce: Told the one line with the address, once the port is open.

    Raises:
        ServeError: nothing is published in a folder, two indices have one name, or the port cannot be had.
    """
    # Not at the top: whoever serves something else does without it, and without the 60 ms of its import.
    from octavo.server.app import create_app

    base_url = open_published(out_dir).manifest.base_url
    check_index_names([out_dir, *also_search])
    sockets = bind_sockets(host, port)
    settings = settings or ServerSettings()
    app = create_app(
        out_dir,
        cache_dir=cache_dir,
        memory_bytes=memory_bytes,
        insights_path=insights_path,
        report_secret=report_secret,
        feedback_path=feedback_path,
        problems_path=problems_path,
        access=make_rules(settings, host, addresses_of(sockets), site_url=site_url),
        proxies=TrustedProxies(settings.trusted_proxies, settings.proxy_header),
        also_search=also_search,
        search_engine=search_engine,
    )
    served = replica.name if replica else out_dir
    with following(replica, replica_interval_s) if replica else contextlib.nullcontext():
        run_app(
            app,
            sockets,
            lambda: announce(f"Serving {served} at {address_of(host, sockets)}{base_url}"),
            shows_requests=shows_requests,
        )


def check_index_names(folders: Sequence[Path]) -> None:
    """Check that the indices of several published sites can be told apart.

    Raises:
        ServeError: a folder has none, or two have one name.
    """
    if len(folders) == 1:
        return
    from octavo.search import IndexReader  # as in `serve`: most servers do without it

    found: dict[str, Path] = {}
    for folder in folders:
        index = open_published(folder).manifest.search
        if not index:
            raise ServeError(f"{folder} has no search index: it was built with `--no-search`. Build it without that.")
        name = IndexReader(folder / index).settings.index_name
        if name in found:
            raise ServeError(
                f"{found[name]} and {folder} both call their search index {name}. "
                "Set another `index_name` in [search] of one octavo.toml, and build that site again."
            )
        found[name] = folder


def run_app(
    app: ASGIApp,
    sockets: list[socket.socket],
    announce: Callable[[], None],
    *,
    shows_requests: bool = False,
    grace_s: int = _GRACE_S,
    on_stop: Callable[[], None] = _do_nothing,
) -> None:
    """Run an application until SIGINT or SIGTERM.

    Args:
        app: The application.
        sockets: Where it listens; see `bind_sockets`.
        announce: Called once before the first request is taken.
        shows_requests: Write a line for each request to stdout.
        grace_s: Time that running requests get when it stops, in seconds.
        on_stop: Called when it stops, to end responses without an end, such as event streams.
    """
    config = uvicorn.Config(
        app,
        access_log=shows_requests,
        http=LimitedHttp,
        lifespan="on",
        log_level="info" if shows_requests else "warning",
        # uvicorn would believe X-Forwarded-For of every program on this machine.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=grace_s,
        timeout_keep_alive=_KEEP_ALIVE_S,
        use_colors=False if os.environ.get("NO_COLOR") else None,
        ws="none",
    )
    sys.setswitchinterval(_SWITCH_S)
    server = _Server(config, on_stop)
    with _stopped_by_signals(server):
        announce()
        server.run(sockets=sockets)


class _Server(uvicorn.Server):
    """uvicorn takes the signals while it runs; handlers that were set before it are not called until it has ended."""

    def __init__(self, config: uvicorn.Config, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; responses without an end must end, or they would be cancelled with an error."""
        super().handle_exit(sig, frame)
        self._on_stop()


def bind_sockets(host: str, port: int) -> list[socket.socket]:
    """Take a port on all addresses of a host.

    Raises:
        ServeError: the host is unknown, or the port cannot be had.
    """
    if not 0 <= port <= 65535:
        raise ServeError(f"{port} is not a port. Choose one from 1 to 65535 with `--port`, or 0 for a free one.")
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise ServeError(
            f'"{host}" is not an address of this machine. Try `--host 127.0.0.1`, or `--host 0.0.0.0` for all.'
        ) from None
    addresses = dict.fromkeys((family, address) for family, _, _, _, address in found)
    sockets: list[socket.socket] = []
    try:
        for family, address in addresses:
            # With port 0 the first address decides and the others follow.
            taken = sockets[0].getsockname()[1] if sockets else port
            sockets.append(_bind(family, (address[0], taken, *address[2:]), is_only=len(addresses) == 1))
    except OSError as error:
        for opened in sockets:
            opened.close()
        raise _explain(error, host, port) from error
    return sockets


def _bind(family: int, address: tuple[object, ...], *, is_only: bool) -> socket.socket:
    # Named, since asyncio turns Nagle's algorithm off only for sockets that say they are TCP: without it every
    # answer of head and body waits 40 ms for an acknowledgement.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(socket, "AF_UNIX"):
            # On Windows this option would let two servers share a port.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, not is_only)
        bound.bind(address)
        bound.listen(2048)
    except OSError:
        bound.close()
        raise
    return bound


def addresses_of(sockets: list[socket.socket]) -> list[str]:
    """IP addresses that sockets listen on."""
    return [str(bound.getsockname()[0]) for bound in sockets]


def address_of(host: str, sockets: list[socket.socket]) -> str:
    """Address that a reader of this machine can open, without a path."""
    name = "localhost" if host in _EVERYWHERE else host
    return f"http://{f'[{name}]' if ':' in name else name}:{sockets[0].getsockname()[1]}"


def _explain(error: OSError, host: str, port: int) -> ServeError:
    if error.errno == errno.EADDRINUSE:
        return ServeError(
            f"Port {port} on {host} is taken by another program. "
            f"Choose another with `--port {port % 65535 + 1}`, or `--port 0` for a free one."
        )
    if error.errno == errno.EACCES:
        return ServeError(f"Port {port} needs more rights than this user has. Choose one above 1023 with `--port`.")
    return ServeError(f"Port {port} on {host} cannot be opened: {error.strerror}. Choose another with `--port`.")


@contextlib.contextmanager
def _stopped_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """End quietly on a signal: uvicorn raises it anew after its work is done, and that must not be an error."""

    def stop(_: int, __: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
