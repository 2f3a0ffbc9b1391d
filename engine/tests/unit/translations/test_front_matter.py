"""Front matter of a translation: what comes from the original, what the translator wrote, and what is left out."""

from __future__ import annotations

import pytest

from octavo.translations.front_matter import Field, fields_of, front_matter_of_translation, is_field

TITLE, LABEL = ("title", "Kites"), ("sidebar_label", "All kites")
GERMAN = {TITLE: "Drachen", LABEL: "Alle Drachen"}
Targets = dict[tuple[str, str], str]


def lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def written(original: str, base: str | None, existing: str | None, targets: Targets | None = None) -> list[str]:
    """Write the front matter of a translation; `GERMAN` are the translations if none are given."""
    return front_matter_of_translation(
        lines(original),
        lines(base) if base is not None else None,
        lines(existing) if existing is not None else None,
        GERMAN if targets is None else targets,
    )[0]


def test_new_translation_has_all_keys_and_reports_texts_without_one() -> None:
    original = lines("---\ntitle: Kites\ndescription: Of paper.\nsidebar_position: 3\n---\n# Kites")
    made, missing = front_matter_of_translation(original, None, None, GERMAN)
    assert made == ["---", 'title: "Drachen"', "description: Of paper.", "sidebar_position: 3", "---"]
    assert missing == [Field("description", "Of paper.", 2)]


def test_page_without_front_matter_leaves_that_of_its_translation() -> None:
    own = "---\ntitle: Drachen\n---\nText"
    assert written("# Kites", None, own) == ["---", "title: Drachen", "---"]
    assert written("# Kites", None, "Text") == []
    assert written("# Kites", None, None) == []


def test_front_matter_in_another_notation_is_written_anew() -> None:
    assert written("+++\ntitle = 'Kites'\n+++", None, "---\ntitle: Alt\n---") == ["+++", 'title = "Drachen"', "+++"]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("---\ntitle: Kites\ndraft: true\n---", ["---", 'title: "Drachen"', "---"]),
        ("---\ntitle: Kites\n---", ["---", 'title: "Drachen"', "draft: true", "---"]),
        ("---\ntitle: Kites\ndraft: false\n---", ["---", 'title: "Drachen"', "draft: true", "---"]),
        (None, ["---", 'title: "Drachen"', "draft: true", "---"]),
    ],
    ids=["equal to what the original had", "the translator's own", "changed by the translator", "not known"],
)
def test_key_that_the_original_lost_goes_unless_a_translator_wrote_it(before: str | None, expected: list[str]) -> None:
    assert written("---\ntitle: Kites\n---", before, "---\ntitle: Kites\ndraft: true\n---") == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("---\ntitle: Kites\ntoc: false\n---", ["---", 'title: "Drachen"', "---"]),
        ("---\ntitle: Kites\n---", ["---", 'title: "Drachen"', "toc: false", "---"]),
        (None, ["---", 'title: "Drachen"', "toc: false", "---"]),
    ],
    ids=["left out by the translator", "new in the original", "not known"],
)
def test_key_that_a_translation_lacks_is_added_unless_it_was_left_out(before: str | None, expected: list[str]) -> None:
    assert written("---\ntitle: Kites\ntoc: false\n---", before, "---\ntitle: Drache\n---") == expected


@pytest.mark.parametrize("key", ["id: k", "slug: /k", "sidebar_position: 3", "date: 2026-01-02", "unlisted: true"])
def test_key_that_translations_inherit_is_not_added_to_one_whose_base_is_not_known(key: str) -> None:
    original = f"---\ntitle: Kites\n{key}\n---"
    assert written(original, None, "---\ntitle: Drache\n---") == ["---", 'title: "Drachen"', "---"]


def test_text_that_a_translation_lacks_is_added_once_it_has_been_translated() -> None:
    original = "---\ntitle: Kites\nsidebar_label: All kites\n---"
    own = '---\ntitle: "Drachen"\n---'
    only_title = {TITLE: "Drachen"}
    for base in (original, None):
        assert written(original, base, own, only_title) == ["---", 'title: "Drachen"', "---"]
        assert written(original, base, own) == ["---", 'title: "Drachen"', 'sidebar_label: "Alle Drachen"', "---"]


def test_nested_value_of_a_translator_stays_and_its_texts_are_translated() -> None:
    original = "---\nhero:\n  title: Kites\n  image: new.svg\n---"
    before = original.replace("new.svg", "old.svg")
    own = "---\nhero:\n  title: Drache\n  image: mine.svg\n---"
    targets = {("hero.title", "Kites"): "Drachen"}
    # A key that the translator did not touch is that of the original as it is now.
    assert written(original, before, before, targets) == [
        "---", "hero:", '  title: "Drachen"', "  image: new.svg", "---",
    ]  # fmt: skip
    left_out = "---\nhero:\n  image: mine.svg\n---"
    assert written(original, before, left_out, {}) == lines(left_out)
    assert written(original, before, own, targets) == [
        "---", "hero:", '  title: "Drachen"', "  image: mine.svg", "---",
    ]  # fmt: skip


def test_keys_are_added_before_the_tables_of_toml() -> None:
    original = "+++\ntitle = 'Kites'\nsidebar_label = 'All kites'\nweight = 2\n[params]\nx = 1\n+++"
    own = "+++\n# Ours.\ntitle = 'Drache'\n[params]\nx = 2\n[menu]\ny = 3\n+++"
    assert written(original, "+++\ntitle = 'Kites'\n[params]\nx = 1\n+++", own) == [
        "+++", "# Ours.", 'title = "Drachen"', 'sidebar_label = "Alle Drachen"', "weight = 2",
        "[params]", "x = 2", "[menu]", "y = 3", "+++",
    ]  # fmt: skip
    # Without tables they are at the end.
    assert written("+++\ntitle = 'Kites'\nweight = 2\n+++", None, "+++\ntitle = 'D'\n+++") == [
        "+++", 'title = "Drachen"', "weight = 2", "+++",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Kites", "title = 'Kites' # as it is"),  # the same text: nothing is rewritten
        ('"Drachen"\n', 'title = "\\"Drachen\\""'),
        ("", "title = 'Kites' # as it is"),
    ],
)
def test_text_in_toml_is_written_only_where_it_differs(target: str, expected: str) -> None:
    original = "+++\ntitle = 'Kites' # as it is\n+++"
    assert written(original, None, None, {TITLE: target}) == ["+++", expected, "+++"]


def test_value_in_toml_that_cannot_be_read_stays() -> None:
    original = "+++\ntitle = Kites\n+++"
    assert written(original, None, None) == lines(original)
    assert fields_of(lines(original)) == []


def test_block_of_text_ends_where_the_next_key_begins() -> None:
    original = "---\ndescription: |\n  Of paper.\ndraft: true\n---"
    assert written(original, None, None, {("description", "Of paper."): "Aus Papier."}) == [
        "---", 'description: "Aus Papier."', "draft: true", "---",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("title", True), ("weight", False), ("hero.title", True), ("hero.actions.0.text", True), ("hero.image", False),
        ("other.title", False), ("hero.title.", False), ("", False),
    ],
)  # fmt: skip
def test_context_is_a_path_in_front_matter(context: str, expected: bool) -> None:
    assert is_field(context) is expected
