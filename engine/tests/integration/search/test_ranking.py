"""One scenario for each sentence of expectation."""

from __future__ import annotations

import pytest

from engine.tests.unit.search.conftest import MakeIndex, facts, records
from octavo.content import Heading, TextChunk
from octavo.search.index.pages import NEWS_RANK
from octavo.search.index.record import make_records


def test_fewer_mistakes_come_first(make_index: MakeIndex) -> None:
    index = make_index({"A": "A porcelane cup.", "B": "A porcelain cup."})
    assert index.found("porcelaine cup")[0] == "A porcelain cup."
    assert index.found("porzelane cup")[0] == "A porcelane cup."


def test_more_words_come_first_when_some_are_left_out(make_index: MakeIndex) -> None:
    index = make_index({"A": "Fire the kiln.", "B": "Fire the kiln slowly.", "C": "Fire alone."})
    assert index.found("fire kiln slowly unheard")[0] == "Fire the kiln slowly."


def test_words_nearer_to_each_other_come_first(make_index: MakeIndex) -> None:
    index = make_index({"A": "The kiln that we bought has a new door.", "B": "Open it by the kiln door."})
    assert index.found("kiln door")[0] == "Open it by the kiln door."


def test_heading_comes_before_a_text_in_which_the_words_are_as_near(make_index: MakeIndex) -> None:
    index = make_index({"A": "Here a kiln door is opened.", "Kiln and its door": "Something else."})
    assert index.found("kiln door")[0] == "Kiln and its door"


def test_words_side_by_side_come_first_where_all_else_is_equal(make_index: MakeIndex) -> None:
    index = make_index({"A": "Kiln with a door.", "B": "Kiln door of brick."})
    assert index.found("kiln door") == ["Kiln door of brick.", "Kiln with a door."]


def test_words_in_code_are_not_near_by_syntax_alone(make_index: MakeIndex) -> None:
    index = make_index({"A": "    kiln(door)", "B": "The kiln we bought has a door."})
    assert index.found("kiln door") == ["The kiln we bought has a door.", "kiln(door)"]


def test_headings_come_before_texts(make_index: MakeIndex) -> None:
    index = make_index({"A": "Bisque is porous.", "Bisque": "Something else."})
    assert index.found("bisque")[:2] == ["Bisque", "Bisque is porous."]


def test_one_word_finds_the_page_that_is_about_it_before_others_that_name_it(make_index: MakeIndex) -> None:
    about = "Cone six is hot.\n\nA cone melts.\n\nPut a cone beside it.\n\nEach cone bends."
    index = make_index({"A": "Cone packs cost little.\n\nBuy clay.\n\nBuy glaze.\n\nBuy sieves.", "B": about})
    assert index.found("cone")[0] in about.split("\n\n")


@pytest.mark.parametrize(
    ("query", "parameters"),
    [('"kiln door"', {"advancedSyntax": True}), ("kiln door", {"restrictSearchableAttributes": ["content"]})],
)
def test_hit_behind_a_thousand_that_the_search_leaves_out_is_found(
    make_index: MakeIndex, query: str, parameters: dict[str, object]
) -> None:
    wanted = "In the long list of parts that our workshop keeps for repairs there is one kiln door."
    headings = "\n\n".join(f"## Kiln and door {number}" for number in range(1100))
    index = make_index({"A": headings, "B": wanted})
    assert index.found(query, **parameters) == [wanted]


@pytest.mark.parametrize("phrase", ["door of the kiln", "kiln-door of"])
def test_phrase_of_common_words_is_found_behind_thousands_of_records_that_hold_its_words(
    make_index: MakeIndex, phrase: str
) -> None:
    wanted = "In the long list of parts that our workshop keeps for repairs there is one kiln-door of the kiln."
    headings = "\n\n".join(f"## The kiln of a door {number}" for number in range(5200))
    index = make_index({"A": headings, "B": wanted})
    answer = index.answer(f'"{phrase}"', advancedSyntax=True)
    assert [hit["content"] for hit in answer["hits"]] == [wanted]
    assert (answer["nbHits"], answer["exhaustiveNbHits"]) == (1, True)


