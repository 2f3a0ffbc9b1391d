"""What is wrong in a release cannot be corrected there any more, and never stops the build of what comes after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.diagnostics import Diagnostic
from octavo.publish import Build, build_site

from .repositories import git, release

SETTINGS = """title = "Site"
url = "https://docs.example.org"
[versions]
from = "tags"
[navbar]
items = [{ type = "version" }]
"""
COMMANDS = '[[commands]]\nsource = "commands"\ndocs = "cli"\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text(".octavo\nbuild\n", encoding="utf-8")
    return folder


def build(repository: Path) -> Build:
    return build_site(repository, repository / "build", has_search=False, is_publication=True)


def levels(diagnostics: list[Diagnostic]) -> set[tuple[str, str]]:
    return {(one.code, one.level) for one in diagnostics}


def html(repository: Path, route: str) -> str:
    return (repository / "build" / route).read_text(encoding="utf-8")


BROKEN = {
    "docs/index.md": "# One\n\n[Away](nowhere.md) ![No](missing.png)\n",
    "docs/front.md": "---\ntitle: [\n---\n",
    "docs/after.md": "---\npagination_next: gone\ndisplayed_sidebar: gone\n---\n# After\n",
    "docs/x/_category_.yaml": "link: {type: doc, id: gone}\n",
    "docs/x/page.md": "# Page\n\n<Unknown>text\n",
    "docs/y/_category_.json": "{",
    "docs/y/page.md": "# Page\n",
}
MENDED = {
    "docs/index.md": "# Two\n",
    "docs/front.md": "# Front\n",
    "docs/after.md": "# After\n",
    "docs/x/_category_.yaml": "label: X\n",
    "docs/x/page.md": "# Page\n",
    "docs/y/_category_.json": "{}",
}


def test_mistakes_of_an_old_release_are_warnings_that_name_it(repository: Path) -> None:
    release(repository, "1.0", {"octavo.toml": SETTINGS, **BROKEN})
    release(repository, "2.0", MENDED)
    report = build(repository)
    assert report.is_published
    assert levels(report.diagnostics) >= {
        ("broken-link", "warn"),
        ("broken-asset", "warn"),
        ("front-matter", "warn"),
        ("pagination", "warn"),
        ("displayed-sidebar", "warn"),
        ("sidebar", "warn"),
        ("category-file", "warn"),
    }
    assert {one.level for one in report.diagnostics} == {"warn"}
    for finding in report.diagnostics:
        assert 'This is in version 1.0: leave it out with hidden = ["1.0"], or set released = "ignore"' in (
            finding.suggestion
        )


@pytest.mark.parametrize("level", ["error", "ignore"])
def test_setting_says_how_much_mistakes_of_releases_weigh(repository: Path, level: str) -> None:
    settings = SETTINGS + f'[diagnostics]\nreleased = "{level}"\n'
    release(repository, "1.0", {"octavo.toml": settings, **BROKEN})
    release(repository, "2.0", MENDED)
    report = build(repository)
    assert report.is_published is (level == "ignore")
    assert bool(report.diagnostics) is (level == "error")


def test_release_that_readers_get_first_and_the_files_at_hand_are_held_to_the_full_level(repository: Path) -> None:
    release(repository, "1.0", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n"})
    release(repository, "2.0", {"docs/index.md": "# Two\n\n[Away](nowhere.md)\n"})
    report = build(repository)
    assert not report.is_published
    assert {one.span.path.startswith(".octavo/versions/") for one in report.diagnostics} == {True, False}
    assert levels(report.diagnostics) == {("broken-link", "error")}
    # What an older release shares with it is found once, and weighs as much.
    release(repository, "3.0", {})
    assert levels(build(repository).diagnostics) == {("broken-link", "error")}


def test_name_of_a_tag_that_cannot_be_an_address_stops_nothing(repository: Path) -> None:
    release(repository, "_octavo", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n"})
    release(repository, "9.0", {"docs/index.md": "# Two\n"})
    report = build(repository)
    assert report.is_published
    assert levels(report.diagnostics) == {("reserved-address", "warn")}


@pytest.fixture
def with_commands(repository: Path) -> Path:
    """A site whose folders and sidebars name pages that are made from data."""
    category = "link: {type: doc, id: cli/pot}\n"
    index = "link: {type: generated-index, slug: /all, also: [cli/pot]}\n"
    files = {
        "octavo.toml": SETTINGS + COMMANDS,
        "commands/pot.yaml": "name: pot\nsynopsis: Throw pots\n",
        "docs/index.md": "# Home\n",
        "docs/guide/_category_.yaml": category,
        "docs/guide/first.md": "# First\n",
        "docs/all/_category_.yaml": index,
        "docs/all/second.md": "---\npagination_next: cli/pot\n---\n# Second\n",
    }
    release(repository, "1.0", files)
    release(repository, "2.0", {"docs/index.md": "# Home again\n"})
    return repository


def test_folders_of_a_release_lead_to_pages_that_exist_once_for_all_versions(with_commands: Path) -> None:
    report = build(with_commands)
    # In its own edition the page is in two places.
    assert {one.code for one in report.diagnostics} == {"sidebar-membership"}
    assert report.is_published
    for version in ("1.0", "next"):
        page = html(with_commands, f"{version}/guide/first/index.html")
        assert 'href="/cli/pot"' in page, version
    # In its own version it is the page of the category itself.
    assert 'href="/cli/pot"' in html(with_commands, "guide/first/index.html")


def test_sidebars_of_a_release_lead_to_pages_that_exist_once_for_all_versions(with_commands: Path) -> None:
    sidebars = """[[sidebars]]
