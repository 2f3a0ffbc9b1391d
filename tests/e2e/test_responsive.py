"""One page for every width and for paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, publish_site, serve_folder

from .conftest import OpenReader
from .pages import PHONE, settings

KINDS = {
    "landing": "/",
    "doc": "/codegate/features/muxing",
    "category": "/category/using-the-toolhive-cli",
    "search": "/search",
    "theme preview": "/theme-preview",
}


WIDTHS = [320, 390, 768, 995, 996, 1440, 2560]


@pytest.mark.parametrize("kind", KINDS)
def test_page_never_scrolls_sideways(kind: str, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, KINDS[kind])
    for width in WIDTHS:
        reader.resize(width)
        reader.expect_no_sideways_scroll()


def test_no_construct_is_wider_than_the_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    for width in WIDTHS:
        reader.resize(width)
        reader.expect_no_sideways_scroll()


def test_formula_wider_than_the_page_is_scrolled_to_by_keyboard(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(PHONE))
    long = reader.article.locator(".formula")
    expect(long).to_have_attribute("role", "group")
    expect(long).to_have_attribute("tabindex", "0")
    expect(long).to_have_accessible_name("Formula, scrolls sideways")
    excess = "formula => [formula.scrollWidth - formula.clientWidth, formula.scrollHeight - formula.clientHeight]"
    sideways, down = long.evaluate(excess)
    assert sideways > 0
    assert down <= 1
    short = reader.article.locator("p:has(> math)")
    expect(short).to_have_attribute("data-fits", "")
    expect(short).not_to_have_attribute("tabindex", "0")


def test_long_word_in_the_sidebar_is_not_cut(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    hidden = reader.sidebar.evaluate("""sidebar => {
      sidebar.querySelector("[aria-current]").firstChild.data = "Feuerfesttongefäßbrenntemperaturmessgerätehersteller";
      return sidebar.scrollWidth - sidebar.clientWidth;
    }""")
    assert hidden == 0


def test_not_found_page_never_scrolls_sideways(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/no/such/page")
    reader.watch.forgive("404")
    for width in WIDTHS:
        reader.resize(width)
        reader.expect_no_sideways_scroll()


def test_lines_of_prose_stay_readable(shipped: Served, open_reader: OpenReader) -> None:
    """A paragraph is never narrower than the screen of a small phone allows, nor wider than about 90 letters."""
    reader = open_reader(shipped, "/codegate/features/muxing")
    paragraph = reader.article.locator(".prose > p").first
    for width in WIDTHS:
        reader.resize(width)
        measured, size = paragraph.evaluate(
            "element => [element.getBoundingClientRect().width, parseFloat(getComputedStyle(element).fontSize)]"
        )
        # A scrollbar takes 15 px.
        assert min(width - 15 - 48, 440) <= measured <= 52 * size, width
        assert size >= 16, width


def test_desktop_begins_at_996_px(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", settings(width=996))
    section = reader.bar.get_by_role("link", name="ToolHive", exact=True)
    expect(reader.hamburger).to_be_hidden()
    expect(section).to_be_visible()
    expect(reader.sidebar).to_be_visible()
    reader.resize(995)
    expect(reader.hamburger).to_be_visible()
    expect(section).to_be_hidden()
    expect(reader.sidebar).to_be_hidden()


def test_sidebar_is_300_px_wide(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    for width in (996, 1440, 2560):
        reader.resize(width)
        box = reader.sidebar.bounding_box()
        assert box
        assert box["width"] == 300, width


def test_contents_stand_beside_the_article_on_desktop_and_fold_below(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    link = reader.toc.get_by_role("link").first
    expect(link).to_be_visible()
    reader.resize(390, 844)
    expect(link).to_be_hidden()
    button = reader.toc.get_by_role("button", name="On this page")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(link).to_be_visible()
    link.click()
    expect(link).to_be_hidden()


def test_search_field_and_buttons_are_large_enough_for_fingers(shipped: Served, open_reader: OpenReader) -> None:
    """WCAG 2.5.8 requires 24 px; the controls of the bar are larger."""
    reader = open_reader(shipped, "/codegate/features/muxing", settings(width=390, height=844, is_touch=True))
    for control in reader.bar.get_by_role("button").all():
        if control.is_visible():
            box = control.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 32


OF_ONE_GRID = [
    "/codegate/features/muxing",
    "/codegate/reference/api",
    "/category/using-the-toolhive-cli",
    "/toolhive/reference/cli/thv_run",
    "/search",
    "/nowhere",
]


def test_text_of_every_kind_of_page_begins_at_one_line(shipped: Served, open_reader: OpenReader) -> None:
    lefts: dict[int, dict[str, float]] = {}
    for route in OF_ONE_GRID:
        reader = open_reader(shipped, route, alive=False)
        reader.watch.forgive("404")
        for width in (320, 768, 1000, 1280, 1920, 2560):
            reader.resize(width)
            left = reader.page.locator("h1").evaluate("h1 => h1.getBoundingClientRect().left")
            lefts.setdefault(width, {})[route] = round(left)
    assert {width: len(set(places.values())) for width, places in lefts.items()} == dict.fromkeys(lefts, 1), lefts


@pytest.mark.parametrize("headings", ["", "## One\n\nText.\n\n## Two\n\nText.\n"])
def test_document_without_a_sidebar_begins_where_others_do(
    headings: str, open_reader: OpenReader, tmp_path: Path
) -> None:
    """With or without a list of contents, its text has the column that other texts have."""
    text = f"# Page\n\n{'Some words of it. ' * 60}\n\n{headings}"
    files = {
        "octavo.toml": 'title = "Kiln"\nurl = "https://example.org"\n[[sidebars]]\nid = "docs"\nitems = [{ doc = "beside" }]\n'
        '[diagnostics]\nsidebar_membership = "ignore"\n',
        "docs/index.md": text,
        "docs/beside.md": text,
    }
    for path, content in files.items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(content)
    publish_site(tmp_path / "site", tmp_path / "out")
    with serve_folder(tmp_path / "out", tmp_path / "log") as served:
        places = []
        for route in ("/", "/beside"):
            reader = open_reader(served, route, alive=False)
            for width in (390, 996, 1280, 1920):
                reader.resize(width)
                box = reader.page.locator(".prose p").first.bounding_box()
                assert box
                places.append((route, width, round(box["x"]), round(box["width"])))
    assert [one[1:] for one in places[:4]] == [one[1:] for one in places[4:]]


def test_pager_follows_the_text_of_a_short_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/faq", settings(width=1440, height=6000))
    article, pager = reader.article.bounding_box(), reader.pager.bounding_box()
    assert article
    assert pager
    assert pager["y"] - (article["y"] + article["height"]) < 100


def test_next_page_stands_at_its_own_side_where_there_is_no_previous_one(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/toolhive", settings(width=1440))
    pager, link = reader.pager.bounding_box(), reader.pager.get_by_role("link").bounding_box()
    assert pager
    assert link
    assert link["width"] < pager["width"] / 2
    assert link["x"] + link["width"] == pytest.approx(pager["x"] + pager["width"], abs=1)


def test_title_is_balanced_beside_the_menu_of_the_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/faq", settings(width=1000))
    title = reader.page.locator("h1")
    lines = title.evaluate("""title => {
      title.textContent = "Text, lists, and tables of many words";
      const range = document.createRange();
      range.selectNodeContents(title);
      return [...range.getClientRects()].map((line) => line.width);
    }""")
    assert len(lines) == 2
    assert min(lines) > 0.6 * max(lines)


LONG_TITLES = {
    "/names": "kiln.extensions",
    "/word": "Internationalization",
    "/words": "Everything that a page of the documentation can contain",
}


def test_title_has_the_whole_column_and_its_words_are_whole(open_reader: OpenReader, tmp_path: Path) -> None:
    """The menu of the page is in the line of the breadcrumbs, or on a phone beside the first line of the title."""
    files = {
        "octavo.toml": 'title = "Kiln"\nurl = "https://example.org"\n[[sidebars]]\nid = "docs"\nitems = [{ autogenerated = "." }]\n',
        "docs/index.md": "# Kiln\n",
        **{f"docs{route}.md": f"---\ntitle: {title}\n---\n\n## One\n\nText.\n" for route, title in LONG_TITLES.items()},
    }
    for path, content in files.items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(content)
    publish_site(tmp_path / "site", tmp_path / "out")
    with serve_folder(tmp_path / "out", tmp_path / "log") as served:
        for route in LONG_TITLES:
            reader = open_reader(served, route, settings(width=1280))
            title, menu = reader.page.locator("h1"), reader.article.locator(".page-menu")
            for width in (1240, 1280, 1920):
                reader.resize(width)
                column = reader.page.locator(".article").bounding_box()
                box, beside = title.bounding_box(), menu.bounding_box()
                assert box
                assert column
                assert beside
                assert box["width"] == column["width"], (route, width)
                assert beside["y"] + beside["height"] <= box["y"], (route, width)
                trail = reader.page.locator(".breadcrumbs li").last.bounding_box()
                assert trail
                assert trail["x"] + trail["width"] <= beside["x"], (route, width)
            for width in (360, 390, 768, 1000):
                reader.resize(width)
                # A long step of the trail goes on in the next line as text does.
                step, way = (
                    reader.page.locator(".breadcrumbs li").last.bounding_box(),
                    reader.breadcrumbs.bounding_box(),
                )
                assert step
                assert way
                assert step["y"] - way["y"] < 20, (route, width)
                broken = title.evaluate("""title => {
                  const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
                  const broken = [];
                  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
                    for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
                      const range = document.createRange();
                      range.setStart(text, index);
                      range.setEnd(text, index + word.length);
                      if (range.getClientRects().length > 1) broken.push(word);
                    }
                  }
                  return broken;
                }""")
                assert broken == [], (route, width)


def test_landing_page_and_footer_have_the_edges_of_the_bar(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/")
    for width in (996, 1280, 1920, 2560):
        reader.resize(width)
        edges = reader.page.evaluate("""() => {
          const left = (place) => Math.round(document.querySelector(place).getBoundingClientRect().left);
          return [left(".top-bar .brand"), left(".hero-title"), left(".main-landing .product-card"), left(".footer-columns")];
        }""")
        assert len(set(edges)) == 1, (width, edges)


def test_words_of_the_search_button_stay_on_one_line(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/de/install")
    text = reader.page.locator(".search-button-text")
    for width in (996, 1280):
        reader.resize(width)
        assert text.evaluate("text => text.getClientRects().length === 1 && text.offsetHeight < 30"), width
    assert text.evaluate("text => text.scrollWidth <= text.clientWidth")


def test_answers_to_a_question_stay_side_by_side(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(width=320))
    yes, no = (answer.bounding_box() for answer in reader.page.locator(".feedback button").all())
    assert yes
    assert no
    assert yes["y"] == no["y"]


def test_scrollbars_within_the_text_have_the_colors_of_the_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", settings(system="dark"))
    for place in ("figure.code pre", ".table-wrap"):
        colors = reader.article.locator(place).first.evaluate("part => getComputedStyle(part).scrollbarColor")
        assert colors.endswith("rgba(0, 0, 0, 0)"), place


def test_long_name_of_the_site_gives_way_to_the_buttons_of_the_bar(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(width=320))
    name = reader.page.locator(".top-bar .brand > span")
    name.evaluate("name => { name.textContent = 'Handbook of the Westerwald kilns'; }")
    reader.expect_no_sideways_scroll()
    expect(reader.color_mode.button).to_be_in_viewport(ratio=1)
    reader.resize(1280)
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
