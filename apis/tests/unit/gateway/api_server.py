"""A server of the gateway within the process of the tests, and the provider that it asks for models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient
from sqlalchemy import select

from apis.tests.unit.gateway.databases import make_database
from gateway_api.app import create_app
from gateway_api.database import Database
from gateway_api.store.recording import Recorder
from gateway_api.store.workspaces import get_live
from gateway_api.tables import active_workspace, former_names, prompts, providers, usage_totals, workspaces

BASE = "/api/v1/provider-endpoints"


class Server:
    """A server, and the provider that it asks for models."""

    def __init__(self, folder: Path) -> None:
        self.settings = replace(make_database(folder), allowed_hosts=("testserver",))
        self.models: list[str]
        self.status: int
        self.asked: list[tuple[str, str | None]]
        self.meanwhile: Callable[[], object]
        """Done while the provider is asked."""
        self.app = create_app(self.settings, transport=httpx.MockTransport(self._answer))
        self.client = TestClient(self.app)
        self._key = self.settings.key_file.read_bytes()

    def reset(self) -> None:
        """Go back to the state of a first start: a new application takes longer than most tests."""
        self.models, self.status, self.asked, self.meanwhile = ["a", "b"], 200, [], lambda: None
        if not self.settings.key_file.exists():
            self.settings.key_file.write_bytes(self._key)
            self.settings.key_file.chmod(0o600)
        with self.database.writing() as connection:
            first = workspaces.c.name == "default"
            row_id = connection.scalar(select(workspaces.c.id).where(first))
            connection.execute(active_workspace.update().values(workspace_id=row_id))
            connection.execute(workspaces.delete().where(~first))
            zero = dict.fromkeys(("prompt_count", "malicious_packages", "pii", "secrets", "total_alerts"), 0)
            connection.execute(workspaces.update().values(custom_instructions="", **zero))
            for table in (providers, former_names, prompts, usage_totals):
                connection.execute(table.delete())

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append((str(request.url), request.headers.get("authorization")))
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        await asyncio.to_thread(meanwhile)
        return httpx.Response(self.status, json={"data": [{"id": name} for name in self.models]})

    @property
    def database(self) -> Database:
        found: Database = self.app.state.parts.database
        return found

    def add(self, name: str = "box", **fields: Any) -> Any:
        answer = self.client.post(BASE, json=provider(name, **fields))
        assert answer.status_code == 201, answer.text
        return answer.json()

    def key(self, name: str = "box") -> str | None:
        """Read the stored API key of a provider."""
        with self.database.reading() as connection:
            row = connection.execute(select(providers).where(providers.c.name == name)).one()
        seal = self.app.state.parts.seal
        return None if row.sealed_key is None else seal.open(row.sealed_key, owner=row.public_id)

    def names(self, provider_name: str = "box") -> list[str]:
        return [one["name"] for one in self.client.get(f"{BASE}/{provider_name}/models").json()]

    def listed(self) -> list[str]:
        return [one["name"] for one in self.client.get(BASE).json()]

    def record(self, *exchanges: Any) -> None:
        with self.database.writing() as connection:
            recorder = Recorder(connection)
            for exchange in exchanges:
                recorder.record(get_live(connection, exchange.workspace).id, exchange)
            recorder.finish()


def provider(name: str = "box", **fields: Any) -> dict[str, Any]:
    values = {"name": name, "provider_type": "vllm", "endpoint": "http://box.example", "auth_type": "none"}
    return values | fields


def with_key(name: str = "box", **fields: Any) -> dict[str, Any]:
    return provider(name, auth_type="api_key", **fields)
