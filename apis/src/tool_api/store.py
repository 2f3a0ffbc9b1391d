"""State in SQLite: what was acknowledged is on disk, whatever happens to the process."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tool_api.errors import BusyError, ConflictError, StartError
from tool_api.logs import log

_MIGRATIONS = (
    """
    CREATE TABLE servers (
        name TEXT PRIMARY KEY,
        container_id TEXT NOT NULL UNIQUE,
        port INTEGER NOT NULL UNIQUE,
        phase TEXT NOT NULL,
        wanted TEXT NOT NULL,
        created TEXT NOT NULL,
        changed TEXT NOT NULL,
        spec TEXT NOT NULL
    ) STRICT;
    CREATE TABLE clients (name TEXT PRIMARY KEY) STRICT;
    """,
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        server TEXT NOT NULL REFERENCES servers (name) ON DELETE CASCADE,
        version TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        saved INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
    ) STRICT;
    CREATE INDEX sessions_server ON sessions (server);
    """,
    """
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO facts (name, value) VALUES ('instance', lower(hex(randomblob(16))));
    CREATE TABLE client_entries (
        client TEXT NOT NULL,
        server TEXT NOT NULL,
        file TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (client, server)
    ) STRICT;
    """,
    "ALTER TABLE sessions ADD COLUMN asked TEXT NOT NULL DEFAULT ''",
)
"""Numbered from 1 by their place; never edited once released."""

BUSY_TIMEOUT_S = 10
"""Longest wait for another program that is writing to the database."""

BUSY_PAUSE_S = 0.02
"""Pause between two attempts meanwhile."""

SESSIONS_PAUSE_S = 0.5
"""The same for sessions, for which nobody waits."""

MOST_WAITING = 10_000
"""Changes to sessions that may wait."""

SESSIONS_KEPT_S = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Negotiated:
    """What a client of a server and the bridge agreed upon."""

    version: str
    """The client's protocol version."""

    capabilities: Mapping[str, Any] = field(default_factory=dict)
    """Features that the client supports."""

    asked: str = ""
    """The version that the client asked for: the newest that it knows, whatever the server has made of it."""


@dataclass(frozen=True, slots=True)
class Network:
    """What a server may reach, in the form that the runtimes enforce."""

    mode: str = "none"
    """none, filtered or open."""

    hosts: tuple[str, ...] = ()
    """Allowed hosts when filtered; empty is any."""

    ports: tuple[int, ...] = ()
    """Allowed ports when filtered; empty is any."""


@dataclass(frozen=True, slots=True)
class Mount:
    source: str
    target: str
    read_only: bool


@dataclass(frozen=True, slots=True)
class Oidc:
    issuer: str = ""
    audience: str = ""
    client_id: str = ""
    jwks_url: str = ""


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A validated create request. Holds the names of secrets, never their values."""

    name: str
    image: str
    transport: str = "stdio"
    host: str = "127.0.0.1"
    target_port: int = 0
    """Port in the container; 0 for stdio."""

    arguments: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, str], ...] = ()
    """(name of the secret, variable that receives it)."""

    mounts: tuple[Mount, ...] = ()
    network: Network = field(default_factory=Network)
    oidc: Oidc | None = None
    egress_port: int = 0
    """Port of the egress proxy that the container was told; 0 until it is known."""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server as it is stored."""

    spec: ServerSpec
    container_id: str
    port: int
    phase: str
    """creating, kept or removing. A server is acknowledged while it is kept."""

    wanted: str
    """running or exited."""

    created: str
    changed: str
    """When `wanted` was last written; RFC 3339."""

    @property
    def name(self) -> str:
        return self.spec.name


def is_busy(error: BaseException) -> bool:
    """Whether another program has kept this one from the database, which it may use later."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, sqlite3.OperationalError) and code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


async def patiently(change: Callable[[], None]) -> None:
    """Change something as soon as no other program is writing, and let everything else go on meanwhile.

    Raises:
        BusyError: Another program did not end within `BUSY_TIMEOUT_S`.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + BUSY_TIMEOUT_S
    while True:
        try:
            change()
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            if loop.time() >= end:
                raise BusyError from error
        else:
            return
        await asyncio.sleep(BUSY_PAUSE_S)


