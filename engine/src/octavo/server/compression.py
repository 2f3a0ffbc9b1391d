"""Compressed forms of what is served: made once for each content, off the event loop, and kept.

Measured on one core at 2.5 GHz (brotli 1.2, 30 kB of HTML / 200 kB of script): level 5 takes 3 / 14 ms, level 6 the
same to a third more for 0.2 to 1.5 % less, level 9 takes 24 / 67 ms for 0.5 to 2 % less, level 11 takes 86 / 824 ms for
10 to 12 % less. So the first answer uses 6, and a file that is requested again is compressed once more with 11 in the
background.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import brotli
import msgspec

from octavo.manifest import ManifestFile
from octavo.server.cache import DiskCache, MemoryCache
from octavo.server.published_build import UnreadableFileError

MEMORY_BYTES = 64 << 20
"""Bytes of pages and assets, plain and compressed, that are held in memory."""

LARGEST_COMPRESSED = 16 << 20
"""Files above this size, in bytes, are sent as they are: they are streamed, never held in memory."""

SMALLEST_COMPRESSED = 256
"""Files below this size, in bytes, do not get smaller."""

LARGEST_BEST = 512 << 10
"""Files above this size, in bytes, stay with the quick form: the best one would take seconds."""

_MOST_WAITING = 32
"""Best forms that may wait for their turn; more are asked for again at a later request."""

Form = Literal["br11", "br6", "gzip", "plain"]
"""Content coding of a response. Part of the ETag, because the bytes of each coding differ."""

_FORMS: dict[str, tuple[Form, ...]] = {"br": ("br11", "br6"), "gzip": ("gzip",), "identity": ("plain",)}


class EncodedBody(msgspec.Struct, frozen=True):
    """A content as it goes over the wire."""

    content: bytes
    form: Form


def possible_forms(encoding: str) -> tuple[Form, ...]:
    """Forms in which a content may be sent under an encoding, best first."""
    return _FORMS[encoding]


def compress(content: bytes, form: Form) -> bytes:
    """Write a content in one of the forms."""
    match form:
        case "br11":
            return _brotli(content, 11)
        case "br6":
            return _brotli(content, 6)
        case "gzip":
            return gzip.compress(content, 6, mtime=0)
        case "plain":
            return content


def _brotli(content: bytes, quality: int) -> bytes:
    compressed: bytes = brotli.compress(content, quality=quality)
    return compressed


class Compressor:
    """Contents in the forms that clients want."""

    def __init__(self, cache_dir: Path | None, memory_bytes: int) -> None:
        """Initialize the two caches.

        Args:
            cache_dir: Folder for compressed forms, kept over restarts; None for memory only.
            memory_bytes: Most bytes to hold in memory.
        """
        self._memory = MemoryCache(memory_bytes)
        self._disk = DiskCache(cache_dir) if cache_dir else None
        self._running: dict[str, asyncio.Future[EncodedBody]] = {}
        self._waiting: dict[str, Future[None]] = {}
        self._quick = ThreadPoolExecutor(2, thread_name_prefix="octavo-compress")
        self._best = ThreadPoolExecutor(1, thread_name_prefix="octavo-compress-best")

    async def body(self, file: ManifestFile, encoding: str, read: Callable[[], bytes]) -> EncodedBody:
        """Give a content in an encoding, from memory, from disk, or by compressing it.

        Requests for the same content at the same time share one piece of work.

        Args:
            file: Names the content.
            encoding: `br`, `gzip` or `identity`.
            read: Reads the content; it is called in a worker thread.

        Raises:
            UnreadableFileError: `read` failed.
        """
        forms = possible_forms(encoding)
        for form in forms:
            if (content := self._memory.get(_key(file, form))) is not None:
                if form == "br6" and file.size <= LARGEST_BEST:
                    self._improve(file, read)
                return EncodedBody(content, form)
        key = _key(file, forms[-1])
        running = self._running.get(key)
        if running is None:
            running = asyncio.get_running_loop().run_in_executor(self._quick, self._make, file, forms, read)
            self._running[key] = running
            running.add_done_callback(lambda done: self._finish(key, file, done))
        # A client that goes away must not take the others' answer along.
        return await asyncio.shield(running)

    def prune(self, hashes: set[str]) -> None:
        """Remove from disk what belongs to none of these contents."""
        if self._disk is not None:
            self._disk.prune(hashes)

    def close(self) -> None:
        """Drop the work that waits; what is being compressed is finished."""
        self._quick.shutdown(wait=False, cancel_futures=True)
        self._best.shutdown(wait=False, cancel_futures=True)

    def _make(self, file: ManifestFile, forms: tuple[Form, ...], read: Callable[[], bytes]) -> EncodedBody:
        form = forms[-1]
        if form == "plain":
            return EncodedBody(read(), form)
        for known in forms:
            if self._disk is not None and (content := self._disk.get(_key(file, known))) is not None:
                return EncodedBody(content, known)
        content = compress(read(), form)
        if self._disk is not None:
            self._disk.put(_key(file, form), content)
        return EncodedBody(content, form)

    def _finish(self, key: str, file: ManifestFile, done: asyncio.Future[EncodedBody]) -> None:
        del self._running[key]
        if not done.cancelled() and done.exception() is None:
            body = done.result()
            self._memory.put(_key(file, body.form), body.content)

    def _improve(self, file: ManifestFile, read: Callable[[], bytes]) -> None:
        key = _key(file, "br11")
        if key in self._waiting or len(self._waiting) >= _MOST_WAITING:
            return
        loop = asyncio.get_running_loop()

        def make() -> None:
            try:
                content = compress(read(), "br11")
            except UnreadableFileError:
                content = b""  # the file has just been replaced; nobody will ask for the best form of the old one
            if content and self._disk is not None:
                self._disk.put(key, content)
                self._disk.remove(_key(file, "br6"))
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._exchange, file, content)

        self._waiting[key] = self._best.submit(make)

    def _exchange(self, file: ManifestFile, content: bytes) -> None:
        del self._waiting[_key(file, "br11")]
        if content:
            self._memory.put(_key(file, "br11"), content)
            self._memory.remove(_key(file, "br6"))


def _key(file: ManifestFile, form: Form) -> str:
    return f"{file.hash}.{form}"
