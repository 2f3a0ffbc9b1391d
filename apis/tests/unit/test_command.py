"""`octavo-sandbox`: the command of the two servers."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from octavo_sandbox import __version__
from octavo_sandbox.cli import main


def test_help_lists_the_servers() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.split("Commands:\n")[1].splitlines()] == ["gateway", "tool"]


def test_servers_have_their_own_help() -> None:
    for name in ("gateway", "tool"):
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0
        assert "--port" in result.output


def test_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["nonesuch"])
    assert result.exit_code == 2
    assert "No such command 'nonesuch'" in result.output


def test_version_is_the_distributions() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"octavo-sandbox, version {__version__}\n"


class TestCollector:
    """The collector of garbage, which goes through no modules while a server starts."""

    @pytest.fixture(autouse=True)
    def _processes(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setattr("tool_api.workers.is_available", lambda: False)
        monkeypatch.setattr("gateway_api.observing.show_logs", lambda: None)
        monkeypatch.setattr(
            "gateway_api.running.open_socket", lambda *_: SimpleNamespace(getsockname=lambda: ("127.0.0.1", 1))
        )
        before = signal.getsignal(signal.SIGTERM)
        yield
        signal.signal(signal.SIGTERM, before)

    @pytest.mark.parametrize("name", ["gateway", "tool"])
    def test_it_is_on_and_leaves_modules_alone_when_the_server_runs(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[bool] = []
        frozen: list[int] = []

        def look(*_: object, **__: object) -> SimpleNamespace:
            seen.append(gc.isenabled())
            frozen.append(gc.get_freeze_count())
            return SimpleNamespace(state=SimpleNamespace(start_error=None))

        monkeypatch.setattr(f"{name}_api.app.create_app", look)
        monkeypatch.setattr("uvicorn.Server.run", look)
        done = CliRunner().invoke(main, [name, "--port", "0", *_state(name, tmp_path)])
        assert (done.exit_code, seen) == (0, [False, True]), done.output
        assert frozen[0] < frozen[1]

    @pytest.mark.parametrize("name", ["gateway", "tool"])
    def test_it_is_on_after_a_start_that_fails(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(f"{name}_api.app.create_app", fail)
        done = CliRunner().invoke(main, [name, "--port", "0", *_state(name, tmp_path)])
        assert isinstance(done.exception, ZeroDivisionError)
        assert gc.isenabled()


def _state(name: str, folder: Path) -> list[str]:
    if name == "tool":
        return ["--runtime", "simulated", "--state-dir", str(folder / "state")]
    return ["--database-url", f"sqlite:///{folder / 'gateway.sqlite'}"]
