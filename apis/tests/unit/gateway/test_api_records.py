"""Workspaces, records and the server itself in the API of the gateway, in one process."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.unit.gateway.api_server import BASE, Server
from apis.tests.unit.gateway.databases import make_database
from gateway_api.app import create_app
from gateway_api.errors import SetupError
from gateway_api.tables import workspaces
from gateway_api.web.document import load_document

RULE = {"provider_name": "box", "provider_type": "vllm", "model": "a", "matcher_type": "catch_all", "matcher": ""}


class TestWorkspaces:
    path = "/api/v1/workspaces"

    def test_workspace_is_made_with_its_configuration(self, server: Server) -> None:
        server.add()
        rule = RULE
        config = {"custom_instructions": "Be brief.", "muxing_rules": [rule]}
        answer = server.client.post(self.path, json={"name": "alpha", "config": config})
        assert (answer.status_code, answer.json()) == (201, {"name": "alpha", "config": config})
        assert server.client.get(f"{self.path}/alpha").json() == {"name": "alpha", "config": config}
        assert server.client.get(f"{self.path}/alpha/muxes").json() == [rule]
        assert server.client.get(f"{self.path}/alpha/custom-instructions").json() == {"prompt": "Be brief."}
        plain = {"name": "beta", "config": {"custom_instructions": "", "muxing_rules": []}}
        assert server.client.post(self.path, json={"name": " beta "}).json() == plain
        found = server.client.get(f"{self.path}?provider_name=box").json()
        assert [one["name"] for one in found["workspaces"]] == ["alpha"]

    def test_change_keeps_what_it_leaves_out(self, server: Server) -> None:
        server.add()
        rule = RULE
        other = rule | {"model": "b"}
        server.client.post(
            self.path,
            json={"name": "alpha", "config": {"custom_instructions": "Be brief.", "muxing_rules": [rule]}},
        )

        def change(**body: Any) -> Any:
            return server.client.put(f"{self.path}/alpha", json={"name": "alpha"} | body).json()["config"]

        whole = {"custom_instructions": "Be brief.", "muxing_rules": [rule]}
        assert change() == whole
        assert change(config={"custom_instructions": "", "muxing_rules": []}) == whole
        assert change(config={"custom_instructions": "Be long.", "muxing_rules": []}) == whole | {
            "custom_instructions": "Be long."
        }
        assert change(config={"custom_instructions": "", "muxing_rules": [other]}) == {
            "custom_instructions": "Be long.",
            "muxing_rules": [other],
        }
        answer = server.client.put(f"{self.path}/alpha", json={"name": "beta"})
        assert answer.json()["name"] == "beta"
        assert server.client.get(f"{self.path}/alpha").status_code == 404

    def test_instructions_and_rules_are_set_and_cleared(self, server: Server) -> None:
        server.add()
        rule = RULE
        path = f"{self.path}/default"
        assert server.client.put(f"{path}/custom-instructions", json={"prompt": "p"}).status_code == 204
        assert server.client.get(f"{path}/custom-instructions").json() == {"prompt": "p"}
        assert server.client.delete(f"{path}/custom-instructions").status_code == 204
        assert server.client.get(f"{path}/custom-instructions").json() == {"prompt": ""}
        assert server.client.put(f"{path}/muxes", json=[rule]).status_code == 204
        assert server.client.get(f"{path}/muxes").json() == [rule]
        assert server.client.put(f"{path}/muxes", json=[]).status_code == 204
        assert server.client.get(f"{path}/muxes").json() == []

    def test_life_of_a_workspace(self, server: Server) -> None:
        def listed(part: str) -> list[str]:
            return [one["name"] for one in server.client.get(f"{self.path}{part}").json()["workspaces"]]

        server.client.post(self.path, json={"name": "alpha"})
        assert server.client.post(f"{self.path}/active", json={"name": "alpha"}).status_code == 204
        assert listed("/active") == ["alpha"]
        server.client.post(f"{self.path}/active", json={"name": "default"})
        assert server.client.delete(f"{self.path}/alpha").status_code == 204
        assert (listed(""), listed("/archive")) == (["default"], ["alpha"])
        assert server.client.post(f"{self.path}/archive/alpha/recover").status_code == 204
        assert (listed(""), listed("/archive")) == (["default", "alpha"], [])
        server.client.delete(f"{self.path}/alpha")
        assert server.client.delete(f"{self.path}/archive/alpha").status_code == 204
        assert (listed(""), listed("/archive")) == (["default"], [])

    def test_refused_rule_leaves_no_workspace_behind(self, server: Server) -> None:
        rule = {"provider_name": "box", "provider_type": "vllm", "model": "a", "matcher_type": "catch_all"}
        config = {"custom_instructions": "", "muxing_rules": [rule]}
        assert server.client.post(self.path, json={"name": "alpha", "config": config}).status_code == 400
        assert server.client.get(f"{self.path}/alpha").status_code == 404

    @pytest.mark.parametrize("part", ["", "/custom-instructions", "/muxes", "/alerts", "/alerts-summary", "/messages"])
    def test_missing_workspace_is_not_found(self, server: Server, part: str) -> None:
        answer = server.client.get(f"{self.path}/nobody{part}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Workspace does not exist"})


class TestRecords:
    path = "/api/v1/workspaces/default"

    def test_alerts_are_one_list_however_many_they_are(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gateway_api.routes.records._SEND_BYTES", 300)
        monkeypatch.setattr("gateway_api.store.records._ALERTS", 3)
        assert server.client.get(f"{self.path}/alerts").json() == []
        server.record(
            *(
                make_exchange(
                    "default", minute=n, messages=[f"m{n}"], alerts=[make_alert("pii", trigger_string=f"{n}")]
                )
                for n in range(7)
            )
        )
        answer = server.client.get(f"{self.path}/alerts")
        assert answer.headers["content-type"] == "application/json"
        assert sorted(one["trigger_string"] for one in answer.json()) == [f"{n}" for n in range(7)]

    def test_usage_counts_tokens_without_a_price_in_a_header(self, server: Server) -> None:
        unknown = {"provider_type": "vllm", "model": "own", "input_tokens": 7, "output_tokens": 3}
        server.record(
            make_exchange("default", usage=gpt_usage()),
            make_exchange("default", usage=unknown | {"provider_type": "openai"}),
        )
        answer = server.client.get(f"{self.path}/token-usage")
        assert answer.headers["x-unpriced-tokens"] == "10"
        assert answer.json()["token_usage"]["input_tokens"] == 1_007

    def test_pages_of_messages(self, server: Server) -> None:
        made = [make_exchange("default", minute=n, messages=[f"m{n}"]) for n in range(60)]
        server.record(*made)
        found = server.client.get(f"{self.path}/messages").json()
        assert (found["limit"], found["offset"], found["total"], len(found["data"])) == (50, 0, 60, 50)
        found = server.client.get(f"{self.path}/messages?page=2&page_size=7").json()
        assert (found["limit"], found["offset"]) == (7, 7)
        assert [one["prompt"]["message"] for one in found["data"]] == [f"m{n}" for n in range(52, 45, -1)]
        id_ = str(made[3].id)
        found = server.client.get(f"{self.path}/messages?filter_by_ids={id_}").json()
        assert [one["chat_id"] for one in found["data"]] == [id_]
        assert server.client.get(f"{self.path}/messages/{id_}").json()["chat_id"] == id_
        answer = server.client.get(f"{self.path}/messages/nobody")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Conversation not found"})
        for query in ("page=0", "page_size=0", "page_size=101"):
            assert server.client.get(f"{self.path}/messages?{query}").status_code == 422
        assert server.client.get(f"{self.path}/messages?page_size=100").status_code == 200


class TestServer:
    def test_own_pages_and_figures(self, server: Server) -> None:
        assert server.client.get("/health").json() == {"status": "healthy"}
        assert server.client.get("/openapi.json").json() == load_document()
        for path in ("/docs", "/redoc"):
            page = server.client.get(path)
            assert page.headers["content-type"].startswith("text/html")
            assert page.headers["referrer-policy"] == "no-referrer"
            assert "default-src" in page.headers["content-security-policy"]
        figures = server.client.get("/metrics")
        assert figures.headers["content-type"].startswith("text/plain")
        counter = 'gateway_requests_total{method="GET",route="/api/v1/workspaces/{workspace_name}",status="404"} '
        timer = 'gateway_request_seconds_count{route="/health"} '

        def read(name: str) -> float:
            lines = server.client.get("/metrics").text.splitlines()
            return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))

        before = read(counter), read(timer)
        server.client.get("/api/v1/workspaces/nobody")
        server.client.get("/health")
        assert (read(counter), read(timer)) == (before[0] + 1, before[1] + 1)

    def test_each_request_is_logged_by_its_route(self, server: Server, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.INFO, "gateway_api"):
            server.client.get(f"{BASE}/secret-name")
            server.client.request("BREW", "/nowhere")
        first, second = [json.loads(line) for line in caplog.messages]
        assert {name: first[name] for name in ("event", "method", "route", "status")} == {
            "event": "request",
            "method": "GET",
            "route": f"{BASE}/{{provider_name}}",
            "status": 404,
        }
        assert len(first["request_id"]) > 8
        assert 0 < first["duration_ms"] < 60_000
        assert (second["method"], second["route"]) == ("other", "unknown")
        assert "secret-name" not in caplog.text

    def test_deleted_workspace_is_removed_in_the_background(self, server: Server) -> None:
        server.client.post("/api/v1/workspaces", json={"name": "alpha"})
        server.client.delete("/api/v1/workspaces/alpha")
        server.client.delete("/api/v1/workspaces/archive/alpha")
        for _ in range(1_000):
            with server.database.reading() as connection:
                if list(connection.scalars(select(workspaces.c.name))) == ["default"]:
                    return
        raise AssertionError("the workspace is still there")

    def test_server_that_cannot_start_closes_its_database(self, tmp_path: Path) -> None:
        settings = make_database(tmp_path)
        settings.key_file.write_bytes(b"short")
        settings.key_file.chmod(0o600)
        with pytest.raises(SetupError, match="does not hold a key"):
            create_app(settings)
        assert not (tmp_path / "gateway.sqlite-wal").exists()
        settings.key_file.unlink()
        with TestClient(create_app(replace(settings, forgets_api_keys=True))):
            assert (tmp_path / "gateway.sqlite-wal").exists()
        assert not (tmp_path / "gateway.sqlite-wal").exists()
