"""A container engine of the test run's own, and an image made of parts of this machine.

The engine has its own data root, socket, network and process; everything goes when the tests end. No image registry is
asked.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Network
from pathlib import Path

import docker

from apis.tests.contract.tool.image_files import PYTHON_PATH, interpreter, write_files
from apis.tests.contract.tool.own_network import own_network
from apis.tests.contract.tool.serving import wait_for

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
        # Its locks are in shared memory by default, where those of all Podman's services of a user are.
        text = f'[containers]\ndefault_ulimits = {json.dumps(limits)}\n[engine]\nlock_type = "file"\n'
        settings.write_text(text)
        return {"CONTAINERS_CONF": str(settings)}

    def _command(self) -> list[str]:
        folder = self._folder
        return [
            "podman",
            f"--root={folder / 'data'}",
            f"--runroot={folder / 'exec'}",
            # Otherwise all services of this machine share these three.
            f"--tmpdir={folder / 'tmp'}",
            f"--network-config-dir={folder / 'networks'}",
            f"--volumepath={folder / 'volumes'}",
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
    """Run an engine for the length of a block, which is in a network of its own, see `own_network`.

    Raises:
        DoesNotStartError: It has ended, or there is no network for it.
    """
    running = kind(folder)
    with ExitStack() as stack:
        try:
            stack.enter_context(own_network())
        except OSError as error:
            raise DoesNotStartError(f"no network of its own: {error}") from error
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
        # Docker tells it only of a bridge that was there before it started. It is the first address.
        return config.get("Gateway") or str(next(IPv4Network(config["Subnet"]).hosts()))
    finally:
        client.close()


def make_image(path: Path) -> None:
    """Import an image with this Python, the `mcp` package and the test server."""
    client = docker.DockerClient(base_url=f"unix://{path}")
    try:
        with io.BytesIO() as file:
            with tarfile.open(fileobj=file, mode="w") as archive:
                write_files(archive, "mcp", "starlette", "uvicorn")
                for program in PROGRAMS.glob("*.py"):
                    archive.add(program, f"app/{program.name}")
                for folder in ("tmp", "data", "etc"):
                    entry = tarfile.TarInfo(folder)
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o777
                    archive.addfile(entry)
            repository, _, tag = IMAGE.partition(":")
            changes = [f"ENV PYTHONPATH={PYTHON_PATH}", f'ENTRYPOINT ["{interpreter()}", "/app/server.py"]']
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
    for container in client.containers.list(all=True, sparse=True):
        container.remove(force=True)
    for network in client.networks.list(filters={"label": "toolhive=true"}):
        network.remove()
    client.close()
