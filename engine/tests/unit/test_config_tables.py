"""Mistakes in tables of references, themes and search engines: each is found, named, and no right value is."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.config import ApiReference, ColorPair, Guide, SearchEngine, ThemeSettings
from octavo.config.references import CommandReference, check_apis, tidy_api, tidy_commands
from octavo.config.server import check_search_engine
from octavo.config.theme import check_theme


def api(**given: Any) -> ApiReference:
    return ApiReference(**({"id": "pots", "doc": "reference/pots", "spec": "pots.yaml"} | given))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"id": "0-pots_v1"},
        {"doc": "Pots"},
        {"spec": "api/pots.v1.yaml", "introduction": "api/_about.md"},
        {"url": "http://clay.example/a.json", "timeout_s": 300},
        {"guides": {"fire": [Guide(label="Fire", href="/fire"), Guide(label="Glaze", href="https://clay.example")]}},
    ],
)
def test_right_reference_has_no_mistake(given: dict[str, Any]) -> None:
    assert list(check_apis([api(**given)])) == []


@pytest.mark.parametrize(
    ("given", "key", "value"),
    [
        ({"id": "Pots"}, "id", "Pots"),
        ({"id": "-pots"}, "id", "-pots"),
        ({"doc": "/pots"}, "doc", "/pots"),
        ({"doc": "pots/"}, "doc", "pots/"),
        ({"spec": "/pots.yaml"}, "spec", "/pots.yaml"),
        ({"spec": "a/../pots.yaml"}, "spec", "a/../pots.yaml"),
        ({"spec": "a\\pots.yaml"}, "spec", "a\\pots.yaml"),
        ({"introduction": "/about.md"}, "introduction", "/about.md"),
        ({"introduction": "../about.md"}, "introduction", "../about.md"),
        ({"introduction": "a\\about.md"}, "introduction", "a\\about.md"),
        ({"guides": {"fire": [Guide(label="Fire", href="//clay.example")]}}, "href", "//clay.example"),
        ({"guides": {"fire": [Guide(label="Fire", href="fire")]}}, "href", "fire"),
        ({"url": "ftp://clay.example"}, "url", "ftp://clay.example"),
        ({"url": "https://clay example"}, "url", "https://clay example"),
        ({"timeout_s": 0}, "timeout_s", "0"),
        ({"timeout_s": 301}, "timeout_s", "301"),
    ],
)
def test_mistake_in_a_reference_is_named(given: dict[str, Any], key: str, value: str) -> None:
    ((found, quoted, message),) = check_apis([api(**given)])
    assert (found, quoted) == (key, value)
    assert value in message


def test_ids_and_documents_are_given_once() -> None:
    twice = [api(), api(doc="reference/cups")]
    assert [key for key, _, _ in check_apis(twice)] == ["id", "id"]
    assert [key for key, _, _ in check_apis([api(), api(id="cups")])] == ["doc", "doc"]
    assert list(check_apis([api(), api(id="cups", doc="cups")])) == []


@pytest.mark.parametrize(("layout", "tidy"), [("single", "page"), ("pages", "operations"), ("tags", "tags")])
def test_references_are_tidied(layout: str, tidy: str) -> None:
    tidied = tidy_api(api(spec="./api//pots.yaml", introduction="./about.md", layout=layout))
    assert (tidied.spec, tidied.introduction, tidied.layout) == ("api/pots.yaml", "about.md", tidy)
    assert tidy_api(api()).introduction is None
    commands = tidy_commands(CommandReference(source="./commands/", docs="cli//ref"))
    assert (commands.source, commands.docs) == ("commands", "cli/ref")


@pytest.mark.parametrize(
    ("light", "dark", "modes"),
    [
        ("#ffffff", "#000000", []),
        ("#fff", "#000", []),
        ("#000", None, ["light"]),
        (None, "#fff", ["dark"]),
        ("#101010", "#f0f0f0", ["light", "dark"]),
        ("#ff0000", None, ["light"]),  # red is darker than its digits
        ("#00ff00", None, ["light"]),
        (None, "#0000ff", []),
    ],
)
def test_grounds_must_bear_the_text_of_their_mode(light: str | None, dark: str | None, modes: list[str]) -> None:
    found = list(check_theme(ThemeSettings(ground=ColorPair(light=light, dark=dark))))
    assert [message.partition(" is ")[0] for _, _, message in found] == [f"theme.ground.{mode}" for mode in modes]


@pytest.mark.parametrize(
    ("engine", "setting"),
    [
        (SearchEngine(), None),
        (SearchEngine(url="http://127.0.0.1:7700"), "url"),
        (SearchEngine(kind="meilisearch", url="http://127.0.0.1:7700"), None),
        (SearchEngine(kind="meilisearch"), "kind"),
        (SearchEngine(kind="opensearch", url="http://me@clay.example"), "url"),
        (SearchEngine(kind="opensearch", url="clay.example"), "url"),
    ],
)
def test_search_engine_has_an_address_without_a_password(engine: SearchEngine, setting: str | None) -> None:
    found = [key for key, _, _ in check_search_engine(engine)]
    assert found == ([setting] if setting else [])
