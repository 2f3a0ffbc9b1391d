"""Mutants of a module: the same source with one small change of meaning."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}


_UNNOTICED = frozenset(["frozen", "gc", "kw_only", "maxsize", "slots"])


class Mutant(msgspec.Struct, frozen=True):
    """One change: where, what, and the whole source with it."""

    line: int
    change: str
    """In words and code, `a < b → a <= b`."""
    source: str


class _Site(msgspec.Struct, frozen=True):
    """A place that can be changed."""

    number: int
    """Of the node in the order of `ast.walk`."""
    line: int
    change: str
    apply: Callable[[ast.AST], None]
    """Changes the node of that number in a copy of the tree."""


def mutants_of(source: str) -> list[Mutant]:
    """List all mutants of a module's source; their sources lose comments and formatting, not lines of meaning."""
    return [mutant_at(source, number) for number in range(count_places(source))]


def count_places(source: str) -> int:
    """Count the changes that are possible, without making them: each means writing the whole module anew."""
    return len(_places(ast.parse(source)))


def mutant_at(source: str, number: int) -> Mutant:
    """Make the mutant of one place."""
    tree = ast.parse(source)
    site = _places(tree)[number]
    return Mutant(site.line, site.change, _mutate(tree, site))


def _places(tree: ast.Module) -> list[_Site]:
    skipped = _not_run(tree)
    return [
        site for number, node in enumerate(ast.walk(tree)) if id(node) not in skipped for site in _sites(number, node)
    ]


def _mutate(tree: ast.Module, site: _Site) -> str:
    changed = copy.deepcopy(tree)
    node = next(node for number, node in enumerate(ast.walk(changed)) if number == site.number)
    site.apply(node)
    return ast.unparse(ast.fix_missing_locations(changed))


def _not_run(tree: ast.Module) -> set[int]:
    """Find the nodes whose change no test could notice.

    These are annotations, `TYPE_CHECKING` blocks, docstrings, and what forbids assignments to the fields of a
    class, or values without a name in a call, or saves memory.
    """
    found: set[int] = set()
    for node in ast.walk(tree):
        hidden: list[ast.AST | None] = []
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            hidden = [node]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [one for call in node.decorator_list for one in getattr(call, "keywords", ())]
            hidden = [node.returns, *(one for one in given if one.arg in _UNNOTICED)]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            hidden = [node.annotation]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden = [node]
        elif isinstance(node, ast.ClassDef):
            given = [*node.keywords, *(one for call in node.decorator_list for one in getattr(call, "keywords", ()))]
            hidden = [one for one in given if one.arg in _UNNOTICED]
        for part in filter(None, hidden):
            found |= {id(inner) for inner in ast.walk(part)}
    return found


def _sites(number: int, node: ast.AST) -> Iterator[_Site]:
    def site(before: Any, after: str, apply: Callable[[Any], None]) -> _Site:
        text = before if isinstance(before, str) else ast.unparse(before)
        return _Site(number, getattr(node, "lineno", 0), f"{_short(text)} → {after}", apply)

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        other = COMPARISONS[type(node.ops[0])]
        yield site(node, other.__name__, lambda copied: setattr(copied, "ops", [other()]))
    elif isinstance(node, ast.BoolOp):
        swapped = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield site(node, swapped.__name__.lower(), lambda copied: setattr(copied, "op", swapped()))
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node):
        replaced = OPERATORS[type(node.op)]
        yield site(node, replaced.__name__, lambda copied: setattr(copied, "op", replaced()))
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield site(f"if {ast.unparse(node.test)}", "if not (…)", _negate)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield site(node, str(not node.value), lambda copied: setattr(copied, "value", not copied.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield site(node, str(node.value + 1), lambda copied: setattr(copied, "value", copied.value + 1))
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield site(node, "return None", lambda copied: setattr(copied, "value", ast.Constant(None)))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield site(node, "(left out)", lambda copied: setattr(copied, "value", ast.Constant(None)))
    elif isinstance(node, ast.keyword) and node.arg is not None and isinstance(node.value, ast.Name):
        yield site(node, f"{node.arg}=None", lambda copied: setattr(copied, "value", ast.Constant(None)))


def _negate(copied: Any) -> None:
    copied.test = ast.UnaryOp(ast.Not(), copied.test)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.BinOp) -> bool:
    """Whether one side is a text: subtracting texts fails at once, and such mutants say nothing about tests."""
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in sides
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}…"
