"""Read a template of Go: text, and actions between double braces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from octavo.errors import OctavoError
from octavo.lazy import regex as re

_ACTION = re.compile(
    r"(?P<left>\{\{-\s|\{\{)(?P<body>(?:\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|[^\"`])*?)(?P<right>\s-\}\}|\}\})", re.DOTALL
)
_COMMENT = re.compile(r"\{\{(?P<left>-?)\s*/\*.*?\*/\s*(?P<right>-?)\}\}", re.DOTALL)
_WORD = re.compile(
    r"""(?P<quoted>"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)')|(?P<mark>\(|\)|\||:=|=|,)"""
    r"""|(?P<number>[-+]?\d+(?:\.\d+)?(?![\w.]))|(?P<name>[$\w.-]*[$\w.])|(?P<other>\S)"""
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_DEEPEST = 60
"""Blocks and brackets within each other: each takes a part of Python's stack."""


class TemplateError(OctavoError):
    """A template does more than this reader knows."""


class Literal(NamedTuple):
    """A value as it is written."""

    value: Any


class Named(NamedTuple):
    """`.`, `$`, `$name` or the name of a function or an object, each with fields after it."""

    root: str
    fields: tuple[str, ...]


class Bracket(NamedTuple):
    """A pipeline in brackets, with fields after it."""

    pipeline: Pipeline
    fields: tuple[str, ...]


Term = Literal | Named | Bracket


class Pipeline(NamedTuple):
    """Commands of which each is handed what the one before it gives, and the variables that keep the last value."""

    commands: tuple[tuple[Term, ...], ...]
    names: tuple[str, ...] = ()
    is_new: bool = True
    """The variables are made here; others are given another value."""


class Write(NamedTuple):
    """Text of the template."""

    text: str


class Act(NamedTuple):
    """An action that writes a value, or keeps it."""

    pipeline: Pipeline


class Branch(NamedTuple):
    """`if`, `with` or `range`, and what is written otherwise."""

    kind: str
    pipeline: Pipeline
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class Call(NamedTuple):
    """`template` and `block`: another template, drawn in this place."""

    name: str
    pipeline: Pipeline | None


class Leave(NamedTuple):
    """`return`, `break` or `continue`."""

    kind: str
    pipeline: Pipeline | None


Node = Write | Act | Branch | Call | Leave


class Template(NamedTuple):
    """A template, and those that are defined within it."""

    nodes: tuple[Node, ...]
    defined: dict[str, tuple[Node, ...]]


@lru_cache(maxsize=256)
def read_template(text: str) -> Template:
    """Read a template.

    Raises:
        TemplateError: it is not well formed.
    """
    return _Parser(text).template()


class _Parser:
    def __init__(self, text: str) -> None:
        self._pieces = list(_pieces(text))
        self._at = 0
        self._depth = 0
        self._defined: dict[str, tuple[Node, ...]] = {}

    def template(self) -> Template:
        nodes = self._block()
        if self._at < len(self._pieces):
            raise TemplateError(f"{self._pieces[self._at][1].split()[0]} has no beginning")
        return Template(nodes, self._defined)

    def _block(self) -> tuple[Node, ...]:
        """Read up to the `else` or `end` of this level, which stays."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TemplateError("it has too many blocks within each other")
        nodes: list[Node] = []
        while self._at < len(self._pieces):
            is_action, text = self._pieces[self._at]
            word = _first_word(text) if is_action else ""
            rest = text[len(word) :].strip()
            if word in ("else", "end"):
                break
            self._at += 1
            if not is_action:
                nodes.append(Write(text))
            elif word in ("if", "with", "range"):
                nodes.append(self._choice(word, rest))
            elif word in ("define", "block"):
                name, body = self._named(rest)
                self._defined.setdefault(name, body)
                if word == "block":
                    nodes.append(Call(name, _pipeline(_after_name(rest))))
            elif word == "template":
                nodes.append(Call(_name_in(rest), _pipeline(_after_name(rest))))
            elif word in ("return", "break", "continue"):
                nodes.append(Leave(word, _pipeline(rest)))
            elif (pipeline := _pipeline(text)) is not None:
                nodes.append(Act(pipeline))
        self._depth -= 1
        return tuple(nodes)

    def _named(self, rest: str) -> tuple[str, tuple[Node, ...]]:
        body = self._block()
        if self._next() != "end":
            raise TemplateError("a block has no end")
        return _name_in(rest), body

    def _choice(self, kind: str, rest: str) -> Branch:
        pipeline = _pipeline(rest)
        if pipeline is None:
            raise TemplateError(f"{kind} has no value")
        body = self._block()
        text = self._next()
        if text == "end":
            return Branch(kind, pipeline, body, ())
        further = text[len("else") :].strip()
        word = _first_word(further)
        if word in ("if", "with"):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise TemplateError("it has too many conditions after each other")
            inner = self._choice(word, further[len(word) :])
            self._depth -= 1
            return Branch(kind, pipeline, body, (inner,))
        otherwise = self._block()
        if self._next() != "end":
            raise TemplateError("a block has no end")
        return Branch(kind, pipeline, body, otherwise)

    def _next(self) -> str:
        """Give the `else` or `end` that comes now."""
        if self._at >= len(self._pieces):
            raise TemplateError("a block has no end")
        self._at += 1
        return self._pieces[self._at - 1][1]


def _first_word(text: str) -> str:
    match = re.match(r"[a-z]+(?![\w.])", text)
    return match[0] if match else ""


def _name_in(rest: str) -> str:
    if match := re.match(r"\s*[\"`]([^\"`]*)[\"`]", rest):
        return match[1]
    raise TemplateError("a template has no name")


def _after_name(rest: str) -> str:
    return re.sub(r"\A\s*[\"`][^\"`]*[\"`]", "", rest)


def _pieces(template: str) -> Iterator[tuple[bool, str]]:
    """Split a template into text and actions; white space goes where an action says so."""
    template = _COMMENT.sub(lambda match: f"{{{{{match['left']} {match['right']}}}}}", template)
    position, trims = 0, False
    for match in _ACTION.finditer(template):
        text = template[position : match.start()]
        text = text.lstrip() if trims else text
        body, right = match["body"], match["right"]
        # The mark of an action without a value, `{{- -}}`, is read as its value.
        bare = body.strip()
        if bare == "-":
            body, right = "", " -}}"
        text = text.rstrip() if match["left"] != "{{" else text
        if text:
            yield False, text
        if body.strip():
            yield True, body.strip()
        position, trims = match.end(), right != "}}"
    text = template[position:]
    if text := text.lstrip() if trims else text:
        yield False, text


def _pipeline(text: str) -> Pipeline | None:
    """Read what an action holds; None where that is nothing."""
    words = [
        # A field belongs to the bracket before it only where no space is between them.
        (match.lastgroup or "", match[0], match.start() > 0 and not text[match.start() - 1].isspace())
        for match in _WORD.finditer(text)
    ]
    if not words:
        return None
    at = next((at for at, word in enumerate(words) if word[:2] in (("mark", ":="), ("mark", "="))), None)
    names: tuple[str, ...] = ()
    is_new = True
    if at is not None:
        heads = [word for _, word, _ in words[:at] if word != ","]
        if not heads or not all(re.fullmatch(r"\$\w+", one) for one in heads):
            raise TemplateError(f"{text} is not known")
        names, is_new, words = tuple(heads), words[at][1] == ":=", words[at + 1 :]
    found, rest = _commands(words, 0)
    if rest:
        raise TemplateError(f"{text} is not known")
    return Pipeline(found, names, is_new)


def _commands(
    words: list[tuple[str, str, bool]], depth: int
) -> tuple[tuple[tuple[Term, ...], ...], list[tuple[str, str, bool]]]:
    if depth > _DEEPEST:
        raise TemplateError("it has too many brackets")
    commands: list[tuple[Term, ...]] = []
    terms: list[Term] = []
    while words:
        kind, word, _ = words[0]
        if kind == "mark" and word == ")":
            break
        words = words[1:]
        if kind == "mark" and word == "|":
            commands.append(tuple(terms))
            terms = []
        elif kind == "mark" and word == "(":
            inner, words = _commands(words, depth + 1)
            if not words:
                raise TemplateError("a bracket is open")
            words = words[1:]
            fields: tuple[str, ...] = ()
            if words and words[0][2] and words[0][0] == "name" and words[0][1].startswith(".") and len(words[0][1]) > 1:
                fields, words = tuple(words[0][1][1:].split(".")), words[1:]
            terms.append(Bracket(Pipeline(inner), fields))
        elif kind == "quoted":
            terms.append(Literal(_unquoted(word)))
        elif kind == "number":
            terms.append(Literal(float(word) if "." in word else int(word)))
        elif kind == "name":
            terms.append(_name(word))
        else:
            raise TemplateError(f"{word} is not known")
    commands.append(tuple(terms))
    if not all(commands):
        raise TemplateError("a command is empty")
    return tuple(commands), words


def _unquoted(word: str) -> Any:
    if word[0] == "`":
        return word[1:-1]
    text = re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), word[1:-1])
    return ord(text) if word[0] == "'" else text


def _name(word: str) -> Term:
    if word in ("true", "false", "nil"):
        return Literal({"true": True, "false": False, "nil": None}[word])
    root, _, path = word.partition(".")
    fields = tuple(path.split(".")) if path else ()
    if not all(fields):
        raise TemplateError(f"{word} is not known")
    if word.startswith("."):
        return Named(".", fields)
    return Named(root, fields)
