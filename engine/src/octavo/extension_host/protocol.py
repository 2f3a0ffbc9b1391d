"""What the build and the process that runs extensions tell each other: MessagePack behind a length."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

_LENGTH_BYTES = 4


class Failure(msgspec.Struct, frozen=True):
    """Why a function gave nothing."""

    message: str
    """What was wrong: the exception and its text."""
    place: str = ""
    """`ext/changelog.py:12`; empty where it is not in a file of the author's."""
    is_value: bool = False
    """What the author of a page has written does not fit the type that was registered."""
    is_lost: bool = False
    """The process has ended or was ended: another attempt may go otherwise, so nothing is kept of it."""


class Reported(msgspec.Struct, frozen=True):
    """A finding of an extension."""

    message: str
    path: str
    line: int
    column: int
    level: str
    suggestion: str


class Function(msgspec.Struct, frozen=True):
    """A registered function."""

    kind: str
    """`directive`, `fence`, `field`, `documents`, `transform`, `check`, `after_publish` or `command`."""
    name: str
    line: int = 1
    """1-based line on which it begins."""


class Described(msgspec.Struct, frozen=True):
    """What an extension has registered."""

    spec: str
    """As `octavo.toml` names it."""
    name: str
    path: str
    """Its file, from the site's folder where it lies in it."""
    functions: list[Function] = []
    inputs: list[str] = []
    modules: list[str] = []
    """Absolute paths of the files of the author's that it consists of."""
    tools: dict[str, str] = {}
    """Distribution that it uses → version."""
    failure: Failure | None = None


class Request(msgspec.Struct, frozen=True):
    """Call a function."""

    spec: str
    kind: str
    name: str
    argument: dict[str, Any]
    is_audited: bool = False
    """Look for inputs that are not declared."""


class Answer(msgspec.Struct, frozen=True):
    """What a function gave."""

    value: Any = None
    failure: Failure | None = None
    reads: dict[str, str] = {}
    """Path of a file that was read → hash of its content, as `Document.dependencies` has it."""
    findings: list[Reported] = []
    undeclared: list[str] = []
    """What it has read or done that it did not declare, as sentences."""
    seconds: float = 0.0


class Start(msgspec.Struct, frozen=True):
    """The first message: what to load. It is answered by a `Described` for each, in order and as soon as it is known."""

    site_dir: str
    specs: list[str]
    memory: int
    """Bytes of address space; 0 for no limit."""
    options: dict[str, dict[str, Any]]
    """Name of an extension → what the settings say to it."""


def write_message(stream: BinaryIO, message: object) -> None:
    """Send a message.

    Raises:
        OSError: nobody listens.
    """
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes | None:
    """Receive a message; None where the other side has hung up."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    return data if len(data) == size else None
