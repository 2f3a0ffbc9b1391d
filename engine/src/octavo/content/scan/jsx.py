"""The static part of JSX: tags with their attributes, and expressions that are literals."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.content.escape import with_pairs
from octavo.content.plain import markup_end, markup_in, shown_markup
from octavo.content.scan.expressions import NotLiteralError, call_method, in_text, read_number
from octavo.content.scan.nodes import ImportedFile, RequiredFile, below_base
from octavo.lazy import regex as re

_SPACE = re.compile(r"(?:\s++|/\*.*?\*/|//[^\n]*+)+", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_CALL = re.compile(r"(useBaseUrl|require)\(\s*")
_CALL_END = re.compile(r"\s*,?\s*\)")
_DEFAULT = re.compile(r"\s*\.default\b")
_PROP = re.compile(r"props\.([A-Za-z_$][\w$]*)(?!\s*[\w.(\[])")
_MEMBER = re.compile(r"""\??\.([A-Za-z_$][\w$]*)|\[\s*(?:(\d{1,6})|'([^'\n]*)'|"([^"\n]*)")\s*\]""")
_CONSTANT = re.compile(
    r"^(?:(?:export\s+)?(?:const|let|var)\s+(?P<name>[A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=|export\s+default\b|module\.exports\s*=)\s*",
    re.MULTILINE,
)
_STATEMENT_END = re.compile(r"[ \t]*\)?[ \t]*(?:as\s+const\b|satisfies\s+[\w.<>\[\]]+)?[ \t]*(?:;|\n|\Z)")
_MOST_CONSTANTS = 200
"""Constants of one module that are read."""
_ATTRIBUTE_NAME = re.compile(r"[A-Za-z_:@][\w:.-]*")
_UNQUOTED = re.compile(r"""[^\s"'=<>`{}]+""")
_TAG_NAME = re.compile(r"<([A-Za-z][\w.:-]*)(?=[\s/>])")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\ufffd", "\n": ""}
_CODE_POINT = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}")
_LAST_CODE_POINT = 0x10FFFF
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
IMPORTED = "import "
"""In front of a name among the props: the value of a constant of the page, or of what it imports."""
_MAX_NESTING = 40
_MAX_LENGTH = 400_000
"""Characters of one expression; more is taken for a brace that is never closed. Generators write whole schemas into one attribute."""
_BRACKETS = re.compile("[\"'`{}]")
_OR = re.compile(r"\s*(\|\||\?\?)")


class ChildrenValue(msgspec.Struct, frozen=True):
    """The value of `props.children`."""


class MissingProp(msgspec.Struct, frozen=True):
    """The value of a prop that the component was not given."""

    name: str


class Nothing(msgspec.Struct, frozen=True):
    """The value of an expression that holds a comment only."""


class BadExpression(msgspec.Struct, frozen=True):
    """An expression in a tag that is not a literal."""

    text: str
    offset: int
    """Of its opening brace."""


class Tag(msgspec.Struct, frozen=True):
    """An opening tag."""

    name: str
    attributes: dict[str, Any]
    is_self_closing: bool
    end: int
    """Offset after the `>`."""
    has_expressions: bool
    bad: list[BadExpression]
    missing: list[str]
    """Props that its values name and that were not given."""
    elements: dict[str, tuple[int, int, int]] = {}
    """Attributes whose value is an element: name → offsets of the brace, and of the element's beginning and end."""
    repeated: dict[str, int] = {}
    """Attributes that are there more than once: name → offset of the last one."""


def parse_expression(text: str, start: int, props: Mapping[str, Any]) -> tuple[Any, int]:
    """Read an expression in braces.

    Args:
        text: The whole text.
        start: Offset of the opening brace.
        props: Values of `props.name`.

    Returns:
        The value and the offset after the closing brace.

    Raises:
        NotLiteralError: It is more than a literal, or is never closed.
    """
    reader = _Reader(text, start + 1, min(len(text), start + _MAX_LENGTH), props)
    reader.skip_space()
    if reader.peek() == "}":
        return Nothing(), reader.position + 1
    value = reader.value()
    reader.skip_space()
    reader.expect("}")
    return value, reader.position


