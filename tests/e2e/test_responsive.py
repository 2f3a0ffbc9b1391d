"""One page for every width and for paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from octavo.content import inline_code
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


def test_paper_shows_the_article_on_white_and_nothing_around_it(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", settings(system="dark"))
    reader.emulate(media="print", color_scheme="dark")
    for part in (reader.bar, reader.sidebar, reader.toc, reader.pager, reader.footer):
        expect(part).to_be_hidden()
    expect(reader.page.locator("h1")).to_be_visible()
    expect(reader.article.locator(".code-buttons").first).to_be_hidden()
    expect(reader.article.locator(".feedback")).to_be_hidden()
    light = "element => getComputedStyle(element).color.match(/[\\d.]+/g).slice(0, 3).every((value) => value < 90)"
    assert reader.article.locator(".prose > p").first.evaluate(light)


def test_paper_shows_every_tab_panel_and_what_details_hide(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.emulate(media="print")
    for text in ("Fish swims.", "Zsh sleeps.", "Second set: fish.", "One thousand degrees."):
        expect(reader.article.get_by_text(text)).to_be_visible()


def test_paper_wraps_long_code(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=794))
    reader.emulate(media="print")
    block = reader.code("--atmosphere reduction").root.locator("pre")
    assert block.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_address_of_a_link_does_not_widen_a_table_beyond_the_paper(shipped: Served, open_reader: OpenReader) -> None:
    """Paper shows where links lead; an address is one long word."""
    reader = open_reader(shipped, "/toolhive/reference/client-compatibility", settings(width=718))
    reader.emulate(media="print")
    reader.expect_no_sideways_scroll()


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


def test_paper_shows_all_of_an_operation_in_one_column(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/workspaces/v1-create-workspace", settings(width=794))
    reader.emulate(media="print")
    expect(reader.article.get_by_role("button", name="Try it")).to_be_hidden()
    text, side = reader.article.locator(".api-text").bounding_box(), reader.article.locator(".api-side").bounding_box()
    assert text
    assert side
    assert side["y"] >= text["y"] + text["height"]
    cut = "side => [side, ...side.querySelectorAll('pre')].filter((one) => getComputedStyle(one).overflowY !== 'visible').length"
    assert reader.article.locator(".api-side").evaluate(cut) == 0
    printed = "link => getComputedStyle(link, '::after').content"
    assert reader.article.locator(".api-field a.api-name").first.evaluate(printed) == "none"


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


def test_first_column_of_a_wide_table_holds_a_few_words(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=1280))
    width = reader.article.locator("table").first.evaluate("""table => {
      const row = (cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
      table.innerHTML = row(["Installs without another program", ..."yes no with-a-setting some yes partly no yes".split(" ")]);
      return table.querySelector("td").clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
    }""")
    assert width >= 11


def test_table_of_nine_columns_fits_beside_the_contents_of_a_wide_window(
    editions: Served, open_reader: OpenReader
) -> None:
    """Its last column was cut off, though there was room to its right."""
    reader = open_reader(editions, "/constructs", settings(width=1920))
    fits = reader.article.locator(".table-wrap").first.evaluate("""wrap => {
      wrap.classList.add("table-wide");
      const row = (tag, texts) => `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
      const names = ["", ..."Octavo Docusaurus Material Zensical Starlight VitePress Mintlify Sphinx".split(" ")];
      const cells = ["Plain Markdown cannot break a build", ..."yes partly with-a-setting yes partly no ? yes".split(" ")];
      wrap.querySelector("table").innerHTML = row("th", names) + row("td", cells);
      return wrap.scrollWidth <= wrap.clientWidth;
    }""")
    assert fits
    reader.expect_no_sideways_scroll()
    title, text = reader.article.locator("h1"), reader.article.locator(".prose > p").first
    left = "element => element.getBoundingClientRect().left"
    assert title.evaluate(left) == text.evaluate(left)


def test_column_of_long_texts_is_not_squeezed_by_columns_of_code(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=1280))
    widths = reader.article.locator("table").first.evaluate("""table => {
      const code = `<td><code>${"a".repeat(28)}</code></td>`;
      const cell = "<td>A sentence that says what this is for, and when it is worth a change.</td>";
      table.innerHTML = `<tr><th>a</th><th class="text-column">b</th><th>c</th></tr><tr>${code}${cell}${code}</tr>`;
      return [...table.querySelectorAll("td")].map((cell) => cell.clientWidth / 16);
    }""")
    assert widths[1] >= 13
    reader.expect_no_sideways_scroll()


def test_phone_reads_a_table_of_names_and_meanings_downwards(shipped: Served, open_reader: OpenReader) -> None:
    """Side by side, each meaning ended beyond the edge of the screen."""
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", PHONE)
    tables = reader.article.locator(".table-wrap:has(.option)")
    assert tables.evaluate_all("tables => tables.every((table) => table.scrollWidth <= table.clientWidth)")
    option = reader.article.locator("td:has(.option)", has_text="--image-verification")
    name, meaning = option.bounding_box(), option.locator("+ td").bounding_box()
    assert name
    assert meaning
    assert meaning["y"] >= name["y"] + name["height"]
    assert meaning["width"] > 300
    reader.resize(1280)
    name, meaning = option.bounding_box(), option.locator("+ td").bounding_box()
    assert name
    assert meaning
    assert meaning["x"] >= name["x"] + name["width"]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_names_of_scopes_and_what_they_allow_fit(width: int, shipped: Served, open_reader: OpenReader) -> None:
    """The names alone were wider than a phone, and beside the label of their row the table was 793 px wide in 493."""
    reader = open_reader(shipped, "/codegate/reference/api", settings(width=width))
    fits = reader.article.locator(".api-table dd").first.evaluate("""place => {
      const row = "<tr><td><code>applications.commands.permissions.update</code></td>" +
        "<td>allows your app to update permissions for its commands in a guild a user has permissions to</td></tr>";
      place.innerHTML = "<div class=table-wrap><table><thead><tr><th>Scope</th><th class=text-column>Allows</th></tr>" +
        `</thead><tbody>${row}</tbody></table></div>`;
      const wrap = place.firstElementChild;
      return wrap.scrollWidth <= wrap.clientWidth;
    }""")
    assert fits
    reader.expect_no_sideways_scroll()


def test_column_of_numbers_leaves_its_room_to_text_on_a_phone(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview", PHONE)
    row = reader.article.locator("tr").filter(has_text="proxy, with a pipe")
    text, number = row.evaluate("row => [...row.cells].slice(1).map((cell) => cell.clientWidth)")
    assert text > number


@pytest.mark.parametrize("width", [320, 390])
def test_two_columns_of_sentences_fit_on_a_phone(width: int, editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=width))
    fits = reader.article.locator(".table-wrap").first.evaluate("""wrap => {
      const cell = "<td>A sentence that says what this is for, and when it is worth a change.</td>";
      const head = "<th class='text-column'>What</th>";
      wrap.querySelector("table").innerHTML = `<tr>${head}${head}</tr><tr>${cell}${cell}</tr>`;
      return wrap.scrollWidth <= wrap.clientWidth;
    }""")
    assert fits


def test_flags_in_code_are_not_broken(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", settings(width=320))
    lines = reader.article.locator("code").evaluate_all("""codes => codes.flatMap((code) => {
      const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const broken = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { index } of text.data.matchAll(/(?<=^|[\\s[(|])-{1,2}(?=\\w)/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, Math.min(index + 3, text.length));
          if (new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) broken.push(text.data);
        }
      }
      return code.closest("pre") === null ? broken : [];
    })""")
    assert lines == []


@pytest.mark.parametrize("name", ["v-model", "X-API-Key", "api-descriptions/", "host-path:container-path"])
def test_names_in_code_are_not_broken_where_they_fit_on_a_line(
    name: str, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", settings(width=320))
    heights = reader.article.locator(".prose > p").first.evaluate(
        """(text, code) => [...Array(24).keys()].map((letters) => {
          text.innerHTML = `${"a".repeat(letters)} ${code}`;
          return text.querySelector("code").getClientRects().length;
        })""",
        inline_code(name),
    )
    assert set(heights) == {1}
    reader.expect_no_sideways_scroll()


def test_term_in_a_list_keeps_the_distance_of_lines(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    item = reader.article.locator(".prose li").first
    item.evaluate("item => { item.innerHTML = '<b>a</b> b <button class=term>kiln</button>'; }")
    expect(item.locator(".term")).to_have_css("margin-top", "0px")


def test_answers_to_a_question_stay_side_by_side(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(width=320))
    yes, no = (answer.bounding_box() for answer in reader.page.locator(".feedback button").all())
    assert yes
    assert no
    assert yes["y"] == no["y"]


def test_long_name_in_the_contents_breaks_between_its_words(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/schemas", settings(width=1920))
    entry = reader.toc.locator("[href*=listactiveworkspacesresponse i]")
    assert entry.inner_html() == "List<wbr>Active<wbr>Workspaces<wbr>Response"


def test_code_keeps_its_order_among_words_from_right_to_left(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    code = reader.article.locator(".prose p > code").first
    code.evaluate("code => { document.documentElement.dir = 'rtl'; code.textContent = '~/.config/kiln'; }")
    expect(code).to_have_css("direction", "ltr")
    expect(code).to_have_css("unicode-bidi", "isolate")


def test_texts_of_a_description_have_their_own_direction(shipped: Served, open_reader: OpenReader) -> None:
    """The end of a sentence stood at its beginning, and its brackets were turned around."""
    reader = open_reader(shipped, "/codegate/reference/api/workspaces")
    text = reader.article.locator(".prose p").first
    sides = text.evaluate("""text => {
      document.documentElement.dir = "rtl";
      text.outerHTML = "<div class='api-about'><p>Pets (all).</p><p>نص</p></div>";
      return [...document.querySelectorAll(".api-about p")].map((line) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        const [words, box] = [range.getBoundingClientRect(), line.getBoundingClientRect()];
        return words.left - box.left < box.right - words.right ? "left" : "right";
      });
    }""")
    assert sides == ["left", "right"]


def test_scrollbars_within_the_text_have_the_colors_of_the_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", settings(system="dark"))
    for place in ("figure.code pre", ".table-wrap"):
        colors = reader.article.locator(place).first.evaluate("part => getComputedStyle(part).scrollbarColor")
        assert colors.endswith("rgba(0, 0, 0, 0)"), place


def test_paper_shows_a_table_of_many_columns_whole(editions: Served, open_reader: OpenReader) -> None:
    """What is wider than the paper would have the browser print the whole document smaller."""
    reader = open_reader(editions, "/constructs", settings(width=718))
    reader.emulate(media="print")
    for columns, word in ((9, "Docusaurus"), (12, "Available"), (24, "Available")):
        reader.article.locator("table").first.evaluate(
            """(table, [columns, word]) => {
              const row = (tag, text) => `<tr>${`<${tag}>${text}</${tag}>`.repeat(columns)}</tr>`;
              table.innerHTML = row("th", word) + row("td", "yes, with a <code>--setting</code>");
            }""",
            [columns, word],
        )
        reader.expect_no_sideways_scroll()


def test_paper_shows_no_address_in_a_heading_and_no_box_of_a_button(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/api")
    reader.emulate(media="print")
    printed = "link => getComputedStyle(link, '::after').content"
    assert reader.article.locator("h2 > a[href^='/']").first.evaluate(printed) in ("none", "normal")
    reader = open_reader(shipped, "/")
    reader.emulate(media="print")
    button = reader.page.locator(".hero-actions .button").first
    expect(button).to_have_css("border-top-width", "0px")
    assert "/" in button.evaluate(printed)


def test_long_name_of_the_site_gives_way_to_the_buttons_of_the_bar(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install", settings(width=320))
    name = reader.page.locator(".top-bar .brand > span")
    name.evaluate("name => { name.textContent = 'Handbook of the Westerwald kilns'; }")
    reader.expect_no_sideways_scroll()
    expect(reader.color_mode.button).to_be_in_viewport(ratio=1)
    reader.resize(1280)
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")


def test_title_of_a_note_is_one_text(editions: Served, open_reader: OpenReader) -> None:
    """Emphasis in it stood apart by the gap of a flex container, and a long title was laid out in columns."""
    reader = open_reader(editions, "/constructs")
    title = reader.article.locator(".admonition-danger > .admonition-title")
    gap, lines = title.evaluate("""title => {
      const [text, strong] = [...title.childNodes].filter((node) => node.nodeName !== "svg");
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, text.data.length);
      const gap = strong.getBoundingClientRect().left - range.getBoundingClientRect().right;
      text.data = "A note that goes on ".repeat(20);
      range.selectNodeContents(strong);
      return [gap, range.getClientRects().length];
    }""")
    assert gap < 2
    assert lines == 1
    icon, words = title.locator("svg").bounding_box(), title.bounding_box()
    assert icon
    assert words
    assert icon["y"] - words["y"] < 12


def test_paper_shows_names_in_the_first_column_whole(editions: Served, open_reader: OpenReader) -> None:
    """Beside a long text a column got as narrow as a letter of its code; names longer than half the paper are broken."""
    reader = open_reader(editions, "/constructs", settings(width=718))
    reader.emulate(media="print")
    names = ["schedules:read_of_all_kilns_in_the_workshop", "kiln:" + "x" * 200]
    lines = reader.article.locator("table").first.evaluate(
        """(table, names) => {
          const text = "Read the schedules of all kilns, also of those that other studios share. ".repeat(6);
          const row = (name) => `<tr><td><code>${name}</code></td><td>${text}</td><td>${text}</td></tr>`;
          table.innerHTML = names.map(row).join("");
          const height = (code) => code.getBoundingClientRect().height / parseFloat(getComputedStyle(code).fontSize);
          return [...table.querySelectorAll("code")].map(height);
        }""",
        names,
    )
    assert lines[0] < 2.5
    assert lines[1] > 2.5
    reader.expect_no_sideways_scroll()
