"""API keys at rest: encrypted with AES-256-GCM under a key in a file of its own.

The database keeps a fingerprint of that key. So a server that was given another key, or lost its own, refuses to
start instead of asking providers without credentials; servers with copies of the same file may share a database.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, delete, insert, select, update

from gateway_api.database import Database, telling_setup_errors
from gateway_api.errors import KeyFileError, SetupError
from gateway_api.tables import gateway_facts, providers
from service_guard import read_regular

_NONCE_BYTES = 12
_KEY_BYTES = 32
_FACT = "key_fingerprint"


class Seal:
    """Encrypts texts for one provider each; what was encrypted for another does not decrypt.

    Args:
        key: 32 bytes.
        path: The file that holds the key; it is compared before every use.
    """

    def __init__(self, key: bytes, path: Path) -> None:
        self._cipher = AESGCM(key)
        self.path = path
        self.fingerprint = fingerprint_of(key)

    def close(self, text: str, *, owner: str) -> bytes:
        """Encrypt a text: a fresh nonce of 12 bytes, then the ciphertext.

        Raises:
            KeyFileError: The key file has gone or changed: nobody could decrypt the text after a restart.
        """
        self._check_file()
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text.encode(), owner.encode())

    def open(self, sealed: bytes, *, owner: str) -> str:
        """Decrypt what was encrypted for an owner.

        Raises:
            KeyFileError: The key file has gone or changed, or the text was encrypted with another key.
        """
        self._check_file()
        if not self.opens(sealed, owner=owner):
            raise KeyFileError(f"The key file {self.path} does not decrypt the stored API key; set the API key again")
        return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], owner.encode()).decode()

    def opens(self, sealed: bytes, *, owner: str) -> bool:
        """Return whether a text was encrypted with this key for this owner."""
        try:
            self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], owner.encode())
        except InvalidTag:
            return False
        return True

    def _check_file(self) -> None:
        try:
            key = read_regular(self.path)
        except FileNotFoundError:
            raise KeyFileError(f"The key file {self.path} is missing; restore it from a backup") from None
        except OSError as error:
            raise KeyFileError(f"The key file {self.path} cannot be read: {error.strerror}") from error
        if fingerprint_of(key) != self.fingerprint:
            raise KeyFileError(f"The key file {self.path} was replaced; put the former one back and restart")


def fingerprint_of(key: bytes) -> str:
    """Name a key without telling it: 16 hex digits of a hash."""
    return hashlib.sha256(b"gateway auth material key:" + key).hexdigest()[:16]


def check_fingerprint(connection: Connection, seal: Seal) -> None:
    """Refuse to store what no other server of this database could decrypt.

    Raises:
        KeyFileError: The database belongs to another key by now.
    """
    if _expected(connection) != seal.fingerprint:
        raise KeyFileError(f"The key file {seal.path} is not the database's any more; restart the gateway")


def load_seal(path: Path, database: Database, *, is_reset: bool = False) -> Seal:
    """Read the key file, or make it for a database that has no stored API keys yet.

    Args:
        path: The key file.
        database: Where API keys are stored; it has today's tables.
        is_reset: Forget all stored API keys and accept whatever key there is, a new one if there is none.

    Raises:
        SetupError: The file is missing although the database needs it, it is not the database's own, others may read
            it, it holds no key, or it cannot be made.
    """
    with telling_setup_errors():
        if is_reset:
            with database.writing() as connection:
                _forget_keys(connection)
        with database.reading() as connection:
            expected = _expected(connection)
            has_keys = connection.scalar(select(providers.c.id).where(providers.c.sealed_key.is_not(None)).limit(1))
        seal = Seal(_read_key(path, may_be_made=expected is None and has_keys is None, expected=expected), path)
        with database.writing() as connection:
            _agree(connection, seal, path)
    return seal


def _expected(connection: Connection) -> str | None:
    found: str | None = connection.scalar(select(gateway_facts.c.value).where(gateway_facts.c.name == _FACT))
    return found


def _agree(connection: Connection, seal: Seal, path: Path) -> None:
    """Compare the key with the database's fingerprint, and store the fingerprint at the first start.

    Raises:
        SetupError: The database belongs to another key.
    """
    expected = _expected(connection)
    if expected is None:  # new, or written by a release that kept no fingerprint
        query = select(providers.c.public_id, providers.c.sealed_key).where(providers.c.sealed_key.is_not(None))
        if not all(seal.opens(row.sealed_key, owner=row.public_id) for row in connection.execute(query)):
            raise SetupError(_other_key(path, "which API keys in the database were not encrypted with"))
        connection.execute(insert(gateway_facts).values(name=_FACT, value=seal.fingerprint))
    elif expected != seal.fingerprint:
        raise SetupError(_other_key(path, f"with the fingerprint {seal.fingerprint}; the database's is {expected}"))


def _other_key(path: Path, difference: str) -> str:
    return (
        f"The key file {path} holds another key, {difference}. Copy the key file of the database there, "
        "or start once with --forget-api-keys to delete all stored API keys."
    )


def _forget_keys(connection: Connection) -> None:
    connection.execute(update(providers).values(sealed_key=None))
    connection.execute(delete(gateway_facts).where(gateway_facts.c.name == _FACT))


def _read_key(path: Path, *, may_be_made: bool, expected: str | None) -> bytes:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            if not may_be_made:
                named = f" (fingerprint {expected})" if expected else ""
                raise SetupError(
                    f"The key file {path} is missing, and the database needs it{named}. Copy it there from a backup or "
                    "from the other server, or start once with --forget-api-keys to delete all stored API keys."
                )
            _make_key(path)
        key = read_regular(path)  # first of all: a folder or a pipe has permissions that are not help
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SetupError(f"Others may read the key file {path}; run chmod 600 on it.")
    except OSError as error:
        raise SetupError(f"The key file {path} cannot be used: {error.strerror}.") from error
    if len(key) != _KEY_BYTES:
        raise SetupError(f"The key file {path} does not hold a key of {_KEY_BYTES} bytes.")
    return key


def _make_key(path: Path) -> None:
    """Make a key under another name and link it to its own: two servers that start at once agree on one whole file."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(os.urandom(_KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):  # another server was first; its key counts
        os.link(draft, path)
    draft.unlink()
