"""What a page of a release takes in from outside of its documents is what that release had."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.documents import Compiler, Library
from octavo.publish import build_site
from octavo.revisions import ReleaseReader, release_folder
from octavo.runtime import open_cache, say_nothing
from octavo.site import find_sources

from .repositories import git, release

PAGE = """---
title: Home
description: All that it takes in
slug: /
---

import FromSite from "@site/snippets/part.mdx";
import FromPage from "../snippets/part.mdx";
import Inner from "@site/docs/_inner.mdx";

<FromSite />

<FromPage />

<Inner />

--8<-- "src/kiln.py"

::csv[data/prices.csv]

::source[../lib/oven.py]

![Kiln](../pictures/kiln.svg) and [its source](../src/kiln.py)
"""
CONFIG = """title = "Site"
url = "https://clay.example"
extensions = ["octavo.shipped.csv_table", "octavo.shipped.source_code"]
[extension_options.source_code]
files = ["../lib/*.py"]
[markdown]
dialect = "mdx"
extensions = ["snippets"]
[navbar]
items = [{ type = "version" }]
[versions]
from = "tags"
"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><desc>{}</desc></svg>'


def files_of(mark: str) -> dict[str, str]:
    return {
        "website/docs/index.mdx": PAGE,
        "website/docs/_inner.mdx": f"inner {mark}\n",
        "website/snippets/part.mdx": f"part {mark} ![Spot](spot.svg)\n",
        "website/snippets/spot.svg": PICTURE.format(f"spot {mark}"),
        "website/src/kiln.py": f"source {mark}\n",
        "website/data/prices.csv": f"name\nrow {mark}\n",
        "website/pictures/kiln.svg": PICTURE.format(f"kiln {mark}"),
        "lib/oven.py": f"library {mark}\n",
    }


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site in a folder of a repository, with releases 1.0 and 2.0, and files of a third state."""
    git(tmp_path, "init", "-q")
    (tmp_path / "website").mkdir()
    (tmp_path / "website/octavo.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / ".gitignore").write_text(".octavo\nbuild\n", encoding="utf-8")
    for version in ("1.0", "2.0"):
        release(tmp_path, version, files_of(f"of {version}"))
    for name, content in files_of("of today").items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path / "website"


def build(site: Path) -> list[str]:
    """Build a site; gives its findings."""
    report = build_site(site, site / "build", has_search=False)
    return [f"{one.span} {one.level} {one.message}" for one in report.diagnostics]


def page(site: Path, folder: str) -> str:
    """Read a page as Markdown."""
    return (site / "build" / f"{folder or 'index'}.md").read_text(encoding="utf-8")


def shown_files(site: Path, text: str) -> list[str]:
    """Read the files that a page shows or offers, in order."""
    return [(site / "build" / name).read_text(encoding="utf-8") for name in re.findall(r"_octavo/files/[\w.-]+", text)]


@pytest.mark.parametrize(("folder", "mark"), [("1.0", "of 1.0"), ("", "of 2.0"), ("next", "of today")])
def test_page_takes_in_the_files_of_its_own_version(site: Path, folder: str, mark: str) -> None:
    assert build(site) == []
    text = page(site, folder)
    for name, times in (("part", 2), ("inner", 1), ("source", 1), ("row", 1), ("library", 1)):
        assert text.count(f"{name} {mark}") == times, name
    assert not [other for other in ("of 1.0", "of 2.0", "of today") if other in text and other != mark]
    files = [PICTURE.format(f"spot {mark}"), PICTURE.format(f"spot {mark}"), PICTURE.format(f"kiln {mark}")]
    assert shown_files(site, text) == [*files, f"source {mark}\n"]


def test_files_are_fetched_again_after_the_store_was_lost(site: Path) -> None:
    build(site)
    before = page(site, "1.0")
    shutil.rmtree(site / ".octavo/versions")
    (site / "docs/index.mdx").write_text(PAGE + "\nMore.\n", encoding="utf-8")
    assert build(site) == []
    assert page(site, "1.0") == before
    assert len(shown_files(site, before)) == 4


def test_what_a_release_lacks_is_read_from_the_files_at_hand(site: Path) -> None:
    git(site, "rm", "-rq", "--cached", "data", "snippets")
    release(
        site.parent, "3.0", {"website/docs/later.md": '# Later\n\n::csv[data/later.csv]\n\n--8<-- "src/later.py"\n'}
    )
    (site / "data/later.csv").write_text("name\nof today\n", encoding="utf-8")
    (site / "src/later.py").write_text("source of today\n", encoding="utf-8")
    assert build(site) == []
    text = (site / "build/later.md").read_text(encoding="utf-8")
    assert "| of today |" in text
    assert "source of today" in text


def test_finding_in_a_file_of_a_release_names_that_file_and_quotes_it(site: Path) -> None:
    release(site.parent, "1.1", {"website/snippets/part.mdx": "[lost](./lost.md)\n"})
    (site / "snippets/part.mdx").write_text("part of today\n", encoding="utf-8")
    (site / "octavo.toml").write_text(CONFIG + 'hidden = ["2.*"]\n', encoding="utf-8")
    report = build_site(site, site / "build", has_search=False, publishes_always=True)
    found = [one for one in report.diagnostics if one.code == "broken-link"]
    assert found
    for one in found:
        assert release_folder(one.span.path)
        assert one.span.path.endswith("/website/snippets/part.mdx")
        assert one.excerpt == "[lost](./lost.md)"


@pytest.mark.parametrize(
    ("changed", "compiled"),
    [({"website/unrelated.txt": "new"}, 1), ({"website/src/kiln.py": "new"}, 2), ({"lib/oven.py": "new"}, 1)],
)
def test_releases_share_a_page_as_long_as_all_that_it_takes_in_is_equal(
    tmp_path: Path, changed: dict[str, str], compiled: int
) -> None:
    site = tmp_path / "website"
    git(tmp_path, "init", "-q")
    settings = CONFIG.partition("[navbar]")[0].replace(
        'extensions = ["octavo.shipped', '# extensions = ["octavo.shipped'
    )
    settings = settings.replace("[extension_options.source_code]\nfiles", "# files")
    text = '# Home\n\n--8<-- "src/kiln.py"\n\n--8<-- "src/gone.py"\n'
    release(
        tmp_path,
        "1.0",
        {
            **files_of(""),
            "website/docs/index.mdx": text,
            "website/octavo.toml": f'{settings}[versions]\nfrom = "tags"\nnext = ""\n',
        },
    )
    release(tmp_path, "2.0", changed)
    config = load_config(site)
    library = Library(open_cache(site / ".octavo"))
    library.build(find_sources(site, config), Compiler.of(site, config, {}), report=say_nothing, prepare=lambda _: None)
    index = [summary for path, summary in library.summaries.items() if path.endswith("/index.mdx")]
    assert len(index) == 2
    assert len({summary.body_key for summary in index}) == compiled


@pytest.mark.parametrize("path", ["lib/oven.py", "website/../lib/oven.py", ".git/config", "website/.git/x", "a\nb"])
def test_what_lies_outside_of_the_site_is_not_fetched(site: Path, path: str) -> None:
    (version,) = (one for one in load_config(site).versions if one.name == "1.0")
    reader = ReleaseReader(site)
    release_of = release_folder(version.docs)
    assert not reader.fetch(f"{release_of}/{path}")
    assert not (site / release_of / path).exists()
    assert reader.fetch(f"{release_of}/lib/oven.py", above=1)


def test_hidden_files_above_the_site_are_not_fetched(site: Path) -> None:
    release(site.parent, "3.0", {".secret/key.txt": "key", "lib/.env": "key", "website/.hidden/note.md": "note"})
    version = next(one for one in load_config(site).versions if one.name == "3.0")
    reader = ReleaseReader(site)
    release_of = release_folder(version.docs)
    assert not reader.fetch(f"{release_of}/.secret/key.txt", above=3)
    assert not reader.fetch(f"{release_of}/lib/.env", above=3)
    assert reader.fetch(f"{release_of}/website/.hidden/note.md")


def test_folders_of_releases_are_listed_without_hidden_names(site: Path) -> None:
    version = next(one for one in load_config(site).versions if one.name == "1.0")
    reader = ReleaseReader(site)
    home = reader.home(version.docs)
    assert home == f"{release_folder(version.docs)}/website"
    assert reader.names(home) == "data/\ndocs/\noctavo.toml\npictures/\nsnippets/\nsrc/"
    assert reader.names(f"{home}/snippets") == "part.mdx\nspot.svg"
    assert reader.names(f"{home}/nothing") is None
    assert reader.names(f"{home}/src/kiln.py") is None


def test_threads_and_forks_are_given_the_files_that_they_ask_for(site: Path) -> None:
    names = [f"many/{number}.txt" for number in range(60)]
    release(site.parent, "3.0", {f"website/{name}": f"content of {name}\n" * 200 for name in names})
    version = next(one for one in load_config(site).versions if one.name == "3.0")
    reader = ReleaseReader(site)
    home = reader.home(version.docs)

    def right(name: str) -> bool:
        is_there = reader.fetch(f"{home}/{name}")
        return is_there and (site / home / name).read_text(encoding="utf-8") == f"content of {name}\n" * 200

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(right, names[:40]))
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            os._exit(0 if all(map(right, names[40:50])) else 1)
        assert all(map(right, names[50:]))
        assert os.waitpid(child, 0)[1] == 0


VAULT = """title = "Vault"
url = "https://clay.example"
[markdown]
extensions = ["obsidian"]
[diagnostics]
missing_alt = "ignore"
[navbar]
items = [{ type = "version" }]
[versions]
from = "tags"
"""


def test_names_without_a_path_mean_the_files_of_the_release(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    text = "---\ntitle: Home\nslug: /\n---\n\n![[kiln.svg]]\n\n![[part]]\n\n[[Other]]\n"
    for mark, folder in (("1.0", "old"), ("2.0", "new")):
        if mark == "2.0":
            git(tmp_path, "rm", "-rqf", "docs/old")
        files = {"kiln.svg": PICTURE.format(mark), "part.md": f"part {mark}\n", "Other.md": f"# Other\n\n{mark}\n"}
        release(
            tmp_path,
            mark,
            {
                "octavo.toml": VAULT,
                ".gitignore": ".octavo\nbuild\n",
                "docs/index.md": text,
                **{f"docs/{folder}/{name}": content for name, content in files.items()},
            },
        )
    (tmp_path / "docs/new/part.md").write_text("part of today\n", encoding="utf-8")
    (tmp_path / "docs/new/kiln.svg").write_text(PICTURE.format("of today"), encoding="utf-8")
    assert [one for one in build(tmp_path) if " error " in one] == []
    for folder, mark, place in (("1.0", "1.0", "1.0/old"), ("", "2.0", "new"), ("next", "of today", "next/new")):
        shown = page(tmp_path, folder)
        assert f"part {mark}" in shown
        assert shown_files(tmp_path, shown) == [PICTURE.format(mark)]
        assert f"(https://clay.example/{place}/other)" in shown.lower()
