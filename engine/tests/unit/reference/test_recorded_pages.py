"""The pages of two descriptions, whole: their views, texts for search, links, anchors and Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from octavo.config import parse_config
from octavo.content import Document
from octavo.diagnostics import Span
from octavo.reference.openapi import Description, as_openapi_31, make_document, plan_pages
from octavo.reference.openapi.bounds import parts
from octavo.reference.openapi.guides import PlacedGuide
from octavo.words import words_of
from tests.support.recorded import compare_with_record

from .recorded import write_documents

EVERYTHING = Path(__file__).parent / "everything.openapi.json"
FIXTURES = Path(__file__).parent / "fixtures"
KILNS = yaml.safe_load((FIXTURES / "kilns.yaml").read_text(encoding="utf-8"))
GUIDES = {"glazes": [PlacedGuide("How to glaze", "/glazing", Span("octavo.toml", 9))]}


def documents_of(root: dict[str, Any], settings: str = "") -> list[Document]:
    text = f'title = "T"\n[[openapi]]\nid = "a"\ndoc = "api"\nspec = "a.json"\n{settings}'
    description = Description(parse_config(text).openapi[0], as_openapi_31(root), "", GUIDES)
    return [
        make_document(description, one, source_path=f"docs/{one.relative}", introduction=None, words=words_of("en"))
        for one in plan_pages(description)
    ]


def test_page_of_a_description_with_everything() -> None:
    (document,) = documents_of(json.loads(EVERYTHING.read_text(encoding="utf-8")))
    compare_with_record(FIXTURES / "everything.md", document.markdown)
    compare_with_record(
        FIXTURES / "everything.page.json", write_documents([document], leaves_out=["markdown", "files"])
    )


@pytest.mark.parametrize("layout", ["tags", "operations"])
def test_pages_of_a_description_in_parts(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # So that fields of a small schema have pages of their own.
    monkeypatch.setattr(parts, "CARD", 2_200)
    documents = documents_of(KILNS, f'layout = "{layout}"\ncommand = "kilns serve"\nsamples = ["curl"]\n')
    compare_with_record(FIXTURES / f"kilns.{layout}.json", write_documents(documents))


def test_first_page_is_found_by_its_summary_its_servers_and_its_ways_to_authenticate() -> None:
    root = {
        "openapi": "3.1.0",
        "info": {"title": "A", "version": "1", "summary": "Fires <kilns>.", "description": "Slowly."},
        "servers": [{"url": "https://kiln.example.com", "description": "The *pottery*."}],
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "Ask the `potter`."}
            }
        },
        "paths": {},
    }
    texts = [chunk.text for chunk in documents_of(root)[0].text]
    assert "Fires <kilns>. Slowly." in texts
    assert "https://kiln.example.com The pottery." in texts
    assert "key (API key in the header X-Key) Ask the potter." in texts
