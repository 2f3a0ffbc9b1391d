"""`octavo serve`, and `octavo mcp` for programs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from octavo.cli.addresses import address_options, given_settings
from octavo.cli.build import DEFAULT_OUT, run_build, site_argument
from octavo.cli.feedback import feedback_path
from octavo.cli.search_engine import check_engine, given_engine
from octavo.errors import ServeError, UsageError

if TYPE_CHECKING:
    from octavo.config import SearchEngine, ServerSettings
    from octavo.server import Replica


@click.command(short_help="Build a site and serve it.")
@site_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=3000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--log-requests", is_flag=True, help="Print a line for every request.")
@click.option("--no-build", is_flag=True, help="Serve what was built before.")
@click.option("--open", "opens", is_flag=True, help="Show it in the browser.")
@address_options
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    envvar="OCTAVO_ALLOWED_HOSTS",
    help="Host name to answer besides this machine's own, as a proxy in front hands it on. May be repeated.",
)
@click.option(
    "--search-origin",
    "search_origins",
    multiple=True,
    envvar="OCTAVO_SEARCH_ORIGINS",
    help="Origin of another site whose pages may use this search, such as https://example.org. May be repeated.",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    multiple=True,
    envvar="OCTAVO_TRUSTED_PROXIES",
    help="Address or network of a proxy in front, which tells each reader's address. May be repeated.",
)
@click.option(
    "--also-search",
    "also_search",
    multiple=True,
    envvar="OCTAVO_ALSO_SEARCH",
    type=click.Path(path_type=Path),
    help="Published folder of another site, whose index this server answers for as well. May be repeated.",
)
@click.option(
    "--search-engine",
    "search_engine",
    envvar="OCTAVO_SEARCH_ENGINE",
    type=click.Choice(["embedded", "meilisearch", "opensearch"]),
    help="What answers searches, in place of [search.engine] of octavo.toml.",
)
@click.option(
    "--search-engine-url",
    "search_engine_url",
    envvar="OCTAVO_SEARCH_ENGINE_URL",
    help="Address of that engine, such as http://127.0.0.1:7700.",
)
@click.option(
    "--replica",
    "location",
    envvar="OCTAVO_REPLICA",
    help="Serve a copy of a site that is published elsewhere: a folder, or the address of one. Builds nothing.",
)
@click.option(
    "--replica-seconds",
    "replica_seconds",
    envvar="OCTAVO_REPLICA_SECONDS",
    default=5.0,
    show_default=True,
    type=click.FloatRange(0.2, 3600),
    help="Time between two looks for a new build there.",
)
def serve(
    site: Path,
    host: str,
    port: int,
    out: Path | None,
    no_build: bool,
    log_requests: bool,
    opens: bool,
    url: str | None,
    base_url: str | None,
    allowed_hosts: tuple[str, ...],
    search_origins: tuple[str, ...],
    trusted_proxies: tuple[str, ...],
    also_search: tuple[Path, ...],
    search_engine: str | None,
    search_engine_url: str | None,
    location: str | None,
    replica_seconds: float,
) -> None:
    """Build the site in the folder SITE (default: this folder) and serve it, fit for production.

    While it runs, another `octavo build` to the same folder is picked up at once, without a restart.

    On a loopback address it answers only for names of this machine, for the host of `url` and for allowed hosts, and
    lets no page of another site use its search but those of the origins given. These options take the place of the
    settings in [server] of octavo.toml; each is also read from the environment: OCTAVO_ALLOWED_HOSTS,
    OCTAVO_SEARCH_ORIGINS, OCTAVO_TRUSTED_PROXIES, values with spaces between them.

    With --also-search the search API answers for the indices of other sites too, each under its own name, and for
    several of them in one request. Also read from OCTAVO_ALSO_SEARCH.

    Searches are answered from the published index, or by the engine that [search.engine] names or --search-engine, which
    `octavo search push` fills. Its key comes from the environment variable OCTAVO_SEARCH_ENGINE_KEY.

    With --replica it copies what `octavo build` has published elsewhere into --out (default: SITE/.octavo/replica), checks every file by
    its hash, and follows new builds without a failed request. OCTAVO_REPLICA_AUTHORIZATION is sent as that header to an address.
    A private bucket is s3://BUCKET/FOLDER, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION in the environment, and
    AWS_ENDPOINT_URL for another service than that of AWS.

    Programs that speak the Model Context Protocol find the documentation at /mcp, with octavo[mcp] installed.

    With OCTAVO_REPORT_SECRET in the environment (16 characters or more), the report on searches stands at
    /_octavo/search-report, with that secret as its password.
    """
    from octavo.server import serve as run_server

    folder = (out or site / DEFAULT_OUT).resolve()
    addresses = given_settings(url, base_url)
    access = {"allowed_hosts": allowed_hosts, "search_origins": search_origins, "trusted_proxies": trusted_proxies}
    settings, site_url, engine_settings = _server_settings(
        site, addresses, {name: list(values) for name, values in access.items() if values}
    )
    engine = given_engine(
        engine_settings, kind=search_engine, url=search_engine_url, key=os.environ.get("OCTAVO_SEARCH_ENGINE_KEY", "")
    )
    if engine is not None:
        check_engine(engine)
    replica = _replica(location, out or site / ".octavo" / "replica") if location else None
    if replica is not None:
        folder = replica.out
    elif not no_build:
        run_build(site, folder, given=addresses)
    run_server(
        folder,
        host=host,
        port=port,
        cache_dir=site / ".octavo" / "served",
        insights_path=insights_path(site),
        report_secret=os.environ.get("OCTAVO_REPORT_SECRET"),
        feedback_path=feedback_path(site),
        problems_path=problems_path(site),
        settings=settings,
        site_url=site_url,
        also_search=[folder.resolve() for folder in also_search],
        search_engine=engine,
        replica=replica,
        replica_interval_s=replica_seconds,
        shows_requests=log_requests,
        announce=_open_in_browser if opens else click.echo,
    )


def _replica(location: str, folder: Path) -> Replica:
    """Copy what is published elsewhere; what was copied before will do where it cannot be had now.

    Raises:
        UsageError: the location is none.
        ServeError: there is no copy, and none can be made.
    """
    from octavo.server import Replica, ReplicaError, open_source

    replica = Replica(open_source(location, os.environ), folder.resolve())
    try:
        replica.update()
    except ReplicaError as error:
        if not replica.out.exists():
            raise ServeError(f"{error}.") from error
        click.echo(f"octavo: {error}. What was copied before is served.", err=True)
    return replica


def _open_in_browser(line: str) -> None:
    """Write the line that holds the address, and show the site."""
    import webbrowser

    click.echo(line)
    if not webbrowser.open(line.rpartition(" ")[2]):
        click.echo("octavo: no browser was found; open the address yourself.", err=True)


def _server_settings(
    site: Path, addresses: Mapping[str, str], given: dict[str, list[str]]
) -> tuple[ServerSettings, str, SearchEngine]:
    """Read who may use the server: what the command line says, else the settings of the site, where there are any.

    Returns:
        (settings, address under which the site is published, what answers searches).

    Raises:
        ConfigError: octavo.toml is wrong.
        UsageError: a value of the command line is.
    """
    import msgspec

    from octavo.config import CONFIG_NAME, SearchEngine, ServerSettings, check_server, load_config

    config = load_config(site, addresses, reads_versions=False) if (site / CONFIG_NAME).is_file() else None
    settings = msgspec.structs.replace(config.server if config else ServerSettings(), **given)
    for _, _, message in check_server(settings):
        raise UsageError(message)
    if config is None:
        return settings, addresses.get("url", ""), SearchEngine()
    return settings, config.url, config.search.engine


def insights_path(site: Path) -> Path:
    """Name the database of searches and events of a site."""
    return site / ".octavo" / "insights.sqlite"


@click.command(short_help="Serve a site to programs, by the Model Context Protocol.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--problems", "shows_problems", is_flag=True, help="Show the problems that programs have reported.")
def mcp(site: Path, out: Path | None, shows_problems: bool) -> None:
    """Serve the built site in the folder SITE over standard input and output, for a client that starts this command.

    It has the tools search, read_page, list_pages, find_operation, find_command and report_problem, and the pages as
    resources. `octavo serve` offers the same at /mcp. Needs `pip install "octavo[mcp]"`.
    """
    if shows_problems:
        _show_problems(problems_path(site))
        return
    from octavo.mcp import has_sdk, serve_stdio
    from octavo.search import SearchService
    from octavo.server import PublishedBuilds, open_published

    if not has_sdk():
        raise UsageError('The package of the protocol is missing; install it: `pip install "octavo[mcp]"`.')
    folder = (out or site / DEFAULT_OUT).resolve()
    open_published(folder)
    builds = PublishedBuilds(folder)

    async def name_index() -> str:
        build = await builds.current()
        return build.manifest.search if build else ""

    serve_stdio(builds.current, SearchService(folder, name_index), problems_path(site))


def _show_problems(path: Path) -> None:
    from octavo.mcp import ProblemStore

    try:
        found = ProblemStore(path).report()
    except sqlite3.Error as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    if not found:
        click.echo("No problems have been reported.")
    for problem in found:
        click.echo(f"{problem.day}  {problem.page}\n    {' '.join(problem.text.split())}")


def problems_path(site: Path) -> Path:
    """Name the database of problems that programs have reported about a site."""
    return site / ".octavo" / "problems.sqlite"
