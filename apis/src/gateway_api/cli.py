"""`octavo-sandbox gateway`, also `python -m gateway_api`: serve, and import records."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import BinaryIO

import click

from gateway_api.commands import COMMANDS
from gateway_api.commands.passphrases import find_passphrase, passphrase_file
from gateway_api.commands.progress import Counter, counted, say_if_new
from gateway_api.settings import DATABASE_VARIABLE, PORT, Settings, load_settings


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    short_help="Serve the gateway API; import what was recorded.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option(
    "--database-url", help=f"sqlite:///FILE or postgresql://…  [default: ${DATABASE_VARIABLE}, else a file of yours]"
)
@click.option(
    "--demo",
    is_flag=True,
    help="Start with demo data; without --database-url they are deleted when the server stops. "
    "A database that has been used is served as it is.",
)
@click.option(
    "--dashboard/--no-dashboard",
    default=None,
    help="Let the dashboard on port 9090 call the API.  [default: yes, unless $GATEWAY_ALLOWED_ORIGINS is set]",
)
@click.option(
    "--forget-api-keys", is_flag=True, help="Delete all stored API keys: the way out when the key file is lost."
)
@click.option(
    "--export-openapi",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write the API's OpenAPI document to a file (- for standard output) and stop.",
)
@click.pass_context
def gateway(
    context: click.Context,
    host: str,
    port: int,
    database_url: str | None,
    demo: bool,
    dashboard: bool | None,
    forget_api_keys: bool,
    export_openapi: Path | None,
) -> None:
    """Serve the gateway API on http://localhost:8989, for this machine only unless --host says otherwise."""
    context.obj = database_url
    if context.invoked_subcommand is not None:
        from service_guard import refuse_server_options

        refuse_server_options(context, shared={"database_url"})
        return
    if export_openapi is not None:
        _export(export_openapi)
        return
    with _settings_for(database_url, host=host, demo=demo, dashboard=dashboard) as settings:
        _serve(host, port, replace(settings, forgets_api_keys=forget_api_keys), demo=demo)


@gateway.command("import", short_help="Import recorded conversations from a file.")
@click.argument("file", type=click.File("rb"))
@passphrase_file
@click.pass_obj
def import_(database_url: str | None, file: BinaryIO, passphrase_file: Path | None) -> None:
    """Import conversations, alerts and token usage from FILE (- for standard input), one JSON object per line.

    A file of `export` is loaded as a whole, into a new database only.

    All lines are stored, or none: lines that cannot be are listed with their numbers. Other programs may write
    meanwhile. If the command is interrupted, run it again with the same file: it continues where it stopped. A server
    that runs on the same database tells its listeners of new alerts.
    """
    from gateway_api.importing import import_lines, read_lines
    from gateway_api.maintenance import is_export

    lines, settings = read_lines(file), load_settings(database_url=database_url)
    first = next(lines, b"")
    if is_export(first):
        _load(first, file, settings, passphrase_file)
        return
    if passphrase_file:
        raise click.UsageError("--passphrase-file is for files of `export`; FILE has records.")
    say_if_new(settings.database_url)
    with Counter("conversation", "stored") as counter:
        done = import_lines(chain([first], lines), settings, lambda event, count: counter.show(count, verb=event))
    click.echo(f"Imported {counted(done.count, 'conversation')}.")
    if done.repeated:
        click.echo(f"{done.repeated} of them were recorded by somebody else meanwhile, and are stored once.")


def _load(first: bytes, rest: Iterable[bytes], settings: Settings, passphrase_file: Path | None) -> None:
    from gateway_api.maintenance import has_keys, load_export

    passphrase = find_passphrase(passphrase_file, is_new=False) if has_keys(first) else None
    say_if_new(settings.database_url)
    with Counter("row", "stored") as counter:
        done = load_export(chain([first], rest), settings, passphrase, counter.show)
    click.echo(f"Loaded {counted(done.rows, 'row')} and {counted(done.keys, 'API key')}.")


for command in COMMANDS:
    gateway.add_command(command)


def _export(path: Path) -> None:
    from gateway_api.web.document import document_text

    if str(path) == "-":
        click.echo(document_text(), nl=False)
        return
    path.write_text(document_text(), encoding="utf-8")


@contextmanager
def _settings_for(url: str | None, *, host: str, demo: bool, dashboard: bool | None) -> Iterator[Settings]:
    """Read the settings; demo data without a named database get a temporary folder."""
    if not demo or url:
        yield load_settings(database_url=url, host=host, dashboard=dashboard)
        return
    import tempfile

    with _dying_after_clean_up(), tempfile.TemporaryDirectory(prefix="gateway-demo-") as folder:
        place = Path(folder)
        yield load_settings(
            database_url=f"sqlite:///{place / 'demo.sqlite'}", data_dir=place, host=host, dashboard=dashboard
        )


class _EndedBySignalError(BaseException):
    """A signal has asked the program to end."""


@contextmanager
def _dying_after_clean_up() -> Iterator[None]:
    """Let the blocks inside end in their own way when a signal ends the program, then die of it as others would.

    uvicorn raises the signal again after its shutdown; its default would end the process before temporary files are gone.
    """
    import os
    import signal

    def end(_number: int, _frame: FrameType | None) -> None:
        raise _EndedBySignalError

    def stop(_number: int, _frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGTERM)  # by then uvicorn's, which lets requests end

    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, end)}
    # When the terminal is closed; under nohup that is ignored, and stays so.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, stop)
    try:
        yield
    except _EndedBySignalError:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _serve(host: str, port: int, settings: Settings, *, demo: bool) -> None:
    # What is imported stays: the collector would go through all of it again and again, an eighth of the time of a start.
    gc.disable()
    try:
        from gateway_api.app import create_app
        from gateway_api.observing import log, show_logs
        from gateway_api.running import make_server, open_socket

        show_logs()
        listener = open_socket(host, port)
        app = create_app(settings)
        gc.freeze()
    finally:
        gc.enable()
    if demo:
        from gateway_api.demo.load import load_demo

        if not load_demo(app.state.parts.database):
            log("demo_left_out", message="The database has been used before; it is served as it is, without demo data.")
    address = f"[{host}]" if ":" in host else host
    log("listening", address=f"http://{address}:{listener.getsockname()[1]}")
    make_server(app).run(sockets=[listener])
