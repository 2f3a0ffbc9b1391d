"""CSS modules: style sheets whose names of classes, ids and animations belong to them alone.

A component imports the names as an object, `import styles from "./Card.module.css"`, and writes `styles.title`.
`:global(…)` keeps names as they are, and `composes` adds classes to one. Names are told apart by an ending, so the sheet
keeps its lines.

Source:
    https://github.com/css-modules/css-modules, and the Interoperable CSS that bundlers make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import tinycss2

from octavo.lazy import regex as re
from octavo.stylesheets.sheet import SheetProblem, rules_of

MODULE_ENDING = ".module.css"
_DEEPEST = 50
"""Blocks within each other that are read, as in `read_sheet`."""
_NAME = re.compile(r"(?:\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?|\\[^\n\r\f]|[\w-]|[^\x00-\x7f])+")
"""A name as it is written, with escapes."""
_IN_PARENTHESES = re.compile(r"""[()]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*.*?\*/|\\.""", re.DOTALL)
_DECLARATION = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|[^;{}"'])*;?""")
_ANIMATION = re.compile(r"(?:-webkit-|-moz-)?animation(?:-name)?")
_NESTING = frozenset({"media", "supports", "layer", "container", "starting-style", "scope", "document"})
"""At-rules with rules of style in them."""
_SCOPES = ("global", "local")


class Composition(msgspec.Struct, frozen=True):
    """Classes of another sheet that a class of this one adds to itself."""

    name: str
    """The class."""
    others: list[str]
    address: str
    line: int
    column: int


class ScopedSheet(msgspec.Struct, frozen=True):
    """A CSS module that was read."""

    text: str
    """For browsers."""
    names: dict[str, str]
    """Name in the module → what an element gets: one or more names of classes."""
    composed: list[Composition]
    problems: list[SheetProblem]
    understood: frozenset[tuple[int, int]]
    """Line and column of what only CSS modules have, and of which nothing is left in the text."""


def scope_sheet(text: str, ending: str) -> ScopedSheet:
    """Give the names of a CSS module an ending.

    Args:
        text: The sheet.
        ending: What is put behind each name, such as `_x7k2q`: letters, digits, `_` and `-`.
    """
    scoping = _Scoping(text, ending)
    scoping.read()
    names = {name: name + ending for name in scoping.names}
    written = {name: " ".join(scoping.with_composed(name, names)) for name in names}
    return ScopedSheet(scoping.rewritten(), written, scoping.composed, scoping.problems, frozenset(scoping.understood))


