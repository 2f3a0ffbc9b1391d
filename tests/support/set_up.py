"""Install the packages of a lock file into this environment: `python tests/support/set_up.py requirements.lock`.

uv installs several times faster than pip, so it is used if it is there or can be had: the version of `requirements.lock`,
fetched by pip into a temporary folder. It does not read pip's settings, so they are handed over to it. Where it fails,
pip installs. Nothing but the standard library may be imported here.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
LOCK = REPOSITORY / "requirements.lock"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
FETCH_LIMIT_S = 120

SECTIONS = ("global.", "install.", ":env:.")
"""Where pip's settings come from, the weakest first."""


def uv_environment(listed: str) -> dict[str, str]:
    """Translate the output of `pip config list` into variables of uv.

    Settings that make no difference where every file is named by its hash are left out.
    """
    settings: dict[str, str] = {}
    lines = [line.partition("=") for line in listed.splitlines()]
    for section in SECTIONS:
        for name, _, value in lines:
            if name.startswith(section):
                settings[name.removeprefix(section)] = str(ast.literal_eval(value))
    found = {"UV_HTTP_TIMEOUT": "10", "UV_INDEX_STRATEGY": "unsafe-best-match", "UV_LINK_MODE": "copy"}
    for setting, variable, separator in (
        ("index-url", "UV_DEFAULT_INDEX", " "),
        ("extra-index-url", "UV_INDEX", " "),
        ("find-links", "UV_FIND_LINKS", ","),
        ("cert", "SSL_CERT_FILE", " "),
    ):
        if value := separator.join(settings.get(setting, "").split()):
            found[variable] = value
    if settings.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        found["UV_NO_INDEX"] = "1"
    return found


def locked_lines(lock: str, name: str) -> str:
    """Take one package out of the text of a lock file: its version and hashes."""
    taken = False
    kept = []
    for line in lock.splitlines(keepends=True):
        if line[:1].isalnum():
            taken = line.startswith(f"{name}==")
        if taken:
            kept.append(line)
    return "".join(kept)


def find_uv(folder: Path) -> Path | None:
    """Find uv in this environment or on the PATH, else have pip fetch it into a folder; None if it can't be had."""
    beside = str(Path(sys.executable).parent)
    if found := shutil.which("uv", path=os.pathsep.join([beside, os.environ.get("PATH", "")])):
        return Path(found)
    wanted = folder / "uv.txt"
    wanted.write_text(locked_lines(LOCK.read_text(encoding="utf-8"), "uv"), encoding="utf-8")
    target = folder / "uv"
    command = [*PIP, "install", "--quiet", "--no-deps", "--target", str(target), "--requirement", str(wanted)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=FETCH_LIMIT_S)
    except subprocess.TimeoutExpired:
        return None
    fetched = shutil.which("uv", path=str(target / "bin"))
    return Path(fetched) if done.returncode == 0 and fetched else None


def install(lock: Path, environment: Mapping[str, str] = os.environ) -> int:
    """Install all that a lock file names; returns the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        uv = find_uv(Path(folder))
        if uv is not None:
            listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False).stdout
            command = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--require-hashes", "-r", lock]
            done = subprocess.run(
                list(map(str, command)),
                env={**uv_environment(listed), **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == 0:
                return 0
            print("uv could not install the packages; pip is doing it, which takes longer.", flush=True)
    return subprocess.run([*PIP, "install", "--quiet", "--requirement", str(lock)], check=False).returncode


if __name__ == "__main__":
    sys.exit(install(Path(sys.argv[1])))
