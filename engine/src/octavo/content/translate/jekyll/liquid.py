"""Liquid, as far as pages of Jekyll use it: values, filters, conditions, loops and assignments.

Templates are evaluated over the data that the site has in files. What needs the program, such as lists of pages, has no
value and is reported. A library was not taken: those there are bring tens of megabytes, and lose the places of the text.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from octavo.content.translate.jekyll.filters import FILTERS, shown
from octavo.errors import OctavoError
from octavo.lazy import regex as re

_TOKEN = re.compile(r"\{\{-?(?P<value>.*?)-?\}\}|\{%-?\s*(?P<tag>\w+|#)(?P<rest>.*?)-?%\}", re.DOTALL)
_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}", re.DOTALL)
_OPENING = re.compile(r"(?=(\{\{|\{%))")
_PART = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>-?\d+(?:\.\d+)?(?![\w.]*\.\.))|\((?P<range>[^()]+)\.\.(?P<last>[^()]+)\)"""
    r"|(?P<path>[A-Za-z_][\w-]*\??(?:\.[\w-]+\??|\[[^\[\]]*\])*))"
)
_CALLED = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\(\s*\)(?=\s*(?:\||\Z))")
"""A call without arguments, in languages other than Liquid; its value is known under its name with `()`."""
_STEP = re.compile(r"\.([\w-]+\??)|\[([^\[\]]*)\]")
_COMPARE = re.compile(r"\s*(==|!=|<>|<=|>=|<|>|contains\b)\s*")
_SPLIT = re.compile(r"""\s+(and|or)\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")
_FILTER = re.compile(r"""\|\s*(?P<name>\w+)\s*(?::\s*(?P<args>(?:"[^"]*"|'[^']*'|[^|"'])*))?""")
_ARGUMENT = re.compile(r"""(?:(?P<key>\w+)\s*[:=]\s*)?(?P<value>"[^"]*"|'[^']*'|[^\s,"']+)""")
_GROUP = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w.-]+)\s*:""")
"""Name of a cycle, before its values."""
_ORDER = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
_BY_EXPRESSION = frozenset(["where_exp", "group_by_exp", "find_exp", "reject_exp"])
_MOST_STEPS = 100_000
_DEEPEST = 12
_BLOCKS = {"if": "endif", "unless": "endunless", "for": "endfor", "case": "endcase", "capture": "endcapture",
           "tablerow": "endtablerow", "raw": "endraw", "comment": "endcomment", "highlight": "endhighlight"}  # fmt: skip
_LITERALS: dict[str, Any] = {"true": True, "false": False, "nil": None, "null": None, "empty": "", "blank": ""}


class LiquidError(OctavoError):
    """A template asks for more than is known here."""


class _LoopJumpError(LiquidError):
    """`break` or `continue`, on the way to its loop."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind} is outside of a loop")
        self.kind = kind


class Missing:
    """A value that the site's files do not hold; it is empty, and false."""

    def __init__(self, name: str, *, is_nil: bool = False) -> None:
        """Initialize.

        Args:
            name: By which it was asked for.
            is_nil: What it was asked of is known, and does not have it: as in Liquid, nothing is shown.
        """
        self.name = name
        self.is_nil = is_nil

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return ""


class LiquidPiece:
    """A piece of a template: a stretch of text, a value, or a tag with what it holds."""

    __slots__ = ("body", "end", "inner", "is_open", "kind", "rest", "start")

    def __init__(self, kind: str, rest: str, start: int, end: int) -> None:
        self.kind = kind
        """`text`, `value`, or the name of the tag."""
        self.rest = rest
        self.start, self.end = start, end
        """Of its own mark, or of the text."""
        self.body: list[LiquidPiece] = []
        self.inner = (end, end)
        """Where the content of a tag with an end is."""
        self.is_open = False
        """Its end is missing: it holds what is left of the text."""


