"""The scanner copies plain lines in one piece: with the same outcome as line by line."""

import random

import pytest

from engine.tests.unit.content.cases import FIXTURES, Case, load_cases
from octavo.content import Document
from octavo.content.compile import ContentOptions, compile_document
from octavo.content.scan import scanner
from octavo.content.scan.scanner import Scanner

LINES = [
    "Words and `code` of a <Chip tone='red'>kind</Chip>.",
    "Plain words, with `code {x}` and *style*.",
    "`code` first",
    "A tick ` that closes",
    "here ` again, or ``not` at all",
    "An escaped \\` tick",
    "",
    "",
    "- item",
    "  more of it",
    "1. first",
    "  - an item in an item, with `code`",
    "- - two items at once",
    "   10) tenth",
    "*",
    "- ```sh",
    "  ```",
    "- > quoted <Chip/>",
    "  :::tip",
    "      deep in an item",
    "  import y from './y.mdx'",
    "2026 was a year",
    "-not an item",
    "---",
    "# Heading",
    "## Other ::: heading",
    "| a | b |",
    "> quoted <Chip/>",
    "```python",
    "```",
    "    ```",
    "````",
    "~~~",
    "    indented",
    "\tindented",
    "[^1]: a footnote",
    "[label]: ./a.md",
    ":::note",
    ":::",
    ":::tip[Title]",
    "<Chart values={[1, 2]} />",
    "<Chart>",
    "</Chart>",
    "<!-- a comment",
    "-->",
    "<details>",
    "<summary>More</summary>",
    "</details>",
    "import x from './x.mdx'",
    "important words",
    "export const a = 1",
    "{1 + 1}",
    "{'text'}",
    "==marked== ~~gone~~ H~2~O",
    "!!! note",
    "Term",
    ":   explained",
    "<pre>",
    "</pre>",
    "word \\",
]
EXTENSIONS = ["", "admonitions tabs critic mark", "attr_list emoji def_list md_in_html"]


def outcome(source: str, extension: str, names: str) -> tuple[Document, object]:
    case = Case("", source, f"{extension} {names}".strip())
    case.files = {"components/Chip.mdx": "<b>{props.children}</b>", "components/Chart.mdx": "<i>{props.children}</i>"}
    document = case.run()
    return document, document.diagnostics


def look_at_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scanner, "_plain_lines", lambda *_: 0)
    monkeypatch.setattr(Scanner, "_plain_paragraphs", lambda *_: 0)


@pytest.mark.costly
@pytest.mark.parametrize("names", EXTENSIONS)
@pytest.mark.parametrize("extension", ["md", "mdx"])
def test_plain_lines_change_nothing(extension: str, names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"{extension} {names}")
    pages = ["\n".join(chance.choices(LINES, k=chance.randint(3, 30))) + chance.choice(["", "\n"]) for _ in range(100)]
    quick = [outcome(page, extension, names) for page in pages]
    look_at_every_line(monkeypatch)
    for page, found in zip(pages, quick, strict=True):
        assert found == outcome(page, extension, names), page


PARAGRAPH = "Words that are long enough to be worth it, with nothing in them that could be lifted out of the page."


@pytest.mark.costly
def test_plain_paragraphs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random("paragraphs")
    lines = [*LINES, PARAGRAPH, f"\n{PARAGRAPH}\n", f"\n{PARAGRAPH}\n", "\n```sh\nls\n```\n", "~~~\n<Chip/>\n~~~"]
    pages = ["\n".join(chance.choices(lines, k=chance.randint(3, 30))) for _ in range(300)]
    quick = [outcome(page, "md", "") for page in pages]
    monkeypatch.setattr(Scanner, "_plain_paragraphs", lambda *_: 0)
    for page, found in zip(pages, quick, strict=True):
        assert found == outcome(page, "md", ""), page


@pytest.mark.costly
def test_plain_lines_change_nothing_in_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for path in sorted(FIXTURES.glob("*.md")) for case in load_cases(path)]
    assert len(cases) > 100
    quick = [case.outputs() for case in cases]
    look_at_every_line(monkeypatch)
    assert quick == [case.outputs() for case in cases]


def test_a_page_with_one_component_is_mostly_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    line = Scanner._line
    monkeypatch.setattr(Scanner, "_line", lambda self, at: looked_at.append(at) or line(self, at))
    text = "Words with `code`.\n\n## Part\n\n```sh\nls -l\n```\n\n| a |\n|---|\n\n" * 20
    options = ContentOptions(components=frozenset({"Chip"}))
    compile_document(f"# T\n\n{text}One <Chip/>.\n\n{text}", source_path="docs/a.md", load={}.get, options=options)
    assert len(looked_at) == 1


def test_lists_are_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    line = Scanner._line
    monkeypatch.setattr(Scanner, "_line", lambda self, at: looked_at.append(at) or line(self, at))
    text = (
        "- Words with `code`,\n  and more\n\n  1. in an item\n\n- another\n\nText.\n\n* item\n\n```sh\nls\n```\n\n" * 20
    )
    options = ContentOptions(components=frozenset({"Chip"}))
    compile_document(f"# T\n\n{text}One <Chip/>.\n\n{text}", source_path="docs/a.md", load={}.get, options=options)
    assert len(looked_at) == 1


def test_a_long_list_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stretches: list[int] = []
    end_of = scanner.end_of
    monkeypatch.setattr(scanner, "end_of", lambda *given: stretches.append(given[2]) or end_of(*given))
    options = ContentOptions(components=frozenset({"Chip"}))
    text = "- item\n" * 1_000
    compile_document(f"{text}- One <Chip/>.\n", source_path="docs/a.md", load={}.get, options=options)
    assert len(stretches) < 10
