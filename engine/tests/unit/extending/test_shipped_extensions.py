"""Functions of the extensions that come with Octavo, called without a build."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from octavo import extensions
from octavo.extensions import Directive, Documents, Fence, Finding, Inputs, Page, Site
from tests.support.each import each
from tests.support.paths import ENGINE


def load(name: str, **given: Any) -> ModuleType:
    """Load a copy of an extension with options of its own."""
    path = ENGINE / "src/octavo/shipped" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"copy_of_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extensions, "_options", {name: given})
        patch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
        spec.loader.exec_module(module)
    return module


def short(findings: list[Finding]) -> list[str]:
    return [f"{one.path}:{one.line}:{one.column} {one.message} {one.suggestion}".rstrip() for one in findings]


def directive(
    root: Path, label: str, text: str = "", attributes: Any = None, page: str = "docs/inner/a.md"
) -> Directive[Any]:
    return Directive("x", attributes, text, page, 7, Inputs(root), {}, label)


# Code

PIECE = """import os

def main():
    # [start:one]
    first = `1`
    # [end:one]
    # [end:two]
    ``last``
"""


@each(
    "attributes, shown, finding",
    [
        ({"marker": "one"}, "```py\nfirst = `1`\n```", None),
        ({"lines": "1"}, "```py\nimport os\n```", None),
        ({"lines": "2-3"}, "```py\n\ndef main():\n```", None),
        ({"lines": "8-", "language": "text"}, "```text\n``last``\n```", None),
        ({"lines": "1-1", "title": 'A "b"'}, "```py title='A \"b\"'\nimport os\n```", None),
        ({"lines": "1-1", "title": "A"}, '```py title="A"\nimport os\n```', None),
        ({"lines": "0-1"}, "```py\nimport os\n```", 'lines is "0-1", and "a.py" has 8 lines.'),
        ({"lines": "8-9"}, "```py\n``last``\n```", 'lines is "8-9", and "a.py" has 8 lines.'),
        ({"lines": "3-2"}, "```py\n\n```", 'lines is "3-2", and "a.py" has 8 lines.'),
        ({"lines": "x"}, None, 'lines is "x"; expected 10, 10-20 or 10-.'),
        (
            {"marker": "two"},
            None,
            '"a.py" has no line with "[start:two]"; all of it is shown. Write "[start:two]" into a comment of the file.',
        ),
        ({}, None, None),
    ],
)
def test_piece_of_a_file_is_shown_as_code(
    tmp_path: Path, attributes: dict[str, str], shown: str | None, finding: str | None
) -> None:
    (tmp_path / "a.py").write_text(PIECE)
    source = load("source_code")
    block = directive(tmp_path, "a.py", attributes=source.Piece(**attributes))
    whole = "```py\nimport os\n\ndef main():\n    first = `1`\n    ``last``\n```"
    assert source.source(block).text == (whole if shown is None else shown)
    assert short(block.inputs.findings) == ([f"docs/inner/a.md:7:1 {finding}"] if finding else [])


def test_code_with_marks_of_fences_is_in_a_longer_fence(tmp_path: Path) -> None:
    source = load("source_code")
    for marks, fence in (("``", "```"), ("```", "````"), ("````", "`````")):
        (tmp_path / "LICENSE").write_text(f"{marks}\n")
        text = source.source(directive(tmp_path, "LICENSE", attributes=source.Piece())).text
        assert text == f"{fence}text\n{marks}\n{fence}"


def test_end_in_front_of_its_start_is_no_piece(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("[end:x]\n1\n[start:x]\n2\n")
    source = load("source_code")
    block = directive(tmp_path, "a.py", attributes=source.Piece(marker="x"))
    assert source.source(block).text == "```py\n1\n2\n```"
    assert '"[end:x]"' in block.inputs.findings[0].message


# Tables


@each(
    "text, choice, table, findings",
    [
        ("a,b\n1,2\n", {}, "| a | b |\n| --- | --- |\n| 1 | 2 |", []),
        (' a ,b\n"x | y","1\n2"\n\n', {}, "| a | b |\n| --- | --- |\n| x \\| y | 1 2 |", []),
        ("a;b\n1;2", {"delimiter": ";", "columns": "b, a"}, "| b | a |\n| --- | --- |\n| 2 | 1 |", []),
        ("a\tb\n1\t2", {"delimiter": "tab"}, "| a | b |\n| --- | --- |\n| 1 | 2 |", []),
        ("a\tb\n1\t2", {"delimiter": "\\t", "columns": "b"}, "| b |\n| --- |\n| 2 |", []),
        (
            "a,b\n1,2",
            {"delimiter": '"'},
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
            ['The delimiter is """; expected one character, or tab.'],
        ),
        (
            "a,b\n1,2",
            {"delimiter": ""},
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
            ['The delimiter is ""; expected one character, or tab.'],
        ),
        (
            "a,b\n1\n1,2,3",
            {},
            "| a | b |\n| --- | --- |\n| 1 |  |\n| 1 | 2 |",
            [
                "Row 2 of this table has 1 cells, and its head has 2.",
                "Row 3 of this table has 3 cells, and its head has 2.",
            ],
        ),
        ("\n", {}, "", ["This table has no rows."]),
        (
            "a,b\n1,2",
            {"columns": "c,b"},
            "| b |\n| --- |\n| 2 |",
            ['The table has no column "c"; its columns are a, b.'],
        ),
        ("a,b\n1,2", {"columns": "c"}, "", ['The table has no column "c"; its columns are a, b.']),
    ],
)
def test_table_of_comma_separated_values(
    tmp_path: Path, text: str, choice: dict[str, str], table: str, findings: list[str]
) -> None:
    csv_table = load("csv_table")
    fence: Fence[Any] = Fence("csv-table", csv_table.Choice(**choice), text, "docs/a.md", 3, Inputs(tmp_path))
    assert csv_table.csv_fence(fence).text == table
    assert short(fence.inputs.findings) == [f"docs/a.md:3:1 {one}" for one in findings]
    (tmp_path / "a.csv").write_text(text)
    assert csv_table.csv_file(directive(tmp_path, "a.csv", attributes=csv_table.Choice(**choice))).text == table


