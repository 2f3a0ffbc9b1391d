"""Auth material at rest: sealed with AES-256-GCM under a key in a file of its own."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gateway_api.errors import SetupError

_NONCE_BYTES = 12
_KEY_BYTES = 32


class Seal:
    """Seals texts for one provider each; what was sealed for another does not open."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def close(self, text: str, *, owner: str) -> bytes:
        """Seal a text: a fresh nonce of 12 bytes, then the ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text.encode(), owner.encode())

    def open(self, sealed: bytes, *, owner: str) -> str | None:
        """Open what was sealed for an owner; None where key or owner are others."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], owner.encode()).decode()
        except InvalidTag:
            return None


def load_seal(path: Path) -> Seal:
    """Read the key file; the first server makes it, readable by its user alone.

    Raises:
        SetupError: Others may read the file, it holds no key, or it cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            _make_key(path)
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SetupError(f"Others may read the key file {path.name}; run chmod 600 on it.")
        key = path.read_bytes()
    except OSError as error:
        raise SetupError(f"The key file {path.name} cannot be used: {error.strerror}.") from error
    if len(key) != _KEY_BYTES:
        raise SetupError(f"The key file {path.name} does not hold a key of {_KEY_BYTES} bytes.")
    return Seal(key)


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
