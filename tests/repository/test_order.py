"""The longest files of tests come first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.support.order import LONGEST, pytest_collection_modifyitems
from tests.support.paths import REPOSITORY


def test_longest_files_are_there_and_named_once() -> None:
    assert [name for name in LONGEST if not (REPOSITORY / name).is_file()] == []
    assert len(set(LONGEST)) == len(LONGEST)


def test_longest_files_come_first_and_the_others_keep_their_order() -> None:
    names = ["b.py", LONGEST[1], "a.py", LONGEST[0], LONGEST[0], "b.py"]
    items: list[Any] = [SimpleNamespace(path=REPOSITORY / name, number=number) for number, name in enumerate(names)]
    config: Any = SimpleNamespace(rootpath=REPOSITORY)
    pytest_collection_modifyitems(config, items)
    assert [item.number for item in items] == [3, 4, 1, 0, 2, 5]
