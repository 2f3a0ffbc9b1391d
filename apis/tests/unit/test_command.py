"""`octavo-sandbox`: the command of the two servers."""

from __future__ import annotations

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
