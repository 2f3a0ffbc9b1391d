"""Windows of Firefox and WebKitGTK for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.engines import Browser, find_firefox, find_webkit, launch_firefox, launch_webkit, wait_for
from tests.support.serving import Served

ENGINES = ("firefox", "webkit")
SIZE = (1280, 900)
NARROW = (500, 900)
"""Firefox's windows are not narrower."""


@contextmanager
def open_engine(name: str, folder: Path) -> Iterator[Browser]:
    """Open a window of an engine, or skip the test where it is not installed."""
    if name == "firefox":
        firefox = find_firefox()
        if firefox is None:
            pytest.skip("There is no Firefox on this machine (Debian: firefox-esr).")
        with launch_firefox(firefox, folder, SIZE) as window:
            yield window
    else:
        webkit = find_webkit()
        if webkit is None:
            pytest.skip("There is no WebKitWebDriver or no Xvfb on this machine (Debian: webkit2gtk-driver, xvfb).")
        with launch_webkit(webkit, folder, SIZE) as window:
            yield window


def visit(browser: Browser, site: Served, route: str) -> None:
    """Open a page, and wait until it works."""
    browser.visit(site.url(route))
    # The place is known when what the first frame left out is laid out.
    wait_for(
        browser, "document.documentElement.dataset.hydrated && document.documentElement.dataset.unfolded !== undefined"
    )