def test_file_that_cannot_be_read_is_reported_at_its_directive(tmp_path: Path) -> None:
    root = tmp_path / "site"
    root.mkdir()
    (tmp_path / "out.csv").write_text("a\n")
    (root / "latin.csv").write_bytes(b"\xe9")
    csv_table = load("csv_table")
    for name, message in (
        ("gone.csv", 'There is no file "gone.csv". Write its path from the site\'s folder.'),
        (
            "../out.csv",
            '"../out.csv" lies outside the site\'s folder. Name it in files of [extension_options.csv_table].',
        ),
        ("latin.csv", '"latin.csv" is not UTF-8. Save it as UTF-8.'),
        (".", '"." cannot be read: Is a directory. Name a file.'),
    ):
        block = directive(root, name, attributes=csv_table.Choice())
        assert csv_table.csv_file(block).text == ""
        assert short(block.inputs.findings) == [f"docs/inner/a.md:7:1 {message}"]
        assert block.inputs.findings[0].level == "error"


# Words


def page_of(path: str) -> Page:
    return Page("/a", path, "A", "", "en", "", (), (), (), {})


@each(
    "line, columns",
    [
        ("Write javascript, and javascript.", [7, 23]),
        ("JavaScript javascripts a/javascript javascript-x javascript.js x.javascript", []),
        ("`javascript` <b javascript> https://x.example/javascript [a](javascript)", []),
        ("[a]{.javascript} :note[b]{.javascript} :note{.javascript} javascript", [59]),
        ("<!-- javascript --> javascript", [21]),
        ("``a ` javascript`` import javascript", [27]),
        ("import x from javascript", []),
        ("an e-mail.", [4]),
    ],
)
def test_words_to_avoid_are_found_in_texts(tmp_path: Path, line: str, columns: list[int]) -> None:
    (tmp_path / "a.md").write_text(f"---\njavascript: 1\n---\n{line}\n")
    spelling = load("spelling", words={"javascript": "JavaScript", "e-mail": "email"})
    site = Site([page_of("a.md"), page_of("a.md")], Inputs(tmp_path))
    found = list(spelling.spelling(site))
    assert [(one.path, one.line, one.column) for one in found] == [("a.md", 4, column) for column in columns]
    for one in found:
        better = "email" if "e-mail" in one.message else "JavaScript"
        assert (one.message.endswith(f'is written "{better}" here.'), one.suggestion) == (True, f'Write "{better}".')


