"""What is shown in forced colours, on paper, in tables and without scripts in the mode of the system."""

from __future__ import annotations

import io
from typing import Any, Literal

import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import AT_REST, DESKTOP, NEXT_FRAME, PHONE, Settings, settings

_COLORS = "element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]"


def colors(element: Locator) -> Any:
    return element.evaluate(_COLORS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colors_show_every_state(
    scheme: Literal["light", "dark"], shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/theme-preview", settings(system=scheme))
    reader.emulate(forced_colors="active", color_scheme=scheme)
    tabs = reader.article.locator(".tab-list").first
    chosen, other = tabs.locator("[aria-selected=true]"), tabs.locator("[aria-selected=false]").first
    assert colors(chosen) != colors(other)
    assert colors(reader.toc.locator("[aria-current]").first) != colors(
        reader.toc.locator("a:not([aria-current])").first
    )
    section = reader.bar.locator(".nav-link[aria-current]").first
    assert colors(section) != colors(reader.bar.locator(".nav-link:not([aria-current])").first)
    icon = reader.article.locator(".admonition-icon").first
    ground = icon.evaluate("icon => getComputedStyle(document.body).backgroundColor")
    assert icon.evaluate("icon => getComputedStyle(icon.firstElementChild).stroke") not in ("none", ground)
    reader.press("Control+k")
    expect(reader.page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    reader.page.keyboard.type("proxy")
    option = reader.page.get_by_role("option")
    expect(option.nth(1)).to_be_visible()
    reader.press("ArrowDown")
    active = reader.page.locator("[role=option][aria-selected=true]")
    expect(active).to_have_count(1)
    reader.page.wait_for_function(AT_REST)
    assert colors(active) != colors(reader.page.locator("[role=option][aria-selected=false]").first)
    for mark in reader.page.locator("dialog mark").all()[:5]:
        ink, paper = colors(mark)
        assert ink != paper
        assert paper != "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("forced", ["none", "active"])
def test_current_entries_of_sidebar_and_contents_stand_out(
    forced: Literal["none", "active"], shipped: Served, open_reader: OpenReader
) -> None:
    """By more than the color of their text."""
    reader = open_reader(shipped, "/codegate/features/muxing#limits")
    reader.emulate(forced_colors=forced)
    for part in (reader.sidebar, reader.toc):
        current, other = part.locator("li a[aria-current]").first, part.locator("li a:not([aria-current])").first
        mark = current.evaluate("element => parseFloat(getComputedStyle(element, '::before').inlineSize)")
        assert mark >= 3
    current, other = reader.sidebar.locator("li a[aria-current]"), reader.sidebar.locator("li a:not([aria-current])")
    assert colors(current.first)[1] != colors(other.first)[1]
    weight = "element => getComputedStyle(element).fontWeight"
    assert int(current.first.evaluate(weight)) > int(other.first.evaluate(weight))
    # While the reader scrolls, a title of another width could take another line.
    weights = reader.toc.locator("li a").evaluate_all("links => links.map(link => getComputedStyle(link).fontWeight)")
    assert len(set(weights)) == 1


def test_forced_colors_show_what_has_a_ground_of_its_own(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/workspaces/v1-list-workspaces")
    reader.emulate(forced_colors="active")
    button = reader.article.locator("button.api-try").first
    assert button.evaluate("button => parseFloat(getComputedStyle(button).borderTopWidth)") > 0
    # A line below a tab that is not chosen had another color, and was there all the same.
    for tab in reader.article.locator(".api-tabs").first.locator("label").all():
        is_chosen = tab.locator("input").is_checked()
        line = tab.locator("span").evaluate("tab => getComputedStyle(tab).borderBottomColor")
        assert (
            line != reader.page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        ) is is_chosen
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run")
    reader.emulate(forced_colors="active")
    row = reader.article.locator("tr:has(.option[id])").first
    expect(row).to_have_css("outline-style", "none")
    row.locator(".option").first.evaluate("option => { location.hash = option.id; }")
    expect(row).to_have_css("outline-style", "solid")


@pytest.mark.parametrize(
    "media", [{}, {"forced_colors": "active"}, {"media": "print"}], ids=["plain", "forced", "paper"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_done_in_a_list_of_tasks_stands_out(
    scheme: Literal["light", "dark"], media: dict[str, Any], editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", settings(system=scheme))
    reader.emulate(color_scheme=scheme, **media)
    boxes = [reader.article.get_by_role("checkbox", checked=ticked) for ticked in (True, False)]
    done, left = (_contrasts(reader.page, box) for box in boxes)
    assert max(map(max, done)) >= 3
    assert max(map(max, left)) >= 3
    inner = slice(5, -5)
    assert max(max(row[inner]) for row in done[inner]) >= 3
    assert max(max(row[inner]) for row in left[inner]) < 1.5


def _contrasts(page: Page, element: Locator) -> list[list[float]]:
    """Contrast of each pixel of an element with what is around it, in rows; two pixels more at each side."""
    box = element.bounding_box()
    assert box
    clip = FloatRect(
        x=round(box["x"]) - 2, y=round(box["y"]) - 2, width=round(box["width"]) + 4, height=round(box["height"]) + 4
    )
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip))).convert("RGB")
    luminances = [_luminance(pixel) for pixel in zip(*[iter(picture.tobytes())] * 3, strict=True)]
    ground = luminances[0]
    contrasts = [(max(one, ground) + 0.05) / (min(one, ground) + 0.05) for one in luminances]
    return [contrasts[at : at + picture.width] for at in range(0, len(contrasts), picture.width)]


def _luminance(pixel: tuple[int, ...]) -> float:
    parts = [value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in pixel]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_notice_of_a_version_has_an_edge_in_forced_colors(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/1.0/install")
    reader.emulate(forced_colors="active")
    expect(reader.page.locator(".notice")).to_have_css("border-top-style", "solid")


def test_paper_does_not_offer_to_edit_the_page(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    expect(reader.page.locator(".edit-link")).to_be_visible()
    reader.emulate(media="print")
    expect(reader.page.locator(".edit-link")).to_be_hidden()


def test_paper_shows_closed_details_and_all_tabs_under_their_labels(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    # Paper shows a diagram, not its source below.
    answers = reader.article.locator(".prose details:not([open], .diagram-source) > :not(summary)")
    assert answers.count() > 0
    expect(answers.first).to_be_hidden()
    reader.emulate(media="print")
    heights = answers.evaluate_all(
        "parts => parts.map((part) => part.checkVisibility({ contentVisibilityAuto: true }))"
    )
    assert all(heights)


def test_paper_keeps_icons_and_the_label_of_a_tab_with_its_panel(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview")
    reader.emulate(media="print")
    # A background would not be printed.
    icon = reader.article.locator(".admonition-icon").first
    assert icon.evaluate("icon => getComputedStyle(icon.firstElementChild).stroke") != "none"
    assert icon.evaluate("icon => getComputedStyle(icon).maskImage") == "none"
    label = "panel => [getComputedStyle(panel, '::before').content, getComputedStyle(panel, '::before').breakAfter]"
    text, keeps = reader.article.locator(".tab-panel").first.evaluate(label)
    assert text not in ("none", "normal")
    assert keeps == "avoid"


@pytest.mark.parametrize("reduces_motion", [False, True])
def test_header_of_a_table_that_scrolls_to_the_side_stays_below_the_bar(
    reduces_motion: bool, editions: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(editions, "/constructs", settings(PHONE, reduces_motion=reduces_motion))
    wrap = reader.article.locator(".table-wrap").first
    wrap.locator("table").evaluate("""table => {
      const row = (cell) => `<tr>${`<${cell}>supercalifragilistic</${cell}>`.repeat(8)}</tr>`;
      table.innerHTML = `<thead>${row("th")}</thead><tbody>${row("td").repeat(60)}</tbody>`;
    }""")
    expect(wrap).to_have_attribute("role", "group")
    top = wrap.evaluate("wrap => wrap.getBoundingClientRect().top + scrollY")
    height = wrap.evaluate("wrap => wrap.clientHeight")
    assert wrap.evaluate("wrap => wrap.scrollHeight <= wrap.clientHeight")
    wrap.evaluate("wrap => { wrap.scrollLeft = 120; }")
    for passed in (400, height - 300):
        reader.scroll_to(round(top + passed))
        reader.page.evaluate(NEXT_FRAME)
        distance = wrap.evaluate("""wrap => wrap.querySelector("thead").getBoundingClientRect().top
          - document.querySelector("header.top-bar").getBoundingClientRect().bottom""")
        assert -1 <= distance <= 2
    columns = "row => [...row.cells].map((cell) => Math.round(cell.getBoundingClientRect().left))"
    assert wrap.locator("thead tr").evaluate(columns) == wrap.locator("tbody tr").first.evaluate(columns)
    reader.scroll_to(round(top - 200))
    reader.page.evaluate(NEXT_FRAME)
    offset = "wrap => wrap.querySelector('thead').getBoundingClientRect().top - wrap.getBoundingClientRect().top"
    assert wrap.evaluate(offset) < 3
    reader.scroll_to(round(top + 400))
    reader.emulate(media="print")
    assert wrap.evaluate(offset) < 3


@pytest.mark.parametrize("base", [DESKTOP, settings(width=1280), PHONE], ids=["1440", "1280", "390"])
def test_code_in_a_table_is_not_broken_within_a_word(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", base)
    codes = reader.article.locator("td code").filter(has_text="SERVER_OR_IMAGE_OR_PROTOCOL")
    assert codes.first.evaluate("code => code.getClientRects().length") == 1
    reader.expect_no_sideways_scroll()


def test_header_of_a_table_that_fits_stays_below_the_bar(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/cli/thv_run", settings(height=600))
    table = reader.article.locator(".table-wrap[data-fits]").filter(has=reader.page.locator("tr:nth-child(8)")).first
    table.evaluate(
        "box => window.scrollTo({ top: box.getBoundingClientRect().top + scrollY + 100, behavior: 'instant' })"
    )
    reader.page.wait_for_function(
        "box => Math.abs(box.querySelector('th').getBoundingClientRect().top - 61) < 3", arg=table.element_handle()
    )
    # It does not scroll, so it is not a stop of the keyboard.
    expect(table).not_to_have_attribute("tabindex", "0")


@pytest.mark.parametrize("system", ["light", "dark"])
def test_without_scripts_the_system_chooses_the_mode(
    system: Literal["light", "dark"], shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/", settings(system=system, has_scripts=False))
    assert reader.page.locator("html[data-theme]").count() == 0
    ground = reader.page.locator("html").evaluate("root => getComputedStyle(root).backgroundColor")
    assert ground == ("rgb(253, 252, 250)" if system == "light" else "rgb(22, 23, 27)")


def test_tabs_name_their_panels_before_scripts_run(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/theme-preview", settings(has_scripts=False))
    tabs = reader.article.locator("[role=tab]").evaluate_all(
        "tabs => tabs.map((tab) => [tab.id, document.getElementById(tab.getAttribute('aria-controls'))"
        "?.getAttribute('aria-labelledby')])"
    )
    assert tabs
    assert all(own == labels for own, labels in tabs)
    assert len({own for own, _ in tabs}) == len(tabs)


def test_buttons_of_the_sidebar_are_buttons(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    expect(reader.page.locator("a[role=button]")).to_have_count(0)
    button = reader.sidebar.get_by_role("button", name="Reference", exact=True)
    expect(button).to_have_attribute("aria-expanded", "false")
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
