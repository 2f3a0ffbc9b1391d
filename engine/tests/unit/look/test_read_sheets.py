"""Style sheets that settings name, those that these import, and what is found in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.look import sheets
from octavo.look.sheets import read_sheets


class Tables:
    """A cache in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self.saves = 0

    def load_table(self, name: str, type_: object, default: Any) -> Any:
        del type_
        return self.tables.get(name, default)

    def save_table(self, name: str, table: Any) -> None:
        self.tables[name] = table
        self.saves += 1


def found(root: Path, settings: str, files: dict[str, str | bytes], cache: Any = None) -> list[str]:
    for name, content in files.items():
        path = root / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    text = f'title = "T"\n{settings}\n'
    read = read_sheets(parse_config(text), text, root, cache)
    return [f"{one.code} {one.level} {one.span}: {one.message} {one.suggestion}".rstrip() for one in read.problems]


def test_sheets_that_others_import_are_read_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "css/a.css": "@import 'b.css';\n@import '/css/a.css';\na { colr: red }",
        "css/b.css": "@import 'a.css';\nb { background: url(gone.png) }",
        "css/c.css": "c { colr: red }",
    }
    problems = found(tmp_path, 'styles = ["/css/a.css", "/css/b.css", "/css/gone.css"]', files)
    assert [one.partition(": ")[0] for one in problems] == [
        "style-sheet warn static/css/a.css:3:5",
        "broken-asset error static/css/b.css:2:17",
    ]


def test_sheet_that_is_not_utf_8_is_read_with_its_other_characters(tmp_path: Path) -> None:
    problems = found(
        tmp_path, 'styles = ["/a.css"]', {"a.css": b"a { top: 0 }\nb { content: '\xff' }\nc { colr: red }"}
    )
    assert problems == [
        (
            "style-sheet warn static/a.css:2:15: The style sheet is not UTF-8: browsers show other characters than those that are "
            "meant. Save the file as UTF-8."
        ),
        (
            'style-sheet warn static/a.css:3:5: "colr" is not a property that is known; browsers drop the declaration. Did you mean '
            '"color"?'
        ),
    ]


def test_sheet_that_cannot_be_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(sheets, "read_plain", refuse)
    assert found(tmp_path, 'styles = ["/a.css"]', {"a.css": "a { colr: red }"}) == [
        "unreadable error static/a.css:1:1: The style sheet cannot be read: Permission denied."
    ]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('"""\na { top: 0 }\n\n  b { colr: red }"""', "7:7"),
        ('"""a { top: 0; colr: red }"""', "4:26"),
        ('"a { colr: red }"', "4:16"),
        ('"a { top: 0 }\\nb { colr: red }"', "4:1"),
    ],
)
def test_mistake_in_an_element_is_found_at_its_place_in_the_settings(tmp_path: Path, content: str, place: str) -> None:
    [problem] = found(tmp_path, f'[[head]]\ntag = "style"\ncontent = {content}', {})
    assert problem.startswith(f'style-sheet warn octavo.toml:{place}: "colr" is not a property')


def test_address_in_an_element_needs_the_base_url(tmp_path: Path) -> None:
    settings = '[[head]]\ntag = "style"\ncontent = """\na { background: url(x.png) }\n"""'
    [problem] = found(tmp_path, settings, {"x.png": "x"})
    assert problem.startswith('style-sheet warn octavo.toml:5:17: "x.png" is relative to each page')


def test_custom_property_that_is_almost_a_design_token_is_a_finding(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.css": "a { color: var(--acent); top: var(--my-own); left: var(--other); right: var(--accent) }",
        "b.css": ":root { --my-own: 1px }",
    }
    head = '\n[[head]]\ntag = "style"\ncontent = "a { color: var(--acent) }"'
    assert found(tmp_path, f'styles = ["/a.css", "/b.css"]{head}', files) == [
        (
            'style-sheet warn static/a.css:1:16: "--acent" is not a design token, and no style sheet of the site sets it. Did you mean '
            '"--accent"?'
        )
    ]


def test_sheets_of_other_hosts_are_named_for_the_policy(tmp_path: Path) -> None:
    text = 'title = "T"\nstyles = ["https://a.example/x.css", "/a.css"]\n'
    (tmp_path / "static").mkdir()
    (tmp_path / "static/a.css").write_text("a { background: url(https://b.example/x.png) }")
    read = read_sheets(parse_config(text), text, tmp_path, None)
    assert read.needs == ["font-src https://a.example", "img-src https://a.example", "img-src https://b.example"]


def test_what_was_read_is_kept_until_it_changes(tmp_path: Path) -> None:
    cache: Any = Tables()
    settings = 'styles = ["/a.css"]'
    first = found(tmp_path, settings, {"a.css": "a { colr: red }"}, cache)
    assert cache.saves == 1
    kept = cache.tables[sheets._TABLE]
    assert found(tmp_path, settings, {}, cache) == first
    assert cache.saves == 1
    [key] = kept
    kept[key] = sheets.Sheet()
    assert found(tmp_path, settings, {}, cache) == []
    found(tmp_path, settings, {"a.css": "b { colr: red }"}, cache)
    assert cache.saves == 2
    assert key not in cache.tables[sheets._TABLE]