class _Scoping:
    def __init__(self, text: str, ending: str) -> None:
        self.names: dict[str, None] = {}
        self.composed: list[Composition] = []
        self.problems: list[SheetProblem] = []
        self.understood: set[tuple[int, int]] = set()
        self._text = text
        self._ending = ending
        self._starts = [0, *(match.end() for match in re.finditer(r"\r\n|[\n\r\f]", text))]
        """Offset of each line, as lines of tokens are counted."""
        self._edits: dict[tuple[int, int], str] = {}
        """Part of the text, from an offset to another → what takes its place."""
        self._animations: set[str] = set()
        self._animated: list[Any] = []
        """Names in declarations which may be those of animations."""
        self._composed_tokens: list[Any] = []
        """Names of classes of this sheet that others of it compose."""
        self._own: dict[str, list[tuple[str, bool]]] = {}
        """Class → what it composes of this sheet, or of none: (name, whether it is global)."""

    def read(self) -> None:
        tokens = tinycss2.parse_component_value_list(self._text)
        waiting: list[tuple[Sequence[Any], bool, int]] = [(tokens, False, 0)]
        while waiting:
            inner, is_global, depth = waiting.pop()
            if depth <= _DEEPEST:
                waiting += [
                    (block, scope, depth + 1) for block, scope in self._block(inner, depth, is_global=is_global)
                ]
        for token in self._animated:
            if token.value in self._animations:
                self._end(token)
        for token in self._composed_tokens:
            if token.value not in self.names:
                self._report(token, f'This style sheet has no class "{token.value}" to compose.', "")

    def rewritten(self) -> str:
        parts, at = [], 0
        for (start, end), new in sorted(self._edits.items()):
            parts += [self._text[at:start], new]
            at = end
        return "".join([*parts, self._text[at:]])

    def with_composed(self, name: str, names: Mapping[str, str]) -> list[str]:
        """List the classes of an element that has a class of this sheet, each once."""
        found: dict[str, None] = {}
        waiting = [(name, False)]
        while waiting:
            one, is_global = waiting.pop()
            written = one if is_global else names.get(one)
            if written is not None and written not in found:
                found[written] = None
                waiting += reversed([] if is_global else self._own.get(one, []))
        return list(found)

    # Rules

    def _block(self, tokens: Sequence[Any], depth: int, *, is_global: bool) -> Iterator[tuple[Sequence[Any], bool]]:
        """Read what is in a block; yields the blocks in it, and whether all names in them are global."""
        for head, block in rules_of(tokens):
            if head and head[0].type == "at-keyword":
                yield from self._at_rule(head, block, is_global=is_global)
            elif block is None:
                self._declaration(head, [], is_global=is_global)
            else:
                scope = self._selectors(head, is_nested=depth > 0, is_global=is_global)
                single = self._single_classes(head)
                for declared, inner in rules_of(block.content):
                    if inner is None and declared and _is_composes(declared):
                        self._declaration(declared, single, is_global=scope)
                yield block.content, scope

    def _at_rule(self, head: list[Any], block: Any, *, is_global: bool) -> Iterator[tuple[Sequence[Any], bool]]:
        name = head[0].lower_value
        if name == "value":
            message = "@value is not supported: the names that it sets mean nothing to browsers."
            self._report(head[0], message, "Use a custom property, such as --gap: 1rem, and var(--gap).")
        elif name.endswith("keyframes"):
            self._keyframes(head, is_global=is_global)
        elif block is not None and name in _NESTING:
            if name == "scope":
                for token in head:
                    if token.type == "() block":
                        self._selectors(token.content, is_nested=True, is_global=is_global)
            yield block.content, is_global

    def _keyframes(self, head: list[Any], *, is_global: bool) -> None:
        named = [token for token in head[1:] if token.type not in ("whitespace", "comment")]
        if len(named) == 1 and named[0].type == "ident" and not is_global:
            self._animations.add(named[0].value)
            self.names.setdefault(named[0].value)
            self._end(named[0])
        elif len(named) == 2 and named[0] == ":" and named[1].type == "function" and named[1].lower_name in _SCOPES:
            self._unwrap(named[0], named[1])
            inner = [token for token in named[1].arguments if token.type == "ident"]
            if named[1].lower_name == "local" and inner:
                self._animations.add(inner[0].value)
                self.names.setdefault(inner[0].value)
                self._end(inner[0])

    def _declaration(self, head: list[Any], single: list[str], *, is_global: bool) -> None:
        if not head:
            return
        if _is_composes(head):
            if single:
                self._composes(head, single)
            return
        if head[0].type == "ident" and _ANIMATION.fullmatch(head[0].lower_value) and not is_global:
            self._animated += [token for token in head[1:] if token.type == "ident"]

    def _composes(self, head: list[Any], single: list[str]) -> None:
        """Read `composes: a b from "./other.module.css"`, which no browser knows."""
        start = self._offset(head[0])
        end = _DECLARATION.match(self._text, start)
        stop = end.end() if end is not None else start
        self._edits[start, stop] = re.sub(r"[^\n\r\f]", " ", self._text[start:stop])
        self.understood.add((head[0].source_line, head[0].source_column))
        value = [token for token in head[1:] if token.type in ("ident", "string")]
        words = [token.value for token in value]
        others, source = words, ""
        is_global = False
        if "from" in words and words.index("from") == len(words) - 2:
            others, last = words[:-2], value[-1]
            is_global = last.type == "ident" and last.value == "global"
            source = last.value if last.type == "string" else ""
        for name in single:
            if source:
                self.composed.append(Composition(name, others, source, head[0].source_line, head[0].source_column))
            else:
                self._own.setdefault(name, []).extend((other, is_global) for other in others)
        if not (source or is_global):
            self._composed_tokens += value

    def _single_classes(self, head: Sequence[Any]) -> list[str]:
        """List the classes of a list of selectors in which each is one class; none where another is among them."""
        found = []
        for part in _split(head):
            if len(part) != 2 or part[0] != "." or part[1].type != "ident":
                return []
            found.append(part[1].value)
        return found

    # Selectors

    def _selectors(self, tokens: Sequence[Any], *, is_nested: bool, is_global: bool) -> bool:
        """Scope the names in a list of selectors; returns whether the block behind it is global."""
        scopes = [
            self._selector(part, is_nested=is_nested, is_global=is_global) for part in _split(tokens, keep_spaces=True)
        ]
        return bool(scopes) and all(scopes)

    def _selector(self, part: list[Any], *, is_nested: bool, is_global: bool) -> bool:
        switched = is_global
        for at, token in enumerate(part):
            before = part[at - 1] if at else None
            if token.type == "ident" and before is not None and before == "." and not switched:
                self._name(token)
            elif token.type == "hash" and token.is_identifier and not switched:
                self.names.setdefault(token.value)
                self._end(token, skip=1)
            elif token.type == "ident" and before == ":" and token.lower_value in _SCOPES:
                switched = token.lower_value == "global"
                self._switch(part, at, is_nested=is_nested)
            elif token.type == "function":
                is_scope = before == ":" and token.lower_name in _SCOPES
                if is_scope:
                    self._unwrap(before, token)
                scope = token.lower_name == "global" if is_scope else switched
                self._selectors(token.arguments, is_nested=True, is_global=scope)
        return switched

    def _switch(self, part: list[Any], at: int, *, is_nested: bool) -> None:
        """Remove `:global` or `:local` from a selector; one that consists of nothing else becomes `&`."""
        token = part[at]
        start = self._offset(token) - 1
        end = start + 1 + len(token.value)
        if at + 2 < len(part) and part[at + 1].type == "whitespace":
            end = self._offset(part[at + 2])
        others = [one for one in part if one.type not in ("whitespace", "comment")]
        self._edits[start, end] = "&" if len(others) == 2 else ""
        self.understood.add((token.source_line, token.source_column))
        if len(others) == 2 and not is_nested:
            message = f'":{token.value}" has no selector behind it, and is in no rule.'
            self._report(token, message, f"Write it in front of each selector, as in :{token.value} .name {{ … }}.")

    def _unwrap(self, colon: Any, function: Any) -> None:
        """Remove `:global(` and its closing parenthesis."""
        start = self._offset(colon)
        inner = self._text.index("(", start) + 1
        self._edits[start, inner] = ""
        self.understood.add((function.source_line, function.source_column))
        depth = 1
        for match in _IN_PARENTHESES.finditer(self._text, inner):
            depth += {"(": 1, ")": -1}.get(match[0], 0)
            if depth == 0:
                self._edits[match.start(), match.end()] = ""
                return

    def _name(self, token: Any) -> None:
        self.names.setdefault(token.value)
        self._end(token)

    def _end(self, token: Any, *, skip: int = 0) -> None:
        """Put the ending behind a name; `skip` characters are in front of it."""
        written = _NAME.match(self._text, self._offset(token) + skip)
        if written is not None:
            self._edits[written.end(), written.end()] = self._ending

    def _offset(self, token: Any) -> int:
        return self._starts[int(token.source_line) - 1] + int(token.source_column) - 1

    def _report(self, token: Any, message: str, suggestion: str) -> None:
        self.understood.add((token.source_line, token.source_column))
        self.problems.append(SheetProblem(token.source_line, token.source_column, message, suggestion))


def _is_composes(head: Sequence[Any]) -> bool:
    return bool(head[0].type == "ident" and head[0].lower_value == "composes" and len(head) > 1)


def _split(tokens: Sequence[Any], *, keep_spaces: bool = False) -> list[list[Any]]:
    """Split a list of selectors at its commas; empty ones are left out."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        elif token.type != "comment" and (keep_spaces or token.type != "whitespace"):
            parts[-1].append(token)
    return [part for part in parts if part]
