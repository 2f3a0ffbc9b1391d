"""`Connection`: JSON over HTTP to a search engine, over connections that are kept."""

from __future__ import annotations

from typing import Any

import msgspec
import urllib3

from octavo.lazy import regex as re
from octavo.search.engines.remote import unavailable

_TRIES = 2
"""A connection that was kept may be closed by the other side just when it is used."""
_MOST_AT_ONCE = 16
_SECRET = re.compile(r"(?i)(bearer|basic|apikey)\s+\S+")


class EngineError(Exception):
    """The engine has answered with an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(_SECRET.sub("…", message)[:300])
        self.status = status
        self.code = code


class Connection:
    """Connections to one engine; several threads may use it at once."""

    def __init__(self, name: str, url: str, *, authorization: str = "", timeout_s: float = 3.0) -> None:
        """Initialize; nothing is sent.

        Args:
            name: How messages call the engine.
            url: Its address, without a slash at the end.
            authorization: Value of the header; empty for none. It is in no message.
            timeout_s: Longest wait for a connection, and for an answer.
        """
        self._name = name
        self._url = url.rstrip("/")
        headers = {"Content-Type": "application/json", "User-Agent": "octavo"}
        self._headers = headers | ({"Authorization": authorization} if authorization else {})
        self._timeout = urllib3.Timeout(connect=min(timeout_s, 2.0), read=timeout_s)
        self._pool = urllib3.PoolManager(maxsize=_MOST_AT_ONCE, block=False)

    def send(self, method: str, path: str, body: object = None) -> Any:
        """Send a request, and read the answer.

        Raises:
            ProtocolError: status 503; nobody answers, or what answers is no such engine.
            EngineError: the engine refuses.
        """
        content = None if body is None else msgspec.json.encode(body)
        try:
            answer = self._pool.request(
                method, self._url + path, body=content, headers=self._headers, timeout=self._timeout,
                retries=urllib3.Retry(_TRIES - 1, read=0, redirect=0, status=0, other=_TRIES - 1, backoff_factor=0.05),
            )  # fmt: skip
        except urllib3.exceptions.HTTPError as error:
            raise unavailable(self._name, "cannot be reached; try again in a moment") from error
        try:
            found = msgspec.json.decode(answer.data) if answer.data else {}
        except (msgspec.DecodeError, RecursionError) as error:
            raise unavailable(self._name, f"gave no JSON (status {answer.status})") from error
        if answer.status >= 400:
            code, message = _problem(found)
            raise EngineError(answer.status, code, message or f"status {answer.status}")
        return found


def _problem(answer: object) -> tuple[str, str]:
    if not isinstance(answer, dict):
        return "", ""
    return str(answer.get("code", "")), str(answer.get("message", ""))
