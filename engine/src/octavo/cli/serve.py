"""`octavo serve`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from octavo.cli.build import DEFAULT_OUT, run_build, site_argument


@click.command(short_help="Build a site and serve it.")
@site_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=3000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--log-requests", is_flag=True, help="Print a line for every request.")
@click.option("--no-build", is_flag=True, help="Serve what was built before.")
def serve(site: Path, host: str, port: int, out: Path | None, no_build: bool, log_requests: bool) -> None:
    """Build the site in the folder SITE (default: this folder) and serve it, fit for production.

    While it runs, another `octavo build` to the same folder is picked up at once, without a restart.

    With OCTAVO_REPORT_SECRET in the environment (16 characters or more), the report on searches stands at
    /_octavo/search-report, with that secret as its password.
    """
    from octavo.server.run import serve as run_server

    folder = (out or site / DEFAULT_OUT).resolve()
    if not no_build:
        run_build(site, folder)
    run_server(
        folder,
        host=host,
        port=port,
        cache_dir=site / ".octavo" / "served",
        insights_path=insights_path(site),
        report_secret=os.environ.get("OCTAVO_REPORT_SECRET"),
        shows_requests=log_requests,
    )


def insights_path(site: Path) -> Path:
    """Name the database of searches and events of a site."""
    return site / ".octavo" / "insights.sqlite"