@pytest.mark.parametrize("query", ["kiln door", "kiln do"])
def test_words_in_one_attribute_are_found_behind_thousands_of_records_that_hold_them_elsewhere(
    make_index: MakeIndex, query: str
) -> None:
    wanted = "In the long list of parts that our workshop keeps for repairs there is one kiln door."
    index = make_index({"A": "\n\n".join(f"## Kiln and door {number}" for number in range(5200)), "B": wanted})
    assert index.found(query, restrictSearchableAttributes=["content"]) == [wanted]


def test_title_of_a_page_comes_before_a_heading_in_another(make_index: MakeIndex) -> None:
    index = make_index({"Clay": "## Glaze", "Mix a glaze": "Something else."})
    assert index.found("glaze")[:2] == ["Mix a glaze", "Glaze"]


def test_heading_that_is_the_query_comes_before_a_longer_title(make_index: MakeIndex) -> None:
    index = make_index({"Clay": "## Mix glaze", "How to mix a glaze": "Something else."})
    assert index.found("mix glaze")[:2] == ["Mix glaze", "How to mix a glaze"]


def test_shorter_title_comes_first_where_all_else_is_equal(make_index: MakeIndex) -> None:
    index = make_index({"Kiln for large pots": "", "Kiln door": "", "Kiln and its sensors": ""})
    assert index.found("kiln") == ["Kiln door", "Kiln and its sensors", "Kiln for large pots"]


def test_label_that_is_the_query_does_not_come_before_a_better_page(make_index: MakeIndex) -> None:
    index = make_index([records("Parts", "Kiln", page_rank=2), records("Firing", "Kiln, closed.", page_rank=9)])
    assert index.found("kiln") == ["Kiln, closed.", "Kiln"]


def test_line_that_says_what_an_identifier_is_comes_before_one_that_uses_it(make_index: MakeIndex) -> None:
    reference = records("Fire", "--slow Heats by one degree.", kind="command")
    index = make_index([records("Habits", "Then fire --slow again."), reference])
    assert index.found("fire --slow") == ["--slow Heats by one degree.", "Then fire --slow again."]


def test_text_that_begins_with_the_word_comes_before_one_that_ends_with_it(make_index: MakeIndex) -> None:
    index = make_index({"A": "We speak of slip.", "B": "Slip joins two pieces."})
    assert index.found("slip") == ["Slip joins two pieces.", "We speak of slip."]


def test_text_comes_before_code(make_index: MakeIndex) -> None:
    index = make_index({"A": "    glaze --all\nRun the glaze.", "B": ""})
    assert index.found("glaze", distinct=False) == ["Run the glaze.", "glaze --all"]


def test_word_as_typed_comes_before_its_other_forms(make_index: MakeIndex) -> None:
    index = make_index({"A": "Slabs dry.", "B": "Slab dries."})
    assert index.found("slab") == ["Slab dries.", "Slabs dry."]
    assert index.found("slabs") == ["Slabs dry.", "Slab dries."]


def test_guide_comes_before_generated_reference(make_index: MakeIndex) -> None:
    index = make_index([records("Run a kiln now", kind="command"), records("Run a kiln later")])
    assert index.found("run a kiln")[0] == "Run a kiln later"


@pytest.mark.parametrize("query", ["~/.kiln", "~/.kiln/", ".kiln", "--kiln", "kiln_"])
def test_unfinished_identifier_that_nothing_holds_finds_what_begins_with_it(make_index: MakeIndex, query: str) -> None:
    lines = ["Plans are in ~/.kiln/plans.", "Also ~/.kiln/clays.", "Set --kiln-heat high.", "Export kiln_heat first."]
    titles = [records(f"Kiln {number}", "About the kiln.") for number in range(60)]
    index = make_index([*titles, *(records(f"Files {number}", line) for number, line in enumerate(lines))])
    expected = {".kiln": lines[:2], "--kiln": lines[2:3], "kiln_": lines[3:]}[
        query.removeprefix("~/").removesuffix("/")
    ]
    assert sorted(index.found(query)[: len(expected)]) == sorted(expected)


def test_exact_identifier_is_first_whatever_else_matches(make_index: MakeIndex) -> None:
    index = make_index({"Dry run": "## Dry-run\nRun dry.", "Options": "The flag is --dry-run, in the last place."})
    assert index.found("--dry-run")[0] == "The flag is --dry-run, in the last place."