def find_expression_end(text: str, start: int) -> int:
    """Find the end of an expression by its brackets; -1 where it is never closed."""
    depth = 0
    position = start
    limit = min(len(text), start + _MAX_LENGTH)
    while (found := _BRACKETS.search(text, position, limit)) is not None:
        char, position = found[0], found.start()
        if char in "\"'`":
            closing = text.find(char, position + 1, limit)
            line_end = text.find("\n", position, limit)
            if closing >= 0 and (char == "`" or line_end < 0 or closing < line_end):
                position = closing
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return position + 1
        position += 1
    return -1


def read_constant(text: str, start: int, known: Mapping[str, Any]) -> tuple[str, Any, int] | None:
    """Read a statement that gives a name to a literal, or to what is made of literals and of known names.

    Args:
        text: A program in JavaScript or TypeScript.
        start: Offset of the statement.
        known: Values of names, as they are in the props of a scope.

    Returns:
        The name, `default` for what a module exports without one; the value; and the offset after the statement. None
        where it is any other statement.
    """
    match = _CONSTANT.match(text, start)
    if match is None:
        return None
    reader = _Reader(text, match.end(), min(len(text), match.end() + _MAX_LENGTH), known)
    try:
        value = reader.value()
    except NotLiteralError:
        return None
    end = _STATEMENT_END.match(text, reader.position)
    if end is None or isinstance(value, (ChildrenValue, MissingProp)):
        return None
    return match["name"] or "default", value, end.end() - end[0].endswith("\n")


def read_constants(text: str) -> dict[str, Any]:
    """Read all constants of a program that are literals: name → value."""
    found: dict[str, Any] = {}
    for match in itertools.islice(_CONSTANT.finditer(text), _MOST_CONSTANTS):
        names = {f"{IMPORTED}{name}": value for name, value in found.items()}
        if constant := read_constant(text, match.start(), names):
            found[constant[0]] = constant[1]
    return found


def parse_tag(text: str, start: int, props: Mapping[str, Any]) -> Tag | None:
    """Read an opening tag; None where there is none at this offset or it is malformed."""
    name = _TAG_NAME.match(text, start)
    if name is None:
        return None
    attributes: dict[str, Any] = {}
    bad: list[BadExpression] = []
    missing: list[str] = []
    elements: dict[str, tuple[int, int, int]] = {}
    repeated: dict[str, int] = {}
    written: set[str] = set()
    position, limit, has_expressions = name.end(), start + _MAX_LENGTH, False
    while position < limit:
        position = _skip(text, position)
        if text.startswith(">", position) or text.startswith("/>", position):
            is_self_closing = text[position] == "/"
            end = position + 1 + is_self_closing
            return Tag(name[1], attributes, is_self_closing, end, has_expressions, bad, missing, elements, repeated)
        if text.startswith("{", position):
            has_expressions = True
            end = find_expression_end(text, position)
            if end < 0:
                return None
            if not _is_comment(text, position):
                bad.append(BadExpression(text[position:end], position))
            position = end
            continue
        key = _ATTRIBUTE_NAME.match(text, position)
        if key is None:
            return None
        if key[0] in written:
            repeated[key[0]] = position
        written.add(key[0])
        position = _skip(text, key.end())
        if not text.startswith("=", position):
            attributes[key[0]] = True
            continue
        position = _skip(text, position + 1)
        if text.startswith("{", position):
            has_expressions = True
            try:
                value, position = parse_expression(text, position, props)
            except NotLiteralError:
                end = find_expression_end(text, position)
                if end < 0:
                    return None
                markup = markup_in(text, position, end)
                if markup is not None:
                    elements[key[0]] = (position, *markup)
                shown = shown_markup(key[0], text[markup[0] : markup[1]]) if markup else None
                if shown is None:
                    bad.append(BadExpression(text[position:end], position))
                elif shown:
                    attributes[key[0]] = shown
                position = end
                continue
            if isinstance(value, MissingProp):
                missing.append(value.name)
            elif not isinstance(value, (ChildrenValue, Nothing)):
                attributes[key[0]] = value
            continue
        plain = _plain_value(text, position)
        if plain is None:
            return None
        if key[0].startswith(":"):  # Vue: what is in quotes is an expression
            try:
                value, _ = parse_expression(f"{{{plain[0]}}}", 0, props)
            except NotLiteralError:
                bad.append(BadExpression(text[position : plain[1]], position))
            else:
                if not isinstance(value, (ChildrenValue, MissingProp, Nothing)):
                    attributes[key[0][1:]] = value
            position = plain[1]
            continue
        attributes[key[0]], position = plain
    return None


