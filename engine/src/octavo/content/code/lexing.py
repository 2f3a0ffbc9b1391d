"""Pygments' rule lexers, run faster: the rules of a state are tried by one regular expression instead of one by one.

A rule lexer tries the rules of its state in order, each with a call of its own; a page of code makes tens of thousands
of calls that match nothing. An alternation of the same rules tries them in the same order, and so finds the same one.
Highlighting is a third of a cold build; over the corpus of 1,000 pages Pygments' own loop takes half as long again.

Only public names of Pygments are used: a subclass of a lexer says that it processes its rules itself
(`token_variants`), and does so with `get_tokendefs` and `process_tokendef`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pygments.lexer import Lexer, RegexLexer
from pygments.token import Error, Token, Whitespace

from octavo.lazy import regex as re

_Rule = tuple[Any, Any, Any]
"""As Pygments processes it: (match method, action, new state)."""

_Group = tuple[Any, dict[int, _Rule]]
"""(match method, number of the alternative → rule)."""

_TOKEN_TYPE = type(Token)

# A pattern can change its meaning inside another one: group numbers, names, global flags.
_NOT_MERGEABLE = re.compile(r"\\[1-9]|\(\?P|\(\?\(|^\(\?[aiLmsux]+\)")

_LONGEST = 300
"""In characters. Word lists are longer: compiling them again would cost more than trying them alone."""


@lru_cache(maxsize=512)
def merged(lexer_class: type[Lexer]) -> type[Lexer]:
    """Give a lexer class that yields the same tokens in less time; lexers with a loop of their own stay as they are."""
    if (
        not issubclass(lexer_class, RegexLexer)
        or lexer_class.get_tokens_unprocessed is not RegexLexer.get_tokens_unprocessed
        or getattr(lexer_class, "token_variants", False)
    ):
        return lexer_class
    return type(
        lexer_class.__name__, (lexer_class,), {"token_variants": True, "get_tokens_unprocessed": _tokens_unprocessed}
    )


def _tokens_unprocessed(
    lexer: RegexLexer, text: str, stack: tuple[str, ...] = ("root",)
) -> Iterator[tuple[int, Any, str]]:
    """Split a text into tokens: (offset in characters, token type, text) in order."""
    return _run(lexer, _states_of(type(lexer)), text, stack)


class _States(dict[str, list[_Group]]):
    """State → its rules in groups; grouped when first entered, for most states never are."""

    def __init__(self, rules: dict[str, list[_Rule]]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, state: str) -> list[_Group]:
        groups = self[state] = _group(self._rules[state])
        return groups


@lru_cache(maxsize=512)
def _states_of(lexer_class: Any) -> _States:
    return _States(lexer_class.process_tokendef("", lexer_class.get_tokendefs()))


def _group(rules: list[_Rule]) -> list[_Group]:
    """Merge neighbours into alternations; what can't be merged stays separate."""
    groups: list[_Group] = []
    run: list[_Rule] = []
    for rule in rules:
        pattern = _pattern(rule)
        fits = pattern is not None and len(pattern.pattern) <= _LONGEST and not _NOT_MERGEABLE.search(pattern.pattern)
        if not fits or (run and _flags(run[0]) != _flags(rule)):
            groups += _close(run)
            run = []
        if fits:
            run.append(rule)
        else:
            groups.append((rule[0], {-1: rule}))
    return groups + _close(run)


def _close(run: list[_Rule]) -> list[_Group]:
    if len(run) < 2:
        return [(rule[0], {-1: rule}) for rule in run]
    flags = _flags(run[0])
    # In verbose patterns a final comment would swallow the parenthesis.
    end = "\n)" if flags & re.VERBOSE else ")"
    numbered: dict[int, _Rule] = {}
    sources: list[str] = []
    number = 1
    for rule in run:
        pattern = _pattern(rule)
        assert pattern is not None  # noqa: S101 - `_group` has let no others in
        numbered[number] = rule
        sources.append(f"({pattern.pattern}{end}")
        number += 1 + pattern.groups
    return [(re.compile("|".join(sources), flags).match, numbered)]


def _pattern(rule: _Rule) -> re.Pattern[str] | None:
    owner = getattr(rule[0], "__self__", None)
    return owner if isinstance(owner, re.Pattern) else None


def _flags(rule: _Rule) -> int:
    pattern = _pattern(rule)
    return pattern.flags if pattern else -1


def _run(lexer: RegexLexer, states: _States, text: str, initial: tuple[str, ...]) -> Iterator[tuple[int, Any, str]]:
    """Do what Pygments' own loop does; its rules for states that come and go are kept to the letter."""
    position = 0
    stack = list(initial)
    groups = states[stack[-1]]
    while True:
        for matches, numbered in groups:
            match = matches(text, position)
            if match is None:
                continue
            rule = numbered.get(match.lastindex)
            if rule is None:
                rule = numbered[-1]
            matches_alone, action, new_state = rule
            if action is not None:
                if type(action) is _TOKEN_TYPE:
                    yield position, action, match.group()
                else:
                    # It counts the groups of its own pattern.
                    own = match if -1 in numbered else matches_alone(text, position)
                    yield from action(lexer, own)
            position = match.end()
            if new_state is not None:
                _move(stack, new_state)
                groups = states[stack[-1]]
            break
        else:
            if position >= len(text):
                return
            if text[position] == "\n":
                stack = ["root"]
                groups = states["root"]
                yield position, Whitespace, "\n"
            else:
                yield position, Error, text[position]
            position += 1


def _move(stack: list[str], new_state: Any) -> None:
    if isinstance(new_state, tuple):
        for state in new_state:
            if state == "#pop":
                if len(stack) > 1:
                    stack.pop()
            elif state == "#push":
                stack.append(stack[-1])
            else:
                stack.append(state)
    elif isinstance(new_state, int):
        # At least one state stays, whatever the text does.
        if abs(new_state) >= len(stack):
            del stack[1:]
        else:
            del stack[new_state:]
    elif new_state == "#push":
        stack.append(stack[-1])
