"""Style sheets of packages."""

from __future__ import annotations

import base64
import mimetypes
from pathlib import Path, PurePosixPath

from octavo.bundling.project import package_of
from octavo.errors import UsageError
from octavo.lazy import regex as re

_ADDRESS = re.compile(r"""url\(\s*(?P<quote>["']?)(?P<address>[^"')]+)(?P=quote)\s*\)""")
_ABSOLUTE = re.compile(r"(?:/|#|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_LARGEST = 64_000
"""Bytes of a picture that is put into a style sheet."""


def read_style(work: Path, name: str) -> tuple[str, list[str]]:
    """Read a style sheet of an installed package, with its pictures in it, since a copy is published elsewhere.

    Returns:
        (the style sheet, addresses in it that lead nowhere).

    Raises:
        UsageError: there is none.
    """
    packages = (work / "node_modules").resolve()
    path = packages / PurePosixPath(name)
    left: list[str] = []

    def put_in(match: re.Match[str]) -> str:
        address = match["address"].strip()
        if _ABSOLUTE.match(address):
            return match[0]
        file = path.parent / re.split("[?#]", address, maxsplit=1)[0]
        kind = mimetypes.guess_type(file.name)[0] or ""
        # Fonts too would need an exception of the content security policy.
        is_theirs = file.resolve().is_relative_to(packages)
        if is_theirs and kind.startswith("image/") and file.is_file() and file.stat().st_size <= _LARGEST:
            return f'url("data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}")'
        left.append(address)
        return "none"

    try:
        text = path.read_text(encoding="utf-8")
        return _ADDRESS.sub(put_in, text), left
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f'The package "{package_of(name)}" has no style sheet "{name}".') from error
