"""Names in a published folder: a name is taken once, be it of a file or a folder, also where file systems know no case."""

from __future__ import annotations

import pytest

from octavo.site import FileNames, explain_bad_route


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


@pytest.mark.parametrize(
    ("route", "message"),
    [
        (f"/guides/{'x' * 247}", None),
        (f"/guides/{'x' * 248}/a", "A part of the address is 248 bytes long"),
        (f"/{'ö' * 123}", None),
        (f"/{'ö' * 124}", "A part of the address is 248 bytes long"),
        (f"/{'😀' * 62}", "A part of the address is 248 bytes long"),
        ("/" + "/".join(["x" * 200] * 14), None),
        ("/" + "/".join(["x" * 200] * 15), "The address is 3014 bytes long"),
        ("/" + "/".join(["ö" * 100] * 15), "The address is 3014 bytes long"),
    ],
)
def test_address_that_file_systems_do_not_take_is_explained(route: str, message: str | None) -> None:
    found = explain_bad_route(route)
    assert (found and (found[0], found[1].startswith(message or "-"))) == (message and ("long-address", True))
