"""Random lives of clients and a server that crashes, with a ledger of all that each of them sent and received."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from mcp.types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tests.support.each import each
from tool_api.endpoint.bridge.messages import Effect, StartTimer, ToClient, ToServer
from tool_api.endpoint.bridge.state import BridgeState

STEPS = 400
IDS = (1, 2, 3, 4, 5, 6, 7, 8, "1", "2", "3", "4")
CAPABILITIES = {"roots": {}, "sampling": {}, "elicitation": {}}


class World:
    """Clients, a server and the bridge between them; every message is checked when it arrives."""

    def __init__(self, seed: int, *, asks: bool = True, hurries: bool = True) -> None:
        """Args: asks: Whether the server asks clients. hurries: Whether what may be done at once is."""
        self.asks, self.hurries = asks, hurries
        self.hurried = 0
        self.log: list[str] = []
        self.order = random.Random(seed)
        self.state = BridgeState("bridge", "1")
        self.numbers = itertools.count(1)
        self.sessions: set[int] = set()
        self.is_up = False
        self.timers: list[int] = []
        # The server's side: number → tag of the call, calls that wait for an answer, questions → tag.
        self.received: dict[int, str] = {}
        self.asking: dict[str, int] = {}
        self.stopped: list[int] = []
        self.initialize: int | None = None
        # The ledger, by tag of the call: who made it, how often it was executed and answered.
        self.caller: dict[str, tuple[int, int | str]] = {}
        self.tags: dict[tuple[int, int | str], str] = {}
        self.executed: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.questions: dict[int, list[tuple[int, str]]] = {}
        self.asked = 0
        # Progress tokens of calls, numbers that the server has answered, and those that were not written to it.
        self.tokens: dict[str, int] = {}
        self.ended: list[int] = []
        self.unwritten: list[int] = []
        self.happened: Counter[str] = Counter()

    def apply(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case ToServer(message):
                    self.at_server(message)
                case ToClient(session, message, related):
                    self.at_client(session, message, related)
                case StartTimer(number):
                    self.timers.append(number)

    def at_server(self, message: Any) -> None:
        self.log.append(f"to the server: {message!r}")
        assert self.is_up, "nothing is sent to a server that is away"
        match message:
            case JSONRPCRequest(method="initialize"):
                self.initialize = int(message.id)
            case JSONRPCRequest() if self.order.random() < 0.03:
                self.unwritten.append(int(message.id))
            case JSONRPCRequest():
                tag = (message.params or {})["name"]
                self.executed[tag] += 1
                assert self.executed[tag] == 1, "executed at most once"
                assert not self.answered[tag], "what is refused is never executed"
                self.received[int(message.id)] = tag
            case JSONRPCNotification(method="notifications/cancelled"):
                number = (message.params or {})["requestId"]
                if number in self.received and self.order.random() < 0.5:
                    # Some servers end the call and answer it, some go on.
                    self.stopped.append(number)
                    del self.received[number]
                    self.asking = {key: caller for key, caller in self.asking.items() if caller != number}
            case JSONRPCResponse():
                number = self.asking.pop(str(message.id), 0)
                if number in self.received:
                    session, _ = self.caller[self.received[number]]
                    assert message.result == {"from": session}, "answered by the client whose call asked"
            case JSONRPCError():
                self.asking.pop(str(message.id), None)

    def at_client(self, session: int, message: Any, related: Any) -> None:
        self.log.append(f"to {session}, about {related!r}: {message!r}")
        assert session in self.sessions, "nothing is sent to a client that has gone"
        match message:
            case JSONRPCRequest():
                tag = (message.params or {})["tag"]
                assert self.caller[tag][0] == session, "the client that is asked made the call"
                self.questions.setdefault(session, []).append((int(message.id), tag))
                self.asked += 1
            case JSONRPCNotification(method="notifications/progress"):
                params = message.params or {}
                tag = params["message"]
                assert self.caller[tag] == (session, related), "progress goes to the call it belongs to"
                assert params["progressToken"] == self.tokens[tag], "under the client's own token"
                assert not self.answered[tag], "no progress after the answer"
                self.happened["progress"] += 1
            case JSONRPCResponse() | JSONRPCError() if (session, message.id) in self.tags:
                tag = self.tags[session, message.id]
                assert (related, type(related)) == (message.id, type(message.id))
                self.answered[tag] += 1
                assert self.answered[tag] == 1, "one answer"
                if isinstance(message, JSONRPCResponse):
                    assert message.result == {"tag": tag}, "the answer to this call"

    def step(self) -> None:
        choice = self.order.choices(
            [
                self.come,
                self.go,
                self.call,
                self.answer,
                self.ask,
                self.reply,
                self.cancel,
                self.crash,
                self.start,
                self.fire,
                self.progress,
                self.repeat,
                self.garble,
            ],
            [4, 1, 20, 14, 8, 10, 3, 1, 6, 1, 6, 1, 1],
        )[0]
        choice()
        while self.unwritten:
            self.happened["unwritten"] += 1
            self.apply(self.state.on_unsent(self.unwritten.pop()))

    def come(self) -> None:
        if len(self.sessions) < 4:
            session = next(self.numbers)
            self.sessions.add(session)
            self.apply(self.state.on_open(session))
            params = {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "clientInfo": {}}
            request = JSONRPCRequest(jsonrpc="2.0", id=0, method="initialize", params=params)
            self.apply(self.state.on_client(session, request))

    def go(self) -> None:
        if self.sessions:
            session = self.order.choice(sorted(self.sessions))
            self.sessions.discard(session)
            self.questions.pop(session, None)
            self.apply(self.state.on_gone(session))

    def call(self) -> None:
        known = [session for session in sorted(self.sessions) if self.state.negotiated(session)]
        if known:
            session = self.order.choice(known)
            # Clients have the same few ids, as numbers and as texts, and use them again.
            in_use = {self.caller[tag] for tag in self.caller if not self.answered[tag]}
            free = [number for number in IDS if (session, number) not in in_use]
            if not free:
                return
            number = self.order.choice(free)
            tag = f"call {next(self.numbers)}"
            self.caller[tag] = (session, number)
            self.tags[session, number] = tag
            params: dict[str, Any] = {"name": tag}
            if self.order.random() < 0.3:
                self.tokens[tag] = self.order.randrange(3)
                params["_meta"] = {"progressToken": self.tokens[tag]}
            request = JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params=params)
            is_plain = self.hurries and tag not in self.tokens
            sent = self.state.send_at_once(session, number) if is_plain else None
            if sent is None:
                self.apply(self.state.on_client(session, request))
            else:
                self.hurried += 1
                self.at_server(request.model_copy(update={"id": sent}))

    def answer(self) -> None:
        """The server ends a call; one that asks its client ends when it has the answer."""
        if self.is_up and self.initialize is not None:
            result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}
            number, self.initialize = self.initialize, None
            self.apply(self.state.on_server(JSONRPCResponse(jsonrpc="2.0", id=number, result=result)))
            return
        if self.is_up and self.stopped:
            error = ErrorData(code=0, message="Request cancelled")
            self.apply(self.state.on_server(JSONRPCError(jsonrpc="2.0", id=self.stopped.pop(), error=error)))
            return
        free = [number for number in self.received if number not in self.asking.values()]
        if self.is_up and free:
            number = self.order.choice(free)
            tag = self.received.pop(number)
            self.ended.append(number)
            ended = self.state.end_at_once(number) if self.hurries else None
            if ended is None:
                self.apply(self.state.on_server(JSONRPCResponse(jsonrpc="2.0", id=number, result={"tag": tag})))
            else:
                self.hurried += 1
                response = JSONRPCResponse(jsonrpc="2.0", id=ended.request_id, result={"tag": tag})
                self.at_client(ended.session, response, ended.request_id)

    def ask(self) -> None:
        if self.asks and self.is_up and self.received:
            number = self.order.choice(list(self.received))
            key = f"s{next(self.numbers)}"
            self.asking[key] = number
            params = {"tag": self.received[number]}
            request = JSONRPCRequest(jsonrpc="2.0", id=key, method="elicitation/create", params=params)
            self.apply(self.state.on_server(request))

    def progress(self) -> None:
        """The server reports on a call, under the token as it came or as a text."""
        reported = [number for number, tag in self.received.items() if tag in self.tokens]
        if self.is_up and reported:
            number = self.order.choice(reported)
            token = self.order.choice([number, str(number)])
            params = {"progressToken": token, "progress": 1, "message": self.received[number]}
            message = JSONRPCNotification(jsonrpc="2.0", method="notifications/progress", params=params)
            before = self.happened["progress"]
            self.apply(self.state.on_server(message))
            tag = self.received[number]
            is_over = self.answered[tag] or self.caller[tag][0] not in self.sessions
            assert self.happened["progress"] == before + (not is_over), "progress is passed on"

    def repeat(self) -> None:
        """The server answers a call again, perhaps one of an earlier life."""
        if self.is_up and self.initialize is None and self.ended:
            number = self.order.choice(self.ended)
            self.happened["repeated"] += 1
            self.apply(self.state.on_server(JSONRPCResponse(jsonrpc="2.0", id=number, result={"tag": "again"})))

    def garble(self) -> None:
        """The server's answer to a call cannot be used."""
        free = [number for number in self.received if number not in self.asking.values()]
        if self.is_up and free:
            number = self.order.choice(free)
            del self.received[number]
            self.happened["garbled"] += 1
            self.apply(self.state.on_unusable("too long", answers=number))

    def reply(self) -> None:
        asked = [session for session in sorted(self.sessions) if self.questions.get(session)]
        if asked:
            session = self.order.choice(asked)
            number, _ = self.questions[session].pop(0)
            # Another client that guesses the number changes nothing.
            for other in sorted(self.sessions - {session}):
                self.apply(
                    self.state.on_client(other, JSONRPCResponse(jsonrpc="2.0", id=number, result={"from": "another"}))
                )
            answer = JSONRPCResponse(jsonrpc="2.0", id=number, result={"from": session})
            self.apply(self.state.on_client(session, answer))

    def cancel(self) -> None:
        open_calls = [tag for tag in self.caller if not self.answered[tag] and self.caller[tag][0] in self.sessions]
        if open_calls:
            session, number = self.caller[self.order.choice(open_calls)]
            if self.order.random() < 0.5:
                self.apply(self.state.on_dropped(session, number))
            else:
                params = {"requestId": number}
                notification = JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params)
                self.apply(self.state.on_client(session, notification))

    def crash(self) -> None:
        if self.is_up:
            self.is_up = False
            self.received.clear()
            self.stopped.clear()
            self.asking.clear()
            self.initialize = None
            self.apply(self.state.on_lost())

    def start(self) -> None:
        if not self.is_up:
            self.is_up = True
            self.apply(self.state.on_ready())

    def fire(self) -> None:
        if self.timers:
            timer = self.timers.pop(self.order.randrange(len(self.timers)))
            # The time of a cancelled call is over: by then this server has ended it.
            number = self.state._questions._abandoned_timers.get(timer)
            self.received = {key: tag for key, tag in self.received.items() if key != number}
            self.asking = {key: caller for key, caller in self.asking.items() if caller != number}
            self.apply(self.state.on_timeout(timer))


