"""What a worker is started with, and what tells workers of different code or settings apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tool_api.settings import Limits

CONTROL_VERSION = 1
"""Of the messages between API and workers. `hello`, `release` and `end` keep their form in all versions: an API of a
later version uses them on workers of an earlier one."""


@dataclass(frozen=True, slots=True)
class Start:
    """Settings of one worker."""

    worker: str
    """What it is called: a server's name, or that of a group of servers."""

    state_dir: Path
    limits: Limits
    origins: tuple[str, ...]
    runtime: str
    """What servers run on, and where."""

    identity: str = ""
    """Of code and settings; a worker with another one is replaced."""

    @property
    def folder(self) -> Path:
        """Where workers keep their sockets, records and logs."""
        return self.state_dir / "workers"

    def identified(self) -> Start:
        """The same with its identity, which is that of all workers of one API."""
        settings = json.dumps([str(self.state_dir), asdict(self.limits), self.origins, self.runtime])
        digest = hashlib.sha256(f"{code()} {settings}".encode()).hexdigest()
        return replace(self, identity=digest[:32])

    def dump(self) -> str:
        return json.dumps(asdict(self), default=str)

    @classmethod
    def load(cls, text: str) -> Start:
        found: Mapping[str, Any] = json.loads(text)
        return cls(
            worker=found["worker"],
            state_dir=Path(found["state_dir"]),
            limits=Limits(**found["limits"]),
            origins=tuple(found["origins"]),
            runtime=found["runtime"],
            identity=found["identity"],
        )


@cache
def code() -> str:
    """Identity of the code of this process: version, and contents of all modules when this was called first."""
    digest = hashlib.sha256(f"{CONTROL_VERSION} {version('octavo-sandbox')}".encode())
    folder = Path(__file__).parents[1]
    for file in sorted(folder.rglob("*.py")):
        digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    return digest.hexdigest()
