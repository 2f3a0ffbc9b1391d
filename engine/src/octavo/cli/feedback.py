"""`octavo feedback`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import click

from octavo.cli.build import site_argument
from octavo.errors import UsageError


@click.command(short_help="Show which pages readers found helpful.")
@site_argument
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def feedback(site: Path, format_: str) -> None:
    """Show how often readers answered yes and no to "Was this page helpful?", pages with most of "no" first.

    Needs `feedback.is_enabled` in octavo.toml, and a server that has run since.
    """
    import msgspec

    from octavo.feedback import FeedbackStore

    path = feedback_path(site)
    try:
        found = FeedbackStore(path).report()
    except sqlite3.Error as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    if format_ == "json":
        click.echo(msgspec.json.encode(found).decode())
        return
    if not found:
        click.echo("No answers have been counted.")
        return
    click.echo("   yes     no  page")
    for page in found:
        click.echo(f"{page.yes:6} {page.no:6}  {page.page}")


def feedback_path(site: Path) -> Path:
    """Name the database of the answers about a site."""
    return site / ".octavo" / "feedback.sqlite"
