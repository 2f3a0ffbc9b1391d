"""`octavo build`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from octavo.cli.addresses import address_options, given_settings
from octavo.cli.exit_codes import CONTENT
from octavo.cli.report import (
    MOST_WARNINGS,
    count,
    make_report,
    show_diagnostics,
    show_failed_build,
    show_result,
    show_times,
    shows_errors,
)
from octavo.diagnostics import count_levels
from octavo.errors import OctavoError
from octavo.last_build import Asked, FileLooks, Result, find_same, keep_result, look_at_inputs

if TYPE_CHECKING:
    from octavo.extending import Cost

DEFAULT_OUT = "build"
"""Output folder, under the site's folder."""


class SiteGroup(click.Group):
    """A group whose first argument may be the folder of a site, as it may of other commands.

    Args:
        before_site: Words that a folder stands for when they are put in front of it: an option, or a command.
    """

    def __init__(self, *args: Any, before_site: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._before_site = before_site

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name what a folder is given for. A command is never taken for a folder of its name."""
        if args and args[0] not in self.commands and Path(args[0]).is_dir():
            args = [self._before_site, *args]
        return super().parse_args(ctx, args)


site_argument = click.argument("site", type=click.Path(path_type=Path, file_okay=False), default=Path())


@click.command(short_help="Build a site into a folder of static files.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="Folder to publish to.  [default: SITE/build]")
@click.option("--precompress", is_flag=True, help="Also write .br and .gz forms, for hosts that send them as they are.")
@click.option(
    "--offline", is_flag=True, help="Also write a copy that opens from disk, and a zip of it, beside the output."
)
@click.option("--no-search", is_flag=True, help="Publish pages without search: no index, no search button.")
@click.option("--strict", is_flag=True, help="Warnings count as errors, also an API description that cannot be loaded.")
@click.option("--keep-going", is_flag=True, help="Publish despite errors; they are listed, and the exit code is 1.")
@click.option("--clean", is_flag=True, help="Reuse nothing from earlier builds; build everything again.")
@address_options
@click.option("--timings", is_flag=True, help="Also list what the functions of extensions have cost.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Write the result to the output as JSON, findings included.")
def build(
    site: Path,
    out: Path | None,
    precompress: bool,
    offline: bool,
    no_search: bool,
    strict: bool,
    keep_going: bool,
    clean: bool,
    url: str | None,
    base_url: str | None,
    timings: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the site in the folder SITE (default: this folder) into static files.

    With --offline, BUILD-offline/ and BUILD-offline.zip are written beside the output folder BUILD: the site for reading
    and searching without a network, from index.html.

    The output folder is replaced in one step when all is done: a build that fails leaves the old one as it was.
    Only what has changed since the last build is built again. Changed or missing files in the output folder are restored.

    Of warnings that are alike the first ten are listed and the others counted; `octavo check` lists all, and --json does.

    With --json the output is one object: `is_published`, `out` (the folder), `build_id`, `pages`, `rendered` (pages that
    were not taken over from the last build), `seconds`, `errors`, `warnings` (numbers), and `findings` as `octavo check
    --format json` lists them.
    """
    # Nothing of what is imported or made ever goes, and it goes with the process: looking through it for cycles would
    # only keep the author waiting.
    from octavo.runtime import before_exit, paused_collector

    target = out or site / DEFAULT_OUT
    with paused_collector():
        run_build(
            site,
            target,
            precompress=precompress,
            quiet=quiet,
            has_search=not no_search,
            is_strict=strict,
            keeps_going=keep_going,
            is_clean=clean,
            given=given_settings(url, base_url),
            is_publication=True,
            as_json=as_json,
            has_timings=timings,
        )
        if offline:
            _write_offline(target.resolve(), is_quiet=quiet or as_json)
        before_exit()


def _write_offline(out: Path, *, is_quiet: bool) -> None:
    from octavo.publish import offline_folder, write_offline

    copy = write_offline(out, offline_folder(out))
    if not copy.has_search:
        click.echo(
            "The offline copy has no search: its index is written where search is on and its mode is `auto` or `static`.",
            err=True,
        )
    if not is_quiet:
        click.echo(
            f"Wrote the offline copy {copy.folder} ({count(copy.files, 'file')}) and {copy.archive.name} "
            f"({copy.size / 1e6:.1f} MB): open its index.html."
        )


def run_build(
    site: Path,
    out: Path,
    *,
    precompress: bool = False,
    quiet: bool = False,
    has_search: bool = True,
    is_strict: bool = False,
    keeps_going: bool = False,
    is_clean: bool = False,
    given: Mapping[str, str] | None = None,
    is_publication: bool = False,
    as_json: bool = False,
    has_timings: bool = False,
) -> None:
    """Build, show what is wrong, and leave with exit code 1 where it keeps the site from being published."""
    times: list[Cost] | None = [] if has_timings else None
    started = time.perf_counter()
    options = (precompress, has_search, is_strict, keeps_going, sorted((given or {}).items()), is_publication)
    asked = Asked.of(site, out, options)

    def show(error: OctavoError) -> None:
        show_failed_build(error, out, time.perf_counter() - started)

    with make_report(is_quiet=quiet or as_json) as report, shows_errors(show if as_json else None):
        result: Result | None = None
        inputs: FileLooks | None = None
        if asked is not None and times is None and not is_clean:
            result, inputs = find_same(asked)
        elif asked is not None:
            inputs = look_at_inputs(asked)
        if result is not None:
            report("draw", result.pages, result.pages)
        else:
            # Not at the top: a build in which nothing has changed does without all that makes a site.
            from octavo.publish import build_site

            made = build_site(
                site,
                out.resolve(),
                report=report,
                precompress=precompress,
                has_search=has_search,
                is_strict=is_strict,
                publishes_always=keeps_going,
                is_clean=is_clean,
                given=given,
                is_publication=is_publication,
                times=times,
            )
            result = Result(made.pages, made.build_id, made.diagnostics, made.drawn, made.is_published)
            if asked is not None and made.is_published:
                keep_result(asked, inputs if made.is_repeatable else None, result)
    seconds = time.perf_counter() - started
    if times is not None:
        show_times(times)
    if as_json:
        show_result(result, out, seconds)
        if not result.is_published or count_levels(result.diagnostics)[0]:
            sys.exit(CONTENT)
        return
    show_diagnostics(result.diagnostics, most_warnings=MOST_WARNINGS)
    if not result.is_published:
        click.echo("Nothing was published; the output folder is unchanged.", err=True)
        sys.exit(CONTENT)
    if not quiet:
        click.echo(f"Built {count(result.pages, 'page')} ({result.drawn} rendered) into {out} in {seconds:.2f} s.")
    if errors := count_levels(result.diagnostics)[0]:
        click.echo(f"Published despite {count(errors, 'error')}.", err=True)
        sys.exit(CONTENT)
