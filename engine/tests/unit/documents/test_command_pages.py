"""Pages of commands among the sources of a site."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from octavo.config import load_config
from octavo.diagnostics import Diagnostic
from octavo.documents import command_pages
from octavo.documents.change_pages import NO_CHANGES, ChangeReader, Changes
from octavo.documents.command_pages import add_command_pages
from octavo.reference import Since
from octavo.reference.command_line import CommandPage
from octavo.runtime import open_cache
from octavo.site import Source, find_sources
from tests.support.sites import MakeSite, SiteFolder, page

CONFIG = '[[commands]]\nsource = "commands"\ndocs = "cli"\n'
FILES: dict[str, str | bytes] = {
    "docs/index.md": page("Home"),
    "commands/b.yaml": "name: pot fire\nsynopsis: Harden it\noptions:\n  - name: heat\nsee_also: [pot]\n",
    "commands/a.yml": "name: pot\nsynopsis: Make it\n",
    "commands/notes.txt": "no: commands\n",
}


def add(
    site: SiteFolder, work: Path, reader: ChangeReader | None = None
) -> tuple[list[Source], list[str], list[Diagnostic]]:
    config = load_config(site.root)
    sources = find_sources(site.root, config)
    reader = reader or ChangeReader(site.root, config, work)
    found, problems = add_command_pages(sources, site.root, config, reader, open_cache(work))
    assert found[: len(sources)] == sources
    said = [f"{one.span} {one.level} {one.code}: {one.message}" for one in problems]
    return found[len(sources) :], said, problems


def pages_of(sources: list[Source]) -> list[CommandPage]:
    return [msgspec.msgpack.decode(source.data or b"", type=CommandPage) for source in sources]


def test_each_command_has_a_page(make_site: MakeSite, tmp_path: Path) -> None:
    added, problems, _ = add(make_site(FILES, CONFIG), tmp_path / "work")
    assert problems == []
    assert [(one.path, one.root, one.is_page, one.made_from, one.maker) for one in added] == [
        ("docs/cli/pot.md", "docs", False, "commands/a.yml", "commands"),
        ("docs/cli/pot_fire.md", "docs", False, "commands/b.yaml", "commands"),
    ]
    pot, fire = pages_of(added)
    assert (pot.children, fire.parent, fire.folder) == ({"pot fire": "Harden it"}, "pot", "docs/cli")


def test_file_takes_the_place_of_a_page(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site({**FILES, "docs/cli/pot.mdx": page("Own")}, CONFIG)
    assert [one.path for one in add(site, tmp_path / "work")[0]] == ["docs/cli/pot_fire.md"]


def test_pages_of_the_same_files_are_taken_over(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, work = make_site(FILES, CONFIG), tmp_path / "work"
    first = add(site, work)[0]
    made: list[object] = []
    make_anew = command_pages._make_sources

    def make(*given: object) -> object:
        made.append(given)
        return make_anew(*given)  # type: ignore[arg-type]  # handed on as they are

    monkeypatch.setattr(command_pages, "_make_sources", make)
    assert add(site, work)[0] == first
    assert made == []
    site.write({"commands/a.yml": "name: pot\nsynopsis: Other\n"})
    assert [one.command.synopsis for one in pages_of(add(site, work)[0])] == ["Other", "Harden it"]
    assert len(made) == 1


@pytest.mark.parametrize(
    ("source", "files", "expected"),
    [
        ("none", {}, ["none:1:1 error commands: This file of commands cannot be read: No such file or directory."]),
        ("empty", {"empty/a.txt": ""}, ["empty:1:1 error commands: This file or folder describes no command."]),
        ("bad.yaml", {"bad.yaml": b"\xff"}, ["bad.yaml:1:1 error commands: This file of commands cannot be read: "]),
        ("odd.yaml", {"odd.yaml": "name: pot\nodd: 1\n"}, ["odd.yaml:2:1 error commands: "]),
        ("twice", {"twice/a.yaml": "name: pot\n", "twice/b.yaml": "name: pot\n"}, ["twice/b.yaml:1:"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_data_files_is_found_each_time(
    make_site: MakeSite, tmp_path: Path, source: str, files: dict[str, str | bytes], expected: list[str]
) -> None:
    site = make_site({"docs/index.md": page("Home"), **files}, CONFIG.replace('"commands"', f'"{source}"'))
    for _ in range(2):
        found = add(site, tmp_path / "work")[1]
        assert [one[: len(said)] for one, said in zip(found, expected, strict=True)] == expected


def test_file_outside_of_the_site_is_refused(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site({"docs/index.md": page("Home")}, CONFIG.replace('"commands"', '"link.yaml"'))
    (tmp_path / "out.yaml").write_text("name: pot\n")
    (site.root / "link.yaml").symlink_to(tmp_path / "out.yaml")
    assert add(site, tmp_path / "work")[:2] == (
        [],
        ["link.yaml:1:1 error commands: This file lies outside the site's folder."],
    )


def test_file_that_is_too_large_is_refused(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_pages, "_LONGEST_FILE", 30)
    found, problems, _ = add(make_site(FILES, CONFIG), tmp_path / "work")
    assert [one.path for one in found] == ["docs/cli/pot.md"]
    assert problems == ["commands/b.yaml:1:1 error commands: This file of commands is larger than 0 MB."]


class Known(ChangeReader):
    """Knows which version brought what."""

    def __init__(self, since: dict[str, Since], source: Source | None = None) -> None:
        self._known = Changes(since, source)

    def of_commands(self, reference: object, pages: object) -> Changes:  # as in the base
        return self._known


def test_versions_of_commands_and_options_are_noted(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site(FILES, f"{CONFIG}changes = true\n")
    fire = Since("2", {"--heat": "2", "--glaze": "3"}, {"--heat": "4"}, {"--old": "3"}, "4")
    since = {"pot fire": fire, "pot": Since("", {}, {}, {}, "")}
    changes = Source("docs/cli/changes.md", "docs", is_page=False, data=b"x", maker="changes")
    added, _, _ = add(site, tmp_path / "work", Known(since, changes))
    assert [one.path for one in added] == ["docs/cli/pot.md", "docs/cli/pot_fire.md", "docs/cli/changes.md"]
    pot, page_of_fire = pages_of(added[:2])
    assert (pot.since, pot.changed, pot.option_since) == ("", "", {})
    # What came together with the command needs no mark of its own.
    assert (page_of_fire.since, page_of_fire.option_since) == ("2", {"--glaze": "3"})
    assert (page_of_fire.changed, page_of_fire.option_changed, page_of_fire.removed) == (
        "4",
        {"--heat": "4"},
        {"--old": "3"},
    )


@pytest.mark.parametrize(
    ("since", "shown"),
    [
        (Since("", {"--heat": "3"}, {}, {}, ""), ("", {"--heat": "3"}, "")),
        (Since("", {}, {}, {}, "5"), ("", {}, "5")),
        (Since("2", {}, {}, {}, ""), ("2", {}, "")),
    ],
)
def test_one_mark_is_enough(make_site: MakeSite, tmp_path: Path, since: Since, shown: tuple[object, ...]) -> None:
    site = make_site(FILES, f"{CONFIG}changes = true\n")
    fire = pages_of(add(site, tmp_path / "work", Known({"pot fire": since}))[0])[1]
    assert (fire.since, fire.option_since, fire.changed) == shown


def test_changes_without_versions_are_a_finding(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site(FILES, f"{CONFIG}changes = true\n")
    config = load_config(site.root)
    reader = ChangeReader(site.root, config, tmp_path / "work")
    assert len(add(site, tmp_path / "work", reader)[0]) == 2
    assert [f"{one.span} {one.level} {one.code}: {one.message}" for one in reader.problems] == [
        (
            'octavo.toml:1:1 error commands: commands: changes is given for "commands", but the versions of this site are not '
            'read from version control. Write [versions] with from = "tags", or leave changes out.'
        )
    ]
    assert reader.of_commands(config.commands[0], []) == NO_CHANGES