def parse(text: str, convert: Callable[[LiquidPiece], LiquidPiece] | None = None) -> list[LiquidPiece]:
    """Read a template; a tag without its end holds what is left, and one that lies too deep holds nothing.

    Args:
        text: The template.
        convert: Writes tags of another language as those of Liquid.
    """
    tokens = list(map(convert, _tokens(text))) if convert else list(_tokens(text))
    position = 0

    def block(until: str, depth: int) -> list[LiquidPiece]:
        nonlocal position
        found: list[LiquidPiece] = []
        while position < len(tokens):
            one = tokens[position]
            if one.kind == until:
                return found
            position += 1
            found.append(one)
            # Those that lie deeper than a template may be evaluated: each takes a part of Python's stack.
            if one.kind in _BLOCKS and one.kind not in ("raw", "comment", "highlight") and depth <= _DEEPEST + 1:
                one.body = block(_BLOCKS[one.kind], depth + 1)
                one.inner = (one.end, tokens[position].start if position < len(tokens) else len(text))
                one.is_open = position >= len(tokens)
                position += not one.is_open
        return found

    return block("", 0)


def _tokens(text: str) -> Iterator[LiquidPiece]:
    ends = {"{{": text.rfind("}}"), "{%": text.rfind("%}")}
    position = 0
    while match := _next_token(text, position, ends):
        if match.start() > position:
            yield LiquidPiece("text", "", position, match.start())
        position = match.end()
        if match["value"] is not None:
            yield LiquidPiece("value", match["value"].strip(), match.start(), match.end())
            continue
        name = match["tag"]
        one = LiquidPiece(name, match["rest"].strip(), match.start(), match.end())
        if name in ("raw", "comment", "highlight"):
            end = _end_of(name, text, match.end())
            one.inner = (match.end(), end.start() if end else len(text))
            one.is_open = end is None
            position = end.end() if end else len(text)
        yield one
        if match[0].endswith("-%}") and name != "raw":
            position += len(text[position:]) - len(text[position:].lstrip())
    if position < len(text):
        yield LiquidPiece("text", "", position, len(text))


def _end_of(name: str, text: str, position: int) -> re.Match[str] | None:
    """Find the tag that ends a block whose content is not a template; one between `raw` and `endraw` is part of code."""
    last = re.compile(rf"\{{%-?\s*{_BLOCKS[name]}\s*-?%\}}")
    if name != "highlight":
        return last.search(text, position)
    # Not beyond the last end: each `raw` without one would be looked for to the end of the text.
    for raw in _RAW.finditer(text, position, text.find("%}", text.rfind("endraw")) + 2):
        if (found := last.search(text, position, raw.start())) is not None:
            return found
        position = raw.end()
    return last.search(text, position)


def _next_token(text: str, position: int, ends: Mapping[str, int]) -> re.Match[str] | None:
    """Find the next tag or value; `ends` tells where the last end of each kind is.

    A mark without an end behind it is passed over: to look for its end would read the rest of the text for each such mark.
    """
    for opening in _OPENING.finditer(text, position):
        if opening.start() + 2 <= ends[opening[1]] and (found := _TOKEN.match(text, opening.start())):
            return found
    return None


