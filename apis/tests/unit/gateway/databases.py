"""New databases for tests: the tables are made once, and each test has a copy of the file."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from gateway_api.database import Database
from gateway_api.migrations import migrate
from gateway_api.settings import Settings, load_settings


@functools.cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "gateway.sqlite"
        database = Database(f"sqlite:///{file}")
        migrate(database)
        assert database.clean_up()
        database.close()
        return file.read_bytes()


def make_database(folder: Path) -> Settings:
    """Put a database with today's tables into a folder, and give the settings that name it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = load_settings(data_dir=folder, environment={})
    file = folder / "gateway.sqlite"
    file.write_bytes(_empty())
    file.chmod(0o600)
    return settings
