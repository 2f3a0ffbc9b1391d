"""The workflow files are correct as far as that can be told without the service that runs them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.actionlint import lint
from tests.support.paths import REPOSITORY

WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (REPOSITORY / "Makefile").read_text(encoding="utf-8")


def load(path: Path) -> dict[str, Any]:
    return dict(yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader))


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in load(path)["jobs"].values() for step in job["steps"]]


def test_actionlint_has_no_findings() -> None:
    assert WORKFLOWS
    assert lint(*WORKFLOWS) == []


def test_actionlint_finds_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(
        "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.os }}\n"
    )
    assert any('"os" is not defined' in finding for finding in lint(wrong))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_targets_that_a_workflow_calls_exist(path: Path) -> None:
    called = {match for step in steps(path) for match in re.findall(r"\bmake ([a-z][\w-]*)", step.get("run", ""))}
    missing = {target for target in called if not re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE)}
    assert missing == set()


def test_checks_call_make_targets_only() -> None:
    """What fails there can be repeated with the same command here."""
    commands = [step["run"] for step in steps(REPOSITORY / ".github/workflows/check.yml") if "run" in step]
    assert commands
    assert [
        command for command in commands if not re.fullmatch(r"make [\w-]+( [A-Z]+=\S+.*)?( #.*)?", command.strip())
    ] == []


def test_every_supported_python_is_checked_on_every_system() -> None:
    matrix = load(REPOSITORY / ".github/workflows/check.yml")["jobs"]["quick"]["strategy"]["matrix"]
    classifiers = re.findall(r"Python :: (3\.\d+)", (REPOSITORY / "engine/pyproject.toml").read_text(encoding="utf-8"))
    assert matrix["python"] == classifiers
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_may_only_read_unless_a_job_says_otherwise(path: Path) -> None:
    assert load(path)["permissions"] == {"contents": "read"}