def test_words_are_looked_for_in_markdown_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("javascript")
    (tmp_path / "b.md").write_text("```\njavascript\n```\njavascript\n")
    pages = [page_of(name) for name in ("a.py", "gone.md", "b.md")]
    spelling = load("spelling", words={"javascript": "JavaScript"})
    assert [(one.path, one.line) for one in spelling.spelling(Site(pages, Inputs(tmp_path)))] == [("b.md", 4)]
    assert list(load("spelling").spelling(Site(pages, Inputs(tmp_path)))) == []


# Links


@each(
    "data, text, finding",
    [
        (
            '{"https://x.example": {"title": "A \\"b\\"", "description": "c  d"}}',
            '<DocCard href="https://x.example" label="A &quot;b&quot;" description="c d" />',
            None,
        ),
        (
            '{"https://x.example": {"title": "A"}}',
            '<DocCard href="https://x.example" label="A" description="" />',
            None,
        ),
        (
            '{"https://x.example": {"title": ""}}',
            "<https://x.example>",
            '"data/links.json" has no title for "https://x.example"; it is shown as a plain link.',
        ),
        (None, "<https://x.example>", '"data/links.json" has no title for "https://x.example"'),
        ("[]", "<https://x.example>", '"data/links.json" cannot be read: expected an object of address'),
        ("{", "<https://x.example>", '"data/links.json" cannot be read: Expecting property name'),
    ],
)
def test_link_is_a_card_where_there_is_data(tmp_path: Path, data: str | None, text: str, finding: str | None) -> None:
    if data is not None:
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data/links.json").write_text(data)
    elif (tmp_path / "data/links.json").exists():
        (tmp_path / "data/links.json").unlink()
    block = directive(tmp_path, " https://x.example ")
    assert load("link_previews").preview(block).text == text
    assert len(block.inputs.findings) == (finding is not None)
    assert finding is None or block.inputs.findings[0].message.startswith(finding)


# Releases

