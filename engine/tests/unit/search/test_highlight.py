from __future__ import annotations

from typing import Any

from engine.tests.unit.search.conftest import MakeIndex


def marked(make_index: MakeIndex, text: str, query: str, **parameters: Any) -> dict[str, Any]:
    (hit,) = make_index({"Page": text}).answer(query, attributesToSnippet=["content:5"], **parameters)["hits"]
    return {"snippet": hit["_snippetResult"]["content"], "result": hit["_highlightResult"]["content"]}


def test_matched_words_are_marked(make_index: MakeIndex) -> None:
    result = marked(make_index, "Glazes and glaze.", "glaze")["result"]
    assert result.value == "<em>Glazes</em> and <em>glaze</em>."
    assert (result.match_level, result.matched_words, result.fully_highlighted) == ("full", ["glaze"], False)


def test_only_the_typed_part_of_a_word_is_marked(make_index: MakeIndex) -> None:
    assert marked(make_index, "Configuration", "confi")["result"].value == "<em>Confi</em>guration"


def test_identifier_is_marked_whole(make_index: MakeIndex) -> None:
    assert marked(make_index, "Use --dry-run here.", "--dry-run")["result"].value == "Use <em>--dry-run</em> here."


def test_markup_in_texts_is_escaped_beside_tags(make_index: MakeIndex) -> None:
    result = marked(make_index, "A <script> & glaze", "glaze")["result"]
    assert result.value == "A &lt;script&gt; &amp; <em>glaze</em>"


def test_text_stays_as_it_is_beside_other_marks(make_index: MakeIndex) -> None:
    result = marked(make_index, "A <b> glaze", "glaze", highlightPreTag="__a__", highlightPostTag="__b__")["result"]
    assert result.value == "A <b> __a__glaze__b__"


def test_snippet_shows_where_most_of_the_query_stands(make_index: MakeIndex) -> None:
    text = "Kiln one two three four five six seven hot kiln door eight nine ten"
    assert marked(make_index, text, "kiln door")["snippet"].value == "…hot <em>kiln</em> <em>door</em> eight nine…"


def test_accents_do_not_shift_marks(make_index: MakeIndex) -> None:
    assert marked(make_index, "Zoë’s Größe: glaze", "grosse")["result"].value == "Zoë’s <em>Größe</em>: glaze"


def test_segment_of_an_identifier_is_marked_without_the_rest(make_index: MakeIndex) -> None:
    result = marked(make_index, "Call std::read_file for it.", "read_file")["result"]
    assert result.value == "Call std::<em>read_file</em> for it."


def test_heading_has_a_snippet_of_the_text_below_it(make_index: MakeIndex) -> None:
    index = make_index({"Kiln": "## Firing\nWarm the clay slowly.\n## Cooling\n## Last"})
    hits = index.answer("kiln", attributesToSnippet=["content:3"])["hits"]
    snippets = {
        hit["hierarchy"][hit["type"]]: hit["_snippetResult"].get("content") for hit in hits if not hit["content"]
    }
    assert snippets["Firing"].value == "Warm the clay…"
    assert snippets["Kiln"] is snippets["Cooling"] is snippets["Last"] is None
