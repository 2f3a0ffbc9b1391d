"""Descriptions of APIs among the sources of a site: where they are read from, and what is found in their settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.documents import Compiler, Files, gather_sources
from octavo.documents.api_pages import KEPT
from octavo.reference.openapi import Keep, fetch_description
from octavo.reference.openapi.source.fetch import FetchError
from tests.support.each import each
from tests.support.sites import MakeSite, SiteFolder, page

KILNS = {
    "openapi": "3.1.0",
    "info": {"title": "Kilns", "version": "1"},
    "paths": {
        "/kilns": {"get": {"operationId": "list", "tags": ["kilns"], "responses": {"200": {"description": "All."}}}},
        "/glazes": {"get": {"operationId": "glazes", "tags": ["glazes"], "responses": {"200": {"description": "All."}}}},
    },
}  # fmt: skip
SETTINGS = '[[openapi]]\nid = "a"\ndoc = "api"\nspec = "a.json"\n'
FILES: dict[str, str | bytes] = {"docs/index.md": page("Home", slug="/"), "a.json": json.dumps(KILNS)}


def gathered(site: SiteFolder) -> tuple[list[str], list[str]]:
    """Give the paths of the pages that are made, and what is found."""
    found = gather_sources(site.root, load_config(site.root), site.root / ".octavo")
    said = [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}".rstrip() for one in found.problems]
    return [source.path for source in found.made], said


def test_small_description_is_one_page(make_site: MakeSite) -> None:
    assert gathered(make_site(FILES, SETTINGS)) == (["docs/api.md"], [])


def test_description_in_parts_is_pages_of_its_tags(make_site: MakeSite) -> None:
    site = make_site(FILES, f'{SETTINGS}layout = "tags"\n')
    found = gather_sources(site.root, load_config(site.root), site.root / ".octavo")
    assert [(one.path, one.doc_id, one.made_from, one.maker, one.is_page) for one in found.made] == [
        ("docs/api/index.md", "api", "a.json", "openapi", False),
        ("docs/api/kilns.md", "", "a.json", "openapi", False),
        ("docs/api/glazes.md", "", "a.json", "openapi", False),
    ]


@each(
    "name, kept",
    [
        ("docs/api.md", ["docs/api/kilns.md", "docs/api/glazes.md"]),
        ("docs/api/index.mdx", ["docs/api/kilns.md", "docs/api/glazes.md"]),
        ("docs/api/kilns.md", ["docs/api/index.md", "docs/api/glazes.md"]),
        ("docs/kilns.md", ["docs/api/index.md", "docs/api/kilns.md", "docs/api/glazes.md"]),
    ],
)
def test_file_keeps_its_place(make_site: MakeSite, name: str, kept: list[str]) -> None:
    site = make_site({**FILES, name: page("Own")}, f'{SETTINGS}layout = "tags"\n')
    made, said = gathered(site)
    (site.root / name).unlink()
    assert made == kept
    taken = {"docs/api/index.md", "docs/api/kilns.md", "docs/api/glazes.md"} - set(kept)
    assert said == [
        f'a.json:1:1 warn openapi: The page "{path}" of the description has the address of a Markdown file, which keeps its '
        "place."
        for path in taken
    ]


@each(
    "settings, expected",
    [
        (
            SETTINGS.replace("a.json", "b.json"),
            ['octavo.toml:1:1 error openapi: openapi "a": "b.json" is not a file of this site that can be read.'],
        ),
        (
            f'{SETTINGS}introduction = "intro.md"\n',
            ['octavo.toml:6:1 error openapi: openapi "a": "intro.md" is not a file of this site that can be read.'],
        ),
        (
            f'{SETTINGS}guides.kiln = [{{ label = "A", href = "/" }}]\n',
            [
                (
                    'octavo.toml:6:1 warn openapi: openapi "a": guides are given for "kiln", which is neither a tag nor an operation of '
                    '"a.json". Did you mean "kilns"?'
                )
            ],
        ),
        (f'{SETTINGS}guides.glazes = [{{ label = "A", href = "/" }}]\n', []),
        (f'{SETTINGS}guides.list = [{{ label = "A", href = "/" }}]\nguides."GET /glazes" = []\n', []),
    ],
)
def test_settings_of_a_description_are_checked(make_site: MakeSite, settings: str, expected: list[str]) -> None:
    assert gathered(make_site(FILES, settings))[1] == expected


def test_introduction_is_at_the_head_of_the_first_page_and_is_read_again(make_site: MakeSite) -> None:
    site = make_site({**FILES, "intro.md": "Read *this*.\n"}, f'{SETTINGS}introduction = "intro.md"\n')
    config = load_config(site.root)
    found = gather_sources(site.root, config, site.root / ".octavo")
    compiler = Compiler.of(site.root, config, found.descriptions)
    document = compiler.compile(found.made[0], Files(site.root), {})
    assert document.body.startswith("<p>Read <em>this</em>.</p>")
    assert list(document.dependencies) == ["intro.md"]
    assert Files(site.root).unchanged(document.dependencies)


def test_description_is_read_with_the_files_that_it_names(make_site: MakeSite) -> None:
    whole = json.dumps(KILNS).replace('"description": "All."', '"$ref": "parts/answers.json#/all"')
    files = {**FILES, "a.json": whole, "parts/answers.json": '{"all": {"description": "All."}}'}
    site = make_site(files, SETTINGS)
    config = load_config(site.root)

    def read() -> tuple[list[str], str]:
        found = gather_sources(site.root, config, site.root / ".octavo")
        return [one.message for one in found.problems], str([one.data for one in found.made])

    problems, first = read()
    assert problems == []
    assert read() == ([], first)
    # A change of a part is one of the description.
    site.write({"parts/answers.json": '{"all": {"description": "Other."}}'})
    assert read()[1] != first
    site.write({"parts/answers.json": "{}"})
    assert len(read()[0]) >= 1
    (site.root / "parts/answers.json").unlink()
    assert any("parts/answers.json" in message for message in read()[0])


class TestAddresses:
    URL = "http://127.0.0.1:0/a.json"
    """Where nobody answers."""

    def test_description_that_cannot_be_fetched_is_the_recorded_one(self, make_site: MakeSite) -> None:
        with pytest.raises(FetchError):
            fetch_description(self.URL, timeout_s=1)
        made, said = gathered(make_site(FILES, f'{SETTINGS}url = "{self.URL}"\n'))
        assert made == ["docs/api.md"]
        assert len(said) == 1
        assert said[0].startswith('a.json:1:1 warn openapi-unreachable: The description of "a" cannot be fetched: ')
        assert said[0].endswith(' The recorded copy "a.json" is used.')

    def test_last_good_copy_goes_before_the_recorded_one(self, make_site: MakeSite) -> None:
        site = make_site(FILES, f'{SETTINGS}layout = "tags"\nurl = "{self.URL}"\n')
        one = {**KILNS, "paths": {"/glazes": KILNS["paths"]["/glazes"]}}  # type: ignore[index]  # the paths of the other
        Keep(site.root / ".octavo" / KEPT).save("a", self.URL, json.dumps(one).encode())
        made, said = gathered(site)
        assert made == ["docs/api/index.md", "docs/api/glazes.md"]
        assert said[0].endswith(" The last good copy of an earlier build is used.")

    def test_address_in_the_environment_goes_first(self, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
        site = make_site(FILES, f'{SETTINGS}url = "{self.URL}"\nurl_env = "KILNS_URL"\n')
        monkeypatch.setenv("KILNS_URL", "http://127.0.0.1:0/other.json")
        Keep(site.root / ".octavo" / KEPT).save("a", self.URL, b"never asked for")
        assert gathered(site)[1][0].endswith(' The recorded copy "a.json" is used.')


def test_kept_copy_is_that_of_its_address_and_whole(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "kept")
    assert keep.load("a", "https://a.example") is None
    keep.save("a", "https://a.example", b"text")
    assert keep.load("a", "https://a.example") == b"text"
    assert keep.load("a", "https://b.example") is None
    assert keep.load("b", "https://a.example") is None
    (tmp_path / "kept/a.description").write_bytes(b"damaged")
    assert keep.load("a", "https://a.example") is None
    (tmp_path / "kept/a.json").write_bytes(b"no JSON")
    assert keep.load("a", "https://a.example") is None
    (tmp_path / "file").write_bytes(b"")
    Keep(tmp_path / "file").save("a", "https://a.example", b"text")