@pytest.mark.parametrize("query", ["readFile", "readfile", "read file", "read_file", "fs.readFile"])
def test_identifier_is_found_by_its_spellings(make_index: MakeIndex, query: str) -> None:
    index = make_index({"A": "Call fs.readFile() here.", "B": "Other words."})
    assert index.found(query) == ["Call fs.readFile() here."]


def test_heading_and_what_stands_above_it_are_one(make_index: MakeIndex) -> None:
    index = make_index([records("Install", lvl0="Gateway"), records("Other", "Install the gateway.")])
    assert index.found("install gateway")[0] == "Install"


def test_last_word_may_be_unfinished(make_index: MakeIndex) -> None:
    index = make_index({"A": "Configuration of kilns."})
    assert index.found("kilns confi") == ["Configuration of kilns."]
    assert index.found("confi kilns", removeWordsIfNoResults="none") == []


def test_mistakes_are_forgiven_by_length(make_index: MakeIndex) -> None:
    index = make_index({"A": "cat", "B": "kiln", "C": "ceramics"})
    assert index.found("cut ", removeWordsIfNoResults="none") == []
    assert index.found("kilm ") == ["kiln"]
    assert index.found("kimm ", removeWordsIfNoResults="none") == []
    assert index.found("xeramixs ") == ["ceramics"]


@pytest.mark.parametrize("place", range(1, 6))
def test_two_letters_may_be_swapped_anywhere(make_index: MakeIndex, place: int) -> None:
    swapped = "glazed"[: place - 1] + "glazed"[place] + "glazed"[place - 1] + "glazed"[place + 1 :]
    assert make_index({"A": "glazed"}).found(f"{swapped} ") == ["glazed"]


def test_digits_and_separators_are_never_mistaken(make_index: MakeIndex) -> None:
    index = make_index({"A": "sha256", "B": "dry-run"})
    assert index.found("sha265 ", removeWordsIfNoResults="none") == []
    assert index.found("shb256 ") == ["sha256"]


def test_small_words_need_not_occur(make_index: MakeIndex) -> None:
    index = make_index({"A": "Install the kiln."})
    assert index.found("how do I install a kiln?", removeWordsIfNoResults="none") == ["Install the kiln."]


def test_small_words_of_the_languages_of_a_site_need_not_occur(make_index: MakeIndex) -> None:
    index = make_index([records("Brennofen", "Den Ofen reinigen.", language="de-CH")])
    assert index.found("wie kann ich einen Ofen reinigen?", removeWordsIfNoResults="none") == ["Den Ofen reinigen."]
    assert index.found("ohne Ofen reinigen", removeWordsIfNoResults="none") == []


def test_small_words_of_another_language_must_occur(make_index: MakeIndex) -> None:
    assert make_index({"A": "The oven."}).found("einen oven", removeWordsIfNoResults="none") == []


def test_either_part_of_an_unknown_compound_is_better_than_nothing(make_index: MakeIndex) -> None:
    index = make_index([records("Ofen", "Die Tasten.", language="de"), records("Ton", "Ein Kürzel.", language="de")])
    assert sorted(index.found("Tastenkürzel")) == ["Die Tasten.", "Ein Kürzel."]
    assert sorted(index.found("welche Tastenkürzel sind das?")) == ["Die Tasten.", "Ein Kürzel."]
    assert index.found("Tastenkürzel", removeWordsIfNoResults="none") == []


def test_a_record_with_both_parts_of_a_compound_is_the_only_answer(make_index: MakeIndex) -> None:
    both = records("Ofen", "Die Tasten und ein Kürzel.", language="de")
    assert make_index([both, records("Ton", "Ein Kürzel.", language="de")]).found("Tastenkürzel") == [
        "Die Tasten und ein Kürzel."
    ]


def test_hits_of_one_address_are_shown_once(make_index: MakeIndex) -> None:
    index = make_index({"A": "Glaze one.\nGlaze two."})
    assert len(index.found("glaze")) == 1
    assert len(index.found("glaze", distinct=False)) == 2


