"""`octavo-sandbox`: start one of the two servers, or manage what they store."""

from __future__ import annotations

from importlib import import_module

import click

from octavo_sandbox import __version__

SERVERS = {
    "gateway": ("gateway_api.cli", "CodeGate's management API, on port 8989."),
    "tool": ("tool_api.cli", "ToolHive's API, on port 8080."),
}
"""Command name → module with a click command of that name, one line of help."""


class ServerCommands(click.Group):
    """A group that imports a server only when its command is used: each takes a second to import."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        return list(SERVERS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in SERVERS:
            return None
        command: click.Command = getattr(import_module(SERVERS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """List the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in SERVERS.items()])


@click.command(cls=ServerCommands, name="octavo-sandbox")
@click.version_option(__version__, prog_name="octavo-sandbox")
def main() -> None:
    """Serve the two APIs that the documentation describes."""
