"""`octavo explain` describes findings, settings and keys of front matter."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo as program
from octavo.errors import UsageError
from octavo.manual import FRONT_MATTER_KEYS, list_settings


def explained(name: str) -> str:
    done = CliRunner().invoke(program, ["explain", name], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("name", ["broken-link", "[broken-link]", "Broken-Link", "broken_link"])
def test_finding_is_explained_by_any_spelling_of_its_code(name: str) -> None:
    assert explained(name).startswith("broken-link: A link leads")


def test_setting_is_explained_with_what_it_takes() -> None:
    assert explained("search.results_per_group") == (
        "search.results_per_group, in octavo.toml\n\nMaximum number of results in each group of the dialog.\n\n"
        "Takes: integer\nDefault: 5\nExample: results_per_group = 5\n"
    )


@pytest.mark.parametrize("name", ["navbar.items.label", "navbar.items[].label", "NAVBAR.ITEMS.LABEL"])
def test_setting_in_a_list_needs_no_brackets(name: str) -> None:
    assert explained(name).startswith("navbar.items[].label, in octavo.toml")


def test_table_lists_what_it_contains() -> None:
    shown = explained("[theme]")
    inside = [setting for setting in list_settings() if setting.path.startswith("theme.")]
    assert [setting.path for setting in inside if f"\n{setting.path} " not in shown] == []


def test_name_with_two_meanings_gets_both() -> None:
    shown = explained("icon")
    assert "icon: An icon does not exist" in shown
    assert "icon, in octavo.toml" in shown
    assert "icon, in the front matter of a page" in shown


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("brokn-link", "broken-link"), ("search.mod", "search.mode"), ("sidebar_positon", "sidebar_position")],
)
def test_similar_name_is_suggested(wrong: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f'Did you mean "{meant}"'):
        explained(wrong)


def test_every_setting_and_key_has_a_sentence() -> None:
    assert [setting.path for setting in list_settings() if not setting.sentence] == []
    assert [name for name, key in FRONT_MATTER_KEYS.items() if not key.sentence] == []
