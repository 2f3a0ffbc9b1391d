"""Who builds: Octavo and its peers, each given the same pages in a folder of its own.

Settings of the peers are their own defaults. Their files under `peers/` say what is changed, and why.
"""

from __future__ import annotations

import compileall
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from bench import install, paths
from bench.corpus import Corpus, copy_pages
from bench.errors import BenchError
from bench.pages import NOT_FOUND_PAGE, find_page, missing_pages
from bench.processes import Memory, Run, run_measured

PEERS = paths.BENCH / "peers"


class Builder(msgspec.Struct, frozen=True):
    """A site laid out for one engine, ready to be built any number of times."""

    name: str
    version: str
    folder: Path
    pages: Path
    """Folder of its copy of the Markdown files."""
    command: list[str]
    """Run in `folder`."""
    out: Path
    caches: list[Path]
    """What else is deleted before a cold build."""

    def build(self, *options: str, memory: Memory = "rss") -> Run:
        """Build once, measured; with options beside those of `command`."""
        log = paths.WORK / "logs" / f"{self.name.lower()}.log"
        return run_measured([*self.command, *options], cwd=self.folder, log=log, memory=memory)

    def clear(self, *, is_timed: bool = False) -> None:
        """Take output and caches away, so that the next build is a cold one.

        Args:
            is_timed: The next build is timed. They are only moved, and deleted by `empty_trash`: after the deletion of many
                files, ext4 searches longer for each file that is made.
        """
        for path in (self.out, *self.caches):
            if is_timed:
                _move_to_trash(path)
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def output_files(self) -> list[str]:
        """List the pages written, as paths from the output folder; the not-found page is none of them."""
        found = (path.relative_to(self.out).as_posix() for path in self.out.rglob("*.html"))
        return sorted(name for name in found if name.rpartition("/")[2] != NOT_FOUND_PAGE)

    def page_of(self, source: str) -> str:
        """Name the file written for a source, as a path from the output folder.

        Raises:
            BenchError: there is none.
        """
        page = find_page(source, self.output_files())
        if page is None:
            raise BenchError(f"{self.name} wrote no page for {source}.")
        return page

    def check_output(self, sources: list[str]) -> int:
        """Count the pages written, and see that every source has its page.

        Raises:
            BenchError: pages are missing; a peer that skips work would look fast.
        """
        written = self.output_files()
        missing = missing_pages(sources, written)
        if missing:
            some = ", ".join(missing[:3])
            raise BenchError(f"{self.name} wrote no page for {len(missing)} of {len(sources)} sources, such as {some}.")
        return len(written)


def _move_to_trash(path: Path) -> None:
    if os.path.lexists(path):
        paths.TRASH.mkdir(parents=True, exist_ok=True)
        path.rename(paths.TRASH / f"{os.getpid()}-{time.monotonic_ns()}")


def empty_trash() -> None:
    """Delete what `Builder.clear` has moved away."""
    shutil.rmtree(paths.TRASH, ignore_errors=True)


MakeBuilder = Callable[[Corpus, int, str], Builder]
"""Corpus, number of copies of it, suffix of the folder → a fresh site.

Raises:
    Unavailable: the engine is not to be had here.
"""


def make_octavo(corpus: Corpus, copies: int = 1, suffix: str = "") -> Builder:
    """Octavo, as installed beside this interpreter, without its search index: Hugo makes none either."""
    return _octavo("Octavo", corpus, copies, suffix, "--no-search")


def make_octavo_with_search(corpus: Corpus, copies: int = 1, suffix: str = "") -> Builder:
    """Octavo with its search index, as Zensical and Material make theirs."""
    return _octavo("Octavo+search", corpus, copies, f"-search{suffix}")


def _octavo(name: str, corpus: Corpus, copies: int, suffix: str, *options: str) -> Builder:
    command = paths.VENV_BIN / "octavo"
    # As pip compiles a package that it installs, and has compiled the peers; a checkout may run without.
    compileall.compile_dir(paths.PACKAGE, quiet=1)
    folder = _fresh_folder(f"octavo{suffix}")
    copy_pages(corpus, folder / "docs", copies)
    shutil.copyfile(PEERS / "octavo" / "octavo.toml", folder / "octavo.toml")
    return Builder(
        name=name,
        version=install.version_of([command, "--version"]),
        folder=folder,
        pages=folder / "docs",
        command=[str(command), "build", ".", "--out", "out", *options],
        out=folder / "out",
        caches=[folder / ".octavo"],
    )


def make_hugo(corpus: Corpus, copies: int = 1, suffix: str = "") -> Builder:
    """Hugo with a minimal theme."""
    command = install.hugo()
    folder = _fresh_folder(f"hugo{suffix}")
    shutil.copytree(PEERS / "hugo", folder, dirs_exist_ok=True)
    copy_pages(corpus, folder / "content", copies)
    # To Hugo `index.md` is a page that swallows its folder; the page of a section is called `_index.md`.
    for index in list((folder / "content").rglob("index.md")):
        index.rename(index.with_name("_index.md"))
    return Builder(
        name="Hugo",
        version=install.peer_version("hugo"),
        folder=folder,
        pages=folder / "content",
        # The cache folder is Hugo's own default but for its place: it must lie where it can be deleted.
        command=[str(command), "--cacheDir", str(folder / "cache")],
        out=folder / "public",
        caches=[folder / "cache", folder / "resources", folder / ".hugo_build.lock"],
    )


def make_zensical(corpus: Corpus, copies: int = 1, suffix: str = "") -> Builder:
    """Zensical as it comes."""
    command = install.peer_command("zensical", "zensical")
    folder = _fresh_folder(f"zensical{suffix}")
    shutil.copyfile(PEERS / "zensical" / "zensical.toml", folder / "zensical.toml")
    copy_pages(corpus, folder / "docs", copies)
    return Builder(
        name="Zensical",
        version=install.peer_version("zensical"),
        folder=folder,
        pages=folder / "docs",
        command=[str(command), "build"],
        out=folder / "site",
        caches=[folder / ".cache"],
    )


def make_material(corpus: Corpus, copies: int = 1, suffix: str = "") -> Builder:
    """Material for MkDocs."""
    command = install.peer_command("mkdocs-material", "mkdocs")
    folder = _fresh_folder(f"material{suffix}")
    shutil.copyfile(PEERS / "material" / "mkdocs.yml", folder / "mkdocs.yml")
    copy_pages(corpus, folder / "docs", copies)
    return Builder(
        name="Material",
        version=install.peer_version("mkdocs-material"),
        folder=folder,
        pages=folder / "docs",
        command=[str(command), "build"],
        out=folder / "site",
        caches=[folder / ".cache"],
    )


MAKERS: dict[str, MakeBuilder] = {
    "Octavo": make_octavo,
    "Octavo+search": make_octavo_with_search,
    "Hugo": make_hugo,
    "Zensical": make_zensical,
    "Material": make_material,
}
"""In the order in which they take their turns."""


def _fresh_folder(name: str) -> Path:
    folder = paths.SITES / name
    _move_to_trash(folder)
    folder.mkdir(parents=True)
    return folder
