"""A folder of servers on an engine that is simulated."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tool_api import logs
from tool_api.endpoint.ports import Ports
from tool_api.errors import EngineError
from tool_api.runtime.base import INSTANCE, ContainerState, LinkSpec
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

LIMIT_S = 240
SPEC = ServerSpec("one", "mcp/one:1")


class Engine(SimulatedRuntime):
    """Containers of which an engine knows the state; servers answer as simulated ones do."""

    name = "docker"
    outlives = True

    def __init__(self, instance: str) -> None:
        super().__init__(lambda _image: ["tell"])
        self._instance = instance
        self.containers: dict[str, ContainerState] = {}
        self.calls: list[tuple[str, ...]] = []
        self.refuses: set[str] = set()
        """Operations that fail."""
        self.numbers = iter(range(1, 1_000))

    def _do(self, operation: str, *values: str) -> None:
        self.calls.append((operation, *values))
        if operation in self.refuses:
            raise EngineError(f"the engine refused to {operation}")

    def put(self, container_id: str, state: str, **fields: Any) -> None:
        known = self.containers.get(container_id)
        made = known or ContainerState(container_id, container_id, state, "", labels={INSTANCE: self._instance})
        self.containers[container_id] = replace(made, state=state, status=f"{state} for a while", **fields)

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        self._do("create", row.name, *sorted(f"{name}={value}" for name, value in secrets.items()))
        made = replace(row, container_id=f"container-{next(self.numbers)}")
        self.put(made.container_id, "created", name=row.name, image=row.spec.image)
        return made

    async def start(self, row: ServerRow) -> None:
        self._do("start", row.name)
        self.put(row.container_id, "running")

    async def adopt(self, row: ServerRow) -> None:
        self._do("adopt", row.name)

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        self._do("stop", row.name, str(timeout_s))
        self.put(row.container_id, "exited")

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        self._do("remove", row.name, str(force))
        self.containers.pop(row.container_id, None)

    async def states(self) -> dict[str, ContainerState] | None:
        if "states" in self.refuses:
            raise EngineError("the engine does not answer")
        return dict(self.containers)

    def link(self, row: ServerRow) -> LinkSpec:
        del row
        return {"kind": "simulated", "tools": ["tell"]}

    def operations(self) -> list[tuple[str, ...]]:
        found, self.calls = self.calls, []
        return found


class House:
    """An API, its engine, and what it has logged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[dict[str, Any]] = []
        self.engine: Engine
        self.store: Store
        self.servers: Servers
        self.ports: Ports

    @asynccontextmanager
    async def running(self, engine: Engine | None = None) -> AsyncIterator[None]:
        """Run an API on the folder; a later one may take the engine of an earlier one."""
        self.store = Store(self.folder)
        self.engine = engine or Engine(self.store.instance)
        secrets = self.folder / "secrets.env"
        secrets.write_text("key=corner-lantern")
        secrets.chmod(0o600)

        def make(on_lost: Callable[[str], None]) -> Ports:
            self.lose = on_lost
            self.ports = Ports(Limits(), (), self.store.sessions_of)
            return self.ports

        self.servers = Servers(self.store, self.engine, Secrets(secrets), make, stop_timeout_s=7)
        try:
            async with self.servers.running():
                yield
        finally:
            self.store.close()

    def said(self, event: str) -> list[dict[str, Any]]:
        hidden = {"time", "event", "request_id"}
        return [{k: v for k, v in one.items() if k not in hidden} for one in self.events if one["event"] == event]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LIMIT_S))


@contextmanager
def opened(folder: Path) -> Iterator[House]:
    """Have a house whose log is kept."""
    made = House(folder)
    logs.send_to(lambda line: made.events.append(json.loads(line)))
    yield made
    logs.send_to(logs.write_line)
