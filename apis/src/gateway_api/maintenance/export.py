"""Everything in one file: JSON lines that either database can be filled from.

The first line is a header with format, version, time and the columns of each table. Each further line is a row,
`["table", [values]]`. The last line has the number of rows and a hash of all lines before, so a file that was cut off
is told from a whole one. Files of version 1 stay readable: a later release adds columns, which older files leave to
their defaults.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, LargeBinary, Select, Table, select

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import SetupError
from gateway_api.maintenance.passphrase import PassphraseCipher, owner_of
from gateway_api.migrations import migrate
from gateway_api.sealing import Seal, load_seal
from gateway_api.settings import Settings
from gateway_api.tables import (
    active_workspace,
    alerts,
    awaited_messages,
    models,
    mux_rules,
    personas,
    prompts,
    providers,
    usage_totals,
    workspaces,
)

FORMAT, VERSION = "octavo-gateway-export", 1
TABLES = (
    workspaces,
    active_workspace,
    providers,
    models,
    mux_rules,
    personas,
    prompts,
    alerts,
    usage_totals,
    awaited_messages,
)
"""In the order in which rows may refer to each other. What belongs to a machine (positions in files) is left out."""

_AT_ONCE = 500
_TOLD_ROWS = 1_000


@dataclass(frozen=True)
class Exported:
    """What was written."""

    rows: int
    keys: int
    """API keys in the file, encrypted."""
    left_out: int
    """API keys that were left out, because there is no passphrase."""


def export_all(
    settings: Settings, file: BinaryIO, passphrase: str | None = None, tell: Callable[[int], None] | None = None
) -> Exported:
    """Write everything, as of one moment; servers go on meanwhile.

    Args:
        settings: Where the database and its key file are.
        file: Where to write.
        passphrase: Encrypts the API keys; None leaves them out.
        tell: Told from time to time how many rows are written.

    Raises:
        SetupError: The database or the key file cannot be used.
    """
    database = Database(settings.database_url, readers=1, must_exist=True)
    try:
        migrate(database, must_exist=True)
        with telling_setup_errors():
            cipher = PassphraseCipher.new(passphrase) if passphrase else None
            seal = load_seal(settings.key_file, database) if cipher else None
            with database.reading() as connection:
                return _Writer(file, cipher, seal, tell or (lambda _: None)).run(connection)
    finally:
        database.close()


def private_file(path: Path, *, wanted: Path | None = None) -> BinaryIO:
    """Make a file that only its owner can read.

    Args:
        path: The file to make.
        wanted: The file that the user has named, where this is a draft of it: errors name that one.

    Raises:
        SetupError: It exists already, or cannot be made.
    """
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except FileExistsError as error:
        raise SetupError(f"{wanted or path} exists already; name another file.") from error
    except OSError as error:
        raise SetupError(f"{wanted or path} cannot be written: {error.strerror}.") from error


class _Writer:
    def __init__(
        self, file: BinaryIO, cipher: PassphraseCipher | None, seal: Seal | None, tell: Callable[[int], None]
    ) -> None:
        self._file = file
        self._cipher = cipher
        self._seal = seal
        self._tell = tell
        self._hash = hashlib.sha256()
        self._rows: dict[str, int] = {}
        self._keys = self._left_out = 0

    def run(self, connection: Connection) -> Exported:
        header = {"format": FORMAT, "version": VERSION, "created": datetime.now(UTC).isoformat(timespec="seconds")}
        columns = {table.name: table.columns.keys() for table in TABLES}
        self._write(header | {"keys": self._cipher.header if self._cipher else None, "columns": columns})
        count = 0
        for table in TABLES:
            self._rows[table.name] = 0
            for values in self._values(connection, table):
                self._write([table.name, values])
                self._rows[table.name] += 1
                count += 1
                if count % _TOLD_ROWS == 0:
                    self._tell(count)
        self._write({"rows": self._rows, "sha256": self._hash.hexdigest()})
        return Exported(count, self._keys, self._left_out)

    def _values(self, connection: Connection, table: Table) -> Iterator[list[Any]]:
        binary = [place for place, column in enumerate(table.columns) if isinstance(column.type, LargeBinary)]
        rows = connection.execution_options(yield_per=_AT_ONCE).execute(_query(table))
        for row in rows:
            values = list(row)
            if table is providers:
                values[binary[0]] = self._key_of(row)
            else:
                for place in binary:
                    values[place] = base64.b64encode(values[place]).decode()
            yield values

    def _key_of(self, row: Any) -> str | None:
        if row.sealed_key is None:
            return None
        if self._cipher is None or self._seal is None:
            self._left_out += 1
            return None
        self._keys += 1
        owner = owner_of(row.public_id, row.provider_type, row.endpoint)
        return self._cipher.close(self._seal.open(row.sealed_key, owner=row.public_id), owner=owner)

    def _write(self, value: Any) -> None:
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._hash.update(line)
        self._file.write(line)


def _query(table: Table) -> Select[Any]:
    """Read a table without workspaces that were deleted for good, whose records are on their way out."""
    query = select(table).order_by(*table.primary_key.columns)
    if table is workspaces:
        return query.where(workspaces.c.deleted_at.is_(None))
    if "workspace_id" in table.columns:
        live = select(workspaces.c.id).where(workspaces.c.deleted_at.is_(None))
        return query.where(table.c.workspace_id.in_(live))
    return query
