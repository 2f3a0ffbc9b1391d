"""Mistakes in tables of references, themes and search engines: each is found, named, and no right value is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.config import (
    ApiReference,
    ColorPair,
    Guide,
    SearchEngine,
    ThemeSettings,
    label_texts,
    load_config,
    parse_config,
)
from octavo.config.references import CommandReference, check_apis, tidy_api, tidy_commands
from octavo.config.schema.revisions import VersionsFrom
from octavo.config.server import check_search_engine
from octavo.config.theme import check_theme
from octavo.config.versions import _banner
from octavo.errors import ConfigError
from tests.support.each import each


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
    assert [key for key, _, _ in check_apis(twice)] == ["id"]
    assert [key for key, _, _ in check_apis([api(), api(id="cups")])] == ["doc"]
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


VARIABLES = """title = "{{ name }} docs"
tagline = '\\{{ name }} and {{ nam }}'
url = "https://{{ host }}"
[variables]
name = "Kiln"
host = "kiln.example"
[[navbar.items]]
label = "{{ name }}"
href = "/{{ gone }}"
"""


def test_settings_may_use_the_variables_of_the_site() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(VARIABLES)
    assert [line.partition(":")[2] for line in str(caught.value).splitlines()] == [
        '2: "\\\\{{ name }} and {{ nam }}": the site has no variable "nam"; did you mean "name"?'.replace("\\\\", "\\"),
        '9: "/{{ gone }}": the site has no variable "gone"; to show the braces, write \'\\{{\' in single quotes.',
    ]
    config = parse_config(VARIABLES.replace("{{ nam }}", "{{ host }}").replace("{{ gone }}", "a"))
    assert (config.title, config.tagline, config.url) == (
        "Kiln docs",
        "{{ name }} and kiln.example",
        "https://kiln.example",
    )
    assert config.navbar.items[0].label == "Kiln"
    plain = parse_config('title = "{{ name }}"\n')
    assert plain.title == "{{ name }}"


def test_mistakes_are_findings_with_their_place() -> None:
    text = 'title = "a"\n  [search]\n  mode = "no"\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text, name="site/octavo.toml")
    [one] = caught.value.findings
    assert (one.span.path, one.span.line, one.span.column) == ("octavo.toml", 3, 10)
    assert one.excerpt.strip() == 'mode = "no"'
    with pytest.raises(ConfigError) as caught:
        parse_config('title = " "\n', name="octavo.toml")
    assert [(one.span.line, one.span.column) for one in caught.value.findings] == [(1, 1)]
    # Where the line names nothing of what the message does, it is its first sign.
    text = 'title = "a"\n[[sidebars]]\nid = "x"\n  items = [{ doc = "a", href = "/b" }]\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    assert [(one.span.line, one.span.column) for one in caught.value.findings] == [(4, 3)]


@each("quotes", ['"""', "'''"])
def test_text_of_several_lines_is_not_taken_for_a_setting(quotes: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f'tagline = {quotes}\ntitle = 1\n{quotes}\n# title = 2\ntitle = " "\n')
    assert [one.span.line for one in caught.value.findings] == [5]


def test_file_is_named_where_no_site_is(tmp_path: Path) -> None:
    def said(folder: Path) -> str:
        with pytest.raises(ConfigError) as caught:
            load_config(folder)
        return str(caught.value).partition("does not exist. ")[2]

    (tmp_path / "empty").mkdir()
    assert said(tmp_path / "empty").startswith("Name a folder that contains an octavo.toml, or create one with")
    for name in ("b", "a"):
        (tmp_path / name / "docs/guides").mkdir(parents=True)
        (tmp_path / name / "octavo.toml").write_text('title = "a"\n')
    assert said(tmp_path) == f"Name {tmp_path / 'a'} or {tmp_path / 'b'}, which contains one."
    assert said(tmp_path / "a/docs/guides") == f"Name {tmp_path / 'a'}, which contains one."
    (tmp_path / "a/docs/octavo.toml").write_text("")
    assert said(tmp_path / "a/docs/guides") == f"Name {tmp_path / 'a/docs'}, which contains one."
    for number in range(12):
        (tmp_path / f"c{number}").mkdir()
        (tmp_path / f"c{number}/octavo.toml").write_text("")
    assert said(tmp_path).startswith("Name a folder")


def test_labels_of_versions_are_translated_where_there_are_several() -> None:
    versions = '[[versions]]\nname = "2"\nlabel = "Two"\n'
    one = parse_config('title = "Docs"\n' + versions)
    two = parse_config('title = "Docs"\n' + versions + versions.replace('"2"', '"1"\npath = "1"').replace("Two", "One"))
    assert label_texts(two) - label_texts(one) == {"One", "Two"}
    assert "" not in label_texts(two)


def test_only_pages_without_a_slash_are_flat_files() -> None:
    found = {
        form: parse_config(f'title = "a"\ntrailing_slash = "{form}"\n').has_flat_files for form in ("never", "always")
    }
    assert found == {"never": True, "always": False}


@each(
    "given, banners",
    [
        ({}, ["unreleased", "none", "none", "none"]),
        ({"supported": 1}, ["unreleased", "none", "unmaintained", "unmaintained"]),
        ({"supported": 2}, ["unreleased", "none", "none", "unmaintained"]),
        ({"ended": ["2.*"]}, ["unreleased", "none", "unmaintained", "none"]),
        ({"supported": 2, "ended": ["3.*", "2.*"]}, ["unreleased", "none", "unmaintained", "unmaintained"]),
    ],
)
def test_old_versions_and_those_to_come_have_banners(given: dict[str, Any], banners: list[str]) -> None:
    settings = VersionsFrom(**given)
    assert [_banner(name, ["3.0", "2.1", "1.0"], settings) for name in ("4.0rc1", "3.0", "2.1", "1.0")] == banners


# Settings → what the message ends with.
GUESSES = {
    'title = "a"\n[search]\nmode = "statc"': 'expected "auto", "server", "static" or "hosted". Did you mean "static"?',
    'title = "a"\n[search]\nmode = "zzz"': 'search.mode is "zzz"; expected "auto", "server", "static" or "hosted".',
    'title = "a"\n[markdown]\nextensions = ["definition-lists"]': 'Did you mean "def_list"?',
    'title = "a"\nplugins = ["x"]': '"plugins" is not a setting. Did you mean "extensions"?',
    'title = "a"\n[[languages]]\ncode = "de"': '"languages" is not a setting. Did you mean "locales"?',
}


@each("text", GUESSES)
def test_nearest_value_or_setting_is_named(text: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config(text)
    assert str(raised.value).endswith(GUESSES[text])
