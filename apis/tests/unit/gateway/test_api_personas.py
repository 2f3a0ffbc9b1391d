"""Personas and the version by way of the operations."""

from __future__ import annotations

import pytest

from apis.tests.unit.gateway.api_server import Server
from gateway_api import __version__

BASE = "/api/v1/personas"
WRITER, READER = "Writes guides for people who are new to pottery.", "Counts the sales of each month."


@pytest.mark.costly
def test_persona_is_stored_listed_changed_and_removed(server: Server) -> None:
    added = server.client.post(BASE, json={"name": "writer", "description": WRITER})
    assert added.status_code == 201
    persona = added.json()
    assert persona == {"id": persona["id"], "name": "writer", "description": WRITER}
    assert server.client.get(BASE).json() == [persona]
    assert server.client.get(f"{BASE}/writer").json() == persona
    changed = server.client.put(f"{BASE}/writer", json={"new_name": "reader", "new_description": READER})
    assert changed.json() == {"id": persona["id"], "name": "reader", "description": READER}
    assert server.client.get(f"{BASE}/writer").status_code == 404
    assert server.client.get(f"{BASE}/reader").json() == changed.json()
    assert server.client.delete(f"{BASE}/reader").status_code == 204
    assert server.client.get(BASE).json() == []
    assert server.client.delete(f"{BASE}/reader").status_code == 404
    assert server.client.put(f"{BASE}/reader", json={"new_name": "a", "new_description": "b"}).status_code == 404


def test_persona_needs_a_name_and_a_description_of_its_own(server: Server) -> None:
    for name, description in (("writer", WRITER), ("reader", READER)):
        assert server.client.post(BASE, json={"name": name, "description": description}).status_code == 201
    try:
        for name, description in (("writer", "Sings."), ("other", WRITER)):
            assert server.client.post(BASE, json={"name": name, "description": description}).status_code == 409
        for name, description in (("writer", "Sings."), ("other", WRITER)):
            body = {"new_name": name, "new_description": description}
            assert server.client.put(f"{BASE}/reader", json=body).status_code == 409
        assert [one["name"] for one in server.client.get(BASE).json()] == ["writer", "reader"]
    finally:
        for name in ("writer", "reader"):
            server.client.delete(f"{BASE}/{name}")


def test_version_is_that_of_this_release(server: Server) -> None:
    answer = server.client.get("/api/v1/version").json()
    assert answer == {"current_version": __version__, "latest_version": "unknown", "is_latest": None, "error": None}
    assert server.client.get("/health").json() == {"status": "healthy"}
