"""Descriptions from the web: fetched within limits, and kept for the day on which their source is away."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import msgspec

from octavo.reference.openapi.source import MAX_BYTES


class FetchError(Exception):
    """The source can't be reached, or does not answer as it should; its text is the reason."""


class LastGood(msgspec.Struct, frozen=True):
    """What is recorded of the last description that a source gave."""

    url: str
    sha256: str
    size: int
    """In bytes."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = 5

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme not in ("http", "https"):
            raise FetchError(f'it redirects to "{newurl}", which is neither http nor https')
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch_description(url: str, *, timeout_s: float) -> bytes:
    """Fetch a description.

    Raises:
        FetchError: the address is not http(s), the source is away, slow, or gives too much.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise FetchError("its address is neither http nor https")
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    try:
        request = urllib.request.Request(url, headers={"Accept": "application/json, application/yaml"})  # noqa: S310
        with opener.open(request, timeout=timeout_s) as answer:
            data: bytes = answer.read(MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchError(f"it answers with status {error.code}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise FetchError(str(reason) or type(error).__name__) from error
    if len(data) > MAX_BYTES:
        raise FetchError(f"it gives more than {MAX_BYTES // 1_000_000} MB")
    return data


class Keep:
    """Last good copies: the document, and beside it its address, checksum and size."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, name: str, url: str, data: bytes) -> None:
        """Keep a description that was fetched and found valid. Where nothing can be written nothing is kept."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{name}.description").write_bytes(data)
            record = LastGood(url, hashlib.sha256(data).hexdigest(), len(data))
            (self._folder / f"{name}.json").write_bytes(msgspec.json.encode(record))
        except OSError:
            return

    def load(self, name: str, url: str) -> bytes | None:
        """Give the copy kept of an address, if it is the one whose checksum was recorded."""
        try:
            record = msgspec.json.decode((self._folder / f"{name}.json").read_bytes(), type=LastGood)
            data = (self._folder / f"{name}.description").read_bytes()
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return None
        return data if record.url == url and record.sha256 == hashlib.sha256(data).hexdigest() else None
