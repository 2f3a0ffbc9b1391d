"""The recorded sessions are what the commands print today, and pages show them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from site_contract.recordings import Servers, Session, fresh_servers, load_sessions, masked, record
from site_text.texts import RECORDED, SITE, sources

SESSIONS = load_sessions()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with fresh_servers(tmp_path_factory.mktemp("servers")) as running:
        yield running


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.file)
def test_recording_is_current(session: Session, servers: Servers) -> None:
    recorded = session.path.read_text(encoding="utf-8")
    assert masked(recorded) == masked(record(session, servers)), "run: python -m site_contract.recordings"


def test_every_recording_is_shown_and_listed() -> None:
    files = {path for path in (SITE / "docs").rglob("*.mdx") if path.parent.name == RECORDED}
    assert files == {session.path for session in SESSIONS}
    shown = {
        (path.parent / target).resolve()
        for path in sources()
        for target in re.findall(r"^import \w+ from '([^']+)';$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert files <= shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"port": 19063', '"port": 28889'),
        ('"created": "2026-11-22T17:44:27Z"', '"created": "2027-01-01T00:00:00.5Z"'),
        ("Up 0 seconds (simulated)", "Up 2 minutes (simulated)"),
    ],
)
def test_what_differs_from_run_to_run_is_masked(one: str, other: str) -> None:
    assert masked(one) == masked(other)
    assert masked('{"state": "running"}') != masked('{"state": "exited"}')
