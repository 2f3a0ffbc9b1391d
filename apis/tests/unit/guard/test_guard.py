"""The middleware around applications of a few lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service_guard import GuardedAnswer, Rules, ServiceGuard

RULES = Rules(allowed_hosts=("testserver",), allowed_origins=("http://page.example",), max_body_bytes=10)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message["body"]
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


async def crash(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise ValueError("a secret")


async def crash_late(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise ValueError("a secret")


class Run:
    """A guarded application, and what it has reported."""

    def __init__(self, app: ASGIApp, rules: Rules = RULES, **options: Any) -> None:
        self.answers: list[GuardedAnswer] = []
        self.crashes: list[tuple[str, str]] = []
        self.guard = ServiceGuard(
            app,
            rules,
            report=self.answers.append,
            report_crash=lambda error, id_: self.crashes.append((type(error).__name__, id_)),
            **options,
        )

    def send(self, method: str = "GET", **arguments: Any) -> httpx.Response:
        async def call() -> httpx.Response:
            transport = httpx.ASGITransport(self.guard)
            async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
                return await client.request(method, "/", **arguments)

        return asyncio.run(call())


def test_answers_are_marked_and_reported() -> None:
    run = Run(echo)
    answer = run.send("POST", content=b"hello", headers={"x-request-id": "abc"})
    assert (answer.text, answer.headers["x-request-id"]) == ("hello", "abc")
    assert answer.headers["x-content-type-options"] == "nosniff"
    (reported,) = run.answers
    assert (reported.status, reported.request_id, reported.is_stream) == (200, "abc", False)
    assert reported.seconds >= 0


def test_event_streams_are_told_apart() -> None:
    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    run = Run(stream)
    run.send()
    assert run.answers[0].is_stream


def test_refused_requests_do_not_reach_the_application() -> None:
    run = Run(crash)
    answer = run.send(headers={"host": "evil.example"})
    assert (answer.status_code, answer.json()) == (421, {"detail": "This host name is not served here"})
    assert run.crashes == []
    assert run.answers[0].status == 421


def test_a_crash_is_reported_once_with_its_id_and_told_to_nobody() -> None:
    run = Run(crash)
    answer = run.send(headers={"x-request-id": "abc"})
    assert (answer.status_code, answer.json()) == (500, {"detail": "Internal server error"})
    assert run.crashes == [("ValueError", "abc")]
    assert "secret" not in answer.text


def test_an_answer_that_has_begun_is_cut_off() -> None:
    run = Run(crash_late)
    with pytest.raises(ValueError, match="secret"):
        run.send()
    assert run.crashes[0][0] == "ValueError"
    assert run.answers[0].status == 200


async def _chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


@pytest.mark.parametrize(("parts", "status"), [((b"12345", b"67890"), 200), ((b"12345", b"67890", b"1"), 413)])
def test_bodies_that_announce_no_length_are_counted(parts: tuple[bytes, ...], status: int) -> None:
    run = Run(echo)
    answer = run.send("POST", content=_chunks(*parts))
    assert answer.status_code == status
    if status == 413:
        assert answer.json() == {"detail": "The body is larger than 10 bytes"}
        assert answer.headers["connection"] == "close"


@pytest.mark.costly
def test_bodies_that_do_not_end_are_given_up() -> None:
    rules = Rules(allowed_hosts=("*",), body_timeout_s=0.01)
    sent = asyncio.run(_talk(Run(echo, rules).guard, [{"type": "http.request", "body": b"1", "more_body": True}]))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"]) == {"detail": "The body was not complete after 0.01 seconds"}
    assert len(sent) == 2  # what the application says afterwards is not sent


def test_waiting_for_the_end_of_a_connection_has_no_limit() -> None:
    async def until_gone(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    rules = Rules(allowed_hosts=("*",), body_timeout_s=0.01)
    sent = asyncio.run(_talk(Run(until_gone, rules).guard, [{"type": "http.request", "body": b"", "more_body": False}]))
    assert sent[0]["status"] == 204


async def _talk(app: ASGIApp, messages: list[Message]) -> list[Message]:
    """Send messages, then nothing any more."""
    sent: list[Message] = []
    waiting = iter(messages)

    async def receive() -> Message:
        for message in waiting:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "raw_path": b"/", "headers": [], "query_string": b""}
    await app(scope, receive, send)
    return sent


def test_allowed_pages_may_read_answers_and_others_may_not() -> None:
    run = Run(echo)
    allowed = run.send(headers={"origin": "http://page.example"})
    assert allowed.headers["access-control-allow-origin"] == "http://page.example"
    assert allowed.headers["access-control-expose-headers"] == "x-request-id"
    assert "access-control-allow-origin" not in run.send(headers={"origin": "http://evil.example"}).headers


def test_preflights_are_answered() -> None:
    asked = {"origin": "http://page.example", "access-control-request-method": "PUT"}
    answer = Run(crash).send("OPTIONS", headers=asked)
    assert answer.status_code == 200
    assert "PUT" in answer.headers["access-control-allow-methods"]


def test_refusals_can_be_written_in_another_form() -> None:
    run = Run(crash, write_refusal=lambda detail: ("text/plain; charset=utf-8", detail.encode()))
    answer = run.send(headers={"host": "evil.example"})
    assert (answer.text, answer.headers["content-type"]) == (
        "This host name is not served here",
        "text/plain; charset=utf-8",
    )


@pytest.mark.parametrize("kind", ["lifespan", "websocket"])
def test_what_is_no_request_is_passed_on(kind: str) -> None:
    seen: list[str] = []

    async def note(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope["type"])

    nothing: Callable[..., Any] = asyncio.sleep
    asyncio.run(Run(note).guard({"type": kind}, nothing, nothing))
    assert seen == [kind]
