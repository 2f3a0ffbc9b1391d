"""Follows the published folder: which build is served now, and what older ones have left behind."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from octavo.errors import ServeError
from octavo.server.published_build import PublishedBuild, Signature, read_signature

OLDER_BUILDS = 2
"""Builds before the current one whose hashed files can still be had: tabs that were opened then still ask for them."""

_log = logging.getLogger(__name__)


class PublishedBuilds:
    """The current build of a folder, exchanged between requests when a new build is published."""

    def __init__(
        self, out_dir: Path, *, interval_s: float = 0.5, on_change: Callable[[PublishedBuilds], None] | None = None
    ) -> None:
        """Open the folder; nothing published is not an error here.

        Args:
            out_dir: The published folder; it may come into being later.
            interval_s: Least time between two looks at the manifest, in seconds.
            on_change: Called in a worker thread after a new build has been opened.
        """
        self._out_dir = out_dir
        self._interval_s = interval_s
        self._on_change = on_change
        self._next_look = 0.0
        self._looking: asyncio.Future[None] | None = None
        self._seen: Signature | None = None
        self._current: PublishedBuild | None = None
        self._older: list[PublishedBuild] = []
        self.kept: Mapping[str, PublishedBuild] = {}
        """Hashed files of older builds: path → the youngest build that holds it."""
        self._look()

    async def current(self) -> PublishedBuild | None:
        """The build to answer from; None while nothing is published.

        One request in `interval_s` looks for a new build; the others are answered from the old one until it is open.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + self._interval_s
            await self.look()
        return self._current

    async def look(self) -> None:
        """Look for a new build now, and wait until it is open; look once for all who wait."""
        if self._looking is None:
            if read_signature(self._out_dir) in (None, self._seen):
                return
            self._looking = asyncio.ensure_future(asyncio.to_thread(self._look))
            self._looking.add_done_callback(self._finish_look)
        await asyncio.shield(self._looking)

    def _finish_look(self, _: asyncio.Future[None]) -> None:
        self._looking = None

    def hashes(self) -> set[str]:
        """Hashes of all files that can be asked for."""
        builds = [*self._older, *([self._current] if self._current else [])]
        return {file.hash for build in builds for file in build.manifest.files.values()}

    def _look(self) -> None:
        self._seen = read_signature(self._out_dir)
        try:
            build = PublishedBuild(self._out_dir)
        except ServeError as error:
            _log.warning("%s The build before it is served on.", error)
            return
        except OSError as error:
            if self._seen is not None:
                _log.warning("%s cannot be opened: %s.", self._out_dir, error)
            return
        self._seen = build.signature
        build.keep(self._current)
        # The same site published once more must not push out what readers of an older one still need.
        if self._current is not None and self._current.manifest.build != build.manifest.build:
            self._older = [self._current, *self._older][:OLDER_BUILDS]
            self.kept = {path: older for older in reversed(self._older) for path in older.kept}
        self._current = build
        if self._on_change is not None:
            self._on_change(self)
