"""Documents of several versions that are compiled once."""

from __future__ import annotations

import msgspec

from octavo.content import ContentOptions, Dialect, Term
from octavo.content.compile import compile_document
from octavo.diagnostics import Span
from octavo.documents.body import split_document
from octavo.documents.twins import (
    find_profiles,
    is_portable,
    move_dependencies,
    move_summary,
    takes_from_original,
    twin_key,
)
from octavo.site import Source
from tests.support.each import each

ROOTS = ["docs", "v/1", "v/2"]
SOURCE = Source("v/1/a/b.md", "v/1", is_page=False)


def test_folders_that_are_read_alike_have_one_profile() -> None:
    found = find_profiles(ROOTS, ContentOptions())
    assert list(found) == ROOTS
    # Paths that lead out of the folder lead to other files from folders that are not beside each other.
    assert found["v/1"] == found["v/2"] != found["docs"]
    rough = {"v/2": Dialect(extensions=frozenset(["math"]))}
    assert len(set(find_profiles(ROOTS, ContentOptions(folders=rough)).values())) == 3
    inside = {"v/1/x": Dialect(extensions=frozenset(["math"])), "v/2/x": Dialect(extensions=frozenset(["math"]))}
    again = find_profiles(ROOTS, ContentOptions(folders=inside))
    assert again["v/1"] == again["v/2"] != found["v/1"]
    apart = find_profiles(ROOTS, ContentOptions(folders=dict(list(inside.items())[:1])))
    assert apart["v/1"] != apart["v/2"]


@each(
    "folders, are_alike",
    [
        ([], True),
        (["v"], True),
        (["v/"], True),
        (["."], True),
        (["docs"], True),
        (["v/1"], False),
        (["v/1", "v/2"], False),
        (["v/1/a/", "v/2/a"], False),
        (["v/1/a", "v/2/a"], False),
        (["v/12"], True),
    ],
)
def test_words_that_are_explained_in_other_folders_make_another_profile(folders: list[str], are_alike: bool) -> None:
    # The words of the first folder that is named are those of one term, and so on.
    glossary = {str(number): Term("It.", folders=[folder]) for number, folder in enumerate(folders)}
    found = find_profiles(["v/1", "v/2"], ContentOptions(glossary=glossary))
    assert (found["v/1"] == found["v/2"]) is are_alike


def test_one_folder_has_no_twins() -> None:
    assert find_profiles(["docs", "docs"], ContentOptions()) == {}
    assert find_profiles(ROOTS, ContentOptions(extensions=("x",))) == {}  # type: ignore[arg-type]  # any will do


@each(
    "source, content, key",
    [
        (SOURCE, b"text", "p a/b.md"),
        (msgspec.structs.replace(SOURCE, suffix="de"), b"text", "p a/b.md de"),
        # It names its own folder, which another version's would not.
        (SOURCE, b"see ../1/c.md", "v/1/a/b.md"),
        (SOURCE, b"see v/1", "p a/b.md"),
        (msgspec.structs.replace(SOURCE, root="v/3", path="v/3/a.md"), b"", "v/3/a.md"),
    ],
)
def test_twins_share_a_key(source: Source, content: bytes, key: str) -> None:
    assert twin_key(source, content, {"v/1": "p", "v/2": "q"}) == key


@each(
    "paths, root, original, expected",
    [
        (["docs/a.md"], "i18n/de", "docs", True),
        (["docs/a.md"], "docs/de", "docs", True),
        (["docs/de/a.md"], "docs/de", "docs", False),
        (["docs2/a.md", "a.md"], "i18n/de", "docs", False),
        (["docs/a.md"], "docs", None, False),
        (["a.md"], "i18n/de", ".", True),
        ([], "i18n/de", ".", False),
    ],
)
def test_translation_that_takes_in_files_of_its_original(
    paths: list[str], root: str, original: str | None, expected: bool
) -> None:
    assert takes_from_original(paths, root, original) is expected


def test_names_of_files_are_those_of_the_twin() -> None:
    noted = {"v/1/a.md": "x", "v/12/b.md": "y", "c.md": "z"}
    assert move_dependencies(noted, "v/1", "v/2") == {"v/2/a.md": "x", "v/12/b.md": "y", "c.md": "z"}


def test_summary_of_a_twin_names_its_own_files() -> None:
    text = "[a](./gone.md) ![b](./gone.png)\n\n:::nothing\nA\n:::\n"
    document = compile_document(text, source_path="v/1/a/b.md", load=lambda _: None, options=ContentOptions())
    finding = msgspec.structs.replace(
        document.diagnostics[0],
        span=Span("v/1/a/b.md", 3, 1),
        message="In v/1/x and v/12/x.",
        suggestion="Mend v/1/y.",
    )
    document = msgspec.structs.replace(document, diagnostics=[finding])
    summary, body = split_document(document, body_key="")
    twin = Source("v/2/a/b.md", "v/2", is_page=False)
    moved = move_summary(summary, twin, "v/1")
    assert moved.source_path == "v/2/a/b.md"
    assert [str(link.span) for link in moved.links] == ["v/2/a/b.md:1:1"]
    assert [str(asset.span) for asset in moved.assets] == ["v/2/a/b.md:1:16"]
    (found,) = moved.diagnostics
    assert (str(found.span), found.message, found.suggestion) == (
        "v/2/a/b.md:3:1",
        "In v/2/x and v/12/x.",
        "Mend v/2/y.",
    )
    assert move_summary(moved, SOURCE, "v/2") == summary
    assert is_portable(body, "v/1")
    assert not is_portable(msgspec.structs.replace(body, html="<a href='v/1/x'>"), "v/1")
