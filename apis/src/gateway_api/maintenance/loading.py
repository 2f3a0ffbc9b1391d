"""An export into a database that nobody has used yet, all or nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from sqlalchemy import Connection, LargeBinary, Table, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError
from gateway_api.maintenance.export import FORMAT, TABLES, VERSION
from gateway_api.maintenance.passphrase import PassphraseCipher, owner_of
from gateway_api.migrations import migrate
from gateway_api.sealing import Seal, load_seal
from gateway_api.settings import Settings
from gateway_api.store.workspaces import is_unused
from gateway_api.tables import active_workspace, metadata, providers, workspaces

_AT_ONCE = 500
_DAMAGES = (SQLAlchemyError, LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What the rows of a file raise that something else has written, or that was changed."""

_START = f'{{"format":"{FORMAT}"'.encode()


@dataclass(frozen=True)
class Loaded:
    """What was loaded."""

    rows: int
    keys: int
    """API keys, now encrypted with the key file of this database."""


def is_export(first_line: bytes) -> bool:
    """Tell an export from a file of records by its first line."""
    return first_line.removeprefix(b"\xef\xbb\xbf").startswith(_START)


def has_keys(first_line: bytes) -> bool:
    """Return whether an export has API keys, so that a passphrase is needed."""
    try:
        return json.loads(first_line).get("keys") is not None
    except (ValueError, AttributeError, RecursionError):  # damaged, which loading says
        return False


def load_export(
    lines: Iterable[bytes],
    settings: Settings,
    passphrase: str | None = None,
    tell: Callable[[int], None] | None = None,
) -> Loaded:
    """Fill a database from an export, in one transaction.

    Args:
        lines: The file.
        settings: Where the database is; a new one is made.
        passphrase: Opens the API keys of the file; needed if it has any.
        tell: Told from time to time how many rows are stored.

    Raises:
        SetupError: The database has been used, or the file is damaged, newer than this release, or needs a passphrase.
            Nothing was stored.
    """
    database = Database(settings.database_url, is_bulk=True)
    try:
        migrate(database)
        seal = load_seal(settings.key_file, database)
        with telling_setup_errors(), database.writing() as connection:
            if not database.is_sqlite:  # a transaction as long as the file
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            if not is_unused(connection):
                raise SetupError("The database has been used; an export is loaded into a new one only.")
            try:
                return _Loader(connection, seal, passphrase, tell or (lambda _: None)).run(lines)
            except _DAMAGES as error:
                raise SetupError(f"The export is damaged; nothing was stored ({type(error).__name__}).") from error
    finally:
        database.close()


class _Loader:
    def __init__(self, connection: Connection, seal: Seal, passphrase: str | None, tell: Callable[[int], None]) -> None:
        self._connection = connection
        self._seal = seal
        self._passphrase = passphrase
        self._tell = tell
        self._tables = {table.name: table for table in TABLES}
        self._columns: dict[str, list[str]] = {}
        self._rows: dict[str, int] = dict.fromkeys(self._tables, 0)
        self._waiting: list[dict[str, Any]] = []
        self._of: Table = workspaces
        self._cipher: PassphraseCipher | None = None
        self._keys = 0

    def run(self, lines: Iterable[bytes]) -> Loaded:
        hashed, end = hashlib.sha256(), None
        for number, line in enumerate(lines):
            value = json.loads(line)
            if number == 0:
                self._read_header(value)
            elif end is not None:
                raise SetupError("The export is damaged: something comes after its end.")
            elif isinstance(value, dict):
                end = value
                if end["sha256"] != hashed.hexdigest() or end["rows"] != self._rows:
                    raise SetupError("The export is damaged: it has changed since it was written.")
            else:
                self._add(*value)
            hashed.update(line)
        if end is None:
            raise SetupError("The export is cut off: its last line is missing.")
        self._write()
        self._set_sequences()
        return Loaded(sum(self._rows.values()), self._keys)

    def _read_header(self, header: dict[str, Any]) -> None:
        if header["version"] != VERSION:
            raise SetupError(f"The export has version {header['version']}; this release reads version {VERSION}.")
        for name, columns in header["columns"].items():
            unknown = set(columns) - set(self._tables[name].columns.keys()) if name in self._tables else {name}
            if unknown:
                raise SetupError(f"A newer release has written the export ({', '.join(sorted(unknown))}); update this.")
        self._columns = header["columns"]
        if header["keys"] is not None:
            if self._passphrase is None:
                raise SetupError("The export has API keys; give the passphrase that it was written with.")
            self._cipher = PassphraseCipher.of_header(self._passphrase, header["keys"])

    def _add(self, name: str, values: list[Any]) -> None:
        table = self._tables[name]
        if table is not self._of:
            self._write()
            self._of = table
        row = dict(zip(self._columns[name], values, strict=True))
        for column in table.columns:
            if isinstance(column.type, LargeBinary) and row[column.name] is not None:
                row[column.name] = self._sealed(row) if table is providers else base64.b64decode(row[column.name])
        self._rows[name] += 1
        if table is active_workspace:
            self._connection.execute(update(active_workspace).values(row))
        elif table is workspaces and self._is_first(row):
            self._connection.execute(update(workspaces).where(workspaces.c.id == row["id"]).values(row))
        else:
            self._waiting.append(row)
        if len(self._waiting) >= _AT_ONCE:
            self._write()
            self._tell(sum(self._rows.values()))

    def _is_first(self, row: dict[str, Any]) -> bool:
        """Return whether this is the workspace that each new database has; its id is the same in all of them."""
        found = self._connection.scalar(select(workspaces.c.name_key).where(workspaces.c.id == row["id"]))
        return found is not None and found == row["name_key"]

    def _sealed(self, row: dict[str, Any]) -> bytes:
        if self._cipher is None:
            raise SetupError("The export is damaged: it has a key, and its header says that it has none.")
        try:
            owner = owner_of(row["public_id"], row["provider_type"], row["endpoint"])
            key = self._cipher.open(row["sealed_key"], owner=owner)
        except InvalidTag as error:
            raise SetupError(f'The key of the provider "{row["name"]}" was not written for its endpoint.') from error
        self._keys += 1
        return self._seal.close(key, owner=row["public_id"])

    def _write(self) -> None:
        if self._waiting:
            self._connection.execute(insert(self._of), self._waiting)
            self._waiting = []

    def _set_sequences(self) -> None:
        """Let new rows be numbered after those that were loaded; SQLite does so by itself."""
        if self._connection.dialect.name == "sqlite":
            return
        for table in metadata.sorted_tables:
            if "id" not in table.columns:
                continue
            highest = self._connection.scalar(select(func.max(table.c.id)))
            if highest:
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                self._connection.exec_driver_sql(f"SELECT setval({sequence}, {int(highest)})")
