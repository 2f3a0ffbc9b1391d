"""`recto api`: servers found by their entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import click
import pytest

from recto.cli import api as api_module
from recto.errors import UsageError
from tests.unit.cli.conftest import Run


def test_help_lists_the_installed_servers(run: Run) -> None:
    result = run("api", "--help")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.split("Commands:\n")[1].splitlines()] == ["gateway", "tool"]


def test_missing_packages_are_named_with_the_extra_that_brings_them() -> None:
    missing = EntryPoint(name="gateway", value="no_such_package.cli:gateway", group=api_module.ENTRY_POINTS)
    command = api_module._load(missing)
    with pytest.raises(UsageError) as caught:
        command.main(["--port", "1"], standalone_mode=False)
    assert str(caught.value) == (
        "`recto api gateway` cannot start: No module named 'no_such_package'. "
        "`pip install 'recto[apis]'` brings what it needs."
    )


def test_servers_are_commands(run: Run) -> None:
    assert run("api", "nonesuch").code == 2
    assert isinstance(api_module.api, click.Group)
