"""Which operations have pages of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from octavo.reference.openapi.layout import Layout, choose_layout, group_operations
from octavo.reference.openapi.operation import Operation, find_operations
from tests.support.each import each

ROOT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "tags": [{"name": "dogs", "description": "Dogs."}, {"name": "birds", "description": "None yet."}, {"name": "fish"}],
    "paths": {
        "/cats": {"get": {"tags": ["cats"], "responses": {}}, "post": {"tags": ["cats", "dogs"], "responses": {}}},
        "/dogs": {"get": {"tags": ["dogs"], "responses": {}}},
        "/all": {"get": {"responses": {}}},
    },
}


@each(
    "wish, operations, schemas, layout",
    [
        ("auto", 6, 12, "page"),
        ("auto", 7, 12, "auto"),
        ("auto", 6, 13, "auto"),
        ("page", 99, 99, "page"),
        ("tags", 1, 1, "tags"),
        ("operations", 1, 1, "operations"),
    ],
)
def test_layout_follows_the_size_unless_one_is_wished(wish: str, operations: int, schemas: int, layout: str) -> None:
    assert choose_layout(wish, operations, schemas) == layout


@each(
    "layout, with_pages",
    [
        ("page", []),
        ("tags", []),
        ("operations", ["dogs", "birds", "cats", "Other operations"]),
        ("auto", ["cats"]),
    ],
)
def test_operations_have_pages_where_they_are_wished_or_many(layout: Layout, with_pages: list[str]) -> None:
    def is_large(name: str, operations: Sequence[Operation]) -> bool:
        assert layout == "auto"
        return len(operations) > 1

    groups = group_operations(ROOT, find_operations(ROOT), layout, is_large)
    assert [group.name for group in groups if group.has_pages] == with_pages


def test_operation_of_two_tags_is_shown_with_its_first() -> None:
    groups = group_operations(ROOT, find_operations(ROOT), "page", lambda *_: False)
    assert [
        (one.name, [op.path for op in one.operations], [op.method for op in one.others], one.description)
        for one in groups
    ] == [
        ("dogs", ["/dogs"], ["POST"], "Dogs."),
        ("birds", [], [], "None yet."),
        ("cats", ["/cats", "/cats"], [], ""),
        ("Other operations", ["/all"], [], ""),
    ]