class Store:
    """The database of one API. Calls are short; SQLite lets one thread in at a time.

    Changes of servers do not wait for other programs, see `patiently`: they are made where everything else is answered.
    Those of clients do; they are made in commands, and in threads. Nothing that reads waits for what is written.

    Args:
        folder: Where the state is.
        must_exist: Make no new one, for a command that takes something back.

    Raises:
        StartError: The folder cannot be used, or has no state and must have one.
    """

    def __init__(self, folder: Path, *, must_exist: bool = False) -> None:
        self._folder = folder
        if must_exist and not (folder / "tool.db").is_file():
            raise StartError(f'there is no state of an API in "{folder}"; name its folder with --state-dir.')
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / "tool.db"
            self._db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
            path.chmod(0o600)
            self._db.execute("PRAGMA journal_mode = WAL")
            # FULL: an acknowledged change outlives a power cut, not only a crash of the process.
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._migrate()
            self._servers = _open(folder)
            self._servers.execute("PRAGMA synchronous = FULL")
            self._servers.execute("PRAGMA foreign_keys = ON")
            self._sessions = open_sessions(folder)
            self._db.execute(
                "DELETE FROM sessions WHERE saved < CAST(strftime('%s', 'now') AS INTEGER) - ?", (SESSIONS_KEPT_S,)
            )
        except (OSError, sqlite3.Error) as error:
            raise StartError(f'state folder "{folder}" cannot be used: {error}.') from error

    def close(self) -> None:
        self._db.close()
        self._servers.close()
        self._sessions.close()

    def sessions_of(self, server: str) -> StoredSessions:
        """What is known of the sessions of a server."""
        return StoredSessions(self._sessions, server, self._folder)

    def add(self, row: ServerRow) -> None:
        """Write a new server.

        Raises:
            ConflictError: Its name is taken.
        """
        try:
            self._servers.execute(
                "INSERT INTO servers (name, container_id, port, phase, wanted, created, changed, spec)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.name,
                    row.container_id,
                    row.port,
                    row.phase,
                    row.wanted,
                    row.created,
                    row.changed,
                    json.dumps(asdict(row.spec)),
                ),
            )
        except sqlite3.IntegrityError as error:
            if "servers.name" not in str(error):
                raise
            raise ConflictError(f'A server named "{row.name}" exists already') from error

    def update(self, row: ServerRow) -> None:
        self._servers.execute(
            "UPDATE servers SET container_id = ?, phase = ?, wanted = ?, changed = ?, spec = ? WHERE name = ?",
            (row.container_id, row.phase, row.wanted, row.changed, json.dumps(asdict(row.spec)), row.name),
        )

    def remove(self, name: str) -> None:
        self._servers.execute("DELETE FROM servers WHERE name = ?", (name,))
        with suppress(OSError):
            _calls_path(self._folder, name).unlink()

    def rows(self) -> list[ServerRow]:
        """All servers, in the order of their names."""
        return [_row(found) for found in self._servers.execute(f"{_SELECT} ORDER BY name")]

    def find(self, name_or_id: str) -> ServerRow | None:
        found = self._servers.execute(
            f"{_SELECT} WHERE name = ? OR container_id = ?", (name_or_id, name_or_id)
        ).fetchone()
        return None if found is None else _row(found)

    def ports(self) -> set[int]:
        return {port for (port,) in self._servers.execute("SELECT port FROM servers")}

    @property
    def instance(self) -> str:
        """What tells this API from others on the same engine; as old as the state folder."""
        (value,) = self._servers.execute("SELECT value FROM facts WHERE name = 'instance'").fetchone()
        return str(value)

    def entry(self, client: str, server: str) -> str | None:
        """What was written to a client's file about a server, as JSON."""
        query = "SELECT value FROM client_entries WHERE client = ? AND server = ?"
        found = self._servers.execute(query, (client, server)).fetchone()
        return None if found is None else str(found[0])

    def entries_of_server(self, server: str) -> list[tuple[str, str, str]]:
        """What was written about a server: client, file, and the value as JSON."""
        query = "SELECT client, file, value FROM client_entries WHERE server = ? ORDER BY client"
        return self._servers.execute(query, (server,)).fetchall()

    def entries_of_client(self, client: str) -> list[tuple[str, str, str]]:
        """What was written to a client's files: server, file, and the value as JSON."""
        query = "SELECT server, file, value FROM client_entries WHERE client = ? ORDER BY server"
        return self._servers.execute(query, (client,)).fetchall()

    def save_entry(self, client: str, server: str, file: str, value: str) -> None:
        """Note what is written to a client's file about a server."""
        self._db.execute("INSERT OR REPLACE INTO client_entries VALUES (?, ?, ?, ?)", (client, server, file, value))

    def forget_entry(self, client: str, server: str) -> None:
        """Note that a client's file has nothing of ours about a server."""
        self._db.execute("DELETE FROM client_entries WHERE client = ? AND server = ?", (client, server))

    def clients(self) -> set[str]:
        """Names of the registered clients."""
        return {name for (name,) in self._servers.execute("SELECT name FROM clients")}

    def register_client(self, name: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO clients (name) VALUES (?)", (name,))

    def remove_client(self, name: str) -> bool:
        """Forget a client; tells whether it was registered."""
        return self._db.execute("DELETE FROM clients WHERE name = ?", (name,)).rowcount > 0

    def _migrate(self) -> None:
        with self._transaction():
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version > len(_MIGRATIONS):
                raise StartError("the state folder was written by a newer version of this program.")
            for number, script in enumerate(_MIGRATIONS[version:], start=version + 1):
                for statement in filter(str.strip, script.split(";")):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {number}")
            # A process that was killed while it committed can leave a transaction in SQLite's log that nobody sees as
            # long as another process has the database open, and that is recovered after the last one has ended. This
            # write takes its place in the log, so that what is read from now on is what later processes read.
            self._db.execute("INSERT OR REPLACE INTO facts (name, value) VALUES ('started', CURRENT_TIMESTAMP)")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # IMMEDIATE: two programs that start at once migrate one after the other.
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


class StoredSessions:
    """Sessions of one server's clients, so that they go on when this process is started again.

    Where they cannot be kept, because the disk is full for example, they end with this process, and nothing else fails.
    """

    def __init__(self, database: sqlite3.Connection, server: str, folder: Path) -> None:
        """Args: folder: Of the state."""
        self.database = database
        self.calls_path = _calls_path(folder, server)
        """File of calls that have no answer yet."""
        self._server = server
        self._waiting: deque[tuple[str, tuple[str, ...]]] = deque()
        """Changes that have not been made yet: another program is writing."""
        self._timer: asyncio.TimerHandle | None = None

    def save(self, session_id: str, negotiated: Negotiated) -> None:
        capabilities = json.dumps(negotiated.capabilities)
        values = (session_id, self._server, negotiated.version, capabilities, negotiated.asked)
        statement = "INSERT OR IGNORE INTO sessions (id, server, version, capabilities, asked) VALUES (?, ?, ?, ?, ?)"
        self._change(statement, values)

    def find(self, session_id: str) -> Negotiated | None:
        query = "SELECT version, capabilities, asked FROM sessions WHERE id = ? AND server = ?"
        found = self.database.execute(query, (session_id, self._server)).fetchone()
        return None if found is None else Negotiated(found[0], json.loads(found[1]), found[2])

    def forget(self, session_id: str) -> None:
        self._change("DELETE FROM sessions WHERE id = ? AND server = ?", (session_id, self._server))

    def _change(self, statement: str, values: tuple[str, ...]) -> None:
        if len(self._waiting) >= MOST_WAITING:
            log("sessions_not_kept", level="warning", server=self._server, reason="another program is writing")
            return
        self._waiting.append((statement, values))
        if self._timer is None:
            self._write()

    def _write(self) -> None:
        """Make the changes that wait, as far as that can be done now; the rest later: calls must not wait for it."""
        self._timer = None
        while self._waiting:
            try:
                self.database.execute(*self._waiting[0])
            except sqlite3.Error as error:
                if is_busy(error):
                    self._timer = asyncio.get_running_loop().call_later(SESSIONS_PAUSE_S, self._write)
                    return
                log("sessions_not_kept", level="warning", server=self._server, reason=str(error))
            self._waiting.popleft()


_SELECT = "SELECT container_id, port, phase, wanted, created, changed, spec FROM servers"


def _calls_path(folder: Path, server: str) -> Path:
    return folder / "calls" / server


def _open(folder: Path) -> sqlite3.Connection:
    """Connect to the database, without waiting where another program is writing."""
    return sqlite3.connect(folder / "tool.db", timeout=0, isolation_level=None, check_same_thread=False)


def open_sessions(folder: Path) -> sqlite3.Connection:
    """Connect to the sessions in a state folder that an API has made already."""
    opened = _open(folder)
    # A session that a power cut takes is opened again by its client; waiting for the disk is not worth it.
    opened.execute("PRAGMA synchronous = NORMAL")
    return opened


def dump_row(row: ServerRow) -> dict[str, Any]:
    """A row in a form that JSON can hold; `load_row` reads it."""
    return asdict(row) | {"spec": json.dumps(asdict(row.spec))}


def load_row(dumped: Mapping[str, Any]) -> ServerRow:
    """Read what `dump_row` wrote."""
    return ServerRow(**{**dumped, "spec": _spec(dumped["spec"])})


def _row(found: tuple[Any, ...]) -> ServerRow:
    container_id, port, phase, wanted, created, changed, spec = found
    return ServerRow(
        spec=_spec(spec),
        container_id=container_id,
        port=port,
        phase=phase,
        wanted=wanted,
        created=created,
        changed=changed,
    )


# A spec never changes, and a list of servers reads all of them: parsing is most of its cost.
@lru_cache(maxsize=4096)
def _spec(text: str) -> ServerSpec:
    stored: dict[str, Any] = json.loads(text)
    network = stored["network"]
    return replace(
        ServerSpec(**stored),
        arguments=tuple(stored["arguments"]),
        env=tuple((name, value) for name, value in stored["env"]),
        secrets=tuple((name, target) for name, target in stored["secrets"]),
        mounts=tuple(Mount(**mount) for mount in stored["mounts"]),
        network=Network(network["mode"], tuple(network["hosts"]), tuple(network["ports"])),
        oidc=Oidc(**stored["oidc"]) if stored["oidc"] else None,
    )
