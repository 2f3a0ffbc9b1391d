"""`octavo check`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from octavo.cli.build import site_argument
from octavo.cli.exit_codes import CONTENT
from octavo.cli.report import count, make_report, show_diagnostics, show_error, shows_errors
from octavo.diagnostics import Diagnostic, count_levels
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.checks import Compared
    from octavo.content import Link


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
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Tolerate the findings that this file lists; only new ones are shown and fail the check.",
)
@click.option("--update-baseline", is_flag=True, help="Write the findings of now into the file that --baseline names.")
@click.option(
    "--update-addresses",
    is_flag=True,
    help="Rewrite SITE/addresses.txt: all addresses that are published now.",
)
@click.option("--external", is_flag=True, help="Ask for the addresses of other sites too. Needs the network.")
@click.option(
    "--external-days",
    default=7.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Age up to which a good answer of an earlier --external is believed.",
)
@click.option(
    "--extensions",
    "tests_extensions",
    is_flag=True,
    help="Call the functions of extensions twice, and find what they depend on and do not declare.",
)
def check(
    site: Path,
    format_: Literal["text", "json", "github"],
    strict: bool,
    baseline: Path | None,
    update_baseline: bool,
    update_addresses: bool,
    external: bool,
    external_days: float,
    tests_extensions: bool,
) -> None:
    """Check the site in the folder SITE (default: this folder).

    Draws every page and checks the links of the final HTML, but publishes nothing and writes nothing into
    the site's folder; what it compiles is kept in the user's cache folder, or in OCTAVO_CACHE_DIR. Exit code 1 means that
    there are findings of level error.

    With --external everything that pages refer to on other sites is asked for, once: links, pictures, videos, and links of
    the settings; hosts in parallel, each one request after another. Servers that refuse programs (401, 403, 429) are not
    findings; addresses of private networks and example domains are left out.
    """
    from octavo.checks import compare_findings, load_baseline, save_baseline
    from octavo.publish import build_site

    if update_baseline and baseline is None:
        raise UsageError("--update-baseline writes the file that --baseline names; name one.")
    known = load_baseline(baseline) if baseline is not None and not update_baseline else []
    show = None if format_ == "text" else partial(show_error, format_=format_, site=site)
    with make_report(is_quiet=format_ != "text") as report, shows_errors(show):
        result = build_site(
            site,
            None,
            report=report,
            updates_addresses=update_addresses,
            tests_extensions=tests_extensions,
            lists_links=external,
        )
    findings: Sequence[Diagnostic] = result.diagnostics
    if external:
        findings = sorted([*findings, *_check_external(site, result.links, external_days)], key=lambda one: one.span)
    if baseline is not None and update_baseline:
        save_baseline(baseline, findings)
        click.echo(f"Wrote {count(len(findings), 'finding')} to {baseline}.", err=True)
        return
    if baseline is not None:
        compared = compare_findings(findings, known)
        _tell_known(compared, baseline)
        findings = compared.new
    show_diagnostics(findings, format_=format_, site=site)
    errors, warnings = count_levels(findings)
    if format_ == "text" and not findings:
        news = " new" if baseline is not None else ""
        click.echo(f"Nothing{news} is wrong: {count(result.pages, 'page')} checked.")
    if errors or (strict and warnings):
        sys.exit(CONTENT)


def _check_external(site: Path, links: Sequence[Link], most_days: float) -> list[Diagnostic]:
    """Ask for the links to other sites, and say on the error stream how many were asked."""
    from octavo.checks import SourceLines, complete_findings
    from octavo.config import load_config
    from octavo.external_links import Asker, check_external_links
    from octavo.runtime import work_folder

    cache_file = work_folder(site, writes_site=False) / "external-links.json"
    places = [(link.href, link.span) for link in links]
    checked = check_external_links(places, cache_file, asker=Asker(), most_days=most_days)
    unclear = f"; {checked.unclear} refused to answer a program" if checked.unclear else ""
    click.echo(f"Checked {count(checked.asked, 'address', 'addresses')} of other sites{unclear}.", err=True)
    return complete_findings(checked.findings, load_config(site), SourceLines(site))


def _tell_known(compared: Compared, baseline: Path) -> None:
    """Say how many findings were not shown, on the error stream."""
    if compared.tolerated:
        click.echo(f"{count(compared.tolerated, 'known finding')} of {baseline} not shown.", err=True)
    if compared.mended:
        click.echo(f"{compared.mended} of {baseline} fixed; update it with --update-baseline.", err=True)
