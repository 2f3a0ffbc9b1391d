"""API keys in an export: encrypted with AES-256-GCM under a key that scrypt makes of a passphrase."""

from __future__ import annotations

import base64
import os
import unicodedata
from pathlib import Path
from typing import Any, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from gateway_api.errors import SetupError

PASSPHRASE_VARIABLE = "GATEWAY_PASSPHRASE"  # noqa: S105 - its name
SHORTEST = 12
"""Characters of a passphrase."""

_COST, _BLOCK_SIZE, _PARALLEL = 2**17, 8, 1
"""scrypt's N, r and p: 128 MiB and about half a second for each guess."""

_MOST_COST = 2**20
_SALT_BYTES, _NONCE_BYTES, _KEY_BYTES = 16, 12, 32
_CHECK = "octavo-gateway-export"


class PassphraseCipher:
    """Encrypts texts for an owner each.

    Args:
        passphrase: What only people know.
        salt: 16 random bytes, stored beside the texts.
        cost: scrypt's N.
    """

    def __init__(self, passphrase: str, salt: bytes, cost: int) -> None:
        self._salt = salt
        self._cost = cost
        kdf = Scrypt(salt=salt, length=_KEY_BYTES, n=cost, r=_BLOCK_SIZE, p=_PARALLEL)
        self._cipher = AESGCM(kdf.derive(passphrase.encode()))

    @classmethod
    def new(cls, passphrase: str) -> Self:
        """Make one with a salt of its own."""
        return cls(passphrase, os.urandom(_SALT_BYTES), _COST)

    @classmethod
    def of_header(cls, passphrase: str, header: dict[str, Any]) -> Self:
        """Make the one that a file was written with.

        Raises:
            SetupError: The passphrase is another one, or the header is damaged.
        """
        try:
            cost = header["n"]
            if (header["kdf"], header["r"], header["p"]) != ("scrypt", _BLOCK_SIZE, _PARALLEL) or not (
                isinstance(cost, int) and 2**14 <= cost <= _MOST_COST and cost & (cost - 1) == 0
            ):
                raise SetupError("The export's keys are encrypted in a way that this release does not know.")
            salt = base64.b64decode(header["salt"], validate=True)
            made = cls(passphrase, salt, cost)
            try:
                made.open(header["check"], owner=_CHECK)
            except InvalidTag:
                # Some systems write an accent as a character of its own, and former releases took that as it came.
                decomposed = unicodedata.normalize("NFD", passphrase)
                if decomposed == passphrase:
                    raise
                made = cls(decomposed, salt, cost)
                made.open(header["check"], owner=_CHECK)
        except InvalidTag as error:
            raise SetupError("The passphrase is not the one that the export was written with.") from error
        except (KeyError, TypeError, ValueError) as error:
            raise SetupError("The header of the export is damaged: its part about keys cannot be read.") from error
        return made

    @property
    def header(self) -> dict[str, Any]:
        """What the header of a file says, so that the same passphrase opens it."""
        salt = base64.b64encode(self._salt).decode()
        parameters = {"kdf": "scrypt", "n": self._cost, "r": _BLOCK_SIZE, "p": _PARALLEL, "salt": salt}
        return parameters | {"check": self.close(_CHECK, owner=_CHECK)}

    def close(self, text: str, *, owner: str) -> str:
        """Encrypt a text; base64 of a fresh nonce and the ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), owner.encode())).decode()

    def open(self, sealed: str, *, owner: str) -> str:
        """Decrypt a text.

        Raises:
            InvalidTag: It was encrypted for another owner, or with another passphrase.
            ValueError: It is not base64.
        """
        data = base64.b64decode(sealed, validate=True)
        return self._cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], owner.encode()).decode()


def owner_of(public_id: str, provider_type: str, endpoint: str) -> str:
    """Name whom a key is for: a file in which somebody changes the endpoint does not open for it."""
    return f"{public_id}\n{provider_type}\n{endpoint}"


def read_passphrase(file: Path | None) -> str | None:
    """Read the passphrase from a file, else from the environment; None where neither has one.

    Raises:
        SetupError: The file cannot be read, or the passphrase cannot be used.
    """
    if file is None:
        text = os.environ.get(PASSPHRASE_VARIABLE, "")
        return checked(text, f"The passphrase in {PASSPHRASE_VARIABLE}") if text else None
    try:
        text = file.read_text(encoding="utf-8-sig").strip("\r\n")
    except OSError as error:
        raise SetupError(f"The passphrase file {file} cannot be read: {error.strerror}.") from error
    except UnicodeError as error:
        raise SetupError(f"The passphrase file {file} is not in UTF-8.") from error
    return checked(text, f"The passphrase in {file}")


def checked(passphrase: str, name: str = "The passphrase") -> str:
    """Give a passphrase in the one form that is encrypted with, in which equal characters are equal bytes (NFC).

    Raises:
        SetupError: It is guessed too easily, or cannot be typed.
    """
    if not passphrase.isprintable():  # line breaks and other control characters, and bytes that are not UTF-8
        raise SetupError(f"{name} has characters that cannot be typed on one line; use one line of UTF-8.")
    passphrase = unicodedata.normalize("NFC", passphrase)
    if len(passphrase.strip()) < SHORTEST:
        raise SetupError(f"{name} has fewer than {SHORTEST} characters.")
    return passphrase
