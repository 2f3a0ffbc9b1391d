"""API keys are readable with one key file only, and what is wrong with that file is said."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.demo.load import load_demo
from gateway_api.errors import KeyFileError, SetupError
from gateway_api.sealing import Seal, check_fingerprint, fingerprint_of, load_seal
from gateway_api.tables import gateway_facts, providers

HOW = "start once with --forget-api-keys to delete all stored API keys."


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(make_database(tmp_path).database_url)
    load_demo(database)
    yield database
    database.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "auth-material.key"


def store_key(database: Database, seal: Seal, key: str = "sk-kiln") -> str:
    """Give the first provider an API key; return its id."""
    with database.writing() as connection:
        owner: str = connection.scalars(select(providers.c.public_id).order_by(providers.c.id)).first() or ""
        sealed = seal.close(key, owner=owner)
        connection.execute(update(providers).where(providers.c.public_id == owner).values(sealed_key=sealed))
    return owner


def stored_keys(database: Database) -> list[bytes]:
    with database.reading() as connection:
        return list(connection.scalars(select(providers.c.sealed_key).where(providers.c.sealed_key.is_not(None))))


def fact(database: Database) -> str | None:
    with database.reading() as connection:
        return connection.scalar(select(gateway_facts.c.value).where(gateway_facts.c.name == "key_fingerprint"))


def forget_fact(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(gateway_facts.delete())


def replace_key(path: Path, key: bytes | None = None) -> None:
    path.write_bytes(os.urandom(32) if key is None else key)
    path.chmod(0o600)


def test_key_is_made_for_its_owner_and_stays_the_same(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    assert len(path.read_bytes()) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert fact(database) == seal.fingerprint == fingerprint_of(path.read_bytes())
    assert load_seal(path, database).fingerprint == seal.fingerprint


def test_key_of_another_server_that_was_first_counts(database: Database, path: Path) -> None:
    path.parent.mkdir()
    replace_key(path)
    before = path.read_bytes()
    assert load_seal(path, database).fingerprint == fingerprint_of(before)
    assert path.read_bytes() == before


def test_text_opens_for_its_owner_only(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    sealed = seal.close("sk-kiln-größe", owner="one")
    assert len(sealed) == 12 + len("sk-kiln-größe".encode()) + 16
    assert sealed != seal.close("sk-kiln-größe", owner="one")
    assert seal.open(sealed, owner="one") == "sk-kiln-größe"
    assert seal.opens(sealed, owner="one") is True
    assert seal.opens(sealed, owner="two") is False
    with pytest.raises(KeyFileError) as refused:
        seal.open(sealed, owner="two")
    assert str(refused.value) == f"The key file {path} does not decrypt the stored API key; set the API key again"


def test_key_file_is_compared_before_each_use(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    sealed, key = seal.close("sk", owner="one"), path.read_bytes()
    for change, said in (
        (path.unlink, f"The key file {path} is missing; restore it from a backup"),
        (path.mkdir, f"The key file {path} cannot be read: Is a directory"),
        (
            lambda: (path.rmdir(), replace_key(path)),
            f"The key file {path} was replaced; put the former one back and restart",
        ),
    ):
        change()
        with pytest.raises(KeyFileError) as refused:
            seal.open(sealed, owner="one")
        assert str(refused.value) == said
        with pytest.raises(KeyFileError) as refused:
            seal.close("sk", owner="one")
        assert str(refused.value) == said
    replace_key(path, key)
    assert seal.open(sealed, owner="one") == "sk"


def test_server_that_was_started_with_a_former_key_stores_nothing(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    with database.reading() as connection:
        check_fingerprint(connection, seal)
    forget_fact(database)
    with database.reading() as connection, pytest.raises(KeyFileError) as refused:
        check_fingerprint(connection, seal)
    assert str(refused.value) == f"The key file {path} is not the database's any more; restart the gateway"


def test_other_key_is_refused_with_both_fingerprints(database: Database, path: Path) -> None:
    expected = load_seal(path, database).fingerprint
    replace_key(path)
    with pytest.raises(SetupError) as refused:
        load_seal(path, database)
    found = fingerprint_of(path.read_bytes())
    assert refused.value.message == (
        f"The key file {path} holds another key, with the fingerprint {found}; the database's is {expected}. "
        f"Copy the key file of the database there, or {HOW}"
    )
    assert fact(database) == expected


def test_key_is_tried_where_a_database_has_no_fingerprint_yet(database: Database, path: Path) -> None:
    owner = store_key(database, load_seal(path, database))
    forget_fact(database)
    seal = load_seal(path, database)
    assert fact(database) == seal.fingerprint
    assert seal.open(stored_keys(database)[0], owner=owner) == "sk-kiln"
    forget_fact(database)
    replace_key(path)
    with pytest.raises(SetupError) as refused:
        load_seal(path, database)
    assert refused.value.message == (
        f"The key file {path} holds another key, which API keys in the database were not encrypted with. "
        f"Copy the key file of the database there, or {HOW}"
    )
    assert fact(database) is None


def test_missing_key_is_made_only_where_nothing_needs_it(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    store_key(database, seal)
    path.unlink()
    for named in (f" (fingerprint {seal.fingerprint})", ""):
        with pytest.raises(SetupError) as refused:
            load_seal(path, database)
        assert refused.value.message == (
            f"The key file {path} is missing, and the database needs it{named}. Copy it there from a backup or from "
            f"the other server, or {HOW}"
        )
        assert not path.exists()
        forget_fact(database)


def test_reset_forgets_all_keys_and_takes_any_key(database: Database, path: Path) -> None:
    seal = load_seal(path, database)
    store_key(database, seal)
    path.unlink()
    made = load_seal(path, database, is_reset=True)
    assert made.fingerprint != seal.fingerprint
    assert fact(database) == made.fingerprint
    assert stored_keys(database) == []
    store_key(database, made)
    replace_key(path)
    assert load_seal(path, database, is_reset=True).fingerprint == fingerprint_of(path.read_bytes())
    assert fact(database) == fingerprint_of(path.read_bytes())
    assert stored_keys(database) == []


@pytest.mark.parametrize("size", [0, 31, 33])
def test_file_of_another_size_holds_no_key(database: Database, path: Path, size: int) -> None:
    path.parent.mkdir()
    replace_key(path, b"x" * size)
    with pytest.raises(SetupError) as refused:
        load_seal(path, database)
    assert refused.value.message == f"The key file {path} does not hold a key of 32 bytes."


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o601, 0o660])
def test_key_that_others_may_read_is_refused(database: Database, path: Path, mode: int) -> None:
    path.parent.mkdir()
    replace_key(path)
    path.chmod(mode)
    with pytest.raises(SetupError) as refused:
        load_seal(path, database)
    assert refused.value.message == f"Others may read the key file {path}; run chmod 600 on it."
    path.chmod(0o400)
    assert load_seal(path, database).fingerprint


def test_key_file_that_is_a_folder_is_named(database: Database, path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(SetupError) as refused:
        load_seal(path, database)
    assert refused.value.message == f"The key file {path} cannot be used: Is a directory."


def test_folder_of_the_key_that_cannot_be_made_is_named(database: Database, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(SetupError, match=r"auth-material\.key cannot be used: .+\.$"):
        load_seal(tmp_path / "keys" / "auth-material.key", database)
