"""Category files with mistakes: each is a finding at its place, and the folder keeps its defaults."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from octavo.site.categories import CategorySettings, load_category

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("_category_.json", '{"label": }', (1, 11), "it is not valid JSON: Expecting value."),
        ("_category_.json", f'{{\n"position": {DIGITS}}}', (2, 13), "this number has too many digits."),
        ("_category_.json", "[" * 100_000, (1, 1), "it is nested too deeply."),
        ("_category_.yml", "label: a\nposition: 2024-13-45", (2, 11), '"2024-13-45" is not a date'),
        ("_category_.yml", "label: a\nposition: .nan", (2, 1), "position is nan; expected a number"),
        ("_category_.json", '{"label": "a",\n"position": Infinity}', (2, 1), "position is inf; expected a number"),
    ],
)
def test_mistake_is_a_finding_at_its_place(
    tmp_path: Path, name: str, text: str, place: tuple[int, int], message: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / name).write_text(text)
    settings, path, (found,) = load_category(tmp_path, "docs")
    assert path == f"docs/{name}"
    assert settings.position is None
    assert (found.code, found.level, found.span.line, found.span.column) == ("category-file", "error", *place)
    assert message in found.message


def test_what_is_no_file_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "site/docs/a/_category_.yml").mkdir(parents=True)
    (tmp_path / "site/docs/b").mkdir()
    (tmp_path / "secret.yml").write_text("label: Secret")
    (tmp_path / "site/docs/b/_category_.yml").symlink_to(tmp_path / "secret.yml")
    (tmp_path / "site/docs/c").mkdir()
    (tmp_path / "site/docs/c/_category_.yml").symlink_to("_category_.yml")
    reasons = {"a": "Is a directory.", "b": "leads out of the site's folder", "c": "leads out of the site's folder"}
    for folder, reason in reasons.items():
        settings, _, (found,) = load_category(tmp_path / "site", f"docs/{folder}")
        assert settings == CategorySettings()
        assert reason in found.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    os.mkfifo(tmp_path / "docs/_category_.json")
    assert "a pipe, a socket or a device" in load_category(tmp_path, "docs")[2][0].message


def test_nul_is_reported_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/_category_.json").write_text('{"label": "a\\u0000b"}')
    settings, _, problems = load_category(tmp_path, "docs")
    assert settings.label is None
    assert "the character NUL" in problems[0].message
    assert (problems[0].span.line, problems[0].span.column) == (1, 13)


def test_annotations_of_the_settings_are_evaluated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    original = CategorySettings(label="Kilns", position=2)
    first = CategorySettings(label="Öfen").completed(original)

    def evaluate(_type: object) -> None:
        raise AssertionError

    monkeypatch.setattr(msgspec.structs, "fields", evaluate)
    assert CategorySettings(label="Öfen").completed(original) == first == CategorySettings(label="Öfen", position=2)
