"""Which records are found at all: titles in any form, partial matches, joined and split words, pasted code."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine.tests.unit.search.conftest import Index, MakeIndex, facts, records
from octavo.content import Heading, TextChunk
from octavo.search.index.facts import CHANGES_RANK
from octavo.search.index.pages import LEAST_RELEASES, NEWS_RANK, is_news, lists_changes
from octavo.search.index.record import make_records

FILLER = {f"Shed {number}": f"One workspace of the shed, number {number}." for number in range(220)}


def test_title_in_another_form_is_found_before_texts_with_the_word(make_index: MakeIndex) -> None:
    index = make_index(FILLER | {"Workspaces": "Where potters sit."})
    assert index.found("workspace")[0] == "Workspaces"


def test_title_in_another_form_comes_before_longer_titles_with_the_word(make_index: MakeIndex) -> None:
    longer = {f"Sweep workspace {number}": f"Workspace {number} is swept." for number in range(60)}
    index = make_index(longer | {"Workspaces": "Where potters sit."})
    assert index.found("workspace")[0] == "Workspaces"


def test_title_with_small_words_comes_first_for_itself(make_index: MakeIndex) -> None:
    index = make_index({"Find pots in the shed": "Pots in the shed.", "Pots in the shed": "A list."})
    assert index.found("pots in the shed")[0] == "Pots in the shed"
    assert index.found("pot in the shed")[0] == "Pots in the shed"


def test_text_of_a_page_about_the_word_comes_before_one_that_mentions_it(make_index: MakeIndex) -> None:
    index = make_index({"Tools": "Glaze that drips is thick.", "Mix a glaze": "Stir it. Glaze that drips is thin."})
    assert index.found("glaze drips")[0] == "Stir it. Glaze that drips is thin."


def test_word_in_the_title_is_near_to_those_in_the_texts(make_index: MakeIndex) -> None:
    far = "The kiln that we bought for the big shed behind the house has a door."
    index = make_index({"A": far, "Kiln": "It has a door."})
    assert index.found("kiln door") == ["It has a door.", far]


def test_word_with_an_unknown_number_is_found_without_it(make_index: MakeIndex) -> None:
    index = make_index({"A": "Works in WSL as well.", "B": "Needs 2 hands."})
    assert index.found("wsl2") == ["Works in WSL as well."]


def test_partial_matches_follow_the_full_ones(make_index: MakeIndex) -> None:
    index = make_index({"Firing schedule": "Slow.", "Schedule": "Of the week.", "Kiln": "The firing has a schedule."})
    found = index.found("firing schedule")
    assert found[:2] == ["Firing schedule", "The firing has a schedule."]
    assert "Schedule" in found


def test_partial_match_counts_by_the_title_of_its_page(make_index: MakeIndex) -> None:
    titled = "Before.\n## Cooling\nLeave the door of it shut."
    passing = "Some.\n## Cooling of a room\nOf a kiln we say nothing here, and of its door neither."
    index = make_index({"Rooms": passing, "Kiln": titled} | FILLER)
    assert index.found("cooling schedule kiln zebra")[0] == "Cooling"


def test_heading_that_says_nothing_else_precedes_longer_ones(make_index: MakeIndex) -> None:
    index = make_index({"Glaze": "## Mixing blue glaze with old recipes\nA.\n## Mixing\nB."} | FILLER)
    found = index.found("mixing tomatoes")
    assert found.index("Mixing") < found.index("Mixing blue glaze with old recipes")


def test_page_about_the_rarest_words_precedes_a_sentence_that_has_all_in_passing(make_index: MakeIndex) -> None:
    passing = "Before you start the new kiln for the first time, as we did last year in our workspace, order some pyrometric cones."
    about = "They bend when it is hot.\n## Order\nBy the hundred.\n## Kinds\nPyrometric cones of ten kinds."
    index = make_index({"Diary": passing, "Pyrometric cones": about} | FILLER)
    assert index.found("pyrometric cones for the workspace")[0] == "Pyrometric cones"


def test_record_that_holds_an_identifier_precedes_one_that_is_worth_more_without_it(make_index: MakeIndex) -> None:
    about = "Set the heat.\n## Heat of the kiln\nHeat of a kiln, set by hand."
    index = make_index({"Kiln heat": about, "Notes": "See `--max-heat` there."})
    assert index.found("set kiln heat --max-heat")[0] == "See `--max-heat` there."


def test_page_that_settings_put_last_follows_other_full_matches(make_index: MakeIndex) -> None:
    last = records("Glaze recipes", "## Blue glaze recipes\nBlue glaze recipes.", page_rank=0)
    index = make_index([last, records("Notes", "In blue, we also know a glaze or two, and their recipes.")])
    assert index.found("blue glaze recipes")[0].startswith("In blue")


@pytest.mark.parametrize("query", ['"kiln shed" cones', "kiln shed cones -order"])
def test_quotes_and_minus_leave_the_order_to_the_criteria(make_index: MakeIndex, query: str) -> None:
    index = make_index({"Notes": "A kiln shed, and far away cones.", "Cones": "Cones.\n## Cones of the kiln\nCones."})
    assert index.found(query, advancedSyntax=True)[0] == "A kiln shed, and far away cones."


def test_order_is_the_same_on_each_page_of_hits(make_index: MakeIndex) -> None:
    """Where not all matches may be known to each page of hits, these are not valued."""
    texts = {
        f"Kiln {number}": "\n\n".join(f"## Shelf {number} {row}\nA kiln shelf." for row in range(8))
        for number in range(8)
    }
    index = make_index(texts)
    whole = index.found("kiln shelf", hitsPerPage=60)
    paged = [hit for page in range(12) for hit in index.found("kiln shelf", hitsPerPage=5, page=page)]
    assert paged == whole[: len(paged)]
    assert len(paged) == 60


def test_page_whose_records_hold_all_words_together_leads_the_partial_matches(make_index: MakeIndex) -> None:
    scattered = "## Upload\nSend a picture.\n## Size\nTen inches.\n## Limit\nThree a day."
    index = make_index({"Pictures": scattered, "Limits": "A limit of speed.", "Sizes": "The size of a pot."})
    first = index.answer("upload size limit")["hits"][0]
    assert first["hierarchy"]["lvl1"] == "Pictures"


def test_partial_matches_are_counted_and_filtered(make_index: MakeIndex) -> None:
    index = make_index({"Clay": "Dig the clay.", "Glaze": "Mix the glaze."})
    answer = index.answer("clay glaze", facets=["kind"])
    assert answer["nbHits"] == len(answer["hits"]) == 2
    assert answer["facets"] == {"kind": {"guide": 2}}
    assert index.answer("clay glaze", filters="kind:api")["nbHits"] == 0


def test_no_partial_matches_where_the_request_forbids_them(make_index: MakeIndex) -> None:
    index = make_index({"Clay": "Dig the clay.", "Glaze": "Mix the glaze."})
    assert index.found("clay glaze", removeWordsIfNoResults="none") == []


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("autodiscovery", "Turn auto-discovery off."),
        ("nodejs", "Needs Node.js to run."),
        ("wifi", "Over Wi-Fi only."),
        ("dryrun", "Try it with --dry-run first."),
        ("white space", "Keep the whitespace."),
        ("0.1.32", "Since v0.1.32 it is fast."),
        ("v0.1.32", "Since 0.1.32 it is fast."),
        ("wsl2", "Works in WSL 2 as well."),
        ("wsl 2", "Works in WSL2 as well."),
        ("wi-fi", "Over WiFi only."),
        ("http-01", "The HTTP01 challenge."),
        ("re_run", "To rerun it, wait."),
        ("e-mail address", "Give an email address."),
        ("apis", "An API for pots."),
        ("MCPs", "An MCP server."),
    ],
)
def test_word_is_found_however_it_is_joined(make_index: MakeIndex, typed: str, written: str) -> None:
    index = make_index({"Other": "Nothing of it.", "Page": written})
    assert index.found(typed)[:1] == [written]


@pytest.mark.parametrize(("typed", "right"), [("maintainance", "maintenance"), ("explaination", "explanation")])
def test_misspelt_word_is_found_though_others_have_its_stem(make_index: MakeIndex, typed: str, right: str) -> None:
    stem = typed.removesuffix("ance").removesuffix("ation")
    pages = {f"Pot {number}": f"Pots that we {stem} in a mode." for number in range(3)}
    index = make_index(pages | {"Kilns": f"## {right.title()} mode\nFor a day."})
    assert index.answer(f"{typed} mode")["hits"][0]["hierarchy"]["lvl2"] == f"{right.title()} mode"


def test_other_form_of_a_word_is_found_before_one_that_is_spelt_alike(make_index: MakeIndex) -> None:
    index = make_index({"Kilns": "Workspaces of potters.", "Yards": "A workplace."})
    assert index.found("workspace")[0] == "Workspaces of potters."


def test_numbers_with_dots_are_not_read_as_one_number(make_index: MakeIndex) -> None:
    assert make_index({"Page": "In 311 pots."}).found("3.11", removeWordsIfNoResults="none") == []


def test_name_with_a_hyphen_is_held_also_where_it_has_none(make_index: MakeIndex) -> None:
    pages = {"Solvers": "The HTTP-01 kiln.", "Mending": "## Stuck HTTP01 challenges\nWait for the challenge."}
    assert make_index(pages).answer("http-01 challenge stuck")["hits"][0]["hierarchy"]["lvl1"] == "Mending"


def test_rare_misspelling_in_the_text_does_not_hide_the_right_word(make_index: MakeIndex) -> None:
    pages = {f"Part {number}": "All about middlewares." for number in range(60)}
    index = make_index(pages | {"Slip": "The middlwares of old."})
    found = index.found("middlwares")
    assert found[0] == "The middlwares of old."
    assert "All about middlewares." in found


@pytest.mark.parametrize("query", ["#", "🚀", "/", '"""', "---", "…"])
def test_query_of_signs_alone_finds_nothing(index: Index, query: str) -> None:
    assert index.answer(query)["nbHits"] == 0


