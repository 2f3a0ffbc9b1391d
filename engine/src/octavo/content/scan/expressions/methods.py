"""Methods of texts and lists in expressions of pages: most change a file that is shown as code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from octavo.content.scan.expressions.patterns import JsPattern, UnknownPatternError
from octavo.lazy import regex as re

_LONGEST = 200_000
_PATTERN = re.compile(r"/(?![*/])(?P<source>(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+)/(?P<flags>[a-z]*)")
_WHITE = " \t\n\r\v\f\ufeff\xa0\u2028\u2029"
"""White space and line ends, as JavaScript trims them."""


class NotLiteralError(Exception):
    """An expression is more than a literal."""


class ExpressionReader(Protocol):
    """Reads an expression."""

    text: str
    position: int

    def value(self) -> Any:
        """Read a value."""

    def skip_space(self) -> None:
        """Pass over white space and comments."""

    def peek(self) -> str:
        """Give the next character."""

    def expect(self, char: str) -> None:
        """Pass over a character that must come."""


def call_method(reader: ExpressionReader, value: Any, name: str | None) -> Any:
    """Read the arguments of a method's call, and give what it returns.

    Args:
        reader: At the opening parenthesis.
        value: Of what the method is called.
        name: The method's.

    Raises:
        NotLiteralError: the method, or a value that it is given, is not known here.
    """
    arguments: list[Any] = []
    reader.position += 1
    reader.skip_space()
    while reader.peek() != ")":
        arguments.append(_argument(reader))
        reader.skip_space()
        if reader.peek() != ")":
            reader.expect(",")
            reader.skip_space()
    reader.position += 1
    # An address of a file is a kind of text, and is looked up later.
    methods = _OF_TEXTS if type(value) is str else _OF_LISTS if isinstance(value, list) else {}
    method = methods.get(name or "")
    if method is None or len(value) > _LONGEST:
        raise NotLiteralError
    try:
        return method(value, *arguments)
    except (TypeError, UnknownPatternError) as error:  # another number of arguments, or others
        raise NotLiteralError from error


def _argument(reader: ExpressionReader) -> Any:
    pattern = _PATTERN.match(reader.text, reader.position)
    if pattern is None:
        return reader.value()
    reader.position = pattern.end()
    try:
        return JsPattern(pattern["source"], pattern["flags"])
    except UnknownPatternError as error:
        raise NotLiteralError from error


def _checked(*values: object, kind: type[Any]) -> None:
    if not all(isinstance(one, kind) and not isinstance(one, bool) for one in values):
        raise TypeError


def _replace(text: str, what: str | JsPattern, by: str) -> str:
    _checked(by, kind=str)
    if isinstance(what, JsPattern):
        return what.replace(text, by)
    _checked(what, kind=str)
    return text.replace(what, _plain(by), 1)


def _replace_all(text: str, what: str | JsPattern, by: str) -> str:
    _checked(by, kind=str)
    if isinstance(what, JsPattern):
        if not what.is_global:
            raise TypeError
        return what.replace(text, by)
    _checked(what, kind=str)
    return text.replace(what, _plain(by))


def _plain(by: str) -> str:
    if "$" in by:
        raise TypeError  # stands for parts of the match
    return by


def _split(text: str, separator: str) -> list[str]:
    _checked(separator, kind=str)
    return text.split(separator) if separator else list(text)


def _slice(value: Any, start: int = 0, end: int | None = None) -> Any:
    _checked(start, *([] if end is None else [end]), kind=int)
    return value[start:end]


def _join(values: list[Any], separator: str = ",") -> str:
    _checked(separator, *values, kind=str)
    return separator.join(values)


def _itself(text: str) -> str:
    return text


_OF_TEXTS: dict[str, Callable[..., Any]] = {
    "replace": _replace,
    "replaceAll": _replace_all,
    "slice": _slice,
    "split": _split,
    "toLowerCase": str.lower,
    "toString": _itself,
    "toUpperCase": str.upper,
    "trim": lambda text: text.strip(_WHITE),
    "trimEnd": lambda text: text.rstrip(_WHITE),
    "trimStart": lambda text: text.lstrip(_WHITE),
}
_OF_LISTS: dict[str, Callable[..., Any]] = {"join": _join, "slice": _slice}
