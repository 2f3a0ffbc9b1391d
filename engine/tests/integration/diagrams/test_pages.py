"""Diagrams in pages: drawn in the HTML, with findings at their place and ids that are unique in the page."""

from __future__ import annotations

import re

import pytest

from octavo.content import SLOT, ContentOptions, Document
from octavo.content.compile import compile_document
from octavo.diagrams import process

FLOW = "```mermaid\nflowchart LR\n  A --> B\n```\n"


def compile_page(source: str, files: dict[str, str] | None = None, **kept) -> Document:
    return compile_document(
        source, source_path="docs/page.mdx", load=(files or {}).get, options=ContentOptions(), **kept
    )


def test_page_holds_the_drawing_and_its_source_and_no_island():
    document = compile_page(FLOW)
    assert document.islands == []
    assert document.diagnostics == []
    assert '<svg class="diagram-drawing" role="img" aria-label="Flowchart"' in document.body
    assert "A --&gt; B" in document.body
    assert [chunk.kind for chunk in document.text] == ["diagram"]
    assert "style=" not in document.body


def test_title_and_description_reach_screen_readers():
    document = compile_page("```mermaid\nflowchart LR\n  accTitle: A & B\n  accDescr: From A to B\n  A --> B\n```\n")
    assert 'aria-label="Flowchart: A &amp; B"' in document.body
    described = re.search(r'aria-describedby="([^"]+)"', document.body)
    assert described
    assert f'<desc id="{described[1]}">From A to B</desc>' in document.body


def test_two_diagrams_do_not_share_ids():
    document = compile_page(f"{FLOW}\n{FLOW}\n<Part />\n", {"docs/_part.mdx": FLOW})
    ids = re.findall(r' id="([^"]+)"', document.body)
    assert len(ids) >= 2
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", document.body)) <= set(ids)


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("Text.\n\n```mermaid\nflowchart LR\n  A --> B\n  B -->\n```\n", 6, 8),
        ("- item\n\n  ```mermaid\n  flowchart LR\n    A --> B\n    B -->\n  ```\n", 6, 10),
        ("> ```mermaid\n> flowchart LR\n>   B -->\n> ```\n", 3, 10),
        (':::note\n\n```mermaid\npie\n  "a" : x\n```\n\n:::\n', 5, 3),
        ("---\ntitle: T\n---\n\n```mermaid\nflowchart LR\n  A[open\n```\n", 7, 4),
    ],
    ids=["page", "list", "quote", "admonition", "front matter"],
)
def test_mistake_is_a_finding_at_its_place(source: str, line: int, column: int):
    (finding,) = compile_page(source).diagnostics
    assert finding.code == "mermaid"
    assert (finding.span.line, finding.span.column) == (line, column)
    assert finding.message.startswith("The diagram cannot be drawn: ")


def test_mistake_in_a_partial_is_found_in_the_partial():
    part = "Text.\n\n```mermaid\nflowchart LR\n  B -->\n```\n"
    page = "import Part from './_part.mdx';\n\n<Part />\n"
    (finding,) = compile_page(page, {"docs/_part.mdx": part}).diagnostics
    assert (finding.span.path, finding.span.line, finding.span.column) == ("docs/_part.mdx", 5, 8)


def test_page_shows_the_source_of_a_diagram_of_unknown_kind_and_the_reason():
    document = compile_page("```mermaid\n%%{init: {'theme': 'forest'}}%%\nB --> C\n```\n")
    assert document.islands == []
    assert "The diagram cannot be drawn: its kind is not known." in document.body
    assert "B --&gt;" in document.body


@pytest.mark.parametrize(
    "source",
    [
        "flowchart LR\n  Device & Module --> Interface & ...",
        "sequenceDiagram\n  participant A\n  A->>Server (Upstream): Forward",
        "flowchart LR\n  subgraph Files\n    .settings/app.json\n  end",
    ],
)
def test_what_the_renderers_grammar_refuses_is_left_to_mermaid_with_a_finding_at_its_line(source: str):
    document = compile_page(f"```mermaid\n{source}\n```\n")
    assert [(island.kind, island.props["code"].strip()) for island in document.islands] == [("mermaid", source)]
    (finding,) = document.diagnostics
    assert finding.span.line > 2


def test_what_a_drawing_leaves_out_is_a_finding_at_its_place_with_each_compilation():
    source = "- one\n\n  ```mermaid\n  sequenceDiagram\n    participant Ann\n    link Ann: Board @ https://example.com/a\n    Ann->>Ben: Hi\n  ```\n"
    source += '\n```mermaid\nflowchart LR\n  A@{ img: "./logo.png", label: "Logo" } --> B\n```\n'
    first = compile_page(source)
    again = compile_page(source, drawn_code=first.code)
    for document in (first, again):
        assert [(found.span.line, found.span.column) for found in document.diagnostics] == [(6, 10), (12, 4)]
    assert "participant Ann" in first.diagnostics[0].message
    assert "./logo.png" in first.diagnostics[1].message


def test_what_cannot_be_drawn_is_left_to_the_browser_with_a_finding():
    document = compile_page('```mermaid\nflowchart LR\n  A["$$x^2$$"] --> B\n```\n')
    assert [(island.kind, island.props["code"][:9]) for island in document.islands] == [("mermaid", "flowchart")]
    assert [finding.code for finding in document.diagnostics] == ["mermaid"]


def test_missing_renderer_is_a_finding_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "is_installed", lambda: False)
    document = compile_page(FLOW)
    assert [island.kind for island in document.islands] == ["mermaid"]
    (finding,) = document.diagnostics
    assert 'pip install "octavo[diagrams]"' in finding.message


def test_links_are_links_of_the_page():
    source = '```mermaid\nflowchart LR\n  A --> B\n  click A "./other.mdx"\n  click B "javascript:alert(1)"\n```\n\n[next](./next.mdx)\n'
    document = compile_page(source)
    assert [link.href for link in document.links] == ["./other.mdx", "./next.mdx"]
    assert f'<a href="{SLOT}L0{SLOT}"' in document.body
    assert "javascript" not in document.body.partition("<details")[0]
    assert 'role="group"' in document.body


def test_drawing_is_kept_for_the_next_version_of_the_page():
    first = compile_page(FLOW)
    (key,) = first.code
    again = compile_page(f"More.\n\n{FLOW}", drawn_code=first.code)
    assert again.code[key] is first.code[key]
    assert again.body.endswith(first.body)