@pytest.mark.costly
@each("asks", [True, False])
@each("seed", range(40))
def test_what_is_done_at_once_is_what_would_be_decided(seed: int, asks: bool) -> None:
    worlds = [World(seed, asks=asks, hurries=hurries) for hurries in (True, False)]
    for world in worlds:
        for _ in range(STEPS):
            world.step()
        world.apply(world.state.on_closed())
    assert worlds[0].log == worlds[1].log
    assert asks or worlds[0].hurried > 20


@pytest.mark.costly
@each("seed", range(60))
def test_every_call_is_answered_once_executed_at_most_once_and_answered_to_its_caller(seed: int) -> None:
    world = World(seed)
    for _ in range(STEPS):
        world.step()
    world.apply(world.state.on_closed())
    open_calls = [
        tag for tag, (session, _) in world.caller.items() if session in world.sessions and not world.answered[tag]
    ]
    assert open_calls == []
    assert len(world.caller) > 40
    assert sum(world.executed.values()) > 10


@pytest.mark.costly
def test_lives_are_lively() -> None:
    """The scenes that matter do occur."""
    worlds = [World(seed) for seed in range(20)]
    for world in worlds:
        for _ in range(STEPS):
            world.step()
    assert sum(world.asked for world in worlds) > 200
    assert sum(world.executed.total() for world in worlds) > 1000
    happened = sum((world.happened for world in worlds), Counter[str]())
    assert all(happened[scene] > 20 for scene in ("progress", "repeated", "garbled", "unwritten"))