def _is_comment(text: str, start: int) -> bool:
    try:
        return isinstance(parse_expression(text, start, {})[0], Nothing)
    except NotLiteralError:
        return False


def _plain_value(text: str, position: int) -> tuple[str, int] | None:
    quote = text[position : position + 1]
    if quote in ('"', "'"):
        end = text.find(quote, position + 1)
        return None if end < 0 else (html.unescape(text[position + 1 : end]), end + 1)
    match = _UNQUOTED.match(text, position)
    if match is None:
        return None
    value = match[0]
    if value.endswith("/") and text.startswith(">", match.end()):
        value = value[:-1]
    return html.unescape(value), position + len(value)


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _member(value: object, match: re.Match[str]) -> object:
    """Take a member of an object or a list.

    Raises:
        NotLiteralError: there is none.
    """
    if match[2] is not None:
        if isinstance(value, list) and int(match[2]) < len(value):
            return value[int(match[2])]
        raise NotLiteralError
    key = next(name for name in (match[1], match[3], match[4]) if name is not None)
    if key == "src" and isinstance(value, ImportedFile):
        return value
    if not isinstance(value, dict) or key not in value:
        raise NotLiteralError
    return value[key]


def _says_nothing(value: object, operator: str) -> bool:
    """Whether the value on the right of an operator counts."""
    is_missing = value is None or isinstance(value, MissingProp)
    return is_missing or (operator == "||" and value in ("", 0))


