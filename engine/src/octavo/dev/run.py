"""`octavo dev`: read a site, serve it, and follow saved files until SIGINT or SIGTERM."""

from __future__ import annotations

import sys
import threading
import time
import uuid
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from octavo.background import TaskThread, Watcher
from octavo.config import ServerSettings
from octavo.dev.messages import Channel
from octavo.dev.site import DevSite, Tell
from octavo.live_search import IndexProcess, SearchUpdates
from octavo.runtime import Cache, begin_start, end_start

__all__ = ["Tell", "run_dev"]

_STOP_S = 10
_SWITCH_S = 0.0005
"""Interval after which the task thread yields to the server's; Python's default is ten times longer."""


def run_dev(site_dir: Path, *, host: str, port: int, tell: Tell, given: Mapping[str, str] | None = None) -> None:
    """Serve a site while it is written, until SIGINT or SIGTERM.

    Args:
        site_dir: The folder that holds `octavo.toml`.
        host: Name or address to listen on.
        port: 0 takes a free one.
        tell: Called after each change.
        given: Settings that take the place of those of `octavo.toml`; see `load_config`.

    Raises:
        ServeError: the port is not available.
    """
    since_ns = time.time_ns()
    channel, tasks = Channel(), TaskThread()
    index_dir = site_dir / ".octavo" / "dev" / "search"
    process = IndexProcess(index_dir)
    search = SearchUpdates(process, uuid.uuid4().hex[:8])
    search.load(Cache(site_dir / ".octavo" / "cache"))
    site = DevSite(
        site_dir, channel=channel, tell=tell, later=tasks.run_later, search=search, run=tasks.run, given=given
    )
    # Everything that forks comes before everything that starts threads.
    begin_start()
    site.open()
    sys.setswitchinterval(_SWITCH_S)
    with ExitStack() as ending:
        ending.callback(process.close)
        tasks.start()
        ending.callback(tasks.close, site.close, _STOP_S)
        # A render process does this while this process imports the server.
        tasks.run(site.render_home)
        from octavo.dev.app import create_dev_app
        from octavo.live_search import LateSearch
        from octavo.server import AccessRules, address_of, addresses_of, bind_sockets, make_rules, run_app

        end_start()
        sockets = bind_sockets(host, port)
        addresses = addresses_of(sockets)
        follower = _Follower(site, tasks)
        watcher = Watcher(site_dir, follower.follow, since_ns, lambda: site.other_folders, lambda: site.other_files)

        def begin() -> None:
            print(f"Serving {site_dir} at {address_of(host, sockets)}/ while it is written", flush=True)
            watcher.start()
            ending.callback(watcher.close, _STOP_S)

        def rules() -> AccessRules:
            # Read each time: an author may add a host while the server runs.
            config = site.working_site.site_files.site.config if site.working_site is not None else None
            settings, url = (config.server, config.url) if config is not None else (ServerSettings(), "")
            return make_rules(settings, host, addresses, site_url=url, is_private=True)

        app = create_dev_app(site, tasks, channel, LateSearch(index_dir, lambda: process.name).routes(), rules)
        run_app(app, sockets, begin, grace_s=1, on_stop=channel.close)


class _Follower:
    """Collects files that are saved while the task thread is busy, so that they are followed together."""

    def __init__(self, site: DevSite, tasks: TaskThread) -> None:
        self._site = site
        self._tasks = tasks
        self._paths: set[str] = set()
        self._lock = threading.Lock()

    def follow(self, paths: Iterable[str]) -> None:
        """Let the task thread take over changed files."""
        with self._lock:
            is_waiting = bool(self._paths)
            self._paths.update(paths)
        if not is_waiting:
            self._tasks.run(self._follow)

    def _follow(self) -> None:
        with self._lock:
            paths, self._paths = self._paths, set()
        if paths:
            self._site.follow(paths)
