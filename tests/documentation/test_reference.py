"""The reference of `docs/` is what the code says: nothing public is missing, nothing documented is gone."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from octavo.cli.main import octavo as program
from octavo.config import Config, SearchRules
from octavo.config.versions import tidy_versions
from octavo.content import ContentOptions
from octavo.content.compile import compile_document
from octavo.content.dialect import Dialect
from octavo.content.front_matter_values import READERS, REMOVERS, UnfitError
from octavo.errors import OctavoError
from octavo.manual import (
    FRONT_MATTER_KEYS,
    Entry,
    Setting,
    front_matter_schema,
    list_settings,
    load_catalogue,
    page_list_schema,
    search_rules_schema,
    settings_schema,
    to_toml,
)
from tests.documentation.generate import ROOT

ENTRIES = list(load_catalogue().values())
SETTINGS = list_settings()
SCHEMA = Draft202012Validator(settings_schema())
SITES = ("site", "docs", *(f"engine/src/octavo/cli/starters/{name}" for name in ("docs", "library", "product")))


def test_catalogue_has_every_error() -> None:
    def below(error: type[OctavoError]) -> Iterator[str]:
        for one in error.__subclasses__():
            if one.__module__ == "octavo.errors":
                yield "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in one.__name__)[1:]
            yield from below(one)

    assert {entry.code for entry in ENTRIES if entry.kind == "error"} == set(below(OctavoError))


@pytest.mark.parametrize(
    "entry",
    [entry for entry in ENTRIES if entry.where in ("page", "page.mdx", "page.ipynb")],
    ids=lambda entry: entry.code,
)
def test_example_of_a_page_is_found(entry: Entry) -> None:
    dialect = Dialect(extensions=frozenset({entry.extension} - {""}))
    document = compile_document(
        entry.example,
        source_path="docs/page.md" if entry.where == "page" else f"docs/{entry.where}",
        load=entry.partials.get,
        options=ContentOptions(variables={"version": "1.2"}, folders={"": dialect}),
    )
    assert entry.code in {finding.code for finding in document.diagnostics}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_explain_shows_cause_and_remedy(entry: Entry) -> None:
    done = CliRunner().invoke(program, ["explain", entry.code])
    assert done.exit_code == 0
    assert all(part in done.output for part in (entry.title, entry.cause, entry.remedy))


def test_explain_lists_all_codes_and_suggests_one() -> None:
    assert [line.split()[0] for line in CliRunner().invoke(program, ["explain"]).output.splitlines()] == [
        entry.code for entry in ENTRIES
    ]
    error = CliRunner().invoke(program, ["explain", "brokn-link"]).exception
    assert isinstance(error, OctavoError)
    assert 'Did you mean "broken-link"?' in str(error)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path)
def test_setting_is_explained_and_its_example_is_accepted(setting: Setting) -> None:
    assert setting.sentence
    value = tomllib.loads(f"value = {to_toml(setting.example)}")["value"]
    msgspec.convert(value, setting.kind)


def test_every_field_of_the_structs_is_listed() -> None:
    roots = {setting.path for setting in SETTINGS if "." not in setting.path}
    assert roots == {field.encode_name for field in msgspec.structs.fields(Config)}
    assert len({setting.path for setting in SETTINGS}) == len(SETTINGS)


def test_schemas_are_schemas() -> None:
    for schema in (settings_schema(), front_matter_schema(), search_rules_schema(), page_list_schema()):
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("folder", SITES)
def test_schema_takes_the_settings_of_real_sites(folder: str) -> None:
    raw = tomllib.loads((ROOT / folder / "octavo.toml").read_text(encoding="utf-8"))
    assert [error.message for error in SCHEMA.iter_errors(raw)] == []


@pytest.mark.parametrize("setting", [one for one in SETTINGS if "." not in one.path], ids=lambda one: one.path)
def test_schema_and_structs_take_the_same(setting: Setting) -> None:
    value = tomllib.loads(f"value = {to_toml(setting.example)}")["value"]
    for tried in (value, 1.5, ["a", 1], {"unknown key": {"x": []}}, [{"unknown key": 1}], "text", True):
        # In the file, versions from tags are a table in place of the list.
        raw = {"title": "A site", "versions" if setting.path == "versions_from" else setting.path: tried}
        try:
            msgspec.convert(tidy_versions(raw), Config)
            is_taken = True
        except msgspec.ValidationError:
            is_taken = False
        assert SCHEMA.is_valid(raw) == is_taken, tried


def test_schema_refuses_what_is_no_setting() -> None:
    assert not SCHEMA.is_valid({"titel": "A site"})
    assert SCHEMA.is_valid({"title": "A site", "versions": {"from": "tags", "pattern": "v*"}})
    assert not SCHEMA.is_valid({"title": "A site", "versions": {"from": "commits"}})
    assert not SCHEMA.is_valid({"title": "A site", "versions_from": {"from": "tags"}})
    assert not SCHEMA.is_valid({"title": "A site", "search": {"rules": {}}})
    rules = Draft202012Validator(search_rules_schema())
    raw = tomllib.loads((ROOT / "site" / "search.toml").read_text(encoding="utf-8"))
    assert rules.is_valid(raw)
    msgspec.convert(raw, SearchRules)
    assert not rules.is_valid({"rule": []})


def test_front_matter_has_every_key() -> None:
    assert FRONT_MATTER_KEYS.keys() == READERS.keys()


@pytest.mark.parametrize("name", FRONT_MATTER_KEYS)
def test_schema_of_front_matter_takes_what_the_reader_takes(name: str) -> None:
    schema = Draft202012Validator(front_matter_schema())
    example = yaml.safe_load(FRONT_MATTER_KEYS[name].example)
    assert example.keys() == {name}
    for value in (example[name], None, {"unknown": [1]}, [["nested"]], 3, "text", True):
        if schema.is_valid({name: value}):
            assert reads(name, value), value
    assert schema.is_valid(example)
    assert not schema.is_valid({name: [["nested"]]})


def reads(name: str, value: Any) -> bool:
    """Return whether the page's reader takes a value."""
    if value is None:
        return name in REMOVERS
    try:
        READERS[name](value)
    except UnfitError:
        return False
    return True
