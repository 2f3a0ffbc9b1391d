"""The command: `octavo-sandbox tool`, `python -m tool_api`."""

from __future__ import annotations

import errno
import gc
import json
import logging
import os
import re
import signal
import socket
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tool_api.models import MCPClient
from tool_api.errors import StartError
from tool_api.settings import DEFAULT_PORT, SITE_ORIGINS, Limits, Settings, default_state_dir

TOKEN_VARIABLE = "TOOLHIVE_API_TOKEN"  # noqa: S105 - its name
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/=]{16,}")
"""A bearer token (RFC 6750, section 2.1), long enough not to be guessed."""

ANSWER_S = 1.0
"""Longest wait for a program that may listen on a socket already."""

_LINKS = {
    "auto": "tool_api.runtime.docker_link",
    "docker": "tool_api.runtime.docker_link",
    "kubernetes": "tool_api.runtime.kubernetes",
}
"""Runtime → module by which workers reach its servers."""

_FILE = click.Path(path_type=Path, dir_okay=False)
_state_dir = click.option(
    "--state-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_state_dir,
    help="Folder of the state; your user's own by default.",
)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 is any.")
@click.option("--socket", "socket_path", type=_FILE, help="Unix socket instead of host and port.")
@click.option("--socket-group", default="", metavar="GROUP", help="Group that may use the socket (mode 0660).")
@click.option("--token-file", type=_FILE, help="File with a token that callers must send; its mode must be 0600.")
@click.option(
    "--mount-root",
    "mount_roots",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder that servers may mount; no other may be then.",
)
@click.option(
    "--runtime",
    type=click.Choice(["auto", "docker", "kubernetes", "simulated"]),
    default="auto",
    show_default=True,
    help="What servers run on; auto simulates where no engine answers.",
)
@click.option("--kube-context", default="", metavar="NAME", help="Context of the cluster; the current one by default.")
@click.option(
    "--kube-namespace", default="", metavar="NAME", help="Namespace of the servers; the context's by default."
)
@_state_dir
@click.option("--registry", "registries", multiple=True, metavar="NAME=FILE|URL", help="A further registry.")
@click.option("--secrets-file", type=_FILE, help="NAME=VALUE lines; its mode must be 0600.")
@click.option(
    "--cors-origin",
    "origins",
    multiple=True,
    default=SITE_ORIGINS,
    metavar="ORIGIN",
    help="Pages that may call the API.",
)
@click.option(
    "--endpoint-origin",
    "endpoint_origins",
    multiple=True,
    default=SITE_ORIGINS,
    metavar="ORIGIN",
    help="Pages that may talk to the servers, e.g. an inspector's.",
)
@click.option("--allowed-host", "hosts", multiple=True, metavar="NAME", help="A further host name of the API.")
@click.option(
    "--max-message-bytes",
    type=click.IntRange(min=64 * 1024),
    default=Limits().max_message_bytes,
    show_default=True,
    help="Largest message of the protocol, in either direction; a larger one fails its own call only.",
)
@click.option(
    "--ready-timeout",
    "ready_timeout_s",
    type=click.FloatRange(min=1),
    default=Limits().ready_timeout_s,
    show_default=True,
    metavar="SECONDS",
    help="How long a call waits for a server that is starting.",
)
@click.option("--export-openapi", type=click.File("w"), help="Write the OpenAPI document to a file or - and leave.")
@click.pass_context
def tool(
    context: click.Context,
    host: str,
    port: int,
    socket_path: Path | None,
    socket_group: str,
    token_file: Path | None,
    mount_roots: tuple[Path, ...],
    runtime: str,
    kube_context: str,
    kube_namespace: str,
    state_dir: Path,
    registries: tuple[str, ...],
    secrets_file: Path | None,
    origins: tuple[str, ...],
    endpoint_origins: tuple[str, ...],
    hosts: tuple[str, ...],
    max_message_bytes: int,
    ready_timeout_s: float,
    export_openapi: IO[str] | None,
) -> None:
    """Serve the tool API: run MCP servers in containers and tell clients where they are."""
    if context.invoked_subcommand is not None:
        from service_guard import refuse_server_options

        refuse_server_options(context, shared={"state_dir"})
    with _telling_start_errors():
        token = _read_token(token_file)
        if socket_group and not socket_path:
            raise StartError("--socket-group needs --socket.")
        if (kube_context or kube_namespace) and runtime != "kubernetes":
            raise StartError("--kube-context and --kube-namespace need --runtime kubernetes.")
    settings = Settings(
        state_dir=state_dir,
        runtime=runtime,
        kube_context=kube_context,
        kube_namespace=kube_namespace,
        host=host,
        port=port,
        socket=socket_path,
        socket_group=socket_group,
        token=token,
        mount_roots=mount_roots,
        registries=registries,
        secrets_file=secrets_file,
        cors_origins=tuple(origin.rstrip("/") for origin in origins),
        endpoint_origins=tuple(origin.rstrip("/") for origin in endpoint_origins),
        allowed_hosts=hosts,
        limits=Limits(max_message_bytes, ready_timeout_s),
    )
    context.obj = settings
    if context.invoked_subcommand is not None:
        return
    with _telling_start_errors():
        if export_openapi is not None:
            _export(settings, export_openapi)
        else:
            _serve(settings)


@tool.group()
def clients() -> None:
    """Register client programs."""


@clients.command("register")
@click.argument("name")
@click.pass_obj
def register(settings: Settings, name: str) -> None:
    """Register the client NAME, e.g. vscode or claude-code.

    The addresses of servers are written to its configuration file from now on, if there is one.
    """
    from tool_api.clients import ClientEntries, servers_file
    from tool_api.store import Store

    with _telling_start_errors():
        client = _client(name)
        store = Store(settings.state_dir)
        store.register_client(client.value)
        ClientEntries(store).add_client(client)
        click.echo(f"{client.value} is registered.")
        file, _ = servers_file(client)
        if not file.exists():
            click.echo(f"Its file {file} does not exist; start {client.value} once, and register it again.", err=True)


