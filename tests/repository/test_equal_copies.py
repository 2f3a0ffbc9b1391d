"""Files that two distributions need and cannot share: neither depends on the other, so each has a copy, and these are equal."""

from __future__ import annotations

from tests.support.each import each
from tests.support.paths import REPOSITORY


@each("name", ["closing.py", "upgrades.py"])
def test_copies_of_the_servers_are_equal(name: str) -> None:
    copies = [REPOSITORY / folder / name for folder in ("apis/src/service_guard", "engine/src/octavo/server/access")]
    assert copies[0].read_text() == copies[1].read_text()