CHANGELOG = """# Changelog

## Unreleased

- Next, see [one](docs/one.md#x), [code](src/a.py), `[a](docs/one.md)` and [gone](docs/gone.md).

## [1.2.0] - 2026-01-31

### Added

- #12 by @ann-b, not `#13`, [#14](https://x.example), https://x.example/#15 or a@b.example.

```
## [no] - release
### kept
```

## v1.1.0 (2026-02-30)

Old.

## [1.2.0] - 2025-01-01

[1.2.0]: https://x.example/compare
"""
REPOSITORY = "https://code.example/acme/acme"


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for name, text in (("CHANGELOG.md", CHANGELOG), ("docs/one.md", ""), ("src/a.py", "")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_each_release_has_a_page_and_the_list_has_them_all(releases: Path) -> None:
    changelog = load("changelog", file="CHANGELOG.md", repository=f"{REPOSITORY}/")
    made = {one.path: one for one in changelog.pages(Documents(Inputs(releases), "en", "docs"))}
    assert list(made) == ["releases/unreleased.md", "releases/1-2-0.md", "releases/v1-1-0.md", "releases/index.md"]
    assert made["releases/index.md"].text == (
        '---\ntitle: "Releases"\nsidebar_position: 0\n---\n\n- [Unreleased](./unreleased.md)\n'
        "- [1.2.0](./1-2-0.md), 2026-01-31\n- [v1.1.0](./v1-1-0.md), 2026-02-30\n- [1.2.0](./1-2-0.md), 2025-01-01\n"
    )
    assert all(one.made_from == "CHANGELOG.md" for one in made.values())
    assert made["releases/unreleased.md"].origins == {1: ("CHANGELOG.md", 3)}
    assert made["releases/unreleased.md"].text == (
        '---\ntitle: "Unreleased"\nsidebar_position: 1\n---\n\n'
        f"- Next, see [one](../one.md#x), [code]({REPOSITORY}/blob/HEAD/src/a.py), `[a](docs/one.md)` and "
        "[gone](docs/gone.md)."
    )


def test_numbers_and_names_of_a_release_are_links(releases: Path) -> None:
    changelog = load("changelog", file="CHANGELOG.md", repository=REPOSITORY)
    first = changelog._read(Inputs(releases))[1]
    assert (first.version, first.date, first.url, first.line) == (
        "1.2.0",
        "2026-01-31",
        "https://x.example/compare",
        7,
    )
    assert first.text == (
        f"## Added\n\n- [#12]({REPOSITORY}/issues/12) by [@ann-b](https://code.example/ann-b), not `#13`, "
        "[#14](https://x.example), https://x.example/#15 or a@b.example.\n\n```\n## [no] - release\n### kept\n```"
    )
    plain = load("changelog", file="CHANGELOG.md")
    assert "- #12 by @ann-b, not" in plain._read(Inputs(releases))[1].text


@each(
    "label, shown",
    [
        ("", "**1.2.0** · 2026-01-31 · [All changes](https://x.example/compare)\n\n## Added"),
        ("v1.2.0", "**1.2.0** · 2026-01-31"),
        ("1.1.0", "**v1.1.0** · 2026-02-30\n\nOld."),
        ("Unreleased", "**Unreleased**\n\n- Next, see [one](../one.md#x), [code](../../src/a.py)"),
    ],
)
def test_release_is_shown_in_a_page(releases: Path, label: str, shown: str) -> None:
    block = directive(releases, label)
    assert load("changelog", file="CHANGELOG.md").one_release(block).text.startswith(shown)
    assert block.inputs.findings == []


def test_release_that_there_is_not_is_a_finding_with_the_first_ones(releases: Path) -> None:
    changelog = load("changelog", file="CHANGELOG.md")
    block = directive(releases, "9")
    assert changelog.one_release(block).text == ""
    assert short(block.inputs.findings) == [
        'docs/inner/a.md:7:1 "CHANGELOG.md" has no release "9". It has Unreleased, 1.2.0, v1.1.0, 1.2.0.'
    ]
    (releases / "CHANGELOG.md").write_text("# Changelog\n")
    empty = directive(releases, "9")
    assert changelog.one_release(empty).text == ""
    assert empty.inputs.findings[0].suggestion == ""


def test_mistakes_in_a_changelog_are_found_at_their_lines(releases: Path) -> None:
    changelog = load("changelog", file="CHANGELOG.md")
    assert short(list(changelog.headings(Site([], Inputs(releases))))) == [
        'CHANGELOG.md:18:1 "2026-02-30" is not a date. Write it as 2026-01-31.',
        'CHANGELOG.md:22:1 "1.2.0" is a heading in line 7 already.',
    ]
    (releases / "CHANGELOG.md").write_text("")
    assert short(list(changelog.headings(Site([], Inputs(releases))))) == [
        'CHANGELOG.md:1:1 "CHANGELOG.md" has no releases. Begin each release with a line such as: ## [1.2.0] - 2026-01-31'
    ]
