"""Where a replica copies from: a shared folder, or the address of a published folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit, urlunsplit

from octavo.errors import UsageError
from octavo.server.replica.bucket import bucket_address, credentials_of, signature_headers

_TIMEOUT_S = 20.0
_MOST_AT_ONCE = 8
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class SourceError(Exception):
    """A file cannot be had."""


class ReplicaSource(Protocol):
    """A published folder, somewhere."""

    @property
    def name(self) -> str:
        """How messages call it: without what opens it."""

    @property
    def most_at_once(self) -> int:
        """Files that are worth being read at the same time."""

    def read(self, path: str, most: int) -> bytes:
        """Read a file.

        Args:
            path: From the folder, with forward slashes; checked before.
            most: Bytes that it may have.

        Raises:
            SourceError: it is not there, is larger, or cannot be read.
        """

    def read_if_changed(self, path: str, most: int) -> bytes | None:
        """Read a file, or None where the source says that it is as it was at the last such call."""

    def close(self) -> None:
        """Close what is open."""


def open_source(location: str, environment: Mapping[str, str] | None = None) -> ReplicaSource:
    """Prepare a source; nothing is read.

    Args:
        location: A folder, an address whose query (`?sv=…`) goes with every request, or `s3://bucket/folder`.
        environment: Variables that open it: `OCTAVO_REPLICA_AUTHORIZATION`, the value of that header for an address, and those of
            `bucket` for a private bucket.

    Raises:
        UsageError: it can be neither, or a package is missing.
    """
    if "://" not in location:
        return FolderSource(Path(location))
    environment = environment or {}
    parts = urlsplit(location)
    sign: Callable[[str], Mapping[str, str]] | None = None
    if parts.scheme == "s3":
        location = bucket_address(location, environment)
        sign = partial(signature_headers, credentials=credentials_of(environment))
        parts = urlsplit(location)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("--replica names no folder, no address with http or https, and no bucket with s3.")
    if parts.username or parts.password:
        raise UsageError(
            "--replica contains a name or a password; put the header's value into OCTAVO_REPLICA_AUTHORIZATION instead."
        )
    if find_spec("urllib3") is None:
        raise UsageError('A replica of an address needs a package: `pip install "octavo[replica]"`.')
    if sign is not None:
        return AddressSource(location, sign=sign)
    return AddressSource(location, environment.get("OCTAVO_REPLICA_AUTHORIZATION", ""))


class FolderSource:
    """A folder that several machines see."""

    most_at_once = 1

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self.name = str(folder)

    def read(self, path: str, most: int) -> bytes:
        """See `ReplicaSource`."""
        try:
            descriptor = os.open(self._folder / path, os.O_RDONLY | _NO_LINK | getattr(os, "O_BINARY", 0))
            try:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode):
                    raise SourceError(f"{path} is not a plain file")
                # As much memory is taken as is asked for, whatever the file holds.
                with os.fdopen(descriptor, "rb", closefd=False) as file:
                    content = file.read(min(most, status.st_size) + 1)
            finally:
                # Not left to `fdopen`, which refuses a folder without closing its descriptor.
                os.close(descriptor)
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}") from error
        return _fitting(path, content, most)

    def read_if_changed(self, path: str, most: int) -> bytes | None:
        """See `ReplicaSource`; a folder is read each time."""
        return self.read(path, most)

    def close(self) -> None:
        """See `ReplicaSource`; nothing stays open."""


class AddressSource:
    """A published folder behind an address: object storage, a CDN, any host of files."""

    most_at_once = _MOST_AT_ONCE

    def __init__(
        self, location: str, authorization: str = "", *, sign: Callable[[str], Mapping[str, str]] | None = None
    ) -> None:
        """Prepare it.

        Args:
            location: The address.
            authorization: Value of that header; empty for none.
            sign: Gives the headers that let in a request for an address. Such requests follow no redirect: their headers are for one host.
        """
        import urllib3  # an extra: a server with a folder of its own does without

        self._parts = urlsplit(location)
        self._headers = {"User-Agent": "octavo", "Accept-Encoding": "identity"}
        if authorization:
            self._headers["Authorization"] = authorization
        self._sign = sign
        self._validators: dict[str, dict[str, str]] = {}
        timeout = urllib3.Timeout(connect=_TIMEOUT_S, read=_TIMEOUT_S)
        retries = urllib3.Retry(2, redirect=2, backoff_factor=0.1, status_forcelist=(429, 500, 502, 503, 504))
        self._pool = urllib3.PoolManager(maxsize=_MOST_AT_ONCE, timeout=timeout, retries=retries)
        self._failures: tuple[type[Exception], ...] = (urllib3.exceptions.HTTPError,)
        self.name = urlunsplit((self._parts.scheme, self._parts.netloc, self._parts.path, "", ""))

    def read(self, path: str, most: int) -> bytes:
        """See `ReplicaSource`."""
        content = self._get(path, most, {})[0]
        if content is None:
            raise SourceError(f"{path} was not sent")
        return content

    def read_if_changed(self, path: str, most: int) -> bytes | None:
        """See `ReplicaSource`."""
        content, validators = self._get(path, most, self._validators.get(path, {}))
        if content is not None:
            self._validators[path] = validators
        return content

    def close(self) -> None:
        """See `ReplicaSource`."""
        self._pool.clear()

    def _get(self, path: str, most: int, validators: dict[str, str]) -> tuple[bytes | None, dict[str, str]]:
        folder = self._parts.path.rstrip("/")
        address = urlunsplit((*self._parts[:2], f"{folder}/{quote(path)}", self._parts.query, ""))
        try:
            is_read = False
            headers = self._headers | validators | dict(self._sign(address) if self._sign else {})
            answer = self._pool.request(
                "GET", address, headers=headers, preload_content=False, redirect=self._sign is None
            )
            try:
                if answer.status == 304:
                    return None, validators
                if answer.status != 200:
                    raise SourceError(f"{path} was answered with status {answer.status}")
                content = answer.read(most + 1)
                is_read = len(content) <= most
            finally:
                # A connection with the rest of an answer in it cannot be used again.
                answer.release_conn() if is_read else answer.close()
        except self._failures as error:
            # The error's own text holds the address, and so what opens it.
            raise SourceError(f"{path} cannot be fetched ({type(error).__name__})") from None
        return _fitting(path, content, most), _validators(answer.headers)


def _validators(headers: Mapping[str, str]) -> dict[str, str]:
    """Choose the headers with which the next request asks whether a file has changed.

    `Last-Modified` counts whole seconds: a file that was written twice in one second keeps it. So it is used only
    where the answer was sent at least two seconds after that moment (RFC 9110, section 8.8.2.2).
    """
    if "ETag" in headers:
        return {"If-None-Match": headers["ETag"]}
    try:
        modified, sent = (parsedate_to_datetime(headers[name]) for name in ("Last-Modified", "Date"))
        is_certain = (sent - modified).total_seconds() >= 2
    except (KeyError, ValueError, TypeError):
        return {}
    return {"If-Modified-Since": headers["Last-Modified"]} if is_certain else {}


def _fitting(path: str, content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise SourceError(f"{path} is larger than {most} bytes")
    return content
