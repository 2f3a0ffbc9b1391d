"""The command line of the benchmarks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from bench import paths
from bench.builders import MAKERS, empty_trash
from bench.commands import build as build_command
from bench.commands import components as components_command
from bench.commands import lighthouse as lighthouse_command
from bench.commands import rebuild as rebuild_command
from bench.commands import reference as reference_command
from bench.commands import scale as scale_command
from bench.commands import versions as versions_command
from bench.corpus import COPIES
from bench.errors import BenchError, Unavailable
from bench.report import Report

RUNS = 3

runs_option = click.option("--runs", default=RUNS, show_default=True, type=click.IntRange(1), help="Runs of each.")
peers_option = click.option("--peers", "with_peers", is_flag=True, help="Measure peers as well.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure Octavo against its bounds and its peers; without a command, everything.

    Exit codes: 0 measured, whatever the figures say; 1 something could not be measured. A bound that is missed
    is printed as MISSED; a part that cannot be had on this machine as SKIPPED.
    """
    if context.invoked_subcommand is None:
        context.invoke(all_)


@bench.command()
@runs_option
@click.option(
    "--only",
    "names",
    multiple=True,
    type=click.Choice(list(MAKERS), case_sensitive=False),
    help="Leave the other builders out; may be repeated.",
)
def build(runs: int, names: tuple[str, ...]) -> None:
    """1,000 pages cold and warm: Octavo, Hugo, Zensical, Material, in turn."""
    chosen = [name for name in MAKERS if not names or name in names]
    _measure("build", lambda report: build_command.run(report, runs=runs, names=chosen))


@bench.command()
@runs_option
@peers_option
@click.option("--copies", default=COPIES, show_default=True, type=click.IntRange(2), help="100: 100,000 pages.")
def scale(runs: int, with_peers: bool, copies: int) -> None:
    """10,000 pages cold, against ten times the time of 1,000; with --peers Hugo too."""
    _measure("scale", lambda report: scale_command.run(report, runs=runs, with_peers=with_peers, copies=copies))


@bench.command()
@click.option("--pairs", type=click.IntRange(2), help="Builds of each. [11; 21 with --unused]")
@click.option("--unused", "is_unused", is_flag=True, help="A site without components, beside an engine without them.")
def components(pairs: int | None, *, is_unused: bool) -> None:
    """Three components of authors on each of 1,000 pages, beside the same texts without."""
    if is_unused:
        count = pairs or components_command.UNUSED_PAIRS
        _measure("components-unused", lambda report: components_command.run_unused(report, pairs=count))
    else:
        count = pairs or components_command.PAIRS
        _measure("components", lambda report: components_command.run(report, pairs=count))


@bench.command()
@click.option("--runs", default=versions_command.RUNS, show_default=True, type=click.IntRange(1), help="Runs of each.")
@click.option(
    "--number", "numbers", multiple=True, type=click.IntRange(1), help="Versions; may be repeated. [1, 3, 10]"
)
@click.option("--ours", "is_ours_only", is_flag=True, help="Our site only; ten versions of the corpus take 2.5 GB.")
def versions(runs: int, numbers: tuple[int, ...], is_ours_only: bool) -> None:
    """One, three and ten versions from tags, of the corpus and of our site: time, memory, disk."""
    chosen = numbers or versions_command.NUMBERS
    _measure(
        "versions", lambda report: versions_command.run(report, runs=runs, numbers=chosen, has_corpus=not is_ours_only)
    )


@bench.command()
@click.option("--pages", default=rebuild_command.PAGES, show_default=True, type=click.IntRange(1))
def rebuild(pages: int) -> None:
    """One page touched, built in a new process."""
    _measure("rebuild", lambda report: rebuild_command.run(report, pages=pages))


@bench.command()
@peers_option
def weight(with_peers: bool) -> None:
    """Bytes of a typical page, as a browser receives them."""
    _measure("weight", lambda report: _weigh(report, with_peers=with_peers))


@bench.command()
def navigation() -> None:
    """From a click to the next page's heading on the screen, and long tasks on page load."""
    _measure("navigation", _navigate)


@bench.command()
@click.option("--edits", default=20, show_default=True, type=click.IntRange(1))
def dev(edits: int) -> None:
    """From saving a page to its text on the screen, under `octavo dev`; and how long that takes to start."""
    _measure("dev", lambda report: _write(report, edits))


@bench.command()
def reference() -> None:
    """API reference: a description of 1,000 operations, against one of 100."""
    _measure("reference", reference_command.run)


@bench.command()
def search() -> None:
    """Search: index build, server time and memory at 100,000 records, what the index adds to a build, load."""
    _measure("search", _search)


@bench.command()
def dialog() -> None:
    """Search: code of the dialog, time from a key to painted results."""
    _measure("dialog", _type_into_dialog)


@bench.command()
@click.option(
    "--requests", default=100_000, show_default=True, type=click.IntRange(0), help="Requests of the memory run."
)
def gateway(requests: int) -> None:
    """The gateway API: calls, memory, event stream, and cost at 100,000 conversations."""
    _measure("gateway", lambda report: _load_gateway(report, requests))


