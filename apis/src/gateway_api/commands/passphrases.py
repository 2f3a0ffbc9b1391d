"""Where commands have the passphrase of an export's API keys from: a file, the environment, or whoever sits there."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gateway_api.errors import SetupError

passphrase_file = click.option(
    "--passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with the passphrase of the API keys; $GATEWAY_PASSPHRASE otherwise.",
)


def find_passphrase(file: Path | None, *, is_new: bool) -> str:
    """Read the passphrase, or ask for it.

    Args:
        file: What `--passphrase-file` names.
        is_new: Keys will be encrypted with it, so it is asked for twice.

    Raises:
        SetupError: There is none, and nobody who could be asked; or it cannot be used.
    """
    from gateway_api.maintenance.passphrase import PASSPHRASE_VARIABLE, checked, read_passphrase

    found = read_passphrase(file)
    if found is not None:
        return found
    if not sys.stdin.isatty():
        raise SetupError(
            f"The API keys need a passphrase: name a file with --passphrase-file, or set {PASSPHRASE_VARIABLE}. "
            "It is asked for on a terminal only."
        )
    return checked(click.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new, err=True))
