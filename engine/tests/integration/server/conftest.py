"""Servers that end with their test."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.published import publish

from .processes import start, stop


@pytest.fixture
def start_server() -> Iterator[Callable[..., tuple[subprocess.Popen[str], int]]]:
    """Start servers, each as (process, port)."""
    started: list[subprocess.Popen[str]] = []

    def start_one(*args: object, **options: object) -> tuple[subprocess.Popen[str], int]:
        process, port = start(*args, **options)  # type: ignore[arg-type]
        started.append(process)
        return process, port

    yield start_one
    for process in started:
        stop(process)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return publish(tmp_path / "out")
