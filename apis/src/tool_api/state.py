"""Shared objects of the operations, created once for each application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from tool_api.creation import MountPolicy
from tool_api.registries import Registries
from tool_api.servers import Servers
from tool_api.store import Store


@dataclass(frozen=True, slots=True)
class State:
    store: Store
    registries: Registries
    servers: Servers
    mounts: MountPolicy


def _state(request: Request) -> State:
    state: State = request.app.state.tool
    return state


Held = Annotated[State, Depends(_state)]