class Evaluator:
    """Evaluates expressions over names."""

    def __init__(self, names: Mapping[str, Any], *, is_strict: bool = False) -> None:
        """Initialize.

        Args:
            names: Those at the start, each with a value, a mapping or a function of its last part.
            is_strict: An expression that is not read to its end is an error; Liquid passes over the rest.
        """
        self.names: dict[str, Any] = dict(names)
        self.counters: dict[str, int] = {}
        """Of `increment`, `decrement` and `cycle`; templates within this one share them."""
        self._is_strict = is_strict
        self._steps = 0

    def counted(self, name: str, step: int) -> str:
        """Give a counter as `increment` and `decrement` show it: before it grows, and after it has become smaller."""
        before = self.counters.get(name, 0)
        self.counters[name] = before + step
        return str(before if step > 0 else before + step)

    def next_of_cycle(self, text: str) -> str:
        """Give the next of some values, which are counted under a name before a colon or else by themselves."""
        group = _GROUP.match(text)
        values = [one["value"] for one in _ARGUMENT.finditer(text, group.end() if group else 0)]
        if not values:
            return ""
        name = f"cycle {group[1] if group else values}"
        number = self.counters.get(name, 0)
        self.counters[name] = number + 1
        return shown(self._argument(values[number % len(values)]))

    def step(self) -> None:
        """Count a step.

        Raises:
            LiquidError: there were too many.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise LiquidError("a template takes too many steps")

    def value(self, text: str) -> Any:
        """Evaluate an expression with its filters."""
        called = _CALLED.match(text) if self._is_strict else None
        is_known = called is not None and f"{called['name']}()" in self.names
        head = called if is_known else _PART.match(text)
        if self._is_strict and (head is None or _FILTER.sub("", text[head.end() :]).strip()):
            raise LiquidError(f'"{text.strip()}" cannot be read here')
        if head is None:
            return Missing(text.strip())
        found = self.names[f"{head['name']}()"] if is_known else self._atom(head)
        for match in _FILTER.finditer(text, head.end()):
            if match["name"] in _BY_EXPRESSION:
                found = self._chosen(match["name"], found, match["args"] or "")
                continue
            apply = FILTERS.get(match["name"])
            if apply is None:
                raise LiquidError(f'the filter "{match["name"]}" is not known')
            arguments = [self._argument(one["value"]) for one in _ARGUMENT.finditer(match["args"] or "")]
            try:
                found = apply(found if not isinstance(found, Missing) else None, *arguments)
            except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
                raise LiquidError(f'the filter "{match["name"]}" cannot be applied: {error}') from error
        return found

    def _chosen(self, name: str, items: Any, arguments: str) -> Any:
        """Apply a filter whose condition names each item: `where_exp: "item", "item.tags contains 'a'"`."""
        words = [one["value"] for one in _ARGUMENT.finditer(arguments)]
        if isinstance(items, Missing) and not items.is_nil:
            raise LiquidError(f'"{items.name}" is not known')
        if len(words) != 2 or not all(word[0] in "\"'" for word in words):
            raise LiquidError(f'the filter "{name}" needs a name and a condition')
        variable, condition = (word[1:-1] for word in words)
        before = self.names.get(variable)
        listed = (
            list(items.values()) if isinstance(items, Mapping) else items if isinstance(items, (list, tuple)) else []
        )
        groups: dict[str, list[Any]] = {}
        for item in listed:
            self.names[variable] = item
            key = shown(self.value(condition)) if name == "group_by_exp" else str(self.is_true(condition))
            groups.setdefault(key, []).append(item)
        self.names[variable] = before
        if name == "group_by_exp":
            return [{"name": key, "items": found, "size": len(found)} for key, found in groups.items()]
        chosen = groups.get("False" if name == "reject_exp" else "True", [])
        return next(iter(chosen), None) if name == "find_exp" else chosen

    def _argument(self, text: str) -> Any:
        head = _PART.match(text)
        found = self._atom(head) if head else None
        return None if isinstance(found, Missing) else found

    def _atom(self, match: re.Match[str]) -> Any:
        self.step()
        if match["text"] is not None:
            return match["text"][1:-1]
        if match["number"] is not None:
            return float(match["number"]) if "." in match["number"] else int(match["number"])
        if match["range"] is not None:
            first, last = (self._argument(one.strip()) for one in (match["range"], match["last"]))
            return list(range(int(first or 0), min(int(last or 0), 1000) + 1))
        return self._path(match["path"])

    def _path(self, path: str) -> Any:
        if path in _LITERALS:
            return _LITERALS[path]
        head = re.match(r"[\w-]+\??", path)
        name = head[0] if head else path
        found: Any = self.names.get(name, Missing(name))
        for step in _STEP.finditer(path, len(name)):
            key: Any = step[1] if step[1] is not None else self._argument(step[2])
            found = _inside(found, key, path)
        return found

    def is_true(self, text: str) -> bool:
        """Evaluate a condition; `and` and `or` bind from the right, as they do there."""
        parts = _SPLIT.split(text.strip(), maxsplit=1)
        first = self._compare(parts[0])
        if len(parts) == 1:
            return first
        rest = self.is_true(parts[2])
        return (first and rest) if parts[1] == "and" else (first or rest)

    def _compare(self, text: str) -> bool:
        if text.lstrip().startswith("not "):
            return not self._compare(text.lstrip().removeprefix("not "))
        found = _COMPARE.search(text)
        if found is None:
            value = self.value(text)
            return value is not None and value is not False and not isinstance(value, Missing)
        left, right = self.value(text[: found.start()]), self.value(text[found.end() :])
        left, right = (None if isinstance(one, Missing) else one for one in (left, right))
        kind = found[1]
        if kind == "contains":
            return (
                right is not None
                and left is not None
                and (right in left if isinstance(left, (list, dict)) else str(right) in str(left))
            )
        if kind in ("==", "!=", "<>"):
            is_same = left == right or (
                "" in (left, right) and not left and not right and left is not False and right is not False
            )
            return is_same == (kind == "==")
        first: Any = left
        second: Any = right
        try:
            return bool(_ORDER[kind](first, second))
        except TypeError:
            return False

    def items(self, text: str) -> tuple[str, list[Any]]:
        """Read the head of a loop: the name of its variable, and what it goes over."""
        match = re.match(r"(?P<name>[\w-]+)\s+in\s+(?P<what>\([^()]*\)|[^\s]+)(?P<rest>.*)", text, re.DOTALL)
        if match is None:
            raise LiquidError(f'the loop "{text}" cannot be read')
        found = self.value(match["what"])
        if isinstance(found, Missing) and not (isinstance(found, Mapping) and found):
            if not found.is_nil:
                raise LiquidError(f'"{found.name}" is not known')
            found = []
        listed = (
            list(found.items())
            if isinstance(found, Mapping)
            else list(found)
            if isinstance(found, (list, tuple))
            else []
        )
        listed = [list(one) if isinstance(one, tuple) else one for one in listed]
        options = {one["key"]: self._argument(one["value"]) for one in _ARGUMENT.finditer(match["rest"]) if one["key"]}
        start = int(options.get("offset") or 0)
        listed = listed[start : start + int(options["limit"])] if options.get("limit") is not None else listed[start:]
        return match["name"], listed[::-1] if re.search(r"\breversed\b", match["rest"]) else listed


def _inside(value: Any, key: Any, path: str) -> Any:
    if isinstance(value, Mapping):
        # Pages, posts and collections belong to the site as well, and are not known here.
        is_nil = not path.startswith("site.") and not isinstance(value, Missing)
        return value.get(key, value.get(str(key), len(value) if key == "size" else Missing(path, is_nil=is_nil)))
    if isinstance(value, (list, tuple, str)):
        if key == "size":
            return len(value)
        if isinstance(value, str):
            return Missing(path)
        number = {"first": 0, "last": -1}.get(key, key)
        if isinstance(number, int) and not isinstance(number, bool) and -len(value) <= number < len(value):
            return value[number]
    return Missing(path)


Show = Callable[["LiquidPiece", "Evaluator"], str]


def write(
    tags: list[LiquidPiece], text: str, evaluator: Evaluator, other: Show, depth: int = 0
) -> Iterator[tuple[LiquidPiece, str | None]]:
    """Evaluate a template; gives each piece with its text, None for text that stays as it is.

    Args:
        tags: The template.
        text: What it was read from.
        evaluator: Holds the names; assignments change them.
        other: Draws tags that are not Liquid's own.
        depth: Of templates inside of others.

    Raises:
        LiquidError: it asks for more than is known.
    """
    if depth > _DEEPEST:
        raise LiquidError("templates are too deep inside of each other")
    for one in tags:
        evaluator.step()
        if one.kind == "text":
            yield one, None
        elif one.kind == "raw":
            yield LiquidPiece("text", "", *one.inner), None
        elif one.kind in ("comment", "#"):
            continue
        elif one.kind in ("increment", "decrement"):
            yield one, evaluator.counted(one.rest.strip(), 1 if one.kind == "increment" else -1)
        elif one.kind == "cycle":
            yield one, evaluator.next_of_cycle(one.rest)
        elif one.kind in ("break", "continue"):
            if "forloop" in evaluator.names:
                raise _LoopJumpError(one.kind)
        elif one.kind == "value":
            yield one, shown(evaluator.value(one.rest)) if not _unknown(one, evaluator) else other(one, evaluator)
        elif one.kind == "assign":
            name, _, expression = one.rest.partition("=")
            evaluator.names[name.strip()] = evaluator.value(expression.strip())
        elif one.kind == "capture":
            evaluator.names[one.rest.strip("\"' ")] = as_string(one.body, text, evaluator, other, depth + 1)
        elif one.kind in ("if", "unless", "case"):
            yield from write(_branch(one, evaluator), text, evaluator, other, depth + 1)
        elif one.kind in ("for", "tablerow"):
            yield from _loop(one, text, evaluator, other, depth)
        else:
            yield one, other(one, evaluator)


def _unknown(one: LiquidPiece, evaluator: Evaluator) -> bool:
    """Whether a value is not held by the site's files, and has no default."""
    found = None if "|" in one.rest else evaluator.value(one.rest)
    return isinstance(found, Missing) and not found.is_nil


