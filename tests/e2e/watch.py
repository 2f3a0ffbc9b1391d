"""Watch a reader's browser: what must not happen on any page fails the test, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

_SILENT = ("log", "info", "debug", "dir", "table", "timeEnd", "trace", "verbose")
"""Kinds of messages that are not complaints; `verbose` are Chromium's hints to developers, as when a test measures what is not laid out yet."""


class Watch:
    """Collects complaints: console warnings and errors, uncaught errors, failed or foreign requests."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.requests: list[str] = []
        """Requested addresses, in order."""
        self._complaints: list[str] = []
        self._forgiven: list[re.Pattern[str]] = []
        self._origin = origin
        context.on("console", self._hear)
        context.on("weberror", self._catch)
        context.on("request", self._see_request)
        context.on("requestfailed", self._see_failure)
        context.on("response", self._see_response)

    def forgive(self, pattern: str) -> None:
        """Expect complaints that match: they are part of what the test is about."""
        self._forgiven.append(re.compile(pattern))

    def complaints(self) -> list[str]:
        """List what was not expected."""
        return [line for line in self._complaints if not any(pattern.search(line) for pattern in self._forgiven)]

    def requested(self, holds: Callable[[str], bool]) -> list[str]:
        """List the requests whose path from the host's root holds."""
        paths = [address.removeprefix(self._origin) for address in self.requests]
        return [path for path in paths if holds(path)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in _SILENT:
            place = _place(message.page)
            source = message.location.get("url", "").removeprefix(self._origin)
            self._complaints.append(f"{place}: console {message.type}: {message.text} ({source})")

    def _catch(self, error: WebError) -> None:
        self._complaints.append(f"{_place(error.page)}: uncaught {error.error}")

    def _see_request(self, request: Request) -> None:
        if not request.url.startswith("http"):
            return
        self.requests.append(request.url)
        if not request.url.startswith(f"{self._origin}/"):
            self._complaints.append(f"request to another origin: {request.url}")

    def _see_failure(self, request: Request) -> None:
        # The browser gives up what it fetched ahead when the reader goes elsewhere.
        if request.failure != "net::ERR_ABORTED":
            self._complaints.append(f"request failed: {request.url}: {request.failure}")

    def _see_response(self, response: Response) -> None:
        if response.status >= 400:
            self._complaints.append(f"answer {response.status}: {response.url}")


def _place(page: Page | None) -> str:
    return page.url if page else "worker"