@clients.command("remove")
@click.argument("name")
@click.pass_obj
def remove(settings: Settings, name: str) -> None:
    """Forget the client NAME, and remove what was written to its configuration file."""
    from tool_api.clients import ClientEntries
    from tool_api.store import Store

    with _telling_start_errors():
        client = _client(name)
        store = Store(settings.state_dir, must_exist=True)
        if not store.remove_client(client.value):
            raise StartError(f"{client.value} is not registered.")
        ClientEntries(store).remove_client(client)
        click.echo(f"{client.value} is no longer registered.")


def main() -> None:
    """Run the command line."""
    tool(prog_name="python -m tool_api")


class _telling_start_errors:  # noqa: N801 - used as a phrase
    """Turns a `StartError` into one line and exit code 2."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, StartError):
            click.echo(f"tool: {error}", err=True)
            sys.exit(2)


def _client(name: str) -> MCPClient:
    from tool_api.clients import DASHED, parse_client

    client = parse_client(name)
    if client is None:
        raise StartError(f'there is no client "{name}"; known are {", ".join(DASHED)}.')
    return client


def _export(settings: Settings, file: IO[str]) -> None:
    from tool_api.app import create_app

    json.dump(create_app(settings).openapi(), file, indent=2)
    click.echo(file=file)


def _serve(settings: Settings) -> None:
    # What is imported stays: the collector would go through all of it again and again, and once more in the process that
    # starts workers: two fifths of the processor time of a start.
    gc.disable()
    try:
        import uvicorn

        from service_guard import KEEP_ALIVE_S
        from tool_api.app import create_app
        from tool_api.logs import log
        from tool_api.workers import Spawner, claim, is_available

        # Whatever libraries log is about themselves, and might hold what we never log.
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore", DeprecationWarning)
        spawner = Spawner() if is_available() else None
        app = create_app(settings, spawner)
        gc.freeze()
    finally:
        gc.enable()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=5,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    bound = _bind(settings)
    made = _identity(settings.socket) if settings.socket else None
    address = str(settings.socket) if settings.socket else "http://{}:{}".format(*_shown(bound))
    # The server raises the signal again when it has shut down; the default action would skip what follows.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if spawner is not None:
        if link := _LINKS.get(settings.runtime):
            # The workers need it; imported by this process, it is shared by all of them.
            with suppress(ModuleNotFoundError):  # an extra, which is missed by name when it is used
                import_module(link)
        # While this process has nothing but its modules: no thread, no loop, no database.
        spawner.fork()
    try:
        with claim(settings.state_dir):
            log("listening", address=address)
            try:
                uvicorn.Server(config).run(sockets=[bound])
            finally:
                if app.state.start_error is not None:
                    raise app.state.start_error
    finally:
        if spawner is not None:
            spawner.close()
        bound.close()
        if settings.socket and _identity(settings.socket) == made:
            settings.socket.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from others that have had its path; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _shown(bound: socket.socket) -> tuple[str, int]:
    host, port = bound.getsockname()[:2]
    return (f"[{host}]" if ":" in host else host), port


def _bind(settings: Settings) -> socket.socket:
    try:
        return (
            _bind_unix(settings.socket, settings.socket_group)
            if settings.socket
            else _bind_tcp(settings.host, settings.port)
        )
    except OSError as error:
        place = settings.socket or f"{settings.host}:{settings.port}"
        raise StartError(f"cannot listen on {place}: {error.strerror}.") from error


def _bind_tcp(host: str, port: int) -> socket.socket:
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # Imported here, as all that the command does not need before it serves.
    from service_guard import tcp_socket

    bound = tcp_socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(1024)
    except OSError:
        bound.close()
        raise
    return bound


def _read_token(file: Path | None) -> str | None:
    """Read the token that callers must send: the first line of a file, else a variable of the environment."""
    if file is None:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
        return _check_token(token, f"the variable {TOKEN_VARIABLE}") if token else None
    try:
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise StartError(f"others may read the token file {file}; run chmod 600 on it.")
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise StartError(f"the token file {file} cannot be read: {error}.") from error
    return _check_token(token, f"the token file {file}")


def _check_token(token: str, place: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise StartError(f"{place} has no token: 16 or more letters, digits and -._~+/= on one line.")
    return token


def _bind_unix(path: Path, group: str) -> socket.socket:
    group_id = _group_id(group)
    if not path.parent.exists():
        path.parent.mkdir(mode=0o750, parents=True)
        os.chown(path.parent, -1, group_id)
    if path.is_socket():
        _refuse_if_answered(path)
        path.unlink()
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # The mode is there from the first moment: between bind and chmod anybody could connect.
    former = os.umask(0o177)
    try:
        bound.bind(str(path))
    except OSError:
        bound.close()
        raise
    finally:
        os.umask(former)
    os.chown(path, -1, group_id)
    path.chmod(0o660)
    bound.listen(1024)
    return bound


def _refuse_if_answered(path: Path) -> None:
    """Leave a socket alone that a program listens on: without its file, nobody could reach that program any more.

    Raises:
        OSError: One does.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(ANSWER_S)
        try:
            asking.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return
        except OSError:
            pass  # somebody is there, who does not accept just now
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def _group_id(name: str) -> int:
    """Number of a group; -1, which changes nothing, where none is named."""
    if not name:
        return -1
    import grp

    try:
        return grp.getgrnam(name).gr_gid
    except KeyError as error:
        raise StartError(f'there is no group "{name}".') from error
