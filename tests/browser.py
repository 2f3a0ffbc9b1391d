"""Find a Chromium for the tests: the one that is named, one on the machine, Playwright's own, Debian's."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

NOT_FOUND = (
    "No Chromium was found, so what only a browser can show is NOT tested. Install Chromium or Chrome, "
    "name one with RECTO_CHROMIUM=/path/to/chromium, or run `playwright install chromium`."
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
    """Find a browser, installing Debian's where that is possible.

    Raises:
        FileNotFoundError: `RECTO_CHROMIUM` names a file that is not there.
    """
    named = os.environ.get("RECTO_CHROMIUM")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f'RECTO_CHROMIUM is "{named}", which is no file.')
        return Path(named)
    return _on_path() or _playwrights_own(playwright) or _debians()


def launch_browser(playwright: Playwright, executable: Path) -> Browser:
    """Start a browser without a window, fit for a container."""
    # Chromium's sandbox refuses to start as root.
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    return playwright.chromium.launch(executable_path=executable, args=flags)


def _on_path() -> Path | None:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return Path(found) if found else None


def _playwrights_own(playwright: Playwright) -> Path | None:
    path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def _debians() -> Path | None:
    """Install Debian's package; None where that is not possible."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    # Several test processes may come here at once; the first installs, the others wait and find it.
    with (Path(tempfile.gettempdir()) / "recto-install-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = _on_path()
        if found is not None:
            return found
        print("Installing Debian's chromium for the browser tests (once)…", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            outcome = subprocess.run(
                ["apt-get", "--quiet", "--quiet", *arguments], env=environment, capture_output=True, check=False
            )
            if outcome.returncode != 0:
                return None
        return _on_path()
