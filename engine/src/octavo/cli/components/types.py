"""`octavo types`: declarations for the editor of an author who writes components."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.runtime import write_whole

_NAME = "octavo.d.ts"


@click.command(short_help="Write types for components and slots, for editors.")
@click.argument("site", type=click.Path(path_type=Path, exists=True, file_okay=False), default=".")
@click.option("--check", is_flag=True, help="Write nothing; fail where the file is not up to date.")
@click.pass_context
def types(context: click.Context, site: Path, *, check: bool) -> None:
    """Write octavo.d.ts into the folder SITE (default: this folder).

    It declares the module "octavo" and what each slot is given, so that an editor and `tsc` check the components of the
    site. Run it again after an update of Octavo.
    """
    from octavo.components import write_declarations

    path, text = site / _NAME, write_declarations()
    try:
        is_current = path.is_file() and path.read_text(encoding="utf-8") == text
        if not is_current and not check:
            write_whole(path, text.encode())
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
    if check and not is_current:
        click.echo(f"{path} is not up to date. Run: octavo types {site}", err=True)
        context.exit(1)
    click.echo(f"{path} is up to date." if is_current else f"Wrote {path}.")
