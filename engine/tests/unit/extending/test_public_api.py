"""The public interface of extensions follows semantic versioning: what is there stays as it is within a first number."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from octavo import extensions

RECORD = Path(__file__).with_name(f"public_api_{extensions.API_VERSION.partition('.')[0]}.txt")
"""A line for each thing that extensions may use. A new first number has a record of its own."""


def describe() -> Iterator[str]:
    """Describe the module, a line for each name, field and method."""
    for name in sorted(extensions.__all__):
        thing = getattr(extensions, name)
        if not inspect.isclass(thing):
            yield name
            continue
        # Fields say what the constructor takes; of other classes it is a method as any.
        yield f"class {name}"
        if dataclasses.is_dataclass(thing):
            for field in dataclasses.fields(thing):
                is_needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
                yield f"{name}.{field.name}: {field.type}{'' if is_needed else ' = …'}"
        for method, function in inspect.getmembers(thing, inspect.isfunction):
            if not method.startswith("_") or (method == "__init__" and not dataclasses.is_dataclass(thing)):
                yield f"{name}.{method}{inspect.signature(function)}"
        for value, getter in inspect.getmembers(thing, lambda member: isinstance(member, property)):
            yield f"{name}.{value}: {getter.fget.__annotations__['return']}"


def test_nothing_that_extensions_use_has_changed() -> None:
    gone = sorted(set(RECORD.read_text("utf-8").splitlines()) - set(describe()))
    assert gone == [], (
        "Extensions that use these would break. Keep them, or raise the first number of API_VERSION, say in CHANGELOG.md "
        "what to write instead, and record the interface anew."
    )


def test_what_is_new_is_recorded() -> None:
    new = sorted(set(describe()) - set(RECORD.read_text("utf-8").splitlines()))
    assert new == [], f"Add these lines to {RECORD.name}, and raise the second number of API_VERSION."


def test_all_of_it_is_documented() -> None:
    page = (Path(__file__).parents[4] / "docs" / "extend.md").read_text("utf-8")
    methods = [name for name, _ in inspect.getmembers(extensions.Extension, inspect.isfunction) if name[0] != "_"]
    assert [name for name in (*extensions.__all__, *methods) if not re.search(rf"\b{name}\b", page)] == []
