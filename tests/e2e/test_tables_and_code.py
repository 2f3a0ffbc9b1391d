"""Tables, names in code, and other texts that have to fit: columns, breaks between lines, directions of writing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from octavo.content import inline_code
from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, settings


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


def test_column_of_names_leaves_the_room_to_the_one_of_sentences(shipped: Served, open_reader: OpenReader) -> None:
    """One long name made its column as wide as that of the sentences, and the table scrolled."""
    reader = open_reader(shipped, "/codegate/reference/glossary", settings(width=1280))
    table = reader.article.locator(".table-wrap").first
    assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth")
    name, meaning, link = table.locator("th").evaluate_all("cells => cells.map((cell) => cell.clientWidth)")
    assert meaning > 2 * max(name, link)


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