def test_arguments_of_pasted_code_need_not_occur(make_index: MakeIndex) -> None:
    index = make_index({"Rules": "## PathPrefix\nMatches the beginning.", "Use": "    rule(`/other`)"})
    assert index.found("PathPrefix(`/api`)")[0] == "PathPrefix"


def test_page_with_rank_0_stands_behind_all_others(make_index: MakeIndex) -> None:
    index = make_index(
        [records("Sample", "localhost:8989", page_rank=0), records("Ports", "We listen at localhost:8989 by default.")]
    )
    assert index.found("localhost:8989") == ["We listen at localhost:8989 by default.", "localhost:8989"]


@pytest.fixture
def index(make_index: MakeIndex) -> Index:
    return make_index({"Clay": "Dig the clay."})


def test_question_finds_the_page_named_by_its_one_word_that_matters(make_index: MakeIndex) -> None:
    longer = {f"Sweep a workspace {number}": "What is a workspace?" for number in range(40)}
    index = make_index(longer | {"Workspaces": "Where potters sit."})
    assert index.found("what is a workspace")[0] == "Workspaces"


def test_page_named_by_the_whole_question_comes_before_the_one_named_by_its_word(make_index: MakeIndex) -> None:
    index = make_index({"Kiln": "It fires clay.", "What is a kiln": "An oven."})
    assert index.found("what is a kiln")[:2] == ["What is a kiln", "Kiln"]


