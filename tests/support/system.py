"""Install the parts of the system that only tests need: `python -m tests.support.system`, before the tests run.

Only as root on Debian or Ubuntu. Elsewhere the tests find what is there, and skip with a reason what is not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from apis.tests.contract.gateway.postgres import find_programs
from apis.tests.contract.tool.engine import find_absent
from tests.deploy.balancer import find_nginx
from tests.support.browser import find_installed

PARTS: dict[str, tuple[Callable[[], bool], tuple[str, ...]]] = {
    "Chromium": (lambda: find_installed() is not None, ("chromium",)),
    "PostgreSQL": (lambda: find_programs() is not None, ("postgresql",)),
    "Docker": (lambda: not find_absent(), ("docker.io", "iptables")),
    "nginx": (lambda: find_nginx() is not None, ("nginx-light",)),
}
"""Name → whether it is there, Debian's packages."""

_LIMIT_S = 900


def install_missing() -> None:
    """Install what is not there, each part announced in one line; what cannot be had is named in another."""
    missing = {name: packages for name, (is_there, packages) in PARTS.items() if not is_there()}
    if not missing or sys.platform != "linux" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    stale = _apt("update")
    for name, packages in missing.items():
        print(f"Installing Debian's {', '.join(packages)} for the tests (once)…", flush=True)
        problem = stale or _apt("install", "--yes", "--no-install-recommends", *packages)
        if problem:
            print(f"{name} could not be installed ({problem}); the tests that need it will be skipped.", flush=True)


def _apt(*arguments: str) -> str:
    """Run `apt-get`; returns the last line of what went wrong, empty if nothing did."""
    # The run level keeps the packages from starting services: the tests start their own.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    command = ["apt-get", "--quiet", "--quiet", *arguments]
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {_LIMIT_S} s"
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["no reason given"])[-1]


if __name__ == "__main__":
    install_missing()
