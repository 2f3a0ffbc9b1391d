"""Members of objects that are shown only where a site asks for them, and the docstrings that they have from others."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import griffe

if TYPE_CHECKING:
    from octavo.shipped.python_api.choices import Choices
    from octavo.shipped.python_api.library import Object

_AS_ITSELF = re.compile(r"\b(\w+)\s+as\s+\1\b")
_SPECIAL = re.compile(r"__\w+__")


def hidden_members(found: Object, choices: Choices, shown: Collection[str]) -> Iterator[Object]:
    """List the private, special and annotated members of a class or module that are chosen.

    Args:
        found: The class or module.
        choices: Say which.
        shown: Names of members that are shown anyway.
    """
    for name, member in found.members.items():
        if name in shown or member.is_alias or member.is_module or name == "__init__":
            continue
        if _SPECIAL.fullmatch(name):
            is_chosen = member.is_function and _holds(choices.special_members, name)
        elif name.startswith("_"):
            is_chosen = _holds(choices.private_members, name)
        else:
            is_chosen = choices.annotated_members and found.is_class and _is_annotated_only(found, member)
        if is_chosen:
            yield member


def _is_annotated_only(found: Object, member: Object) -> bool:
    """Whether an attribute is in the body of a class; others are made while it is initialized."""
    if not member.is_attribute or member.lineno is None:
        return False
    init = found.members.get("__init__")
    if init is None or init.is_alias or init.lineno is None or init.endlineno is None:
        return True
    return not init.lineno <= member.lineno <= init.endlineno


def named_member(found: Object, name: str) -> Object | None:
    """Find a member that is asked for by its name, also one of a base class."""
    if name in found.members:
        return found.members[name]
    try:
        return found.inherited_members.get(name)
    except (griffe.GriffeError, ValueError, KeyError, AttributeError):
        return None


def publish_handed_on(module: griffe.Module, code: str) -> None:
    """Make public what a module imports under its own name, `from .core import run as run`, as type checkers read it."""
    if module.exports or not _AS_ITSELF.search(code):
        return  # `__all__` says it, where there is one
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                member = module.members.get(name.name)
                if name.asname == name.name and not name.name.startswith("_") and isinstance(member, griffe.Alias):
                    member.public = True


def add_comments(holder: griffe.Object, lines: Sequence[str], parser: griffe.Parser | None) -> None:
    """Make docstrings of the comments `#: text` above attributes or behind them, as Sphinx reads them."""
    for member in holder.members.values():
        if isinstance(member, griffe.Class):
            add_comments(member, lines, parser)
        elif isinstance(member, griffe.Attribute) and member.docstring is None and member.lineno:
            first, text = _comment(lines, member.lineno, member.endlineno or member.lineno)
            if text:
                member.docstring = griffe.Docstring(text, lineno=first, parent=member, parser=parser)


def _comment(lines: Sequence[str], start: int, end: int) -> tuple[int, str]:
    """Read the comment about the statement in some lines, counted from 1: (its first line, its text)."""
    behind = re.search(r"#:[ \t]?(?P<text>.*)$", lines[end - 1]) if end <= len(lines) else None
    before = lines[end - 1][: behind.start()] if behind is not None else ""
    if behind is not None and before.strip() and not before.count('"') % 2 and not before.count("'") % 2:
        return end, behind["text"].strip()
    first = start
    while first > 1 and lines[first - 2].lstrip().startswith("#:"):
        first -= 1
    texts = [re.sub(r"^[ \t]*#:[ \t]?", "", line) for line in lines[first - 1 : start - 1]]
    return first, "\n".join(texts).strip()


def overridden(found: Object) -> Object | None:
    """Find the nearest member with a docstring that a member of a class overrides."""
    holder = found.parent
    if holder is None or not holder.is_class:
        return None
    try:
        bases = holder.mro()  # type: ignore[union-attr]  # aliases of classes have it as well
    except (griffe.GriffeError, ValueError, AttributeError):
        return None  # a base is not among the packages, or the bases contradict each other
    others = (base.members.get(found.name) for base in bases)
    return next((other for other in others if other is not None and not other.is_alias and other.docstring), None)


def _holds(chosen: list[str] | bool, name: str) -> bool:
    return chosen if isinstance(chosen, bool) else name in chosen
