"""Filters: the expressions of `filters`, `facetFilters`, `numericFilters` and `optionalFilters`, as one tree.

Source:
    "Filters syntax" of the hosted service's documentation, read 2026-11-20. It forbids OR between groups of AND;
    here any nesting is understood.
"""

from __future__ import annotations

from typing import Literal, NoReturn

import msgspec

from octavo.lazy import regex as re
from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.query.values import decoded

DEEPEST = 24
MOST_CONDITIONS = 500

_LARGEST = 1e15
"""No number of a record comes near it."""

Operator = Literal["<", "<=", "=", "!=", ">=", ">"]


class Equals(msgspec.Struct, frozen=True, tag=True):
    """A facet has a value."""

    attribute: str
    value: str


class Compares(msgspec.Struct, frozen=True, tag=True):
    """A number compared with a limit."""

    attribute: str
    operator: Operator
    number: float


class Between(msgspec.Struct, frozen=True, tag=True):
    """A number lies in a range, both ends included."""

    attribute: str
    low: float
    high: float


class Not(msgspec.Struct, frozen=True, tag=True):
    item: Filter


class All(msgspec.Struct, frozen=True, tag=True):
    items: list[Filter]


class Any(msgspec.Struct, frozen=True, tag=True):
    items: list[Filter]


class Scored(msgspec.Struct, frozen=True, tag=True):
    """An optional filter that counts as much as several: `kind:guide<score=3>`."""

    item: Filter
    score: int


Filter = Equals | Compares | Between | Not | All | Any | Scored

_SCORE = re.compile(r"<score=(?P<score>[^<>]*)>$")
_WHOLE = re.compile(r"[0-9]{1,6}")

_TOKEN = re.compile(
    r"""\s*(?:(?P<paren>[()])|(?P<word>AND|OR|NOT)(?=[\s()])
    |(?P<condition>(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s():<>=!"']+)\s*
      (?::\s*(?P<low>-?\d+(?:\.\d+)?)\s+TO\s+(?P<high>-?\d+(?:\.\d+)?)
        |(?P<op><=|>=|!=|=|<|>)\s*(?P<number>-?\d+(?:\.\d+)?)
        |:\s*(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()"']+))))""",
    re.VERBOSE,
)
_NUMERIC = re.compile(r"\s*(?P<attribute>[^<>=!:\s]+)\s*(?:(?P<op><=|>=|!=|=|<|>)\s*(?P<number>-?\d+(?:\.\d+)?)"
                      r"|:\s*(?P<low>-?\d+(?:\.\d+)?)\s+TO\s+(?P<high>-?\d+(?:\.\d+)?))\s*")  # fmt: skip


def parse_filters(text: str) -> Filter | None:
    """Parse an expression such as `kind:guide AND NOT (version:"1.0" OR weight.level < 50)`.

    Raises:
        ProtocolError: it is not an expression.
    """
    if not text.strip():
        return None
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._conditions = 0
        self._depth = 0

    def parse(self) -> Filter:
        found = self._any()
        if self._text[self._offset :].strip():
            self._fail()
        return found

    def _any(self) -> Filter:
        items = [self._all()]
        while self._take("word", "OR"):
            items.append(self._all())
        return items[0] if len(items) == 1 else Any(items)

    def _all(self) -> Filter:
        items = [self._one()]
        while self._take("word", "AND"):
            items.append(self._one())
        return items[0] if len(items) == 1 else All(items)

    def _one(self) -> Filter:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ProtocolError(400, f"filters: nested more than {DEEPEST} deep")
        try:
            if self._take("word", "NOT"):
                return Not(self._one())
            if self._take("paren", "("):
                found = self._any()
                if not self._take("paren", ")"):
                    self._fail()
                return found
            return self._condition()
        finally:
            self._depth -= 1

    def _condition(self) -> Filter:
        match = _TOKEN.match(self._text, self._offset)
        if match is None or match["condition"] is None:
            self._fail()
        self._conditions += 1
        if self._conditions > MOST_CONDITIONS:
            raise ProtocolError(400, f"filters: more than {MOST_CONDITIONS} conditions")
        self._offset = match.end()
        attribute = _unquoted(re.split(r"[:<>=!]", _hidden(match["condition"]), maxsplit=1)[0], match["condition"])
        if match["low"] is not None:
            return Between(attribute, _number(match["low"]), _number(match["high"]))
        if match["op"] is not None:
            return Compares(attribute, _operator(match["op"]), _number(match["number"]))
        if _SCORE.search(match["value"]):
            raise _misplaced_score("filters")
        return Equals(attribute, _plain(match["value"]))

    def _take(self, group: str, text: str) -> bool:
        match = _TOKEN.match(self._text, self._offset)
        if match is None or match[group] != text:
            return False
        self._offset = match.end()
        return True

    def _fail(self) -> NoReturn:
        rest = self._text[self._offset :].strip()[:40]
        where = f'unexpected "{rest}"' if rest else "unexpected end"
        raise ProtocolError(400, f"filters: {where} at col {self._offset}")


