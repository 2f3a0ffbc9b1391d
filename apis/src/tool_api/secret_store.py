"""Values of secrets: from a file of the owner's, then from the environment. They are never stored or logged."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from tool_api.errors import FieldError, StartError

VARIABLE_PREFIX = "TOOLHIVE_SECRET_"
MAX_FILE_BYTES = 1024 * 1024

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z0-9_.-]+)\s*=\s*(.*?)\s*")


class Secrets:
    """Looks secrets up by name, anew each time, so that a changed file counts from the next start of a server."""

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
            # What others can read is no secret. The check is made on the open file, which nobody can exchange.
            if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
                raise StartError(f'secrets file "{path.name}" can be read by others; set its mode to 0600.')
            text = file.read(MAX_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f'secrets file "{path.name}" cannot be read.') from error
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise StartError(f'secrets file "{path.name}", line {number}: expected NAME=VALUE.')
        name, value = match.groups()
        values[name] = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
    return values
