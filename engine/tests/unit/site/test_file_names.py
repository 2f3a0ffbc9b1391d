"""Names in a published folder: a name is taken once, be it of a file or a folder, also where file systems know no case."""

from __future__ import annotations

import pytest

from octavo.site import FileNames


@pytest.mark.parametrize(
    ("taken", "wanted", "owner"),
    [
        ("a/b.html", "a/b.html", "first"),
        ("a/b/c.html", "a/b", "first"),
        ("a/b/c.html", "a", "first"),
        ("a", "a/b.html", "first"),
        ("a", "a/b/c.html", "first"),
        ("a/b", "a/b/c/d.html", "first"),
        ("a/b.html", "a/c.html", None),
        ("a/b.html", "ab.html", None),
        ("a/b.html", "A/b.html", None),
    ],
)
def test_name_is_taken_once(taken: str, wanted: str, owner: str | None) -> None:
    names = FileNames()
    assert names.take(taken, "first") is None
    assert names.take(wanted, "second") == owner
    assert (names.take(wanted, "third") == "second") is (owner is None)


@pytest.mark.parametrize(
    ("taken", "wanted", "owner"),
    [
        ("a/b.html", "a/B.html", "first"),
        ("Straße.html", "STRASSE.html", "first"),
        ("a/b.html", "A/c.html", None),
        ("a/b.html", "a/b.html", None),
        ("a/b/c.html", "A", "first"),
        ("a", "A/b.html", "first"),
    ],
)
def test_name_that_differs_in_case_alone_is_similar(taken: str, wanted: str, owner: str | None) -> None:
    names = FileNames()
    names.take(taken, "first")
    assert names.similar(wanted) == owner
