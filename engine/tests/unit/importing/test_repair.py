"""Settings that `octavo.toml` would refuse are left out of an import, and noted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.importing.model import Plan
from octavo.importing.settings.repair import leave_out_refused

GOOD = {"from": "/a", "to": "/b"}


def repaired(settings: dict[str, Any]) -> Plan:
    plan = Plan("mdbook", Path(), {"title": "T", **settings})
    leave_out_refused(plan)
    return plan


def test_allowed_settings_stay_as_they_are() -> None:
    settings = {"title": "T", "redirects": [GOOD], "navbar": {"title": "N", "items": []}}
    plan = repaired(dict(settings))
    assert plan.settings == settings
    assert plan.notes == []


@pytest.mark.parametrize(
    ("given", "kept", "named"),
    [
        ({"redirects": [GOOD, {"from": "/../x", "to": "/"}]}, {"redirects": [GOOD]}, "redirects"),
        ({"redirects": [{"from": "/q", "to": "/r"}, {"from": "/r", "to": "/q"}]}, {"redirects": [{"from": "/q", "to": "/r"}]}, "redirects"),
        ({"redirects": [{"from": "/../x", "to": "/"}]}, {}, "redirects"),
        ({"nonsense": 3}, {}, "nonsense"),
        ({"theme": {"accent": "puce"}}, {"theme": {}}, "theme.accent"),
        (
            {"navbar": {"title": "N", "items": [{"label": "A", "href": "https://a.example", "odd": 1}, {"odd": 2}]}},
            {"navbar": {"title": "N", "items": [{"label": "A", "href": "https://a.example"}]}},
            "navbar.items.odd",
        ),
        ({"url": 3, "base_url": "/k/"}, {"base_url": "/k/"}, "url"),
    ],
)  # fmt: skip
def test_only_what_is_refused_is_left_out(given: dict[str, Any], kept: dict[str, Any], named: str) -> None:
    plan = repaired(given)
    assert plan.settings == {"title": "T", **kept}
    assert f"Values of {named} that octavo.toml does not allow" in [note.what.partition(":")[0] for note in plan.notes]


def test_refused_entries_are_counted() -> None:
    good = [{"from": f"/old/{number}", "to": "/new"} for number in range(30)]
    bad = [{"from": f"/./{number}", "to": "/new"} for number in range(3)]
    plan = repaired({"redirects": [*good[:7], bad[0], *good[7:], *bad[1:]]})
    assert plan.settings["redirects"] == good
    assert [note.count for note in plan.notes] == [3]
    assert 'from is "/./0"' in plan.notes[0].what


def test_a_title_is_found_even_for_a_folder_without_a_name() -> None:
    plan = Plan("mdbook", Path(), {"url": "https://kite.example"})
    leave_out_refused(plan)
    assert plan.settings == {"title": "Documentation", "url": "https://kite.example"}


@pytest.mark.parametrize("title", ["", "  ", None])
def test_a_site_without_a_title_has_the_name_of_its_folder(title: str | None) -> None:
    plan = Plan(
        "vitepress", Path("/sites/my-kite"), {"title": title, "redirects": [GOOD, {"from": "/../x", "to": "/"}]}
    )
    leave_out_refused(plan)
    assert plan.settings == {"title": "My kite", "redirects": [GOOD]}
    assert len(plan.notes) == 1
