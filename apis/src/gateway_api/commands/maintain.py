"""`export`, `backup`, `prune`, `vacuum`: what operators do with a database."""

from __future__ import annotations

import os
import re
import sys
from datetime import timedelta
from pathlib import Path

import click

from gateway_api.commands.passphrases import find_passphrase, passphrase_file
from gateway_api.commands.progress import Counter, counted
from gateway_api.errors import GatewayError, SetupError
from gateway_api.settings import load_settings
from service_guard import move_to_new

_AGE = re.compile(r"([1-9][0-9]{0,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "y": 365 * 24}
_LONGEST_AGE = timedelta(days=10_000 * 365)
"""Longer ones end before the first moment that there is."""

_MOST_KEPT = 2**62
_NEW_FILE = click.Path(path_type=Path, dir_okay=False)


class Age(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number of hours, days, weeks or years."""

    name = "age"

    def convert(self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """Read an age; a sentence says the form where it has another one."""
        if isinstance(value, timedelta):
            return value
        found = _AGE.fullmatch(value)
        if found is None:
            self.fail(f"{value!r} is not an age such as 12h, 90d, 8w or 1y.", param, ctx)
        return min(timedelta(hours=int(found[1]) * _HOURS[found[2]]), _LONGEST_AGE)


@click.command(short_help="Write everything into one file.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--with-keys", is_flag=True, help="Take the API keys along, encrypted with a passphrase.")
@passphrase_file
@click.pass_obj
def export(database_url: str | None, file: Path, with_keys: bool, passphrase_file: Path | None) -> None:
    """Write workspaces, providers, personas and all records to FILE (- for standard output).

    `import` reads the file into a new database, also into one of the other kind. Servers may run meanwhile; the file has
    everything as of one moment. API keys are left out unless --with-keys is given.
    """
    from gateway_api.maintenance.export import export_all, private_file

    if passphrase_file and not with_keys:
        raise click.UsageError("--passphrase-file needs --with-keys: API keys are left out without it.")
    passphrase = find_passphrase(passphrase_file, is_new=True) if with_keys else None
    settings, counter = load_settings(database_url=database_url), Counter("row", "written")
    if str(file) == "-":
        with counter:
            done = export_all(settings, sys.stdout.buffer, passphrase, counter.show)
    else:
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        if file.exists():
            raise SetupError(f"{file} exists already; name another file.")
        try:
            with counter, private_file(draft, wanted=file) as written:
                done = export_all(settings, written, passphrase, counter.show)
                written.flush()
                os.fsync(written.fileno())
            move_to_new(draft, file)
        except OSError as error:
            raise SetupError(f"{file} cannot be written: {error.strerror}.") from error
        finally:
            draft.unlink(missing_ok=True)
    click.echo(f"Exported {counted(done.rows, 'row')} and {counted(done.keys, 'API key')}.", err=True)
    if done.left_out:
        click.echo(f"Left out: {counted(done.left_out, 'API key')}. Use --with-keys to include them.", err=True)


@click.command(short_help="Copy the database while servers use it.")
@click.argument("file", type=_NEW_FILE)
@click.pass_obj
def backup(database_url: str | None, file: Path) -> None:
    """Copy a SQLite database to FILE, as of one moment; servers may run meanwhile.

    The copy is complete and was checked when it appears. It has no key file: without `auth-material.key` of the data
    folder, its API keys cannot be decrypted.
    """
    from gateway_api.maintenance.backup import back_up

    settings = load_settings(database_url=database_url)
    with Counter("page", "copied") as counter:
        size = back_up(settings.database_url, file, counter.show)
    click.echo(f"Copied {size:,} bytes. Keep {settings.key_file} as well, apart from the copy.", err=True)


@click.command(short_help="Remove old conversations.")
@click.option("--older-than", type=Age(), help="Remove what had no exchange for so long: 12h, 90d, 8w, 1y.")
@click.option("--keep-last", type=click.IntRange(0, _MOST_KEPT), help="Keep so many of the newest in each workspace.")
@click.option("--workspace", help="Only in this workspace.")
@click.option("--dry-run", is_flag=True, help="Count only.")
@click.pass_obj
def prune(
    database_url: str | None, older_than: timedelta | None, keep_last: int | None, workspace: str | None, dry_run: bool
) -> None:
    """Remove whole conversations with their alerts, by age or by number; with both, what either says.

    Servers may run meanwhile. What the tokens cost stays in the token usage. Run it from cron for a retention policy.
    """
    from gateway_api.maintenance import retention

    if older_than is None and keep_last is None:
        raise click.UsageError("Give --older-than, --keep-last or both.")
    settings = load_settings(database_url=database_url)
    try:
        with Counter("conversation", "removed") as counter:
            done = retention.prune(
                settings,
                older_than=older_than,
                keep_last=keep_last,
                workspace=workspace,
                is_trial=dry_run,
                tell=counter.show,
            )
    except GatewayError as error:
        raise SetupError(f"{error}: {workspace}") from error
    verb = "Would remove" if dry_run else "Removed"
    click.echo(f"{verb} {counted(done.chats, 'conversation')} with {counted(done.exchanges, 'exchange')}.")
    if not done.is_clean:
        click.echo("Their text is in the log of the database until nobody reads it; the server empties it.", err=True)


@click.command(short_help="Give back the space of removed records.")
@click.pass_obj
def vacuum(database_url: str | None) -> None:
    """Rewrite the SQLite file without gaps, or let PostgreSQL reuse the space of removed rows.

    With SQLite, writes wait meanwhile (a server answers 503 after 15 seconds), and the folder needs room for a copy.
    """
    from gateway_api.maintenance import vacuum as run

    click.echo("Rewriting the database …", err=True)
    sizes = run(load_settings(database_url=database_url))
    click.echo(f"{sizes.before:,} bytes before, {sizes.after:,} after.")
