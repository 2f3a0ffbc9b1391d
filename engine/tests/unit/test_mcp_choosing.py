"""Which sections of found pages answer a question of a program."""

from __future__ import annotations

from octavo.mcp.choosing import Chooser, PlacedHit
from octavo.mcp.sections import Section, split_sections
from octavo.page_list import PageEntry
from octavo.search import question_stems

PAGES = {
    "/blocks": (
        "Blocks",
        "Callouts and more.",
        "# Blocks\n\nBlocks of a page.\n\n## Notes\n\nA note says more.\n\n## Tabs\n\nOne is shown.\n",
    ),
    "/scale": (
        "Scale",
        "Many servers.",
        "# Scale\n\nThe operating system shares memory between operating systems' processes.\n",
    ),
    "/next": (
        "Memory",
        "What it takes.",
        "# Memory\n\nKilns.\n\n## Read next\n\n- [Glazes](/glazes): what glazes read.\n- [Kilns](/kilns)\n\n## Kiln\n\nRead more about glazes here. See [heat](/glazes/read/kinds).\n",
    ),
    "/glaze": ("Glaze", "", "# Glaze\n\nMix the glaze.\n\n## Colors\n\nEach glaze has a color.\n"),
    "/dry": (
        "Pots",
        "",
        "# Pots\n\nOf clay.\n\n## Before you start\n\nYou have pots.\n\n## Dry pieces\n\nStart to dry them in the sun.\n",
    ),
    "/fire": ("Fire", "", "# Fire\n\nOf wood.\n\n## Before you start\n\nYou have wood to dry.\n"),
    "/bowls": (
        "Bowls",
        "",
        "# Bowls\n\nOf stone.\n\n## Handles\n\nPolish a rim.\n\n## Feet\n\nThe lathe turns.\n\n## Lids\n\nCarve a lid of stone, or sand it.\n",
    ),
    "/plates": ("Plates", "", "# Plates\n\nOf stone.\n\n## Edges\n\nPolish a rim.\n\n## Backs\n\nThe wheel turns.\n"),
    "/reference": ("Words", "All words.", "# Words\n\nTabs, notes, systems, and memory of the operating kind.\n"),
}


def choose(question: str, *lists: list[tuple[str, int | None]], ranks: dict[str, float] | None = None) -> list[str]:
    """Give the route and title of each section, those first that answer best."""
    pages = {
        route: PageEntry(route, route, title, description=about, hash=route)
        for route, (title, about, _) in PAGES.items()
    }
    sections: dict[str, list[Section]] = {route: split_sections(text, []) for route, (_, _, text) in PAGES.items()}
    hits = [[PlacedHit(pages[route], number, (ranks or {}).get(route, 1.0)) for route, number in one] for one in lists]
    found = Chooser().choose(question_stems(question, "en"), "en", hits, sections)
    return [f"{one.route} {sections[one.route][one.section].title}" for one in found]


def test_section_is_found_by_its_title_below_a_page_that_was_found_as_a_whole() -> None:
    found = choose("how do I show one of several in tabs", [("/scale", 0), ("/blocks", 0)])
    assert found[0] == "/blocks Tabs"


def test_first_hit_is_first_where_words_tell_nothing() -> None:
    assert choose("zzz", [("/scale", 0), ("/reference", 0)])[0] == "/scale Scale"


def test_page_that_the_site_ranks_last_is_behind_others() -> None:
    hits: list[tuple[str, int | None]] = [("/reference", 0), ("/scale", 0)]
    assert choose("operating systems memory", hits, ranks={"/reference": 0.0})[0] == "/scale Scale"


def test_page_without_a_section_of_the_hit_is_compared_all_the_same() -> None:
    assert choose("a note", [("/blocks", None)])[0] == "/blocks Notes"
    assert choose("a note", [], []) == []


def test_beginning_of_a_page_is_behind_sections_that_match_as_well() -> None:
    assert choose("zzz", [("/glaze", None)]) == ["/glaze Colors", "/glaze Glaze"]


def test_titles_that_many_pages_have_tell_less() -> None:
    found = choose("before you start to dry", [("/dry", None), ("/fire", None), ("/glaze", None)])
    assert found[0] == "/dry Dry pieces"


def test_list_of_links_to_other_pages_is_behind_texts() -> None:
    found = choose("read about glazes", [("/next", None), ("/scale", 0)])
    assert found.index("/next Kiln") < found.index("/next Read next")


def test_addresses_of_links_are_no_words_of_a_section() -> None:
    assert choose("which kinds", [("/next", None)]) == choose("zzz", [("/next", None)])


def test_site_says_which_words_mean_the_same() -> None:
    assert question_stems("does it phone home", "en", {}, {"phone home": ["telemetry"]}).keys() >= {
        "phone",
        "telemetri",
    }
    assert "remov" in question_stems("delete it", "en", {"delete": ["remove"]})
    assert "delet" in question_stems("remove it", "en", {"delete": ["remove"]})


def test_halves_of_a_name_count_as_one_word() -> None:
    assert question_stems("install CodeGate", "en") == {"instal": 1.0, "code": 0.5, "gate": 0.5}


def test_page_with_all_words_of_a_long_question_leads_one_that_has_only_those_of_a_section() -> None:
    hits: list[tuple[str, int | None]] = [("/plates", 1), ("/bowls", 1)]
    found = choose("polish a rim that I carve on the lathe with sand", hits)
    assert found.index("/bowls Handles") < found.index("/plates Edges")
    assert choose("polish a rim", hits)[0] == "/plates Edges"
