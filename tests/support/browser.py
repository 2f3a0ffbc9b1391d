"""Find a Chromium for the tests: the one that is named, one on the machine, Playwright's own.

The headless shell is preferred: the same engine without the browser's own windows, a third less CPU time for a test.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)

NOT_FOUND = (
    "No Chromium was found, so what only a browser can show is NOT tested. Install Chromium or Chrome, "
    "name one with OCTAVO_CHROMIUM=/path/to/chromium, or run `playwright install chromium`."
)

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Nothing but this machine can be reached, whatever a page or the browser itself asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


def find_browser(playwright: Playwright) -> Path | None:
    """Find a browser.

    Raises:
        FileNotFoundError: `OCTAVO_CHROMIUM` names a file that is not there.
    """
    named = os.environ.get("OCTAVO_CHROMIUM")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f'OCTAVO_CHROMIUM is "{named}", which is not a file.')
        return Path(named)
    return find_installed() or _playwrights_own(playwright)


def launch_browser(playwright: Playwright, executable: Path) -> Browser:
    """Start a browser without a window, fit for a container."""
    # Chromium's sandbox refuses to start as root.
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    return playwright.chromium.launch(executable_path=executable, args=flags)


def find_installed() -> Path | None:
    """Find a browser on the PATH."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return Path(found) if found else None


def _playwrights_own(playwright: Playwright) -> Path | None:
    path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None
