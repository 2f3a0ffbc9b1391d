"""`octavo dev`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from octavo.cli.addresses import address_options, given_settings
from octavo.cli.build import site_argument
from octavo.cli.report import MOST_WARNINGS, show_diagnostics
from octavo.diagnostics import Diagnostic


@click.command(short_help="Serve a site while it is written; open pages follow each save.")
@site_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=3000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@address_options
def dev(site: Path, host: str, port: int, url: str | None, base_url: str | None) -> None:
    """Serve the site in the folder SITE (default: this folder), and follow what its author saves.

    An open page shows each change in its place, without reloading: scroll position, chosen tabs and typed
    text stay. What is wrong is shown on the page and here, and never ends the server.
    """
    # Nothing of what is imported ever goes: to look through it for what could, again and again, takes 20 ms.
    from octavo.runtime import begin_start

    begin_start()
    from octavo.dev import run_dev

    run_dev(site.resolve(), host=host, port=port, tell=_tell, given=given_settings(url, base_url))


def _tell(problems: Sequence[Diagnostic], failure: str, seconds: float) -> None:
    if failure:
        click.echo(f"octavo: {failure}", err=True)
        return
    show_diagnostics(problems, most_warnings=MOST_WARNINGS)
    click.echo(f"Built in {seconds * 1000:.0f} ms.")
