"""Requests that wait on their way until a test lets them through."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page, Route

from .pages import TIMEOUT_MS


class Gate:
    """Holds the requests of a route until it is opened; those that come later pass.

    It is the handler of the route. A request that the page makes is held a moment later, so a test that looks at the
    held ones waits for them first; one that only opens the gate need not.
    """

    def __init__(self) -> None:
        self.held: list[Route] = []
        """Oldest first, also those that the page has called off."""
        self._is_open = False

    def __call__(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self.held.append(route)

    def wait_until(self, page: Page, holds: Callable[[list[Route]], bool]) -> None:
        """Wait until the held requests fulfil a condition.

        Raises:
            TimeoutError: They did not in time.
        """
        end = time.monotonic() + TIMEOUT_MS / 1000
        while not holds(self.held):
            if time.monotonic() > end:
                raise TimeoutError(f"only these requests came: {[route.request.url for route in self.held]}")
            # Requests are reported while the browser is spoken to.
            page.evaluate("() => undefined")

    def open(self) -> None:
        """Let all requests through, those of the past and those of the future."""
        self._is_open = True
        for route in self.held:
            route.continue_()
