from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from bench import corpus, paths
from bench.corpus import Corpus, change_a_word, copy_pages, load_corpus, page_paths, typical_page
from bench.errors import BenchError


def write_pages(folder: Path, pages: dict[str, str]) -> Corpus:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Corpus(folder, len(pages), "test")


def test_shared_corpus_is_unpacked_without_its_top_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pages(tmp_path / "M", {"index.md": "home", "guide/index.md": "guide"})
    with tarfile.open(tmp_path / "docs.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "M", "M")
    monkeypatch.setattr(paths, "CORPUS_ARCHIVE", tmp_path / "docs.tar.gz")
    monkeypatch.setattr(paths, "WORK", tmp_path / "work")
    assert page_paths(load_corpus().folder) == ["guide/index.md", "index.md"]
    assert load_corpus().pages == 2


def test_corpus_is_generated_where_the_shared_one_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Page\n\n## A heading\n\nA paragraph with words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\necho hello\n```\n"
    write_pages(tmp_path / "site" / "docs", {"index.mdx": page, "_partial.mdx": "left out"})
    monkeypatch.setattr(paths, "CORPUS_ARCHIVE", tmp_path / "missing.tar.gz")
    monkeypatch.setattr(paths, "WORK", tmp_path / "work")
    monkeypatch.setattr(paths, "SITE", tmp_path / "site")
    made = load_corpus()
    assert made.pages == 1000
    assert made.origin == f"generated from the site's own pages, seed {corpus.SEED}"


def test_ten_copies_stand_in_ten_folders(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"index.md": "home", "guide/a.md": "a"})
    copy_pages(pages, tmp_path / "copies", copies=10)
    assert len(page_paths(tmp_path / "copies")) == 20
    assert (tmp_path / "copies" / "part-9" / "guide" / "a.md").is_file()


def test_changed_word_is_the_first_of_the_first_paragraph(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(
        "---\ntitle: Plain words here\n---\n\n# Title\n\n- item one\n\n```sh\n\nrun this\n```\n\nSome prose here.\n\nMore prose.\n"
    )
    before = page.read_text()
    change_a_word(page, "Touched1")
    assert page.read_text() == before.replace("Some prose here.", "Touched1 prose here.")


def test_changed_word_can_be_changed_again(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("Some prose here.\n")
    change_a_word(page, "Touched")
    change_a_word(page, "Once")
    assert page.read_text() == "Once prose here.\n"


def test_page_without_prose_cannot_be_touched(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# Title\n\n- item\n")
    with pytest.raises(BenchError, match="has no paragraph"):
        change_a_word(page, "Touched")


def test_typical_page_has_code_and_a_table_and_the_usual_size(tmp_path: Path) -> None:
    both = "| a |\n| --- |\n| 1 |\n\n```sh\nls\n```\n"
    pages = {
        "code.md": "```sh\nls\n```\n" + "x" * 7_000,
        "small.md": both,
        "usual.md": both + "word " * 1_400,
        "huge.md": both + "word " * 9_000,
    }
    assert typical_page(write_pages(tmp_path, pages)) == "usual.md"
