"""An init program is asked for where the engine has one, since creating a container fails where it has not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tool_api.runtime import docker

PODMAN = {"BuildahVersion": "1.28.2", "InitBinary": "", "InitCommit": {"ID": ""}}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole search path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(docker, "PODMAN_PROGRAMS", str(tmp_path / "podman"))
    (tmp_path / "podman").mkdir()
    return tmp_path


def install(program: Path) -> None:
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)


def test_engine_that_names_a_version_has_one(programs: Path) -> None:
    assert docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "de40ad0"}})
    assert not docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})
    install(programs / "docker-init")
    assert docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})


def test_program_of_another_engine_on_this_machine_is_not_podmans(programs: Path) -> None:
    install(programs / "docker-init")
    assert not docker.has_init_program(PODMAN)


@pytest.mark.parametrize("place", ["catatonit", "podman/catatonit"])
def test_podman_uses_catatonit(programs: Path, place: str) -> None:
    install(programs / place)
    assert docker.has_init_program(PODMAN)
    assert not docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})
