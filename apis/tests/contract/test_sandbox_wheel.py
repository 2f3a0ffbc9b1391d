"""The wheel of the two servers: complete without the engine, and nothing of the engine comes with it."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.clean_machine import Machine, build_wheel, install_offline, runtime_dependencies
from tests.support.paths import REPOSITORY


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(REPOSITORY / "apis", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Machine:
    return install_offline(wheel, tmp_path_factory.mktemp("machine"))


def test_wheel_carries_the_servers_only(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert {re.sub(r"-.*\.dist-info", "-dist-info", top) for top in tops} == {
        "gateway_api",
        "octavo_sandbox",
        "service_guard",
        "octavo_sandbox-dist-info",
        "tool_api",
    }


def test_servers_bring_nothing_of_the_engine(wheel: Path) -> None:
    foreign = {"octavo", "mini-racer", "tantivy", "pyromark", "pygments", "watchfiles", "algoliasearch"}
    assert foreign & set(runtime_dependencies(wheel)) == set()


@pytest.mark.parametrize("server", ["gateway", "tool"])
def test_command_starts_without_the_engine(machine: Machine, server: str) -> None:
    assert "--port" in machine.run("octavo-sandbox", server, "--help")
    assert machine.attempt("python", "-c", "import octavo").returncode != 0


@pytest.mark.parametrize("module", ["gateway_api.app", "tool_api.app"])
def test_server_imports_with_what_the_wheel_declares(machine: Machine, module: str) -> None:
    machine.run("python", "-c", f"import {module}")


def test_data_files_of_the_servers_are_in_the_wheel(wheel: Path) -> None:
    """Migrations and registries are not modules, so a build could leave them out."""
    packed = set(ZipFile(wheel).namelist())
    sources = REPOSITORY / "apis" / "src"
    data = [
        path.relative_to(sources).as_posix()
        for path in sources.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts
    ]
    assert [name for name in data if name not in packed] == []
