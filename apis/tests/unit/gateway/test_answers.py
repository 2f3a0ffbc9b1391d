"""Answers to refused requests: findings without secrets, and with no more of a wrong value than helps."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field

from gateway_api.errors import ConflictError, DiscoveryError
from gateway_api.events import TooManyListenersError
from gateway_api.storage_errors import StorageError, Trouble
from gateway_api.web.answers import answer_errors


class Body(BaseModel):
    api_key: int | None = None
    count: int = Field(default=0, le=9)
    names: list[str] = []


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    answer_errors(app)

    @app.post("/check")
    def check(body: Body) -> None:
        """Take a body."""

    @app.get("/fail/{how}")
    def fail(how: str) -> None:
        failures: dict[str, Exception] = {
            "conflict": ConflictError("The name \ud800 is taken"),
            "discovery": DiscoveryError("the key was refused"),
            "busy": StorageError(Trouble.BUSY, "the database"),
            "full": StorageError(Trouble.FULL, "the database"),
            "listeners": TooManyListenersError(),
        }
        raise failures[how]

    return TestClient(app)


def findings(client: TestClient, content: str) -> list[dict[str, Any]]:
    answer = client.post("/check", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    return list(answer.json()["detail"])


@pytest.mark.parametrize(
    ("value", "echo"),
    [
        *(('"ab"', "ab"), ("1.5", 1.5), ("null", None)),
        (f'"{"x" * 201}"', "x" * 200),
        ('"\\ud800"', "?"),
        (str(2**53 - 1), 2**53 - 1),
    ],
)
def test_wrong_value_is_sent_back_where_it_is_short_and_plain(client: TestClient, value: str, echo: Any) -> None:
    (found,) = findings(client, f'{{"count": {value}}}')
    assert found["loc"] == ["body", "count"]
    assert found["input"] == echo


@pytest.mark.parametrize("value", ["[1]", "{}", "NaN", "Infinity", str(2**53)])
def test_other_values_are_not_sent_back(client: TestClient, value: str) -> None:
    (found,) = findings(client, f'{{"count": {value}}}')
    assert "input" not in found


def test_secret_is_not_sent_back(client: TestClient) -> None:
    (found,) = findings(client, '{"api_key": "sk-live"}')
    assert found["loc"] == ["body", "api_key"]
    assert "sk-live" not in str(found)


def test_limits_are_told(client: TestClient) -> None:
    (found,) = findings(client, '{"count": 10}')
    assert (found["type"], found["ctx"]) == ("less_than_equal", {"le": 9})
    (found,) = findings(client, '{"names": [null]}')
    assert "ctx" not in found


def test_body_that_is_no_text_is_no_json(client: TestClient) -> None:
    answer = client.post("/check", content=b'{"count": "\xff"}', headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["detail"][0]["type"]) == (422, "json_invalid")


@pytest.mark.parametrize(
    ("how", "status", "retry", "said"),
    [
        ("conflict", 409, None, "The name ? is taken"),
        ("discovery", 401, None, "Could not list models of the provider: the key was refused"),
        ("busy", 503, "1", "The database is busy; try again"),
        ("full", 503, None, "The storage of the database is full"),
        ("listeners", 503, "1", "Too many listeners; try again later"),
    ],
)
def test_refusal_is_one_sentence(client: TestClient, how: str, status: int, retry: str | None, said: str) -> None:
    answer = client.get(f"/fail/{how}")
    assert (answer.status_code, answer.headers.get("retry-after")) == (status, retry)
    assert answer.json()["detail"].startswith(said)
