"""The pages that everybody builds: 1,000 real ones where they are at hand, else as many made from our own."""

from __future__ import annotations

import random
import re
import shutil
import tarfile
from pathlib import Path

import msgspec

from bench import generate, paths
from bench.errors import BenchError

SEED = 1000
COPIES = 10


class Corpus(msgspec.Struct, frozen=True):
    """A folder of Markdown pages, never changed after it was made."""

    folder: Path
    pages: int
    origin: str
    """One line for the head of the report."""


def load_corpus() -> Corpus:
    """Unpack the shared corpus, or generate one, unless that was done before."""
    if paths.CORPUS_ARCHIVE.is_file():
        folder = paths.WORK / "corpus"
        if not folder.is_dir():
            _unpack(paths.CORPUS_ARCHIVE, folder)
        return Corpus(folder, len(page_paths(folder)), f"{paths.CORPUS_ARCHIVE.name}, real pages")
    folder = paths.WORK / "corpus-generated"
    if not folder.is_dir():
        _generate(folder)
    return Corpus(folder, len(page_paths(folder)), f"generated from the site's own pages, seed {SEED}")


def page_paths(folder: Path) -> list[str]:
    """List the Markdown files of a folder as paths from it, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md*") if path.is_file())


def copy_pages(corpus: Corpus, target: Path, copies: int = 1) -> None:
    """Write the corpus into a fresh folder; several copies get folders of their own."""
    shutil.rmtree(target, ignore_errors=True)
    if copies == 1:
        shutil.copytree(corpus.folder, target)
        return
    for number in range(copies):
        shutil.copytree(corpus.folder, target / f"part-{number}")


def change_a_word(page: Path, new_word: str) -> None:
    """Replace the first plain word of the first paragraph, as an author would while editing.

    Raises:
        BenchError: the page has no paragraph.
    """
    lines = page.read_text(encoding="utf-8").split("\n")
    for number in _prose_lines(lines):
        lines[number] = re.sub(r"^\w+", new_word, lines[number], count=1)
        page.write_text("\n".join(lines), encoding="utf-8")
        return
    raise BenchError(f"{page} has no paragraph in which a word could be changed.")


def has_word(page: Path) -> bool:
    """Return whether a page has a paragraph in which `change_a_word` can change one."""
    return bool(_prose_lines(page.read_text(encoding="utf-8").split("\n")))


def typical_page(corpus: Corpus) -> str:
    """Choose the page with code and a table whose size is nearest to 7 kB, the corpus's mean."""
    candidates: list[tuple[int, str]] = []
    for page in page_paths(corpus.folder):
        text = (corpus.folder / page).read_text(encoding="utf-8")
        if "\n```" in text and re.search(r"^\|[-: |]+\|$", text, re.MULTILINE):
            candidates.append((abs(len(text.encode()) - 7_000), page))
    if not candidates:
        raise BenchError(f"No page of {corpus.folder} has both code and a table.")
    return min(candidates)[1]


def _prose_lines(lines: list[str]) -> list[int]:
    """Find the lines that begin a paragraph with a plain word, front matter and fences left out."""
    found, fence, in_front_matter = [], "", lines[:1] == ["---"]
    for number, line in enumerate(lines):
        if in_front_matter:
            in_front_matter = number == 0 or line != "---"
        elif match := re.match(r"\s*(```+|~~~+)", line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = ""
        elif not fence and lines[number - 1].strip() in {"", "---"} and re.match(r"[A-Za-z]{2,}[ ,]", line):
            found.append(number)
    return found


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack into place in one step, so that a half-unpacked corpus is never used."""
    staging = folder.with_name(folder.name + ".part")
    shutil.rmtree(staging, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(staging, filter="data")
    (top,) = staging.iterdir()
    top.rename(folder)
    staging.rmdir()


def _generate(folder: Path) -> None:
    sources = sorted((paths.SITE / "docs").rglob("*.md*"))
    texts = [path.read_text(encoding="utf-8") for path in sources if not path.name.startswith("_")]
    pages = generate.generate_pages(texts, count=1000, rng=random.Random(SEED))
    staging = folder.with_name(folder.name + ".part")
    shutil.rmtree(staging, ignore_errors=True)
    for name, text in pages.items():
        path = staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    staging.rename(folder)
