"""docutils' parser with states that are made when they are entered.

For each list, field list and the like docutils makes a machine with all of its states, and looks up the methods and
patterns of each. Nearly all machines enter one state or two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils.parsers.rst import Parser, states


class _States(dict[str, Any]):
    """States by their names; one that is asked for is made."""

    def __init__(self, machine: Any, classes: Iterable[type[Any]]) -> None:
        super().__init__()
        self._machine = machine
        self._classes = {one.__name__: one for one in classes}

    def __missing__(self, name: str) -> Any:
        machine = self._machine
        self[name] = state = self._classes[name](machine, machine.debug)
        if getattr(machine, "memo", None) is not None:  # it runs, and has set up the others
            state.runtime_init()
        return state


class _Nested(states.NestedStateMachine):
    """A machine for a part of a page."""

    def add_states(self, state_classes: Iterable[type[Any]]) -> None:
        """Remember the classes of the states."""
        self.states = _States(self, state_classes)


_CLASSES: list[type[Any]] = []
_MACHINES: list[Any] = []
"""To be used again; docutils keeps its own in the same way."""


def _own(given: type[Any]) -> type[Any]:
    """Derive a state from one of docutils: the machines that it makes are ours."""

    def initialize(self: Any, state_machine: Any, debug: bool = False) -> None:
        given.__init__(self, state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _CLASSES, "initial_state": "Body"}

    inside = {"__init__": initialize, "nested_sm": _Nested, "nested_sm_cache": _MACHINES}
    return type(given.__name__, (given,), inside)


_CLASSES += map(_own, states.state_classes)


def make_parser() -> Parser:
    """Make a parser for one text."""
    parser = Parser()
    parser.state_classes = _CLASSES
    return parser
