"""Addresses of servers in the configuration files of registered clients.

Only files that exist are changed, and in them only what this API has written: an entry that its owner has changed, or
had before under the same name, stays as it is.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tool_api.clients import jsonc
from tool_api.clients.places import servers_file
from tool_api.logs import log
from tool_api.models import MCPClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tool_api.store import ServerRow, Store

if sys.platform != "win32":
    import fcntl

BACKUP_SUFFIX = ".toolhive-backup"
"""Added to the name of a file for the copy of what it was before the last change."""

_ATTEMPTS = 5
_TYPED = frozenset((MCPClient.VSCODE, MCPClient.VSCODE_INSIDER, MCPClient.CLAUDE_CODE))
"""Clients that need to be told the kind of the transport."""

_IN_PROCESS = threading.Lock()


class ClientEntries:
    """Entries of one API's servers in the files of its registered clients. Its methods block; none of them raises.

    Args:
        store: Which clients are registered, and what was written to their files.
        home: Home folder of the user; that of the process when left out.
    """

    def __init__(self, store: Store, home: Path | None = None) -> None:
        self._store = store
        self._home = home

    def add(self, row: ServerRow) -> None:
        """Write the address of a server for all registered clients."""
        for client in self._registered():
            self._write(client, row)

    def remove(self, server: str) -> None:
        """Remove the entries of a server."""
        for client, file, value in self._store.entries_of_server(server):
            self._erase(MCPClient(client), server, Path(file), json.loads(value))

    def add_client(self, client: MCPClient) -> None:
        """Write all running servers for a client that has been registered."""
        for row in self._store.rows():
            if row.phase == "kept" and row.wanted == "running":
                self._write(client, row)

    def remove_client(self, client: MCPClient) -> None:
        """Remove all our entries for a client."""
        for server, file, value in self._store.entries_of_client(client.value):
            self._erase(client, server, Path(file), json.loads(value))

    def _registered(self) -> list[MCPClient]:
        return [client for client in MCPClient if client.value in self._store.clients()]

    def _write(self, client: MCPClient, row: ServerRow) -> None:
        file, keys = servers_file(client, home=self._home)
        place, value = (*keys, row.name), entry_for(client, row)
        former = self._store.entry(client.value, row.name)
        is_there = self._is_there(client, file)
        if not is_there:
            if is_there is not None:
                log("client_file_missing", level="warning", client=client.value, file=str(file))
            return

        def change(text: str) -> str:
            found = _find(text, place)
            if found is jsonc.MISSING or (former and found == json.loads(former)):
                # Written down first: an entry that a crash leaves in the file is known to be ours.
                self._store.save_entry(client.value, row.name, str(file), json.dumps(value))
                return jsonc.set_value(text, place, value)
            if found != value:
                log("client_entry_kept", level="warning", client=client.value, server=row.name, file=str(file))
            return text

        self._change(client, file, change)

    def _erase(self, client: MCPClient, server: str, file: Path, value: Any) -> None:
        _, keys = servers_file(client, home=self._home)
        place = (*keys, server)

        def change(text: str) -> str:
            found = _find(text, place)
            if found == value:
                return jsonc.remove(text, place)
            if found is not jsonc.MISSING:
                log("client_entry_kept", level="warning", client=client.value, server=server, file=str(file))
            return text

        is_there = self._is_there(client, file)
        if is_there is False or (is_there and self._change(client, file, change)):
            self._store.forget_entry(client.value, server)

    def _is_there(self, client: MCPClient, file: Path) -> bool | None:
        """Whether a file exists; None where that cannot be told, as in a folder that this user may not enter."""
        try:
            return file.is_file()
        except OSError as error:
            log("client_file_not_written", level="warning", client=client.value, file=str(file), reason=str(error))
            return None

    def _change(self, client: MCPClient, file: Path, change: Callable[[str], str]) -> bool:
        """Change a file in one step.

        Returns:
            Whether the file has the change, or needs none.
        """
        try:
            with _lock(file):
                return _replace(file.resolve(), change)
        except jsonc.JsoncError as error:
            log("client_file_not_read", level="warning", client=client.value, file=str(file), reason=str(error))
        except (OSError, ValueError) as error:
            log("client_file_not_written", level="warning", client=client.value, file=str(file), reason=str(error))
        return False


def entry_for(client: MCPClient, row: ServerRow) -> dict[str, str]:
    """What a client's file says about a server."""
    host = "127.0.0.1" if row.spec.host in ("0.0.0.0", "::") else row.spec.host  # noqa: S104 - compared, not bound
    address = f"http://{f'[{host}]' if ':' in host else host}:{row.port}"
    is_streamable = row.spec.transport == "streamable-http"
    entry = {"url": f"{address}/{'mcp' if is_streamable else 'sse'}#{row.name}"}
    return {"type": "http" if is_streamable else "sse", **entry} if client in _TYPED else entry


def _find(text: str, place: tuple[str, ...]) -> Any:
    """The value at a place; a file without content is an object without members."""
    return jsonc.get(text, place) if text.strip("\ufeff \t\r\n") else jsonc.MISSING


def _read(file: Path) -> str:
    # Bytes: the text layer would turn the line ends of Windows into others.
    return file.read_bytes().decode("utf-8")


def _replace(file: Path, change: Callable[[str], str]) -> bool:
    """Write a changed file beside the old one and rename it; again if its owner has written it meanwhile."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.toolhive-new")
    try:
        for _ in range(_ATTEMPTS):
            before = _read(file)
            after = change(before)
            if after == before:
                return True
            _refuse_read_only(file)
            _write_like(draft, before.encode(), file)
            draft.replace(file.with_name(file.name + BACKUP_SUFFIX))
            _write_like(draft, after.encode(), file)
            if _read(file) == before:
                draft.replace(file)
                return True
    finally:
        draft.unlink(missing_ok=True)
    raise OSError("its owner writes it all the time")


def _refuse_read_only(file: Path) -> None:
    """Leave a file alone that its owner has closed, although another could be put in its place.

    Raises:
        OSError: It is.
    """
    if not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise OSError("it is read-only")


def _write_like(made: Path, content: bytes, file: Path) -> None:
    """Write a file with the owner and the mode of another one: root may run the API with the home of a user.

    Nobody else can read it before it has them, and a link that a user has put there is not followed.

    Raises:
        OSError: It cannot be written, or the other one is of a user to whom this one may not give files.
    """
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(content)
        written.flush()
        of, own = file.stat(), made.stat()
        if sys.platform != "win32":
            if (of.st_uid, of.st_gid) != (own.st_uid, own.st_gid):
                os.fchown(written.fileno(), of.st_uid, of.st_gid)
            os.fchmod(written.fileno(), stat.S_IMODE(of.st_mode))
        os.fsync(written.fileno())


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Keep other processes of this program out while a file is changed.

    Its folder is locked: the file itself is replaced, and a lock file would stay for ever, since removing one that others
    wait for lets two of them in.
    """
    with _IN_PROCESS:
        if sys.platform == "win32":  # one API at a time
            yield
            return
        held = os.open(file.resolve().parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            # Some network file systems lock no folders; `_replace` notices most changes of others.
            with suppress(OSError):
                fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)