def test_page_of_data_types_stands_behind_guides_unless_its_heading_is_the_query(make_index: MakeIndex) -> None:
    heading = Heading(2, "kiln-fire", "Kiln fire", "Kiln fire")
    chunks = [TextChunk("heading", 0, "Kiln fire"), TextChunk("field", 0, "A fire.")]
    types = make_records(facts("API: Schemas", kind="api"), [heading], chunks)
    index = make_index([types, records("Guide", "A fire in a kiln.")])
    assert index.found("fire kiln") == ["A fire in a kiln.", "Kiln fire"]
    assert index.found("kiln fire") == ["Kiln fire", "A fire in a kiln."]


def test_operation_whose_fields_are_listed_is_no_page_of_data_types(make_index: MakeIndex) -> None:
    chunks = [TextChunk("operation", -1, "Fires a kiln."), TextChunk("field", -1, "A fire.")]
    found = make_index([make_records(facts("API: Fire", kind="api"), [], chunks)]).answer("kiln")["hits"]
    assert found[0]["weight"]["pageRank"] == 2


FILLER = {f"Shed {number}": f"The kiln of shed {number} is warm.\nWood for {number} days." for number in range(60)}


def test_heading_that_is_the_word_precedes_texts_of_shorter_pages_about_it(make_index: MakeIndex) -> None:
    """A long page of functions has little to do with each of them, and explains each under a heading."""
    functions = "\n".join(f"## part{number}\nText of part {number}." for number in range(40))
    users = {f"Recipe {number}": "Call sinter with care.\nThen sinter again.\nAnd sinter." for number in range(12)}
    index = make_index(FILLER | users | {"Functions": f"{functions}\n## sinter\nHeats a powder."})
    assert index.found("sinter")[0] == "sinter"


def test_title_with_the_query_precedes_a_heading_that_is_it_on_a_page_about_something_else(
    make_index: MakeIndex,
) -> None:
    settings = "\n".join(f"## Glaze {number}\nColour number {number} of the kiln." for number in range(60))
    about = "\n".join(f"## Step {number}\nFire slowly by stages." for number in range(30))
    index = make_index(
        FILLER | {"Settings": f"{settings}\n## Fire by stages\nA number.", "Fire by stages keyword": about}
    )
    assert index.found("fire by stages")[0] == "Fire by stages keyword"


def test_heading_that_is_a_japanese_query_precedes_the_page_about_its_only_noun(make_index: MakeIndex) -> None:
    """Kana are small words, so that all pages about `ページ` hold the words that count, and one is about nothing else."""
    pages = "\n".join(
        f"## ページ{number}\nページを追加する方法です。ページの名前も設定できます。" for number in range(6)
    )
    others = "\n".join(f"## 計測{number}\nサーバーの消費電力を計測します。" for number in range(12))
    index = make_index({"ページ": pages, "環境への負荷": f"{others}\n## ページの重さ\n画像を小さくします。"})
    assert index.found("ページの重さ")[0] == "ページの重さ"


def test_guide_that_names_a_thing_precedes_news_with_it_in_a_heading(make_index: MakeIndex) -> None:
    news = "\n".join(f"Anagama here.\n## Anagama {number}\nOur anagama." for number in range(2))
    guide = "\n".join(f"Wood number {number} burns in the kiln for a day." for number in range(60))
    pages = [records(title, body) for title, body in FILLER.items()]
    pages += [records("In the news", news, page_rank=NEWS_RANK), records("Firing", f"{guide}\nAn anagama needs wood.")]
    assert make_index(pages).found("anagama")[0] == "An anagama needs wood."


def test_heading_that_begins_with_a_flag_precedes_a_sentence_that_does(make_index: MakeIndex) -> None:
    index = make_index(FILLER | {"Serve": "--slowfire is respected here.", "Flags": "## --slowfire hours\nHow long."})
    assert index.found("--slowfire")[:2] == ["--slowfire hours", "--slowfire is respected here."]


def test_long_example_that_has_all_words_somewhere_follows_the_text_about_them(make_index: MakeIndex) -> None:
    options = " ".join(f"--option-{number} text Sets the glaze" for number in range(2))
    example = f"    --spare Keep shards {options} --found Ask for clay {options} --crack Mend a crack"
    index = make_index(FILLER | {"Options": example, "Repairs": "Find a crack in the shards, and mend it."})
    assert index.found("mend shards clay")[0] == "Find a crack in the shards, and mend it."
