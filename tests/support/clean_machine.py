"""A clean machine: an environment with one wheel and what it declares, and nothing else of the machine that runs the test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement


class Machine:
    """A clean machine: its own Python environment, and a PATH without Node."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = folder / "environment"
        venv.create(self.environment, with_pip=True)
        self.bin = self.environment / "bin"
        system = (place for place in ("/usr/bin", "/bin") if shutil.which("node", path=place) is None)
        self.path = os.pathsep.join([str(self.bin), *system])

    @property
    def site_packages(self) -> Path:
        return next(self.environment.glob("lib/python*/site-packages"))

    @property
    def variables(self) -> dict[str, str]:
        """Nothing is inherited, so nothing of the machine that runs the test can help."""
        return {"PATH": self.path, "HOME": str(self.folder), "LANG": "C.UTF-8"}

    def attempt(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, which may fail."""
        return subprocess.run(
            [str(self.bin / command[0]), *map(str, command[1:])],
            env=self.variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *command: str | Path) -> str:
        """Run a command of the environment and give its output; it must succeed."""
        done = self.attempt(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def build_wheel(project: Path, folder: Path) -> Path:
    """Build the wheel of a part of the repository into a folder."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(project)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def install_offline(wheel: Path, folder: Path) -> Machine:
    """Make a clean machine on which a wheel is installed, offline.

    What the wheel declares, and what that declares in turn, is linked in from the environment of the tests; nothing
    else is, installations in place and the development tools least of all. pip then installs the wheel with its
    dependencies checked: one that is missing from `pyproject.toml` is missing here.
    """
    made = Machine(folder)
    for dependency in runtime_dependencies(wheel).values():
        link_distribution(dependency, made.site_packages)
    made.run("pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel)
    made.run("pip", "check", "--disable-pip-version-check")
    return made


def runtime_dependencies(wheel: Path) -> dict[str, Distribution]:
    """What the wheel needs to run, extras left out, as name → distribution."""
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        waiting = Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist", [])
    found: dict[str, Distribution] = {}
    while waiting:
        requirement = Requirement(waiting.pop())
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found[name] = distribution(name)
        waiting += found[name].requires or []
    return found


def link_distribution(dependency: Distribution, site_packages: Path) -> None:
    """Link the packages and the metadata of a distribution into another environment."""
    for top in {file.parts[0] for file in dependency.files or []} - {"..", "__pycache__"}:
        target = site_packages / top
        if not target.exists():
            target.symlink_to(Path(str(dependency.locate_file(top))).resolve())