class _Reader:
    """A reader of literals: strings, numbers, words, lists, objects, props and addresses of files."""

    __slots__ = ("depth", "key", "limit", "position", "props", "text")

    def __init__(self, text: str, position: int, limit: int, props: Mapping[str, Any]) -> None:
        self.text = text
        self.position = position
        self.limit = limit
        self.props = props
        self.depth = 0
        self.key = ""
        """The name whose value is read."""

    def peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def skip_space(self) -> None:
        if match := _SPACE.match(self.text, self.position):
            self.position = match.end()

    def expect(self, mark: str) -> None:
        if not self.text.startswith(mark, self.position):
            raise NotLiteralError
        self.position += len(mark)

    def value(self) -> Any:
        """Read a value, or several of which the first that says something counts: `props.name || "text"`."""
        value = self._operand()
        while match := _OR.match(self.text, self.position, self.limit):
            self.position = match.end()
            other = self._operand()
            value = other if _says_nothing(value, match[1]) else value
        return value

    def _operand(self) -> Any:
        self.skip_space()
        char = self.peek()
        if char in ("'", '"', "`"):
            return self._string(char)
        if char in ("[", "{"):
            return self._nested(char)
        if self.text.startswith("String.raw`", self.position):
            self.position += len("String.raw")
            return self._string("`", is_raw=True)
        if char == "(" and self.depth:
            return self._in_parentheses()
        if char == "<" and self.depth:  # what is a whole value may be drawn as an element
            return self._markup()
        if number := read_number(self.text, self.position):
            self.position = number[1]
            return number[0]
        return self._word()

    def _in_parentheses(self) -> Any:
        self.position += 1
        value = self._nested("(")
        self.skip_space()
        self.expect(")")
        return value

    def _markup(self) -> str:
        """Read an element among the values of a list or an object: what readers see of it."""
        end = markup_end(self.text, self.position, self.limit)
        shown = shown_markup(self.key, self.text[self.position : end]) if end >= 0 else None
        if shown is None:
            raise NotLiteralError
        self.position = end
        return shown

    def _nested(self, char: str) -> Any:
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise NotLiteralError
        value: Any = self.value() if char in ("${", "(") else self._list() if char == "[" else self._object()
        self.depth -= 1
        return value

    def _string(self, quote: str, *, is_raw: bool = False) -> str:
        parts: list[str] = []
        position = self.position + 1
        while True:
            char = self.text[position : position + 1]
            if not char or position >= self.limit or (char == "\n" and quote != "`"):
                raise NotLiteralError
            if char == quote:
                self.position = position + 1
                if (whole := with_pairs("".join(parts))) is None:
                    raise NotLiteralError
                return whole
            if char == "\\" and not is_raw:
                part, position = self._escaped(position + 1)
                parts.append(part)
                continue
            if quote == "`" and self.text.startswith("${", position):
                self.position = position + 2
                parts.append(in_text(self._nested("${")))
                self.skip_space()
                self.expect("}")
                position = self.position
                continue
            parts.append(char)
            position += 1

    def _escaped(self, position: int) -> tuple[str, int]:
        """Read what follows a backslash; gives the text and the position behind it."""
        escaped = self.text[position : position + 1]
        if escaped not in ("x", "u"):
            return _ESCAPES.get(escaped, escaped), position + 1
        match = _CODE_POINT.match(self.text, position, self.limit)
        code = int(match[1] or match[2] or match[3], 16) if match else _LAST_CODE_POINT + 1
        if match is None or code > _LAST_CODE_POINT:
            raise NotLiteralError
        return (chr(code) if code else _ESCAPES["0"]), match.end()

    def _list(self) -> list[Any]:
        values: list[Any] = []
        self.position += 1
        while True:
            self.skip_space()
            if self.peek() == "]":
                self.position += 1
                return values
            values.append(self.value())
            self.skip_space()
            if self.peek() != "]":
                self.expect(",")

    def _object(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        self.position += 1
        while True:
            self.skip_space()
            if self.peek() == "}":
                self.position += 1
                return values
            start = self.position
            key = self._key()
            self.skip_space()
            if self.peek() in (",", "}"):  # `{name}` is short for `{name: name}`
                self.position = start
                values[key] = self._word()
            else:
                self.expect(":")
                self.key = key
                values[key] = self.value()
            self.skip_space()
            if self.peek() != "}":
                self.expect(",")

    def _key(self) -> str:
        if self.peek() in ("'", '"'):
            return self._string(self.peek())
        if number := read_number(self.text, self.position):
            self.position = number[1]
            return in_text(number[0])
        match = _IDENTIFIER.match(self.text, self.position)
        if match is None:
            raise NotLiteralError
        self.position = match.end()
        return match[0]

    def _word(self) -> Any:
        if match := _CALL.match(self.text, self.position):
            return self._address(match)
        if match := _PROP.match(self.text, self.position):
            self.position = match.end()
            if match[1] == "children":
                return ChildrenValue()
            return self.props.get(match[1], MissingProp(match[1]))
        match = _IDENTIFIER.match(self.text, self.position)
        if match is None:
            raise NotLiteralError
        value: Any = _WORDS.get(match[0], self.props.get(f"{IMPORTED}{match[0]}", NotLiteralError))
        if value is NotLiteralError:
            raise NotLiteralError
        self.position = match.end()
        while member := _MEMBER.match(self.text, self.position):
            self.position = member.end()
            value = call_method(self, value, member[1]) if self.peek() == "(" else _member(value, member)
        return value

    def _address(self, match: re.Match[str]) -> str:
        """`useBaseUrl('/img/x.svg')` and `require('./x.png').default` evaluate to the address in them."""
        self.position = match.end()
        value = self.value()
        end = _CALL_END.match(self.text, self.position, self.limit)
        if end is None or not isinstance(value, str):
            raise NotLiteralError
        self.position = end.end()
        if match[1] == "useBaseUrl":
            return below_base(value)
        default = _DEFAULT.match(self.text, self.position, self.limit)
        if default is None:
            return RequiredFile(value)
        self.position = default.end()
        return value