@bench.command("gateway-compare")
@click.option(
    "--before",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with the `gateway_api` of an earlier release, e.g. from git archive.",
)
@click.option("--rows", default=20_000, show_default=True, type=click.IntRange(1), help="Imported and deleted.")
@click.option(
    "--store",
    default="sqlite",
    show_default=True,
    type=click.Choice(["sqlite", "postgresql"]),
    help="PostgreSQL is started for the run.",
)
def gateway_compare(before: Path | None, rows: int, store: str) -> None:
    """The gateway API of an earlier release beside this one: lost keys, starved readers, import, deletion."""
    _measure("gateway-compare", lambda report: _compare_gateway(report, before, rows, store))


@bench.command()
def tool() -> None:
    """Tool API: 200 servers created, listed and deleted on the simulated runtime."""
    _measure("tool", _load_tool)


@bench.command("tool-servers")
def tool_servers() -> None:
    """Tool API: latency of real servers beside supergateway, a direct connection, and a busy neighbour."""
    _measure("tool-servers", _load_tool_servers)


@bench.command()
def relevance() -> None:
    """Search: right answers first, beside MiniSearch and Pagefind."""
    from bench.relevance import run as relevance_run

    _measure("relevance", relevance_run.run)


@bench.command()
@runs_option
@click.option("--all-kinds", is_flag=True, help="A page of each kind, of the documentation too: twenty pages.")
def lighthouse(runs: int, all_kinds: bool) -> None:
    """Scores of the landing page and a typical page."""
    _measure("lighthouse", lambda report: lighthouse_command.run(report, runs=runs, has_all_kinds=all_kinds))


@bench.command("all")
@runs_option
@peers_option
def all_(runs: int = RUNS, with_peers: bool = False) -> None:
    """Everything above, one after the other; --peers adds Hugo at 10,000 pages and the peers' page weight."""
    from bench.relevance import run as relevance_run

    def measure(report: Report) -> None:
        _guard(report, "build", lambda: build_command.run(report, runs=runs, names=list(MAKERS)))
        _guard(report, "rebuild", lambda: rebuild_command.run(report))
        _guard(report, "scale", lambda: scale_command.run(report, runs=runs, with_peers=with_peers))
        _guard(report, "reference", lambda: reference_command.run(report))
        _guard(report, "components", lambda: components_command.run(report))
        _guard(report, "versions", lambda: versions_command.run(report))
        _guard(report, "weight", lambda: _weigh(report, with_peers=with_peers))
        _guard(report, "navigation", lambda: _navigate(report))
        _guard(report, "dev", lambda: _write(report, 20))
        _guard(report, "search", lambda: _search(report))
        _guard(report, "dialog", lambda: _type_into_dialog(report))
        _guard(report, "gateway", lambda: _load_gateway(report, 100_000))
        _guard(report, "tool", lambda: _load_tool(report))
        _guard(report, "tool-servers", lambda: _load_tool_servers(report))
        _guard(report, "relevance", lambda: relevance_run.run(report))
        _guard(report, "lighthouse", lambda: lighthouse_command.run(report, runs=runs))

    _measure("all", measure)


def _search(report: Report) -> None:
    from bench.search import building, load, speed

    speed.run(report)
    building.run(report)
    load.run(report)


def _type_into_dialog(report: Report) -> None:
    try:
        from bench.search import dialog as search_dialog
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install playwright` brings it") from error
    search_dialog.run(report)


def _load_tool(report: Report) -> None:
    from bench.commands import tool as tool_command

    tool_command.run(report)


def _load_tool_servers(report: Report) -> None:
    try:
        from bench.commands import tool_servers as tool_servers_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install ./apis` brings it") from error
    tool_servers_command.run(report)


def _load_gateway(report: Report, requests: int) -> None:
    try:
        from bench.commands import gateway as gateway_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install ./apis` brings it") from error
    gateway_command.run(report, steady_requests=requests)


def _compare_gateway(report: Report, before: Path | None, rows: int, store: str) -> None:
    try:
        from bench.commands import gateway_compare as compare_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install ./apis` brings it") from error
    compare_command.run(report, before=before, rows=rows, store=store)


def _weigh(report: Report, *, with_peers: bool) -> None:
    # Playwright comes with the dev extra; without it the other benchmarks still run.
    try:
        from bench.commands import weight as weight_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install playwright` brings it") from error
    weight_command.run(report, with_peers=with_peers)


def _write(report: Report, edits: int) -> None:
    try:
        from bench.commands import dev as dev_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install playwright` brings it") from error
    dev_command.run(report, edits=edits)


def _navigate(report: Report) -> None:
    try:
        from bench.commands import navigation as navigation_command
    except ImportError as error:
        raise Unavailable(f"{error}; `pip install playwright` brings it") from error
    navigation_command.run(report)


def _measure(name: str, measure: Callable[[Report], None]) -> None:
    report = Report()
    report.open()
    _guard(report, name, lambda: measure(report))
    empty_trash()
    report.close()
    path = report.write(name)
    report.say(f"written: {path.relative_to(paths.ROOT)}")
    sys.exit(1 if report.failures else 0)


def _guard(report: Report, name: str, measure: Callable[[], None]) -> None:
    """Let one benchmark fail without the others."""
    try:
        measure()
    except Unavailable as error:
        report.skip(name, error)
    except BenchError as error:
        report.fail(name, error)


def main() -> None:
    """Run the command line."""
    bench(prog_name="python -m bench")
