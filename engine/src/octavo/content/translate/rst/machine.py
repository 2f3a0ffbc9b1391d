"""docutils' parser with states that are made when they are entered.

For each list, field list and the like docutils makes a machine with all of its states, and looks up the methods and
patterns of each. Nearly all machines enter one state or two. Here are also directives whose content has sections.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, Parser, states


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


def parse_sections(directive: Directive, node: nodes.Element) -> list[object]:
    """Parse the content of a directive into a node; its titles have an order of their own. Gives their styles."""
    memo = directive.state.memo
    around = memo.title_styles, memo.section_level
    memo.title_styles, memo.section_level = [], 0
    try:
        directive.state.nested_parse(directive.content, directive.content_offset, node, match_titles=True)
        return list(memo.title_styles)
    finally:
        memo.title_styles, memo.section_level = around


def sections_within(directive: Directive) -> list[nodes.Node]:
    """Parse the content of a directive that is no more than its content.

    As in Sphinx, sections whose style the page has used before are as high as its sections of that style: they are put
    there, and nothing is given.
    """
    node = nodes.Element()
    found = parse_sections(directive, node)
    styles = directive.state.memo.title_styles
    if not found or found[0] not in styles:
        return list(node.children)
    above: list[nodes.Element] = []
    parent = directive.state.parent
    while parent is not None:
        above.append(parent)
        parent = parent.parent
    steps = len(above) - 1 - styles.index(found[0])
    if not 0 < steps < len(above):
        return list(node.children)
    above[steps].extend(node.children)
    return []
