"""Answers of clients that cannot be read: the server would wait for them for ever, and all other clients for the server."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from apis.tests.unit.tool.recorder import Recorder, call, initialize, run, serving, until
from apis.tests.unit.tool.test_event_streams import initialize as begin
from apis.tests.unit.tool.test_event_streams import listening

# The SDK's transports leave the ends of streams to the collector.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    gc.freeze()
    yield
    gc.collect()
    gc.unfreeze()


RESULT = 'it needs "method", "result" (an object) or "error"'
ODD = [
    ('{"jsonrpc":"2.0","id":NUMBER,"result":null}', RESULT),
    ('{"jsonrpc":"2.0","id":"NUMBER","result":[]}', RESULT),
    ('{"jsonrpc":"2.0","id":NUMBER}', RESULT),
    (
        '{"jsonrpc":"2.0","id":NUMBER,"error":"no"}',
        '"error" must be an object with an integer "code" and a text "message"',
    ),
    ('{"id":NUMBER,"result":{}}', '"jsonrpc" must be "2.0"'),
    ('{"jsonrpc":"2.0","id":NUMBER,"result":{"a":', "not JSON"),
]


async def question_of(answer: httpx.Response) -> int:
    """Number of the question that comes on the stream of a call."""
    async for line in answer.aiter_lines():
        if line.startswith("data: {"):
            found: dict[str, Any] = json.loads(line.removeprefix("data: "))
            number: int = found["id"]
            return number
    raise EOFError


@pytest.mark.parametrize(("body", "reason"), ODD)
def test_server_is_told_of_an_answer_that_cannot_be_read(body: str, reason: str) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client, elicitation={}) | {"content-type": "application/json"}
            other = await initialize(client, elicitation={}) | {"content-type": "application/json"}
            async with client.stream("POST", "/mcp", json=call(1, "ask"), headers=session) as answer:
                text = body.replace("NUMBER", str(await question_of(answer)))
                assert (await client.post("/mcp", content=text, headers=other)).status_code == 400
                assert (await client.post("/mcp", content=text)).status_code in {400, 415}
                refused = await client.post("/mcp", content=text, headers=session)
                assert refused.status_code == 400
                if reason != "not JSON":
                    assert reason in refused.json()["error"]["message"]
                await until(lambda: server.replies)
            (told,) = server.replies
            assert (told.id, told.error.code) == ("q", -32603)
            assert told.error.message.startswith("The client's answer is no")
            assert reason in told.error.message

    run(test)


def test_server_is_told_of_an_answer_to_an_event_stream_that_cannot_be_read() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client), listening(client) as stream:
            await begin(stream, {"elicitation": {}})
            await stream.post(call(1, "ask"))
            number = (await stream.next())["id"]
            refused = await client.post(stream.address, json={"jsonrpc": "2.0", "id": number, "result": None})
            assert refused.status_code == 400
            assert RESULT in refused.json()["error"]["message"]
            await until(lambda: server.replies)
            assert RESULT in server.replies[0].error.message
            gone = await client.post("/messages/?session_id=0", json={"jsonrpc": "2.0", "id": number, "result": None})
            assert gone.status_code == 400

    run(test)
