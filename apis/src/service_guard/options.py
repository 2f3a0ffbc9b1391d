"""Options of a command that do nothing for its subcommands are refused, not ignored."""

from __future__ import annotations

from collections.abc import Collection

import click
from click.core import ParameterSource


def refuse_server_options(context: click.Context, *, shared: Collection[str]) -> None:
    """Refuse options that were given before a subcommand and have no meaning for it.

    Args:
        context: That of the group.
        shared: Names of the options that the subcommands use.

    Raises:
        UsageError: There is one; the sentence names it.
    """
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
        if given and name not in shared:
            raise click.UsageError(
                f"{option.opts[0]} is an option of the server, and `{context.invoked_subcommand}` starts none; "
                "leave it out.",
                context,
            )
