"""Who may call, decided from the head of a request alone."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from service_guard.rules import Refusal, Rules, announced_bytes, find_refusal, host_name, request_id

RULES = Rules(
    allowed_hosts=("localhost", "127.0.0.1", "::1"), allowed_origins=("http://localhost:3000",), max_body_bytes=10
)
HOST = ("host", "localhost:8989")


def refusal(method: str, *headers: tuple[str, str], rules: Rules = RULES) -> int | None:
    found = find_refusal(method, Headers(raw=[(n.encode(), v.encode()) for n, v in headers]), rules)
    return found.status if found else None


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8989", "localhost"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[::1]:8989", "::1"),
        ("localhost:65535", "localhost"),
        ("localhost:65536", None),
        ("localhost:evil", None),
        ("localhost:", None),
        ("localhost:80:80", None),
        ("[::1", None),
        ("[::1]evil", None),
        ("evil@localhost", None),
        ("local host", None),
        ("", None),
    ],
)
def test_host_name(host: str, name: str | None) -> None:
    assert host_name(host) == name


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("host", "evil.example")],
        [("host", "localhost.evil.example")],
        [("host", "localhost:evil")],
        [HOST, HOST],
        [HOST, ("host", "evil.example")],
    ],
    ids=str,
)
def test_foreign_missing_and_doubled_hosts_are_refused(headers: list[tuple[str, str]]) -> None:
    assert refusal("GET", *headers) == 421
    assert refusal("GET", *headers, rules=Rules(allowed_hosts=("*",))) is None


@pytest.mark.parametrize(
    ("origin", "may_change"),
    [
        ("http://localhost:3000", True),
        ("http://localhost:8989", True),  # the server's own pages
        ("https://localhost:3000", False),
        ("http://localhost:3001", False),
        ("http://localhost:3000.evil.example", False),
        ("HTTP://LOCALHOST:3000", False),
        ("null", False),
    ],
)
def test_only_listed_origins_and_the_own_one_change_anything(origin: str, may_change: bool) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert refusal(method, HOST, ("origin", origin)) == (None if may_change else 403)
    for method in ("GET", "HEAD", "OPTIONS"):
        assert refusal(method, HOST, ("origin", origin)) is None


def test_programs_send_no_origin() -> None:
    assert refusal("POST", HOST) is None


@pytest.mark.parametrize(("length", "status"), [("10", None), ("11", 413), ("9" * 30, None), ("-5", None), ("x", None)])
def test_announced_length(length: str, status: int | None) -> None:
    assert refusal("POST", HOST, ("content-length", length)) == status


def test_lengths_that_cannot_be_read_count_as_none() -> None:
    assert announced_bytes(Headers({"content-length": "12"})) == 12
    assert announced_bytes(Headers({"content-length": "1" * 20})) == 0


def test_refusals_say_why() -> None:
    found = find_refusal("POST", Headers({"host": "localhost", "content-length": "11"}), RULES)
    assert found == Refusal(413, "The body is larger than 10 bytes")


def test_request_ids() -> None:
    assert request_id(Headers({"x-request-id": "abc.DEF-1_2"})) == "abc.DEF-1_2"
    for wrong in ("a b", "x" * 65, "", "a\n"):
        made = request_id(Headers({"x-request-id": wrong}))
        assert made != wrong
        assert len(made) == 32
