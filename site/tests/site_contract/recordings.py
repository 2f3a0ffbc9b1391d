"""Terminal sessions of the pages, recorded by running their commands against the sandbox servers.

`python -m site_contract.recordings` writes the partials that `site/recordings.toml` names; a test records them again and
compares what does not differ from run to run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from apis.tests.contract.gateway.gateway import run_gateway, settings_for
from apis.tests.contract.tool.serving import tool_server
from gateway_api.demo.load import load_demo
from site_text.texts import SITE

DATA = SITE / "recordings.toml"
LIMIT_S = 60
VOLATILE = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "<container id>"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<uuid>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[0-9.]*(?:Z|\+00:00)"), "<time>"),
    (re.compile(r"\b[1-3]\d{4}\b"), "<port>"),
    (re.compile(r"\bUp \d+ \w+"), "Up <time>"),
    (re.compile(r"\b\d{2}:\d{2}:\d{2}\b"), "<time>"),
)
"""What differs from run to run, and its name in comparisons."""


class Session(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is typed in one terminal, in an empty folder."""

    file: str
    """The partial, from the site's folder."""
    title: str
    commands: list[str]

    @property
    def path(self) -> Path:
        """Where the partial is."""
        return SITE / self.file


class Servers(msgspec.Struct, frozen=True):
    """Where the two servers listen: `http://HOST:PORT`."""

    gateway: str
    tool: str

    def send_there(self, command: str) -> str:
        """Replace the addresses that a reader types by those of the running servers."""
        return command.replace("http://localhost:8989", self.gateway).replace("http://localhost:8080", self.tool)


def load_sessions() -> list[Session]:
    """Read what is to be recorded."""
    return msgspec.convert(tomllib.loads(DATA.read_text(encoding="utf-8"))["sessions"], list[Session])


@contextmanager
def fresh_servers(folder: Path) -> Iterator[Servers]:
    """Run both servers with nothing stored but the demo data, on free ports."""
    with run_gateway(settings_for(folder / "gateway")) as gateway, tool_server(folder / "tool") as tool:
        load_demo(gateway.database)
        yield Servers(gateway.address, tool.address)


def run(command: str, servers: Servers, folder: Path, last: int) -> tuple[str, int]:
    """Run a command as a reader would; `last` is the exit code of the command before, which `$?` means.

    Returns:
        What the terminal shows, and the exit code.

    Raises:
        subprocess.TimeoutExpired: The command did not end.
    """
    programs = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-c", f"(exit {last})\n{servers.send_there(command)}"],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "GATEWAY_DATA_DIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    output = done.stdout.replace(servers.gateway, "http://localhost:8989").replace(
        servers.tool, "http://localhost:8080"
    )
    return (output if output.endswith("\n") or not output else output + "\n"), done.returncode


def record(session: Session, servers: Servers) -> str:
    """Run a session in an empty folder and make its partial."""
    parts, status = [], 0
    with tempfile.TemporaryDirectory() as name:
        for command in session.commands:
            output, status = run(command, servers, Path(name), status)
            parts.append(f"$ {command}\n{output}")
    return f'```console title="{session.title}"\n{"".join(parts)}```\n'


def masked(text: str) -> str:
    """Replace what differs from run to run by its name."""
    for pattern, name in VOLATILE:
        text = pattern.sub(name, text)
    return text


def main() -> None:
    """Record all sessions; those that have not changed keep their files as they are."""
    with tempfile.TemporaryDirectory() as name, fresh_servers(Path(name)) as servers:
        for session in load_sessions():
            text = record(session, servers)
            session.path.parent.mkdir(parents=True, exist_ok=True)
            if not session.path.is_file() or masked(session.path.read_text(encoding="utf-8")) != masked(text):
                session.path.write_text(text, encoding="utf-8")
                sys.stdout.write(f"recorded {session.file}\n")


if __name__ == "__main__":
    main()
