"""`recto api`: the local APIs that are installed beside the engine, each a command of its own package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recto.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

ENTRY_POINTS = "recto.apis"
"""Group of the entry points; each names a click command that serves one API."""


class InstalledApis(click.Group):
    """A group whose commands are entry points, loaded when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        return sorted(found.name for found in _installed())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        found = next(iter(_installed().select(name=cmd_name)), None)
        return _load(found) if found else None


def _installed() -> EntryPoints:
    # Not at the top: every other command would wait for it, 20 ms.
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)


def _load(entry_point: EntryPoint) -> click.Command:
    """Load a command, or make one that says what is missing: help must work without the servers' packages."""
    try:
        command = entry_point.load()
    except ModuleNotFoundError as error:
        return _explain(entry_point.name, str(error))
    if not isinstance(command, click.Command):
        return _explain(entry_point.name, f"{entry_point.value} is no command")
    return command


def _explain(name: str, reason: str) -> click.Command:
    @click.command(name, short_help="Not installed: pip install 'recto[apis]'.", add_help_option=False)
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def explain(arguments: tuple[str, ...]) -> None:  # noqa: ARG001 - whatever is asked, the answer is the same
        raise UsageError(
            f"`recto api {name}` cannot start: {reason}. `pip install 'recto[apis]'` brings what it needs."
        )

    explain.context_settings = {"ignore_unknown_options": True}
    return explain


@click.command(cls=InstalledApis, name="api", short_help="Serve the local APIs that the site documents.")
def api() -> None:
    """Serve the local APIs that the site documents. They come with `pip install 'recto[apis]'`."""