def test_title_that_is_the_question_in_another_order_comes_first(make_index: MakeIndex) -> None:
    index = make_index({"Kiln": "Firing in a kiln.", "Kiln tour": "What is a kiln tour?", "What a kiln is": "Hot."})
    assert index.found("what is a kiln")[0] == "What a kiln is"


def test_title_is_found_first_when_it_is_mistyped_in_another_form(make_index: MakeIndex) -> None:
    longer = {f"Sweep workspace {number}": f"Workspace {number} is swept." for number in range(60)}
    index = make_index(longer | {"Workspaces": "Where potters sit."})
    assert index.found("workspce")[0] == "Workspaces"


@pytest.mark.parametrize(("query", "text"), [("claywheel", "A wheel for clay."), ("kilndoor", "Door of a kiln.")])
def test_two_words_written_as_one_are_found_where_both_are(query: str, text: str, make_index: MakeIndex) -> None:
    index = make_index({"A": text, "B": "A wheel of a cart.", "C": "Clay, and no kiln.", "D": "The door."})
    assert index.found(query) == [text]


def test_mistyped_word_is_not_taken_apart(make_index: MakeIndex) -> None:
    index = make_index({"A": "Glazes are mixed.", "B": "Gla and zez are nothing."})
    assert index.found("glazez")[0] == "Glazes are mixed."


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("customise", "You customize it."),
        ("customisation", "You customize it."),
        ("organize", "We organised a fair."),
        ("initialising", "It initializes."),
    ],
)
def test_british_and_american_spelling_find_each_other(query: str, text: str, make_index: MakeIndex) -> None:
    assert make_index({"A": text, "B": "Another text."}).found(query) == [text]


def test_words_that_only_share_a_stem_are_no_forms_of_a_known_word(make_index: MakeIndex) -> None:
    pages = {"Authority": "The authorities have authors.", "Login": "It needs authorization, and authorizes nobody."}
    index = make_index(pages)
    assert index.found("authorization") == ["It needs authorization, and authorizes nobody."]
    assert index.found("authority", removeWordsIfNoResults="none")[0] == "Authority"


@pytest.mark.parametrize("query", ["c++", "C#", "c?", "(c)"])
def test_sign_behind_a_word_ends_it(query: str, make_index: MakeIndex) -> None:
    index = make_index({"A": "Clay and cobalt.", "B": "Glaze C melts."})
    assert index.found(query) == ["Glaze C melts."]


def test_option_leads_to_the_reference_of_its_command(make_index: MakeIndex) -> None:
    guide = records("Fire a kiln", "--heat | how hot it is")
    reference = records("kiln fire", "--heat Degrees of the kiln.", kind="command")
    index = make_index([guide, reference])
    assert index.found("--heat") == ["--heat Degrees of the kiln.", "--heat | how hot it is"]


