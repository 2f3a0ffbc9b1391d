"""Values of secrets: from a file of the owner's, then from the environment. They are never stored or logged."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

from dotenv.parser import Original, parse_stream

from tool_api.errors import FieldError, StartError

VARIABLE_PREFIX = "TOOLHIVE_SECRET_"
MAX_FILE_BYTES = 1024 * 1024


class Secrets:
    """Looks secrets up by name. The file is read for each new server; a server keeps the values it was created with."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path is not None:
            _read(path)

    def resolve(self, wanted: tuple[tuple[str, str], ...]) -> dict[str, str]:
        """Values by the variable that receives them.

        Raises:
            FieldError: A secret is missing, or the file cannot be used any more.
        """
        if not wanted:
            return {}
        try:
            known = _read(self._path) if self._path else {}
        except StartError as error:
            raise FieldError("secrets", str(error)) from error
        values: dict[str, str] = {}
        for name, target in wanted:
            value = known.get(name, os.environ.get(VARIABLE_PREFIX + name))
            if value is None:
                raise FieldError("secrets", f'there is no secret named "{name}"')
            values[target] = value
        return values


def _read(path: Path) -> dict[str, str]:
    """Read a dotenv file.

    Raises:
        StartError: It cannot be read, or others than its owner can read it.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            # What others can read is not a secret. The check is made on the open file, which nobody can exchange.
            if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
                raise StartError(f'secrets file "{path.name}" can be read by others; set its mode to 0600.')
            raw = file.read(MAX_FILE_BYTES + 1)
            if len(raw) > MAX_FILE_BYTES:
                raise StartError(f'secrets file "{path.name}" is larger than {MAX_FILE_BYTES} bytes.')
            text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f'secrets file "{path.name}" cannot be read.') from error
    values: dict[str, str] = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error or (binding.key is not None and binding.value is None):
            raise StartError(f'secrets file "{path.name}", line {_line(binding.original)}: expected NAME=VALUE.')
        if binding.key is not None and binding.value is not None:
            values[binding.key] = binding.value
    return values


def _line(found: Original) -> int:
    """Number of the line that is wrong; the parser counts from the blank lines before it."""
    return found.line + found.string[: len(found.string) - len(found.string.lstrip())].count("\n")
