"""`gateway follow`: record while a file is written."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway_api.commands.progress import Counter, counted, say_if_new
from gateway_api.settings import load_settings

if TYPE_CHECKING:
    from gateway_api.ingestion import Ingestion
    from gateway_api.ingestion.following import Followed


@click.command(short_help="Record the lines of a file as they are written.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--once", is_flag=True, help="Stop when everything that is in the file is recorded.")
@click.pass_obj
def follow(database_url: str | None, file: Path, once: bool) -> None:
    """Record conversations from FILE (- for standard input) as they are written to it, one JSON object per line.

    The lines have the form of `import`. FILE may be rotated, by a new name or by truncation, without compression. After
    an end of any kind, also by a power cut, the same command goes on where it stopped and records each line once. A line
    that is wrong is reported and left out, and so is an exchange whose id is recorded already.

    Ctrl+C and SIGTERM end it. Its exit code is 1 if lines were wrong.
    """
    from gateway_api.ingestion import Ingestion

    stop, settings = threading.Event(), load_settings(database_url=database_url)
    say_if_new(settings.database_url)
    with Ingestion(settings) as ingestion:
        done = _follow(file, ingestion, stop, is_once=once)
    click.echo(
        f"Recorded {counted(done.count, 'conversation')}. Recorded before: {done.repeated:,}. Invalid lines: {done.rejected:,}.",
        err=True,
    )
    if done.rejected:
        sys.exit(1)


def _follow(file: Path, ingestion: Ingestion, stop: threading.Event, *, is_once: bool) -> Followed:
    from gateway_api.ingestion.following import Follower, follow_stream

    counter = Counter("conversation", "recorded")

    def report(sentence: str) -> None:
        counter.clear()
        click.echo(sentence, err=True)

    def tell(done: Followed) -> None:
        counter.show(done.count)

    if str(file) == "-":
        with counter:
            return follow_stream(sys.stdin.buffer, ingestion, report, tell)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    follower = Follower(
        file, ingestion, report, stop=stop, tell=tell, ready=lambda: report(f"Following {file} (Ctrl+C stops)")
    )
    with counter:
        return follower.run(is_once=is_once)
