"""Install the programs that only tests need: `python -m tests.support.system`, before the tests run.

As root on Debian or Ubuntu the missing ones are installed, one announced line each. At a terminal the user is asked
first; `SYSTEM=install` and `SYSTEM=skip` answer in advance. What is then still missing is named, with the tests that
will be skipped for it: nothing is left out silently.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

import msgspec

from apis.tests.contract.gateway.postgres import find_programs
from apis.tests.contract.tool.engine import DOCKER_PACKAGES, PODMAN_PACKAGES, find_absent, find_absent_for_podman
from tests.deploy.balancer import find_nginx
from tests.support.browser import find_installed
from tests.support.engines import find_firefox, find_webkit

_LIMIT_S = 900
ANSWERS = ("install", "skip")


class Part(msgspec.Struct, frozen=True):
    """A program that some tests need and pip cannot install."""

    name: str
    is_there: Callable[[], bool]
    packages: tuple[str, ...]
    """Names of Debian's packages."""
    tests: str
    """What is not tested without it."""
    instead: tuple[str, ...] = ()
    """Packages to install where `packages` can't be had, such as on older releases."""


PARTS = (
    Part(
        "Chromium",
        lambda: find_installed() is not None,
        ("chromium-headless-shell",),
        "everything in tests/e2e",
        instead=("chromium",),
    ),
    Part("Firefox", lambda: find_firefox() is not None, ("firefox-esr",), "the walk through the site in Firefox"),
    Part(
        "WebKitGTK",
        lambda: find_webkit() is not None,
        ("webkit2gtk-driver", "xvfb"),
        "the walk through the site in WebKitGTK",
    ),
    Part("PostgreSQL", lambda: find_programs() is not None, ("postgresql",), "the gateway's storage in PostgreSQL"),
    Part("Docker", lambda: not find_absent(), DOCKER_PACKAGES, "containers of the tool server, and the image"),
    Part("Podman", lambda: not find_absent_for_podman(), PODMAN_PACKAGES, "the tool server's containers on Podman"),
    Part("zsh", lambda: shutil.which("zsh") is not None, ("zsh",), "shell blocks of the site in zsh"),
    Part("nginx", lambda: find_nginx() is not None, ("nginx-light",), "the examples of deploy/"),
)


class Machine(msgspec.Struct, frozen=True):
    """What decides whether anything is installed."""

    has_apt: bool
    is_root: bool
    has_terminal: bool
    answer: str = ""
    """The variable `SYSTEM`: "install", "skip" or empty."""

    @classmethod
    def here(cls, environment: Mapping[str, str] = os.environ) -> Machine:
        """Look at this machine."""
        return cls(
            has_apt=sys.platform == "linux" and shutil.which("apt-get") is not None,
            is_root=hasattr(os, "geteuid") and os.geteuid() == 0,
            has_terminal=sys.stdin.isatty(),
            answer=environment.get("SYSTEM", ""),
        )

    def obstacle(self) -> str:
        """Explain why nothing can be installed here; empty if it can."""
        if not self.has_apt:
            return "this is not Debian or Ubuntu"
        return "" if self.is_root else "only root can install system packages"


def install_missing(
    machine: Machine,
    *,
    parts: Sequence[Part] = PARTS,
    say: Callable[[str], None],
    ask: Callable[[str], str],
    install: Callable[[Sequence[str]], str],
) -> None:
    """Install what is missing, if it may be, and name what stays missing.

    Args:
        machine: Where this runs.
        parts: What is needed.
        say: Prints a line.
        ask: Asks a question at the terminal; returns the answer as typed.
        install: Installs Debian's packages; returns why it failed, empty if it did not.

    Raises:
        ValueError: `SYSTEM` is neither "install" nor "skip".
    """
    if machine.answer not in ("", *ANSWERS):
        raise ValueError(f'SYSTEM is "{machine.answer}"; expected install or skip.')
    missing = [part for part in parts if not part.is_there()]
    if not missing:
        return
    obstacle = machine.obstacle() or _refusal(machine, missing, ask)
    for part in missing:
        problem = obstacle
        if not problem:
            say(f"Installing Debian's {', '.join(part.packages)} for the tests (once)…")
            problem = install(part.packages)
            if problem and part.instead:
                say(f"Not to be had ({problem}); installing {', '.join(part.instead)} instead…")
                problem = install(part.instead)
        if problem:
            say(f"SKIPPED: {part.name} is missing ({problem}), so this is not tested: {part.tests}.")


def _refusal(machine: Machine, missing: Sequence[Part], ask: Callable[[str], str]) -> str:
    """Explain why nothing is to be installed; empty if it is."""
    if machine.answer == "skip":
        return "SYSTEM=skip"
    if machine.answer == "install" or not machine.has_terminal:
        return ""
    packages = " ".join(package for part in missing for package in part.packages)
    typed = ask(f"Some tests need programs that are missing. Install {packages} with apt-get? [y/N] ")
    return "" if typed.strip().lower() in ("y", "yes") else "not installed at your request"


class Apt:
    """Debian's package manager; the lists of packages are brought up to date before the first installation."""

    def __init__(self) -> None:
        self._problem: str | None = None

    def install(self, packages: Sequence[str]) -> str:
        """Install packages; returns the last line of what went wrong, empty if nothing did."""
        if self._problem is None:
            self._problem = self._run("update")
        return self._problem or self._run("install", "--yes", "--no-install-recommends", *packages)

    def _run(self, *arguments: str) -> str:
        # The run level keeps the packages from starting services: the tests start their own.
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        try:
            done = subprocess.run(
                ["apt-get", "--quiet", "--quiet", *arguments],
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


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:  # Ctrl+D
        return ""


def main() -> int:
    """Install what is missing here; exit code 2 if `SYSTEM` is wrong."""
    try:
        install_missing(Machine.here(), say=lambda line: print(line, flush=True), ask=_ask, install=Apt().install)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
