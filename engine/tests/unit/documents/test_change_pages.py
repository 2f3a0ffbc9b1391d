"""Pages of changes between the versions of a reference, with a repository in memory."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from octavo.config import Config, Version, load_config
from octavo.documents import change_pages, gather_sources
from octavo.documents.change_pages import ChangeReader
from octavo.revisions import STORE
from octavo.revisions.git import Revision
from tests.support.each import each
from tests.support.sites import MakeSite, SiteFolder, page

SETTINGS = '[versions]\nfrom = "tags"\npattern = "v*"\n'
API = '[[openapi]]\nid = "shop"\ndoc = "api"\nspec = "spec/shop.json"\nlayout = "page"\nchanges = true\n'
COMMANDS = '[[commands]]\nsource = "{}"\ndocs = "cli"\nchanges = true\n'
POT = "name: pot\noptions:\n  - {name: heat, type: int}\n"


def shop(*paths: str, version: str = "3.1.0", extra: str = "") -> str:
    get = {"get": {"responses": {"200": {"description": "Good."}}}}
    text = json.dumps(
        {"openapi": version, "info": {"title": "Shop", "version": "1"}, "paths": dict.fromkeys(paths, get)}
    )
    return text.replace('"/secret": {', f'"/secret": {{{extra}')


class Repository:
    """The tags v1, v2 and v3, with the files that a test gives them."""

    def __init__(self, patch: pytest.MonkeyPatch, stored: Path, *tags: dict[str, str]) -> None:
        self.tags = tags
        self.reads: list[tuple[str, str]] = []
        self._stored = stored
        for name in ("list_revisions", "read_text", "extract_folder"):
            patch.setattr(change_pages, name, getattr(self, name))

    def list_revisions(self, _: Path, kind: str, pattern: str) -> list[Revision]:
        assert (kind, pattern) == ("tags", "v*")
        return [Revision(f"v{number}", self.commit(number), "2026-01-01") for number in range(1, len(self.tags) + 1)]

    @staticmethod
    def commit(number: int) -> str:
        return f"{number}" * 40

    def read_text(self, _: Path, commit: str, path: str) -> str | None:
        self.reads.append((commit[0], path))
        return self.tags[int(commit[0]) - 1].get(path)

    def extract_folder(self, site_dir: Path, commit: str, path: str) -> str | None:
        self.reads.append((commit[0], path))
        found = {name: text for name, text in self.tags[int(commit[0]) - 1].items() if name.startswith(f"{path}/")}
        for name, text in found.items():
            file = self._stored / commit[0] / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return (self._stored / commit[0] / path).relative_to(site_dir).as_posix() if found else None


def versioned(site: SiteFolder, count: int) -> Config:
    """Give the settings with the versions that the tags make, newest first, and `next`."""
    names = ["next", *(str(number) for number in range(count, 0, -1))]
    places = {name: "docs" if name == "next" else f"{STORE}/{name}/docs" for name in names}
    versions = [
        Version(name=name, label=f"V{name}", path="" if name == "next" else name, docs=docs)
        for name, docs in places.items()
    ]
    return msgspec.structs.replace(load_config(site.root), versions=versions)


def gathered(site: SiteFolder, config: Config, work: Path) -> tuple[dict[str, str], list[str]]:
    """Give the texts of the pages of changes, and what was found."""
    found = gather_sources(site.root, config, work)
    texts = {one.path: (one.data or b"").decode() for one in found.made if one.maker == "changes"}
    return texts, [f"{one.span} {one.level} {one.code}: {one.message}" for one in found.problems]


def test_descriptions_of_all_versions_are_compared(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tags = [{"spec/shop.json": shop("/a")}, {}, {"spec/shop.json": shop("/a", "/b")}]
    repository = Repository(monkeypatch, tmp_path / "stored", *tags)
    site = make_site({"docs/index.md": page("Home"), "spec/shop.json": shop("/b", "/c")}, SETTINGS + API)
    texts, problems = gathered(site, versioned(site, 3), tmp_path / "work")
    assert problems == []
    assert list(texts) == ["docs/api-changes.md"]
    lines = texts["docs/api-changes.md"].splitlines()
    # The newest first; the version without a description is left out, and the next one is made of the files at hand.
    heads = [line for line in lines if line.startswith("## ")]
    assert [head.split()[1] for head in heads] == ["Vnext", "V3"]
    upper, _, lower = texts["docs/api-changes.md"].partition("## V3")
    assert ("GET /c" in upper, "GET /a" in upper, "GET /b" in upper) == (True, True, False)
    assert ("GET /b" in lower, "GET /a" in lower, "GET /c" in lower) == (True, False, False)
    # Operations that are described now are links to their place in the page.
    assert "(/docs/api" not in upper
    assert "[GET /c](" in upper.replace("`", "")
    assert sorted(repository.reads) == [(str(number), "spec/shop.json") for number in (1, 2, 3)]


def test_what_a_commit_describes_is_read_once(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tags = [{"spec/shop.json": shop("/a")}, {"spec/shop.json": "no description"}]
    repository = Repository(monkeypatch, tmp_path / "stored", *tags)
    site = make_site({"docs/index.md": page("Home"), "spec/shop.json": shop("/b")}, SETTINGS + API)
    config = versioned(site, 2)
    first = gathered(site, config, tmp_path / "work")
    assert len(first[1]) == 1
    assert first[1][0].startswith(
        f'spec/shop.json:1:1 warn openapi: "spec/shop.json" as it is in {"2" * 12} cannot be compared'
    )
    repository.reads.clear()
    assert gathered(site, config, tmp_path / "work") == first
    # One that cannot be read is reported each time.
    assert repository.reads == [("2", "spec/shop.json")]


@each("internal, is_shown", [("hide", False), ("show", True)])
def test_operations_for_internal_use_are_compared_where_they_are_shown(
    make_site: MakeSite, tmp_path: Path, internal: str, is_shown: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        hidden = shop("/a", "/secret", extra='"x-internal": true, ')
        Repository(patch, tmp_path / "stored", {"spec/shop.json": shop("/a")}, {"spec/shop.json": hidden})
        files = {"docs/index.md": page("Home"), "spec/shop.json": shop("/a")}
        setting = f'internal = "{internal}"\n' if internal == "show" else ""
        site = make_site(files, SETTINGS + API + setting, name=internal)
        texts, _ = gathered(site, versioned(site, 2), tmp_path / internal)
    assert ("/secret" in texts["docs/api-changes.md"]) == is_shown


def test_description_of_a_version_is_read_with_its_parts(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shop("/a").replace('{"get": ', '{"$ref": "parts.json", "x": ')
    part = json.dumps({"post": {"responses": {"200": {"description": "Good."}}}})
    old = {"spec/shop.json": whole, "spec/parts.json": part}
    repository = Repository(monkeypatch, tmp_path / "stored", old)
    site = make_site({"docs/index.md": page("Home"), "spec/shop.json": shop("/a")}, SETTINGS + API)
    texts, _ = gathered(site, versioned(site, 1), tmp_path / "work")
    assert "POST /a" in texts["docs/api-changes.md"]
    assert ("1", "spec/parts.json") in repository.reads


@each("source, name", [("pot.yaml", "pot.yaml"), ("commands", "commands/pot.yaml")])
def test_commands_of_all_versions_are_compared(make_site: MakeSite, tmp_path: Path, source: str, name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        site = make_site({"docs/index.md": page("Home"), name: POT}, SETTINGS + COMMANDS.format(source), name=source)
        old, odd = {name: "name: pot\n"}, {name: "name: pot\nodd: 1\n"}
        Repository(patch, site.root / "stored", old, odd, {})
        texts, problems = gathered(site, versioned(site, 3), tmp_path / source)
    assert list(texts) == ["docs/cli/changes.md"]
    text = texts["docs/cli/changes.md"]
    assert [line.split()[1] for line in text.splitlines() if line.startswith("## ")] == ["Vnext"]
    assert "--heat" in text
    assert "(/docs/cli/pot.md)" in text
    assert len(problems) == 1
    assert problems[0].startswith(f'{source}:1:1 warn commands: "{source}" as it is in {"2" * 12} cannot be compared')


def test_one_version_is_compared_with_nothing(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(monkeypatch, tmp_path / "stored", {})
    site = make_site({"docs/index.md": page("Home"), "pot.yaml": POT}, SETTINGS + COMMANDS.format("pot.yaml"))
    assert gathered(site, versioned(site, 1), tmp_path / "work") == ({}, [])
    assert repository.reads == [("1", "pot.yaml")]
    config = versioned(site, 1)
    lone = msgspec.structs.replace(config, versions=config.versions[:1])
    reader = ChangeReader(site.root, lone, tmp_path / "work")
    assert reader.of_commands(config.commands[0], []) == change_pages.NO_CHANGES
    assert reader.problems == []
