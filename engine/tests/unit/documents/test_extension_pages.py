"""Documents that extensions make, among the sources of a site."""

from __future__ import annotations

from typing import NamedTuple

from octavo.config import parse_config
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.extension_pages import add_extension_pages
from octavo.site import Source
from tests.support.each import each


class Document(NamedTuple):
    path: str
    text: str = "Text"
    made_from: str = "kit.toml"
    origins: tuple[tuple[int, str, int], ...] = ()


class Extensions:
    """Makes documents."""

    def __init__(self, *documents: Document) -> None:
        self.documents = documents
        self.asked: tuple[str, str] | None = None

    def make_documents(self, locale: str, root: str) -> tuple[list[Document], list[Diagnostic]]:
        self.asked = (locale, root)
        return list(self.documents), [Diagnostic("extension", "warn", Span("kit.toml"), "Own.")]


CONFIG = parse_config('title = "T"\n')
FILES = [Source("docs/a.mdx", "docs", is_page=False)]


def add(*documents: Document) -> tuple[list[Source], list[str]]:
    sources, problems = add_extension_pages(FILES, CONFIG, Extensions(*documents))  # type: ignore[arg-type]  # one method is asked
    assert sources[:1] == FILES
    return sources[1:], [f"{one.span} {one.level}: {one.message}" for one in problems[1:]]


def test_site_without_extensions_has_its_files_only() -> None:
    assert add_extension_pages(FILES, CONFIG, None) == (FILES, [])


def test_documents_are_placed_in_the_folder_of_documents() -> None:
    made, problems = add(Document("b/../c.md", "ü\ud800", "x.py", ((1, "y.py", 2),)))
    assert problems == []
    assert made == [
        Source(
            "docs/c.md",
            "docs",
            is_page=False,
            made_from="x.py",
            data="ü?".encode(),
            maker="extension",
            origins=((1, "y.py", 2),),
        )
    ]
    asked = Extensions()
    _, problems_of = add_extension_pages(FILES, CONFIG, asked)  # type: ignore[arg-type]  # one method is asked
    assert (asked.asked, [one.message for one in problems_of]) == (("en", "docs"), ["Own."])


@each(
    "paths, made, problems",
    [
        (["a.md"], [], []),
        (["b.md", "b.mdx"], ["docs/b.md"], ['Two documents with the path "b.mdx" were made; the first one is used.']),
        (["a.md", "a.mdx"], [], []),
        (["b.txt"], [], ['An extension made a document with the path "b.txt", which is not used.']),
        (["../b.md"], [], ['An extension made a document with the path "../b.md", which is not used.']),
        (["x/../../b.md"], [], ['An extension made a document with the path "x/../../b.md", which is not used.']),
        (["/b.md"], [], ['An extension made a document with the path "/b.md", which is not used.']),
        (["b.md", "deep/b.md"], ["docs/b.md", "docs/deep/b.md"], []),
    ],
)
def test_paths_of_documents(paths: list[str], made: list[str], problems: list[str]) -> None:
    sources, found = add(*map(Document, paths))
    assert [one.path for one in sources] == made
    assert found == [f"kit.toml:1:1 error: {message}" for message in problems]
