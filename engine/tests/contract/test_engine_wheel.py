"""The wheel alone makes a site: no Node, no source tree, nothing that `pyproject.toml` does not declare."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from packaging.requirements import Requirement

from octavo.manifest import MANIFEST_PATH, parse_manifest
from tests.support import paths

ENGINE = paths.ENGINE
THEME = ENGINE / "src/octavo/_theme/server.js"


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

    def run(self, *command: str | Path) -> str:
        """Run a command and give its output; it must end well."""
        done = subprocess.run(
            [str(self.bin / command[0]), *map(str, command[1:])],
            env=self.variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not THEME.is_file():
        pytest.fail("The theme is not built, and the wheel carries it. Run: make theme")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ENGINE)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Machine:
    """A clean machine on which the wheel is installed, offline.

    What the wheel declares, and what that declares in turn, is linked in from the environment of the tests; nothing
    else is, the editable install of Octavo and the development tools least of all. pip then installs the wheel with
    its dependencies checked: one that is missing from `pyproject.toml` is missing here.
    """
    made = Machine(tmp_path_factory.mktemp("machine"))
    for dependency in runtime_dependencies(wheel).values():
        link_distribution(dependency, made.site_packages)
    made.run("pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel)
    made.run("pip", "check", "--disable-pip-version-check")
    return made


@pytest.fixture(scope="module")
def site(machine: Machine) -> Path:
    machine.run("octavo", "new", "docs-of-mine")
    return machine.folder / "docs-of-mine"


@pytest.fixture(scope="module")
def out(machine: Machine, site: Path) -> Path:
    machine.run("octavo", "build", site, "--out", machine.folder / "out")
    return machine.folder / "out"


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


def test_wheel_carries_the_built_theme(wheel):
    names = ZipFile(wheel).namelist()
    assert "octavo/_theme/server.js" in names
    assert any(re.fullmatch(r"octavo/_theme/client/.*\.js", name) for name in names)


def test_wheel_carries_the_packages_only(wheel):
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert {re.sub(r"-.*\.dist-info", "-dist-info", top) for top in tops} == {
        "octavo",
        "octavo-dist-info",
    }


def test_clean_machine_has_no_node(machine):
    assert shutil.which("node", path=machine.path) is None
    assert not list(machine.site_packages.glob("nodejs*"))


def test_clean_machine_runs_the_installed_package(machine):
    where = machine.run("python", "-c", "import octavo; print(octavo.__file__)").strip()
    assert Path(where).is_relative_to(machine.environment)


def test_pages_are_drawn_by_react(out):
    """Navigation and article come from the theme's components; the Markdown alone has neither."""
    manifest = parse_manifest((out / MANIFEST_PATH).read_bytes())
    assert manifest.routes
    for path in manifest.routes.values():
        text = (out / path).read_text(encoding="utf-8")
        body = text.partition('<div id="octavo">')[2]
        assert "<nav" in body, path
        assert "<main" in body, path
        assert "<h1" in body, path


def test_scripts_of_a_page_are_published(out):
    text = (out / "index.html").read_text(encoding="utf-8")
    addresses = re.findall(r'(?:src|href)="/(_octavo/[^"]+\.(?:js|css))"', text)
    assert addresses
    assert [address for address in addresses if not (out / address).is_file()] == []


@pytest.fixture
def server(machine: Machine, site: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`octavo serve` on the clean machine, as (process, address)."""
    process = subprocess.Popen(
        [str(machine.bin / "octavo"), "serve", str(site), "--port", "0"],
        env=machine.variables,
        cwd=machine.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if match := re.search(r"http://[\w.]+:\d+", line):
                yield process, match[0]
                break
        else:
            pytest.fail(f"octavo serve has ended without an address:\n{said}")
    finally:
        process.kill()
        process.communicate()


def test_served_site_answers(server):
    process, address = server
    page = httpx.get(f"{address}/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<main" in page.text
    assert httpx.get(f"{address}/healthz").json()["status"] == "ok"
    assert httpx.get(f"{address}/nowhere").status_code == 404
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 0