def test_guide_comes_before_fields_of_a_reference_among_partial_matches(make_index: MakeIndex) -> None:
    guide = records("Glazes", "How to mix custom colours for a bowl.")
    fields = [TextChunk("field", -1, "Bowl.custom (boolean) Custom colours.")]
    index = make_index([make_records(facts("Bowl", kind="api"), [], fields), guide])
    assert index.found("custom colours kiln")[0] == "How to mix custom colours for a bowl."


def test_text_of_a_page_about_the_words_stands_before_a_remark_elsewhere(make_index: MakeIndex) -> None:
    about = [
        "Before you glaze anything, look at the kiln.",
        "Glaze it.",
        "Use the kiln.",
        "Glaze again.",
        "Kiln and glaze.",
    ]
    remark = ["A glaze near a kiln in the yard is a remark.", *("Clay and a wheel turn." for _ in range(40))]
    index = make_index([records("Wheel", "\n\n".join(remark)), records("Pots", "\n\n".join(about[:4]))])
    assert index.found("glaze kiln")[0] == about[0]


@pytest.mark.parametrize("words", [0, 3, 40])
def test_snippet_below_a_heading_has_so_many_words(make_index: MakeIndex, words: int) -> None:
    text = "Warm the clay & the kiln, then wait."
    index = make_index([records("Firing", f"## Kiln\n{text}")])
    answer = index.answer(
        "kiln", attributesToSnippet=[f"content:{words}"], highlightPreTag="<b>", highlightPostTag="</b>"
    )
    below = answer["hits"][0]["_snippetResult"]["content"].value
    assert below == {0: "…", 3: "Warm the clay…", 40: "Warm the clay &amp; the kiln, then wait."}[words]


@pytest.mark.parametrize("route", ["/blog/kiln-2", "/de/Blog/", "/company/news/2026/kiln", "/announcements/kiln"])
def test_pages_in_folders_of_news_are_news(route: str) -> None:
    assert is_news(route)


@pytest.mark.parametrize("route", ["/", "/guide/news-feeds", "/changelog", "/features/history", "/blogging"])
def test_other_pages_are_no_news(route: str) -> None:
    assert not is_news(route)


def headings_of(texts: Iterable[str]) -> list[Heading]:
    return [Heading(2, "", "", text) for text in texts]


RELEASES = [
    "1.0", "v1.2.0-rc.1", "[2.0.0] - 2026-01-30", "Version 2.1 (2026-02-01)", "2026-01-30", "2025-12", "March 2026", "3 April 2026",
    "May 12, 2026", "Kiln 1.0.0, March 2026", "Kiln 1.0.1 - Unreleased", "v2.1, 3 April 2026", "1.1 (May 12, 2026)",
]  # fmt: skip


@pytest.mark.parametrize("release", RELEASES)
def test_page_whose_headings_are_versions_or_dates_lists_changes(release: str) -> None:
    assert lists_changes(headings_of([release] * LEAST_RELEASES + ["Thanks"]))


@pytest.mark.parametrize(
    "text", ["7.2.8 The split operator", "Step 1.2: Install", "1. Install", "2 potters", "Since 2.1 and before", "Kiln"]
)
def test_page_with_other_headings_lists_no_changes(text: str) -> None:
    assert not lists_changes(headings_of([text] * LEAST_RELEASES))


def test_page_with_few_releases_or_more_of_other_headings_lists_no_changes() -> None:
    assert not lists_changes(headings_of(["1.0"] * (LEAST_RELEASES - 1)))
    assert not lists_changes(headings_of(["1.0"] * LEAST_RELEASES + ["Install"] * (LEAST_RELEASES + 1)))


def test_guide_precedes_a_long_list_of_changes_that_names_what_is_asked_for(make_index: MakeIndex) -> None:
    changes = records("Changes", "## 2.1\nWarm kiln for a glaze.", page_rank=CHANGES_RANK)
    index = make_index([changes, records("Firing", "How to warm the kiln, and why a glaze needs it.")])
    assert index.answer("warm kiln glaze")["hits"][0]["hierarchy"]["lvl1"] == "Firing"
    assert index.answer("kiln 2.1")["hits"][0]["hierarchy"]["lvl1"] == "Changes"


def test_guide_precedes_news_whose_heading_names_what_is_asked_for(make_index: MakeIndex) -> None:
    news = records("Kiln 2", "## Warm glaze\nIt is here.", page_rank=NEWS_RANK)
    index = make_index([news, records("Glaze", "How to warm the kiln for a glaze.")])
    assert index.answer("warm glaze kiln")["hits"][0]["hierarchy"]["lvl1"] == "Glaze"
