"""A base image with this machine's Python, and the wheels that a site's image is made of: nothing is downloaded."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import docker

from tests.deploy.wheels import BUILD_BACKEND, make_wheels
from tests.support import paths

ROOT = paths.REPOSITORY
BASE = "octavo-test/python:1"
PROGRAMS = ["/bin/sh", "/bin/sed", "/usr/bin/install", "/bin/sleep"]
"""What the Dockerfile's own commands and the manifests call; every image of Debian has them."""
LEFT_OUT = {"test", "site-packages", "idlelib", "tkinter", "lib2to3"}
TIMEOUT_S = 240


def make_base(client: docker.DockerClient, folder: Path) -> None:
    """Import the base image: Python at its usual place, a shell, and wheels in the folder that pip searches."""
    wheels = folder / "wheels"
    wheels.mkdir()
    project = tomllib.loads((ROOT / "engine" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    wanted = re.search(r"\./engine\[([\w,]+)\]", dockerfile)
    assert wanted is not None
    declared = [*project["dependencies"], *(line for name in wanted[1].split(",") for line in extras[name])]
    objects = make_wheels([*declared, BUILD_BACKEND], wheels)
    version = f"python3.{sys.version_info.minor}"
    python = (Path(sys.base_prefix) / "bin" / version).resolve()
    library = Path(sys.base_prefix) / "lib" / version
    linked = [python, *map(Path, PROGRAMS), *(library / "lib-dynload").glob("*.so"), *objects]
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(python, f"usr/local/bin/{version}")
            for name in ("python", "python3"):
                _link(archive, f"usr/local/bin/{name}", version)
            archive.add(library, f"usr/local/lib/{version}", filter=_wanted)
            for program in PROGRAMS:
                archive.add(Path(program).resolve(), program.lstrip("/"))
            for found in sorted(_shared_libraries(linked)):
                archive.add(Path(found).resolve(), found.lstrip("/"))
            archive.add(wheels, "wheels")
            for name, mode in (("tmp", 0o1777), ("etc", 0o755), ("opt", 0o755), ("srv", 0o755)):
                entry = tarfile.TarInfo(name)
                entry.type, entry.mode = tarfile.DIRTYPE, mode
                archive.addfile(entry)
        repository, _, tag = BASE.partition(":")
        variables = [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "PIP_NO_INDEX=1",
            "PIP_FIND_LINKS=/wheels",
            "PIP_NO_COMPILE=1",
        ]
        changes = [f"ENV {variable}" for variable in variables]
        client.api.import_image_from_data(file.getvalue(), repository=repository, tag=tag, changes=changes)


def make_context(folder: Path) -> Path:
    """Copy what `Dockerfile.dockerignore` lets in; builders before BuildKit know no file of that name."""
    context = folder / "context"
    rules = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (rule[1:] for rule in rules if rule.startswith("!")):
        source, target = ROOT / name, context / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".octavo"))
        else:
            shutil.copy2(source, target)
    shutil.rmtree(context / "site" / "build", ignore_errors=True)
    shutil.copy2(ROOT / "deploy" / "Dockerfile", context / "Dockerfile")
    return context


def build_site_image(client: docker.DockerClient, folder: Path, tag: str) -> None:
    """Build the image as users do, but for the base, and with no network at all.

    Raises:
        RuntimeError: it could not be built; the text is the end of the builder's log.
    """
    make_base(client, folder)
    try:
        client.images.build(
            path=str(make_context(folder)),
            tag=tag,
            # Without the highest compression, which takes longer than everything else together.
            buildargs={"PYTHON_IMAGE": BASE, "BUILD_OPTIONS": ""},
            network_mode="none",
            rm=True,
            forcerm=True,
            timeout=TIMEOUT_S,
        )
    except docker.errors.BuildError as error:
        log = "".join(str(line.get("stream", "")) for line in error.build_log)
        raise RuntimeError(f"{error}\n{log[-2000:]}") from error


def _wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    name = Path(entry.name).name
    return None if name in LEFT_OUT or name.startswith("config-") else entry


def _link(archive: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    archive.addfile(entry)


def _shared_libraries(binaries: list[Path]) -> set[str]:
    found = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, check=False, timeout=60).stdout
    named = re.findall(r"(?:=>|^)\s*(/\S+) \(0x", found, flags=re.MULTILINE)
    # A wheel's own libraries are named from the folder of each extension: `PIL/../pillow.libs/…`.
    return {os.path.normpath(path) for path in named}
