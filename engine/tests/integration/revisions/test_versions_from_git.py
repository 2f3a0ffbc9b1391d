"""Versions of a site from the tags and branches of a real repository."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.config import Locale, find_version_problems, load_config
from octavo.errors import ConfigError, UsageError
from octavo.publish import build_site
from octavo.site import docs_root

from .repositories import ENVIRONMENT, SETTINGS, git, release


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    git(folder, "init", "-q")
    release(folder, "1.0", {"octavo.toml": SETTINGS, "docs/index.md": "# One\n", ".gitignore": ".octavo\nbuild\n"})
    release(folder, "1.1", {"README.md": "No document has changed."})
    release(folder, "2.0", {"docs/index.md": "# Two\n", "docs/guide/naïve ü.md": "# Guide\n\n" + "\n" * 3})
    return folder


def test_documents_of_tags_are_read_without_a_checkout(repository: Path) -> None:
    before = git(repository, "status", "--porcelain")
    config = load_config(repository)
    assert [(one.name, one.path, one.banner) for one in config.versions] == [
        ("next", "next", "unreleased"),
        ("2.0", "", "none"),
        ("1.1", "1.1", "none"),
        ("1.0", "1.0", "none"),
    ]
    two, one, same = (repository / version.docs for version in config.versions[1:])
    assert (two / "index.md").read_text(encoding="utf-8") == "# Two\n"
    assert (two / "guide/naïve ü.md").read_text(encoding="utf-8") == "# Guide\n\n\n\n\n"
    assert (one / "index.md").read_text(encoding="utf-8") == "# One\n"
    assert (same / "index.md").stat().st_ino == (one / "index.md").stat().st_ino
    assert git(repository, "status", "--porcelain") == before


def test_translations_of_a_version_are_those_of_its_tag(repository: Path) -> None:
    languages = "".join(
        f'[[locales]]\nid = "{one}"\nlabel = "{one}"\n'
        + (f'path = "{one}"\ndocs = "i18n/{one}"\n' if one != "en" else "")
        for one in ("en", "ar", "ja")
    )
    arabic, japanese = "i18n/ar/docs/index.md", "i18n/ja/docs/index.md"
    release(repository, "3.0", {"octavo.toml": SETTINGS + languages, arabic: "# ثلاثة\n", "docs/index.md": "# Three\n"})
    release(repository, "4.0", {arabic: "# أربعة\n", japanese: "# 四\n", "docs/index.md": "# Four\n"})
    (repository / japanese).write_text("# 次\n", encoding="utf-8")
    config = load_config(repository)
    _, ar, ja = config.locales

    def text(locale: Locale, name: str) -> str | None:
        version = next(one for one in config.versions if one.name == name)
        file = repository / docs_root(config, locale, version) / "index.md"
        return file.read_text(encoding="utf-8") if file.is_file() else None

    assert [text(ar, name) for name in ("next", "4.0", "3.0", "2.0")] == ["# أربعة\n", "# أربعة\n", "# ثلاثة\n", None]
    assert [text(ja, name) for name in ("next", "4.0", "3.0")] == ["# 次\n", "# 四\n", None]
    done = CliRunner().invoke(octavo, ["versions", "cut", "5.0", str(repository)])
    assert isinstance(done.exception, UsageError)
    assert japanese in str(done.exception)


def test_table_says_which_versions_are_shown_and_which_have_ended(repository: Path) -> None:
    text = SETTINGS + 'supported = 1\nhidden = ["1.1"]\nnext = ""\nlabel = "Version {version}"\n'
    (repository / "octavo.toml").write_text(text, encoding="utf-8")
    versions = load_config(repository).versions
    assert [(one.label, one.path, one.banner) for one in versions] == [
        ("Version 2.0", "", "none"),
        ("Version 1.0", "1.0", "unmaintained"),
    ]
    (repository / "octavo.toml").write_text(SETTINGS + 'newest = "major"\nmost = 1\n', encoding="utf-8")
    assert [one.name for one in load_config(repository).versions] == ["next", "2.0"]


def test_version_before_its_release_is_shown_and_is_not_the_default(repository: Path) -> None:
    release(repository, "3.0-rc1", {"docs/index.md": "# Three\n"})
    (repository / "octavo.toml").write_text(SETTINGS + "supported = 1\n", encoding="utf-8")
    versions = load_config(repository).versions
    assert [(one.name, one.path, one.banner) for one in versions[1:4]] == [
        ("3.0-rc1", "3.0-rc1", "unreleased"),
        ("2.0", "", "none"),
        ("1.1", "1.1", "unmaintained"),
    ]


def test_branches_are_versions_too(repository: Path) -> None:
    git(repository, "branch", "release/1.x", "v1.0")
    text = 'title = "Site"\n[versions]\nfrom = "branches"\npattern = "release/*"\n'
    (repository / "octavo.toml").write_text(text, encoding="utf-8")
    assert [one.name for one in load_config(repository).versions] == ["next", "1.x"]


def test_ended_version_leads_to_the_newest_and_stays_out_of_search_engines(repository: Path) -> None:
    text = 'url = "https://docs.example.org"\n' + SETTINGS + "supported = 1\n[search]\nis_enabled = false\n"
    (repository / "octavo.toml").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(octavo, ["build", str(repository)])
    assert done.exit_code == 0, done.output
    ended = (repository / "build/1.0/index.html").read_text(encoding="utf-8")
    newest = (repository / "build/index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://docs.example.org/">' in ended
    assert '<meta name="robots" content="noindex, nofollow">' in ended
    assert "which is no longer maintained" in ended
    assert 'name="robots"' not in newest
    assert "Two" in newest
    sitemap = (repository / "build/sitemap.xml").read_text(encoding="utf-8")
    assert "/1.0/" not in sitemap


def test_versions_are_listed_and_cut(repository: Path) -> None:
    runner = CliRunner(env=ENVIRONMENT)
    cut = runner.invoke(octavo, ["versions", "cut", "2.1", str(repository)])
    assert cut.exit_code == 0, cut.output
    assert "git push origin v2.1" in cut.output
    assert git(repository, "rev-parse", "v2.1^{commit}") == git(repository, "rev-parse", "HEAD")
    listed = runner.invoke(octavo, ["versions", "list", str(repository)]).output.split("\n")
    assert [line.split()[:3] for line in listed[1:3]] == [["next", "/next", "unreleased"], ["2.1", "/", "default"]]
    again = runner.invoke(octavo, ["versions", "cut", "2.1", str(repository)])
    assert "is there already" in str(again.exception or again.output)
    (repository / "docs/index.md").write_text("# Three\n", encoding="utf-8")
    dirty = runner.invoke(octavo, ["versions", "cut", "2.2", str(repository)])
    assert "docs/index.md" in str(dirty.exception or dirty.output)


def test_equal_files_of_releases_are_stored_once(repository: Path) -> None:
    release(repository, "2.1", {"docs/index.md": "# Two one\n", "docs/copy.md": "# Two one\n"})
    versions = {one.name: repository / one.docs for one in load_config(repository).versions}

    def inode(version: str, name: str) -> int:
        return (versions[version] / name).stat().st_ino

    assert inode("2.1", "guide/naïve ü.md") == inode("2.0", "guide/naïve ü.md")
    assert inode("2.1", "index.md") != inode("2.0", "index.md")
    assert (versions["2.1"] / "copy.md").read_text(encoding="utf-8") == "# Two one\n"
    # Also after the folders themselves were lost.
    shutil.rmtree(versions["2.0"])
    load_config(repository)
    assert (versions["2.0"] / "index.md").read_text(encoding="utf-8") == "# Two\n"


def test_what_a_killed_build_has_left_in_the_store_is_cleared_away(repository: Path) -> None:
    load_config(repository)
    store = repository / ".octavo/versions"
    whole = {file.relative_to(store): file.read_bytes() for file in store.rglob("*") if file.is_file()}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as another:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        under_way = store / f".new-{another.pid}-x"
        abandoned = [store / f".new-{ended.pid}-x", store / ".new-x"]
        for folder in (*abandoned, under_way):
            (folder / "guide").mkdir(parents=True)
            (folder / "guide/half.md").write_text("# Ha", encoding="utf-8")
        blobs = store / ".blobs"
        (blobs / ("0" * 40)).write_text("# Of a folder that is gone", encoding="utf-8")
        shutil.rmtree(repository / load_config(repository).versions[1].docs)  # the next build makes it again
        load_config(repository)
        assert under_way.is_dir()
        assert not any(folder.exists() for folder in abandoned)
        shutil.rmtree(under_way)
        assert {file.relative_to(store): file.read_bytes() for file in store.rglob("*") if file.is_file()} == whole
        another.communicate(b"\n")


def test_store_on_a_file_system_without_hard_links_is_complete(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    versions = {one.name: repository / one.docs for one in load_config(repository).versions}
    assert (versions["2.0"] / "guide/naïve ü.md").read_text(encoding="utf-8") == "# Guide\n\n\n\n\n"


def test_moved_tag_gets_a_folder_of_its_own(repository: Path) -> None:
    before = load_config(repository).versions[1].docs
    git(repository, "tag", "-f", "-a", "-m", "again", "v2.0", "v1.0")
    assert load_config(repository).versions[1].docs != before
    assert (repository / before / "index.md").read_text(encoding="utf-8") == "# Two\n"


def test_links_out_of_the_repository_are_left_out(repository: Path) -> None:
    (repository / "docs/passwords.md").symlink_to("/etc/passwd")
    release(repository, "3.0", {})
    assert not os.path.lexists(repository / load_config(repository).versions[1].docs / "passwords.md")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('pattern = "release-*"', 'no tag that matches "release-*" has a folder "docs"'),
        ('docs = "manual"', 'has a folder "manual"'),
        ('pattern = "*-*"', 'octavo.toml:4: versions: the pattern is "*-*"; expected one star'),
        ("most = -1", "octavo.toml:4: versions: most is -1; expected 0 or more"),
        ('form = "tags"', "octavo.toml:4:"),
    ],
)
def test_mistake_in_the_table_says_what_to_do(repository: Path, lines: str, message: str) -> None:
    (repository / "octavo.toml").write_text(f"{SETTINGS}{lines}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(repository)
    assert message in str(caught.value)


def only_current(site: Path) -> bool:
    return [(one.name, one.path, one.docs, one.banner) for one in load_config(site).versions] == [
        ("next", "", "docs", "none")
    ]


def test_site_before_its_first_release_is_the_current_documents(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# One\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    assert only_current(tmp_path)
    assert problems(tmp_path) == []
    git(tmp_path, "add", "docs", "octavo.toml")
    git(tmp_path, "commit", "-qm", "First")
    result = CliRunner(env=ENVIRONMENT).invoke(octavo, ["versions", "cut", "1.0", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert [one.name for one in load_config(tmp_path).versions] == ["next", "1.0"]


def test_site_outside_a_repository_is_the_current_documents_and_an_error(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text(SETTINGS, encoding="utf-8")
    assert only_current(tmp_path)
    (found,) = find_version_problems(tmp_path, load_config(tmp_path))
    assert (found.level, "not a git repository" in found.message) == ("error", True)


def test_without_current_documents_a_repository_is_needed(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text(f'{SETTINGS}next = ""\n', encoding="utf-8")
    with pytest.raises(UsageError):
        load_config(tmp_path)


def test_version_before_its_release_takes_the_place_of_none(repository: Path) -> None:
    release(repository, "3.0-rc1", {})
    (repository / "octavo.toml").write_text(f'{SETTINGS}most = 1\nnext = ""\n', encoding="utf-8")
    found = [(one.name, one.path, one.banner) for one in load_config(repository).versions]
    assert found == [("3.0-rc1", "3.0-rc1", "unreleased"), ("2.0", "", "none")]


def problems(repository: Path) -> list[str]:
    return [one.message for one in find_version_problems(repository, load_config(repository))]


def test_folder_of_documents_is_that_of_the_settings_in_the_tag(repository: Path) -> None:
    git(repository, "mv", "docs", "guide")
    arabic = '[[locales]]\nid = "en"\nlabel = "E"\n[[locales]]\nid = "ar"\nlabel = "A"\npath = "ar"\ndocs = "i18n/ar"\n'
    settings = SETTINGS.replace("[versions]", 'docs = "guide"\n[versions]') + arabic
    release(repository, "3.0", {"octavo.toml": settings, "i18n/ar/guide/index.md": "# ثلاثة\n"})
    config = load_config(repository)
    assert [one.name for one in config.versions] == ["next", "3.0", "2.0", "1.1", "1.0"]
    assert (repository / config.versions[2].docs / "index.md").read_text(encoding="utf-8") == "# Two\n"
    assert (repository / docs_root(config, config.locales[1], config.versions[1]) / "index.md").is_file()
    assert problems(repository) == []


def test_missing_versions_are_findings(repository: Path, tmp_path: Path) -> None:
    assert problems(repository) == []
    git(repository, "rm", "-rq", "docs")
    release(repository, "2.1", {})  # a release without documents, between others
    release(repository, "2.2", {"docs/index.md": "# Again\n"})
    git(repository, "tag", "v3/a", "v2.2")
    git(repository, "tag", "v3-a", "v2.2")
    assert problems(repository) == [
        'The tag "v3-a" and the tag "v3/a" are both version "3-a"; one is shown.',
        'The tag "v2.1" has no folder of documents, so version 2.1 is not shown.',
    ]
    (repository / "octavo.toml").write_text(f'{SETTINGS}hidden = ["2.1", "3-a"]\n', encoding="utf-8")
    git(repository, "tag", "-d", "v3/a")
    assert problems(repository) == []
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "Hide")
    git(repository, "tag", "v4.0")
    git(tmp_path, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    (found,) = problems(tmp_path / "shallow")
    assert found == "This repository is a shallow clone, which may lack tags: versions may be missing."


def test_settings_of_a_tag_may_be_missing_or_broken(repository: Path) -> None:
    release(repository, "3.0", {"octavo.toml": "title =", "docs/index.md": "# Three\n"})
    git(repository, "rm", "-q", "octavo.toml")
    release(repository, "4.0", {"docs/index.md": "# Four\n"})
    sidebars = '[[sidebars]]\nid = "main"\nitems = [{ doc = "guide" }]\n'
    (repository / "octavo.toml").write_text(SETTINGS + sidebars, encoding="utf-8")
    found = {one.name: [sidebar.id for sidebar in one.sidebars or []] for one in load_config(repository).versions}
    # That without settings has the sidebars of today.
    assert found == {"next": [], "4.0": [], "3.0": ["docs"], "2.0": ["docs"], "1.1": ["docs"], "1.0": ["docs"]}


def test_versions_lead_to_what_is_made_from_data_and_leave_out_what_the_settings_leave_out(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    git(site, "init", "-q")
    settings = (
        'title = "Site"\nurl = "https://example.org"\ndocs = "."\nexclude = ["build/**", "CHANGELOG.md", "old/**"]\n'
        'extensions = ["octavo.shipped.changelog"]\n[versions]\nfrom = "tags"\n'
        '[extension_options.changelog]\nfile = "CHANGELOG.md"\n[navbar]\nitems = [{ type = "version" }]\n'
    )
    files = {
        "octavo.toml": settings,
        "index.md": "---\nslug: /\n---\n# One\n\nSee [the releases](releases/index.md) and [1.0](ref:added).\n",
        "old/broken.md": "# Old\n\n{props.name} and [nowhere](nowhere.md)\n",
        "CHANGELOG.md": "# Changelog\n\n## 1.0.0 - 2026-01-02\n\n### Added\n\n- A wheel.\n",
        ".gitignore": ".octavo\nbuild\n",
    }
    release(site, "1.0", files)
    release(site, "1.1", {"index.md": files["index.md"].replace("# One", "# Two")})
    report = build_site(site, site / "build", has_search=False)
    assert [one.message for one in report.diagnostics] == []
    for version in ("", "1.0", "next"):
        text = (site / "build" / version / "index.html").read_text(encoding="utf-8")
        assert 'href="/releases/"' in text, version
