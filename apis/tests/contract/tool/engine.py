"""A container engine of the test run's own, and an image made of parts of this machine.

The engine has its own data root, socket and process; everything goes when the tests end. No image registry is asked.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import docker

from apis.tests.contract.tool.serving import wait_for
from tests.support.installed import with_requirements

IMAGE = "octavo-test/mcp:1"
PROGRAMS = Path(__file__).parent / "image"
START_S = 60
MOST = 20_000
"""Open files and processes of a container of Podman's."""


class DoesNotStartError(Exception):
    """The engine ended at once; the text is the last line of its log."""


PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
OWN_PLACES = os.pathsep.join([PATH, "/usr/lib/podman", "/usr/libexec/podman"])
"""Where Podman finds its helpers, beside the search path."""

DOCKER_PACKAGES = ("docker.io", "iptables")
PODMAN_PACKAGES = ("podman", "netavark", "aardvark-dns", "catatonit", "runc", "iptables")


def missing() -> str:
    """Why no engine can be started here; empty where one can."""
    return _why_not(find_absent(), DOCKER_PACKAGES)


def podman_missing() -> str:
    """The same of Podman's service."""
    return _why_not(find_absent_for_podman(), PODMAN_PACKAGES)


def _why_not(absent: Sequence[str], packages: Sequence[str]) -> str:
    if sys.platform != "linux":
        return "containers are tested on Linux"
    if os.geteuid() != 0:
        return "starting a container engine needs root"
    return f"not installed: {', '.join(absent)} (Debian: {', '.join(packages)})" if absent else ""


def find_absent() -> list[str]:
    """Name the programs that an engine needs and that are not installed."""
    return [name for name in ("dockerd", "containerd", "iptables") if shutil.which(name, path=PATH) is None]


def find_absent_for_podman() -> list[str]:
    """Name what Podman needs and what is not installed; older networks (CNI) give this machine no address on them."""
    programs = ("podman", "netavark", "aardvark-dns", "catatonit", "runc", "iptables")
    return [name for name in programs if shutil.which(name, path=OWN_PLACES) is None]


class Engine:
    """An engine that can be started again on what it had."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "docker.sock"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the engine, and wait until it answers.

        Raises:
            DoesNotStartError: It has ended.
        """
        environment = {**os.environ, "PATH": PATH, "DOCKER_BUILDKIT": "0", **self._variables()}
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(self._command(), stdout=log, stderr=log, env=environment, start_new_session=True)
        self._process = process
        wait_for(lambda: _answers(self.path) or process.poll() is not None, START_S)
        if process.poll() is not None:
            raise DoesNotStartError((self._folder / "log").read_text().strip().rpartition("\n")[2])

    def _variables(self) -> dict[str, str]:
        return {}

    def _command(self) -> list[str]:
        folder = self._folder
        return [
            "dockerd",
            f"--data-root={folder / 'data'}",
            f"--exec-root={folder / 'exec'}",
            f"--pidfile={folder / 'pid'}",
            f"--host=unix://{self.path}",
        ]

    def stop(self) -> None:
        """Stop the engine; the containers that ran run again after its next start."""
        if self._process is not None:
            _stop(self._process)


class Podman(Engine):
    """Podman's service, which has no process that keeps containers: they run on when it ends."""

    def _variables(self) -> dict[str, str]:
        # Podman's own limits are higher than some machines allow even to root.
        limits = []
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
            _, most = resource.getrlimit(kind)
            allowed = MOST if most == resource.RLIM_INFINITY else min(most, MOST)
            limits.append(f"{name}={allowed}:{allowed}")
        settings = self._folder / "containers.conf"
        settings.write_text(f"[containers]\ndefault_ulimits = {json.dumps(limits)}\n")
        return {"CONTAINERS_CONF": str(settings)}

    def _command(self) -> list[str]:
        folder = self._folder
        return [
            "podman",
            f"--root={folder / 'data'}",
            f"--runroot={folder / 'exec'}",
            "--network-backend=netavark",
            # The one that Docker uses, too; crun does not start where both versions of control groups are mounted.
            "--runtime=runc",
            # No service manager is needed for these.
            "--cgroup-manager=cgroupfs",
            "--events-backend=file",
            "system",
            "service",
            "--time=0",
            f"unix://{self.path}",
        ]

    def stop(self) -> None:
        super().stop()
        # Its storage is a mount of its own, which would keep the folder from being deleted.
        subprocess.run(
            ["umount", str(self._folder / "data" / "overlay")], check=False, timeout=START_S, capture_output=True
        )