def parse_facet_filters(value: object, name: str = "facetFilters") -> Filter | None:
    """Parse `["a:1", ["b:2", "b:-3"]]`: AND outside, OR inside, a minus before the value negates.

    Among optional filters, `b:2<score=3>` counts as much as three.

    Raises:
        ProtocolError: it has another shape.
    """
    return _nested(_as_list(value, name), name, _facet_condition)


def parse_numeric_filters(value: object) -> Filter | None:
    """Parse `["a>1", ["b=2", "c:1 TO 3"]]`.

    Raises:
        ProtocolError: it has another shape.
    """
    return _nested(_as_list(value, "numericFilters"), "numericFilters", _numeric_condition)


def _as_list(value: object, name: str) -> list[object]:
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return []
        value = decoded(text) if text.startswith("[") else [part for part in text.split(",") if part.strip()]
    if not isinstance(value, list):
        raise bad_parameter(name, "a list of strings, or of lists of strings")
    return value


def _nested(items: list[object], name: str, condition: object, *, is_inner: bool = False) -> Filter | None:
    found: list[Filter] = []
    if len(items) > MOST_CONDITIONS:
        raise bad_parameter(name, f"at most {MOST_CONDITIONS} conditions")
    for item in items:
        if isinstance(item, list) and not is_inner:
            inner = _nested(item, name, condition, is_inner=True)
            if inner is not None:
                found.append(inner)
        elif isinstance(item, str):
            found.append(condition(item, name))  # type: ignore[operator]
        else:
            raise bad_parameter(name, "a list of strings, or of lists of strings")
    if not found:
        return None
    return found[0] if len(found) == 1 else Any(found) if is_inner else All(found)


def _facet_condition(text: str, name: str) -> Filter:
    attribute, colon, value = text.partition(":")
    if not colon or not attribute:
        raise bad_parameter(name, 'conditions of the form "attribute:value"')
    scored = _SCORE.search(value)
    if scored is not None and name != "optionalFilters":
        raise _misplaced_score(name)
    if scored is not None:
        if not _WHOLE.fullmatch(scored["score"]):
            raise bad_parameter(name, "scores that are integers from 0 to 999999")
        value = value[: scored.start()]
    is_not = value.startswith("-")
    found = Equals(attribute.strip(), _plain(value[1:] if is_not else value.removeprefix("\\")))
    condition: Filter = Not(found) if is_not else found
    return condition if scored is None else Scored(condition, int(scored["score"]))


def _misplaced_score(name: str) -> ProtocolError:
    return ProtocolError(400, f"{name}: scores have an effect in optionalFilters only; leave them out here")


def _numeric_condition(text: str, name: str) -> Filter:
    match = _NUMERIC.fullmatch(text)
    if match is None:
        raise bad_parameter(name, 'conditions of the form "attribute>=number"')
    if match["low"] is not None:
        return Between(match["attribute"], _number(match["low"]), _number(match["high"]))
    return Compares(match["attribute"], _operator(match["op"]), _number(match["number"]))


def _number(text: str) -> float:
    """Read a number; one with hundreds of digits would be infinite, and stands for any that is larger than all here."""
    return max(-_LARGEST, min(float(text), _LARGEST))


def _operator(text: str) -> Operator:
    operators: dict[str, Operator] = {"<": "<", "<=": "<=", "=": "=", "!=": "!=", ">=": ">=", ">": ">"}
    return operators[text]


def _hidden(condition: str) -> str:
    """Blank quoted text, so that separators in it do not count."""
    return re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", lambda match: "_" * len(match[0]), condition)


def _unquoted(hidden: str, condition: str) -> str:
    return _plain(condition[: len(hidden)].strip())


def _plain(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