def as_string(tags: list[LiquidPiece], text: str, evaluator: Evaluator, other: Show, depth: int = 0) -> str:
    """Evaluate a template to a text."""
    return "".join(
        text[one.start : one.end] if written is None else written
        for one, written in write(tags, text, evaluator, other, depth)
    )


def _branch(one: LiquidPiece, evaluator: Evaluator) -> list[LiquidPiece]:
    """Choose the part of a condition that holds."""
    parts: list[tuple[str, str, list[LiquidPiece]]] = [(one.kind, one.rest, [])]
    for inner in one.body:
        if inner.kind in ("elsif", "else", "when"):
            parts.append((inner.kind, inner.rest, []))
        else:
            parts[-1][2].append(inner)
    for kind, rest, body in parts:
        if kind == "case":
            continue
        if kind == "when":
            wanted = re.split(r"\s+or\s+|,", rest)
            holds = any(evaluator.value(value.strip()) == evaluator.value(one.rest) for value in wanted)
        else:
            holds = kind == "else" or evaluator.is_true(rest) == (kind != "unless")
        if holds:
            return body
    return []


def _loop(
    one: LiquidPiece, text: str, evaluator: Evaluator, other: Show, depth: int
) -> Iterator[tuple[LiquidPiece, str | None]]:
    name, items = evaluator.items(one.rest)
    before = {key: evaluator.names[key] for key in (name, "forloop") if key in evaluator.names}
    for number, item in enumerate(items):
        evaluator.names[name] = item
        evaluator.names["forloop"] = {
            "index": number + 1, "index0": number, "first": number == 0, "last": number == len(items) - 1,
            "length": len(items), "rindex": len(items) - number,
        }  # fmt: skip
        # What a loop writes is new text, even where it is the text of its body.
        try:
            for inner, written in write(one.body, text, evaluator, other, depth + 1):
                yield inner, text[inner.start : inner.end] if written is None else written
        except _LoopJumpError as jump:
            if jump.kind == "break":
                break
    for key in (name, "forloop"):
        evaluator.names.pop(key, None)
    evaluator.names.update(before)