@contextmanager
def engine(folder: Path, kind: type[Engine] = Engine) -> Iterator[Engine]:
    """Run an engine for the length of a block."""
    running = kind(folder)
    try:
        running.start()
        yield running
    finally:
        remove_all(running.path)
        running.stop()


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(START_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(START_S)
        raise


def outside(path: Path) -> str:
    """Address of this machine on the engine's own bridge: outside of a container, and still this machine."""
    client = docker.DockerClient(base_url=f"unix://{path}")
    try:
        config: dict[str, str] = client.networks.get("bridge").attrs["IPAM"]["Config"][0]
        return config["Gateway"]
    finally:
        client.close()


def make_image(path: Path) -> None:
    """Import an image with this Python, the `mcp` package and the test server."""
    client = docker.DockerClient(base_url=f"unix://{path}")
    try:
        with io.BytesIO() as file:
            with tarfile.open(fileobj=file, mode="w") as archive:
                binaries = [*_add_python(archive), *_add_packages(archive, "mcp", "starlette", "uvicorn")]
                for found in _shared_libraries(binaries):
                    # The loader looks at the places that the paths name, links or not.
                    archive.add(Path(found).resolve(), found.lstrip("/"))
                for program in PROGRAMS.glob("*.py"):
                    archive.add(program, f"app/{program.name}")
                for folder in ("tmp", "data", "etc"):
                    entry = tarfile.TarInfo(folder)
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o777
                    archive.addfile(entry)
            repository, _, tag = IMAGE.partition(":")
            changes = ["ENV PYTHONPATH=/app/packages", f'ENTRYPOINT ["{_python()}", "/app/server.py"]']
            client.api.import_image_from_data(file.getvalue(), repository=repository, tag=tag, changes=changes)
            if not client.images.list(IMAGE):  # Podman takes no tag here
                client.images.get(f"{repository}:latest").tag(repository, tag)
    finally:
        client.close()


def _answers(path: Path) -> bool:
    if not path.is_socket():
        return False
    client = None
    try:
        client = docker.DockerClient(base_url=f"unix://{path}")
        return bool(client.ping())
    except (docker.errors.DockerException, OSError):
        return False
    finally:
        if client is not None:
            client.close()


def remove_all(path: Path) -> None:
    """Remove all containers and networks of servers."""
    if not _answers(path):
        return
    client = docker.DockerClient(base_url=f"unix://{path}")
    for container in client.containers.list(all=True):
        container.remove(force=True)
    for network in client.networks.list(filters={"label": "toolhive=true"}):
        network.remove()
    client.close()


def _python() -> str:
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")


def _add_python(archive: tarfile.TarFile) -> list[Path]:
    """Add interpreter and library; returns what is linked against shared libraries."""
    library = Path(sys.base_prefix) / "lib" / f"python3.{sys.version_info.minor}"
    binary = Path(_python()).resolve()
    left_out = {"test", "site-packages", "idlelib", "tkinter", "lib2to3", "ensurepip"}
    archive.add(binary, _python().lstrip("/"))
    archive.add(
        library,
        str(library).lstrip("/"),
        filter=lambda entry: (
            None if Path(entry.name).name in left_out or Path(entry.name).name.startswith("config-") else entry
        ),
    )
    return [binary, *(library / "lib-dynload").glob("*.so")]


def _shared_libraries(binaries: list[Path]) -> set[str]:
    found = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, check=True, timeout=60).stdout
    return set(re.findall(r"(?:=>|^)\s*(/\S+) \(0x", found, flags=re.MULTILINE))


def _add_packages(archive: tarfile.TarFile, *names: str) -> list[Path]:
    binaries: list[Path] = []
    for name in with_requirements(names):
        distribution = metadata.distribution(name)
        for file in distribution.files or []:
            path = Path(str(distribution.locate_file(file)))
            if ".." not in file.parts and path.is_file() and "__pycache__" not in file.parts:
                archive.add(path, f"app/packages/{file}")
                _add_compiled(archive, path, f"app/packages/{file.parent}/__pycache__")
                binaries += [path] if path.suffix == ".so" else []
    return binaries


def _add_compiled(archive: tarfile.TarFile, path: Path, folder: str) -> None:
    """Add what this machine has compiled already: without it a server takes ten times as long to start."""
    compiled = Path(importlib.util.cache_from_source(str(path))) if path.suffix == ".py" else None
    if compiled and compiled.is_file():
        archive.add(compiled, f"{folder}/{compiled.name}")