id = "main"
items = [
  { doc = "index" },
  { doc = "cli/pot", label = "Pot" },
  { category = "Throw", link = { type = "doc", id = "cli/pot" }, items = [{ autogenerated = "guide" }] },
  { autogenerated = "all" },
]
"""
    release(with_commands, "3.0", {"octavo.toml": SETTINGS + COMMANDS + sidebars, "docs/index.md": "# Three\n"})
    release(with_commands, "4.0", {"docs/index.md": "# Four\n"})
    report = build(with_commands)
    # The page is in two places of today's sidebar.
    assert {one.code for one in report.diagnostics} <= {"sidebar-membership"}
    assert 'href="/cli/pot"' in html(with_commands, "3.0/index.html")


def test_sidebars_of_a_release_that_name_nothing_are_warnings_that_name_it(repository: Path) -> None:
    sidebars = (
        '[[sidebars]]\nid = "main"\nitems = [{ doc = "index" }, { doc = "gone" }, { autogenerated = "nowhere" }]\n'
    )
    release(repository, "1.0", {"octavo.toml": SETTINGS + sidebars, "docs/index.md": "# One\n"})
    now = sidebars.replace(', { doc = "gone" }, { autogenerated = "nowhere" }', "")
    release(repository, "2.0", {"octavo.toml": SETTINGS + now, "docs/index.md": "# Two\n"})
    report = build(repository)
    assert report.is_published
    assert levels(report.diagnostics) == {("sidebar", "warn")}
    assert len(report.diagnostics) == 2
    assert all("of version 1.0" in one.message for one in report.diagnostics)


def _lose(repository: Path, version: str, name: str) -> None:
    """Lose an object of a repository, as damaged disks and partial clones do."""
    blob = git(repository, "rev-parse", f"v{version}:docs/{name}").strip()
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()


def test_release_whose_files_git_cannot_read_is_left_out_with_a_finding(repository: Path) -> None:
    release(repository, "1.0", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n"})
    release(repository, "2.0", {"docs/index.md": "# Two\n"})
    release(repository, "3.0", {"docs/index.md": "# Three\n"})
    _lose(repository, "1.0", "index.md")
    _lose(repository, "2.0", "index.md")
    report = build(repository)
    assert report.is_published
    assert [(one.code, one.level) for one in report.diagnostics] == [("missing-version", "warn")] * 2
    for finding, version in zip(report.diagnostics, ("1.0", "2.0"), strict=True):
        assert finding.message.startswith(f'The tag "v{version}" cannot be read, so version {version} is not shown: ')
        assert f'hidden = ["{version}"]' in finding.suggestion
    assert "Three" in html(repository, "index.html")


def test_newest_release_that_cannot_be_read_is_an_error(repository: Path) -> None:
    release(repository, "1.0", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n"})
    release(repository, "2.0", {"docs/index.md": "# Two\n"})
    (repository / "docs/index.md").write_text("# Now\n", encoding="utf-8")
    _lose(repository, "2.0", "index.md")
    report = build(repository)
    # Else readers would be given an older one in its place.
    assert not report.is_published
    assert [(one.code, one.level) for one in report.diagnostics] == [("missing-version", "error")]


def test_release_with_a_name_that_file_systems_refuse_is_left_out_with_a_finding(repository: Path) -> None:
    release(repository, "1.0", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n"})
    blob = git(repository, "rev-parse", "HEAD:docs/index.md").strip()
    git(repository, "update-index", "--add", "--cacheinfo", f"100644,{blob},docs/{'a' * 300}.md")
    git(repository, "commit", "-q", "-m", "long")
    git(repository, "tag", "v1.1")
    git(repository, "rm", "-q", "--cached", f"docs/{'a' * 300}.md")
    release(repository, "2.0", {"docs/index.md": "# Two\n"})
    report = build(repository)
    assert report.is_published
    (finding,) = report.diagnostics
    assert (finding.code, finding.level) == ("missing-version", "warn")
    assert "File name too long" in finding.message


def test_component_that_an_old_release_cannot_use_any_more_is_a_warning(repository: Path) -> None:
    settings = {"octavo.toml": SETTINGS, "components/Note.tsx": "export default ({ text }) => <p>{text}</p>;\n"}
    release(repository, "1.0", {**settings, "docs/index.md": '# One\n\n<Note text="a" />\n'})
    changed = {"components/Note.tsx": "export default ({ title }) => <p>{title.trim()}</p>;\n"}
    release(repository, "2.0", {**changed, "docs/index.md": '# Two\n\n<Note title="b" />\n'})
    report = build(repository)
    assert report.is_published
    [found] = report.diagnostics
    assert (found.code, found.level, found.span.path) == ("component", "warn", "components/Note.tsx")
    assert "This is in version 1.0" in found.suggestion
    # In the release that readers get first, and in the files at hand, it is an error.
    release(repository, "3.0", {"docs/index.md": '# Three\n\n<Note text="c" />\n'})
    again = build(repository)
    assert not again.is_published
    assert sorted(one.level for one in again.diagnostics if one.code == "component") == ["error", "error", "warn"]
