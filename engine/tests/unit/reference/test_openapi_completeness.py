"""Whatever a description says for readers is on its pages, and in their Markdown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.content import Document
from octavo.reference.openapi import Description, as_openapi_31, check_description, make_document, plan_pages
from octavo.words import words_of

_MARK = re.compile(r"zq\w+?zq")
EVERYTHING = Path(__file__).parent / "everything.openapi.json"
"""A description with each keyword of OpenAPI 3.2 and of JSON Schema; each text in it is a mark, found once."""
NOT_FOR_READERS = {
    "zqAnchorzq": "a name for references",
    "zqIdzq": "a name for references",
    "zqSelfzq": "a name for references",
    "zqCommentzq": "for those who maintain the description",
    "zqIdleNamezq": "a parameter of no operation",
    "zqIdleDesczq": "a parameter of no operation",
    "zqPiSrvzq": "a server of the path, in whose place the operation has its own",
    "zqTagKindzq": "a finding says that it is not drawn",
}
_CONFIG = parse_config('title = "T"\n[[openapi]]\nid = "a"\ndoc = "api"\nspec = "a.json"\n')


def documents_of(root: dict[str, Any]) -> list[Document]:
    assert [problem.message for problem in check_description(root) if problem.level == "error"] == []
    description = Description(_CONFIG.openapi[0], as_openapi_31(root), "", {})
    return [
        make_document(description, one, source_path=f"docs/{one.relative}", introduction=None, words=words_of("en"))
        for one in plan_pages(description)
    ]


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return documents_of(json.loads(EVERYTHING.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def marks() -> set[str]:
    found = set(_MARK.findall(EVERYTHING.read_text(encoding="utf-8")))
    assert len(found) > 200
    return found | {str(number) for number in range(7101, 7116)}


def test_pages_show_everything(documents: list[Document], marks: set[str]) -> None:
    shown = "".join(f"{document.front_matter.title}{document.body}{document.islands}" for document in documents)
    assert {mark for mark in marks if mark not in shown} == set(NOT_FOR_READERS)


def test_markdown_says_everything(documents: list[Document], marks: set[str]) -> None:
    written = "".join(f"{document.front_matter.title}{document.markdown}" for document in documents)
    assert {mark for mark in marks if mark not in written} == set(NOT_FOR_READERS)


def test_markdown_holds_no_raw_json_of_the_description(documents: list[Document]) -> None:
    prose = re.sub(
        r"^(`{3,})\w*\n.*?^\1$", "", "".join(one.markdown for one in documents), flags=re.DOTALL | re.MULTILINE
    )
    # The example of a parameter with a body of its own is one.
    assert [line for line in prose.split("\n") if '{"' in line and "zqCookExzq" not in line] == []


def described(**operation: Any) -> dict[str, Any]:
    answer = {"200": {"description": "All"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kilns", "version": "1"},
        "servers": [{"url": "https://kilns.example"}],
        "paths": {"/kilns": {"get": {"responses": answer, **operation}}},
    }


def samples_of(*given: dict[str, str]) -> list[tuple[str, str]]:
    (document,) = documents_of(described(**{"x-codeSamples": list(given)}))
    (view,) = [island.props for island in document.islands if island.kind == "api-operation"]
    return [(sample["label"], re.sub(r"<[^>]+>", "", sample["html"])) for sample in view["samples"]]


def test_samples_of_the_author_take_the_place_of_those_of_their_language() -> None:
    found = samples_of(
        {"lang": "Python", "source": "kilns.list()"},
        {"lang": "Shell", "source": "curl https://kilns.example/kilns"},
        {"lang": "TypeScript", "label": "SDK", "source": "await kilns.list();\n"},
        {"lang": "Ruby", "label": "SDK", "source": "kilns.list"},
        {"lang": "PHP"},
    )
    assert found[:4] == [
        ("Python", "kilns.list()"),
        ("curl", "curl https://kilns.example/kilns"),
        ("SDK", "await kilns.list();"),
        ("Ruby: SDK", "kilns.list"),
    ]
    assert [label for label, _ in found[4:]] == ["JavaScript", "Go"]


def test_command_of_the_author_stays_beside_the_request() -> None:
    assert [label for label, _ in samples_of({"lang": "Shell", "source": "kilns list"})][:2] == ["Shell", "curl"]


def test_samples_of_the_author_are_no_raw_extension() -> None:
    (document,) = documents_of(described(**{"x-codeSamples": [{"lang": "Ruby", "source": "kilns.list"}]}))
    assert "x-codeSamples" not in document.markdown + str(document.islands)
    assert "Ruby:\n\n```ruby\nkilns.list\n```" in document.markdown


def schema_of(**schema: Any) -> tuple[dict[str, Any], str]:
    """Draw a schema: its view, and its Markdown."""
    root = described() | {"components": {"schemas": {"Kiln": schema}}}
    (document,) = documents_of(root)
    (view,) = [island.props["body"] for island in document.islands if island.kind == "api-schema"]
    return view, document.markdown


@pytest.mark.parametrize(
    "extensions",
    [
        {"x-enum-varnames": ["GAS", "WOOD"], "x-enum-descriptions": ["Burns *gas*.", "Burns wood."]},
        {"x-enumNames": ["GAS", "WOOD"], "x-enumDescriptions": {"g": "Burns *gas*.", "w": "Burns wood."}},
        {
            "x-ms-enum": {
                "name": "Fuel",
                "values": [
                    {"value": "w", "name": "WOOD", "description": "Burns wood."},
                    {"value": "g", "name": "GAS", "description": "Burns *gas*."},
                ],
            }
        },
    ],
)
def test_values_are_listed_with_what_is_said_of_them(extensions: dict[str, Any]) -> None:
    view, markdown = schema_of(type="string", description="What it burns.", enum=["g", "w"], **extensions)
    assert view["html"] == (
        "<p>What it burns.</p><ul><li><code>g</code> (<code>GAS</code>): Burns <em>gas</em>.</li>"
        "<li><code>w</code> (<code>WOOD</code>): Burns wood.</li></ul>"
    )
    assert (view["values"], view["facts"]) == ([], [])
    assert "What it burns.\n\n- `g` (`GAS`): Burns *gas*.\n- `w` (`WOOD`): Burns wood." in markdown


@pytest.mark.parametrize(
    "extensions",
    [
        {"x-enum-descriptions": ["Only one."]},
        {"x-enumDescriptions": {"other": "A value that is none."}},
        {"x-ms-enum": {"name": "Fuel", "values": [{"value": "x"}]}},
        {"x-ms-enum": {"name": "Fuel", "modelAsString": True}},
    ],
)
def test_notes_that_do_not_fit_the_values_are_shown_as_they_are(extensions: dict[str, Any]) -> None:
    view, _ = schema_of(type="string", enum=["g", "w"], **extensions)
    assert view["values"] == ["g", "w"]
    assert [fact["label"] for fact in view["facts"]] == list(extensions)


def test_required_fields_that_are_described_elsewhere_are_named() -> None:
    alternatives = [{"required": ["gas"]}, {"required": ["wood", "name"]}]
    view, markdown = schema_of(type="object", properties={"name": {}}, required=["name", "fuel"], oneOf=alternatives)
    assert view["facts"] == [{"label": "required", "value": "fuel"}]
    (part,) = view["parts"]
    assert [one["facts"] for one in part["schemas"]] == [
        [{"label": "required", "value": "gas"}],
        [{"label": "required", "value": "wood, name"}],
    ]
    assert "- Exactly one of\n  - anything: (required gas)\n  - anything: (required wood, name)" in markdown


def test_operation_tells_what_is_said_of_its_path_once() -> None:
    root = described(summary="List kilns", description="All of them. Kilns burn.")
    root["paths"]["/kilns"] |= {"summary": "List kilns.", "description": "Kilns burn."}
    assert "Kilns burn." in documents_of(root)[0].markdown
    assert documents_of(root)[0].markdown.count("Kilns burn.") == 1
    root["paths"]["/kilns"]["description"] = "Kilns are hot."
    assert "All of them. Kilns burn.\n\nKilns are hot." in documents_of(root)[0].markdown
