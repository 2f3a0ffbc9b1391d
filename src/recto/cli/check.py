"""`recto check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from recto.cli.build import site_argument
from recto.cli.report import count, make_report, show_diagnostics
from recto.diagnostics import count_levels


@click.command(short_help="Find what is wrong with a site; write nothing.")
@site_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="text for people, json for programs, github for annotations in pull requests.",
)
@click.option("--strict", is_flag=True, help="Warnings fail the check too.")
@click.option(
    "--update-addresses",
    is_flag=True,
    help="Write SITE/addresses.txt anew: what is published now, and nothing that is gone.",
)
def check(site: Path, format_: Literal["text", "json", "github"], strict: bool, update_addresses: bool) -> None:
    """Check the site in the folder SITE (default: this folder).

    Draws every page and checks the links of the final HTML, but publishes nothing. Exit code 1 means that
    there are findings of level error.
    """
    from recto.build.build import build_site

    with make_report(is_quiet=format_ != "text") as report:
        result = build_site(site, None, report=report, updates_addresses=update_addresses)
    show_diagnostics(result.diagnostics, format_=format_)
    errors, warnings = count_levels(result.diagnostics)
    if format_ == "text" and not result.diagnostics:
        click.echo(f"Nothing is wrong: {count(result.pages, 'page')} checked.")
    if errors or (strict and warnings):
        sys.exit(1)
