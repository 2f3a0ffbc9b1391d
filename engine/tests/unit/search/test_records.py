from __future__ import annotations

import pytest

from engine.tests.unit.search.conftest import facts, records
from octavo.content import Heading, TextChunk
from octavo.content.compile import ContentOptions, compile_document
from octavo.search.index.facts import DATA_RANK
from octavo.search.index.record import LONGEST_CONTENT, make_records, split_text

BODY = "Before.\n## Dry\nSlowly.\n### Very dry\n    heat --low\n## Fire\nHot."


def test_page_headings_and_texts_become_records() -> None:
    made = [(record.type, record.anchor, record.content) for record, _ in records("Clay", BODY)]
    assert made == [
        ("lvl1", "", None),
        ("content", "", "Before."),
        ("lvl2", "dry", None),
        ("content", "dry", "Slowly."),
        ("lvl3", "very-dry", None),
        ("content", "very-dry", "heat --low"),
        ("lvl2", "fire", None),
        ("content", "fire", "Hot."),
    ]


def test_hierarchy_is_the_path_of_headings() -> None:
    made = {record.content: record.hierarchy for record, _ in records("Clay", BODY)}
    assert made["heat --low"] == ["Pottery", "Clay", "Dry", "Very dry", None, None, None]
    assert made["Hot."] == ["Pottery", "Clay", "Fire", None, None, None, None]


def test_code_is_of_its_own_kind() -> None:
    assert [record.content for record, _ in records("Clay", BODY) if record.kind == "code"] == ["heat --low"]


def test_text_with_an_anchor_of_its_own_is_led_to() -> None:
    headings = [Heading(2, "options", "Options", "Options")]
    chunks = [TextChunk("option", 0, "--all Show all", "option-all"), TextChunk("paragraph", 0, "More.")]
    made = {record.content: record for record, _ in make_records(facts("List"), headings, chunks)}
    assert (made["--all Show all"].url, made["--all Show all"].kind) == (f"{facts('List').url}#option-all", "command")
    assert (made["More."].anchor, made["More."].kind) == ("options", "guide")


def test_object_ids_stay_when_other_texts_change() -> None:
    before = {record.content: record.object_id for record, _ in records("Clay", BODY)}
    after = {record.content: record.object_id for record, _ in records("Clay", "New first.\n" + BODY)}
    assert before["Hot."] == after["Hot."]


def test_object_ids_are_unique() -> None:
    ids = [record.object_id for record, _ in records("Clay", "Same.\nSame.\nSame.")]
    assert len(set(ids)) == len(ids)


def test_level_one_heading_makes_no_record_of_its_own() -> None:
    made = make_records(facts("Clay"), [Heading(1, "", "Clay", "Clay")], [TextChunk("heading", 0, "Clay")])
    assert [record.type for record, _ in made] == ["lvl1"]


def test_long_code_is_split_at_lines() -> None:
    text = "\n".join(f"line {number}" for number in range(1000))
    pieces = list(split_text(text))
    assert "\n".join(pieces) == text
    assert max(map(len, pieces)) <= LONGEST_CONTENT


EVERYTHING = """# Clay

A paragraph of text.

- An item in a list

| Head | Other |
| --- | --- |
| Left cell | Right cell |

:::note[Mind this]

An admonition speaks.

:::

<Tabs>
<TabItem value="one" label="First tab">

Inside a panel.

</TabItem>
</Tabs>

<details>
<summary>More to read</summary>

Hidden at first.

</details>

```bash
heat --low
```

```mermaid
flowchart TD
  A[Wedge it] --> B[Throw it]
```
"""


@pytest.mark.parametrize(
    "text",
    [
        "A paragraph of text", "An item in a list", "Left cell", "Right cell", "Mind this", "An admonition speaks",
        "First tab", "Inside a panel", "More to read", "Hidden at first", "heat --low", "Wedge it",
    ],
)  # fmt: skip
def test_every_kind_of_text_is_in_a_record(text: str) -> None:
    options = ContentOptions()
    document = compile_document(EVERYTHING, source_path="a.md", load=lambda _: None, options=options)
    made = make_records(facts("Clay"), document.headings, document.text)
    assert any(text in (record.content or "") for record, _ in made), [record.content for record, _ in made]


def test_hits_of_tables_and_diagrams_show_no_source() -> None:
    document = compile_document(EVERYTHING, source_path="a.md", load=lambda _: None, options=ContentOptions())
    shown = [record.content for record, _ in make_records(facts("Clay"), document.headings, document.text)]
    assert {"Head · Other", "Left cell · Right cell", "Wedge it · Throw it"} <= set(shown)
    assert not [text for text in shown if text and ("|" in text or "-->" in text or "flowchart" in text)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("option", "command"),
        ("operation", "api"),
        ("parameter", "api"),
        ("field", "api"),
        ("code", "code"),
        ("row", "guide"),
    ],
)
def test_text_of_a_reference_has_its_kind_and_leads_to_its_anchor(kind: str, expected: str) -> None:
    chunk = TextChunk(kind, -1, "Set the heat", "heat")
    *_, (record, _) = make_records(facts("Clay"), [], [chunk])
    assert (record.kind, record.url) == (expected, "https://docs.example.org/clay#heat")


@pytest.mark.parametrize(
    ("kinds", "kind", "rank"),
    [
        (("field",), "api", DATA_RANK),
        (("field", "paragraph"), "api", DATA_RANK),
        (("field", "operation"), "api", 2),
        (("operation",), "api", 2),
        (("field",), "guide", 2),
    ],
)
def test_data_types_of_an_api_rank_behind_its_operations(kinds: tuple[str, ...], kind: str, rank: int) -> None:
    chunks = [TextChunk(name, -1, "Clay of a kiln") for name in kinds]
    made = make_records(facts("Kiln", kind=kind, page_rank=2), [], chunks)
    assert {one.record.weight.page_rank for one in made} == {rank}
