"""`octavo dev` in a browser: an open page follows what is saved, without being loaded anew."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served, copy_site

from .axe import find_violations
from .conftest import FIXTURES, OpenReader
from .pages import DESKTOP, METERED, Reader, Settings, settings

_START_S = 60

# Writes 150 versions of an article over one another, each made of the last one by a few random edits.
_REWRITE = """async (seed) => {
  const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  const { html } = await (await fetch("/_octavo/pages/constructs.json")).json();
  const inert = document.implementation.createHTMLDocument("");
  const parse = (text) => Object.assign(inert.createElement("div"), { innerHTML: text });
  const edits = [
    (element) => element.remove(),
    (element) => element.after(element.cloneNode(true)),
    (element) => element.before(...parse("<p>New</p>\\n<div data-island=x><b>Alive</b></div>").childNodes),
    (element) => element.append("more"),
    (element) => element.prepend(document.createElement("img")),
    (element) => element.setAttribute("class", `c${random(9)}`),
    (element) => element.replaceChildren(...[...element.childNodes].reverse()),
    (element) => element.nextElementSibling?.after(element),
    (element) => element.replaceWith(...element.childNodes),
  ];
  const shown = parse(html), wanted = parse(html);
  exchangeSparingly(shown);
  const wrong = [];
  for (let round = 0; round < 150; round++) {
    const size = wanted.querySelectorAll("*").length;
    if (size < 40 || size > 900) wanted.innerHTML = html;
    for (let edit = random(4); edit >= 0; edit--) {
      const all = random(2) ? [...wanted.children] : [...wanted.querySelectorAll("*")];
      if (all.length > 0) edits[random(edits.length)](all[random(all.length)]);
    }
    // As the parser sees it: not every element may contain every other.
    const text = parse(wanted.innerHTML).innerHTML;
    // What scripts have done to the article meanwhile.
    for (const block of shown.children) if (random(3) === 0) block.dataset.laid = "";
    for (const figure of shown.querySelectorAll("figure.code:not(:has(.code-buttons))"))
      figure.append(Object.assign(document.createElement("div"), { className: "code-buttons" }));
    for (const island of shown.querySelectorAll("[data-island]")) if (random(2)) island.replaceChildren("drawn");
    for (const alive of shown.querySelectorAll("[data-island], img")) alive.isOld = true;
    shown.innerHTML = text;
    const seen = shown.cloneNode(true);
    seen.querySelectorAll(".code-buttons").forEach((bar) => bar.remove());
    seen.querySelectorAll("[data-laid]").forEach((block) => block.removeAttribute("data-laid"));
    if (seen.innerHTML !== text) wrong.push(round);
    if ([...shown.querySelectorAll("*")].some(({ isOld }) => isOld)) wrong.push(`${round}: not made anew`);
  }
  return wrong;
}"""


class Writing:
    """A site that is served while it is written."""

    def __init__(self, root: Path, served: Served) -> None:
        self.root = root
        self.served = served

    def replace(self, file: str, old: str, new: str) -> None:
        """Save a file with another text."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writing]:
    root = copy_site(FIXTURES / "editions", tmp_path_factory.mktemp("writing") / "site")
    command = [sys.executable, "-m", "octavo", "dev", str(root), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            said, found = "", None
            while found is None:
                assert select.select([process.stdout], [], [], _START_S)[0], "the server did not start"
                # Not by lines: of two that come together the second would be in Python's buffer, where select sees nothing.
                piece = os.read(process.stdout.fileno(), 4096).decode()
                assert piece, "the server ended at once"
                said += piece
                found = re.search(r"http://[^/\s]+(?=/)", said)
            yield Writing(root, Served(root / ".octavo/dev/published", found[0], "/"))
        finally:
            process.terminate()
            process.wait(60)


def open_page(open_reader: OpenReader, writing: Writing, route: str, habits: Settings = DESKTOP) -> Reader:
    reader = open_reader(writing.served, route, settings(habits, system="light"))
    reader.mark_document()
    return reader


def test_saved_text_appears_in_its_place_and_what_was_chosen_and_typed_stays(
    writing: Writing, open_reader: OpenReader
) -> None:
    reader = open_page(open_reader, writing, "/constructs")
    tabs = reader.tabs(0)
    labels = tabs.root.get_by_role("tab").all_text_contents()
    tabs.choose(labels[-1])
    reader.scroll_to(400)
    writing.replace("docs/constructs.mdx", "Emphasis", "Freshly saved emphasis")
    expect(reader.article).to_contain_text("Freshly saved")
    tabs.expect_chosen(labels[-1])
    reader.expect_scrolled(400, within=40)
    reader.expect_same_document()


def test_open_details_and_typed_text_stay(writing: Writing, open_reader: OpenReader) -> None:
    writing.replace("docs/constructs.mdx", "<details>", '<input id="note" aria-label="Note" />\n\n<details>')
    reader = open_page(open_reader, writing, "/constructs")
    note, details = reader.page.get_by_role("textbox", name="Note"), reader.article.locator("details").first
    expect(note).to_be_visible()
    note.fill("half a sentence")
    details.locator("summary").click()
    expect(details).to_have_attribute("open", "")
    writing.replace("docs/constructs.mdx", "# ", "Saved while reading.\n\n# ")
    expect(reader.article).to_contain_text("Saved while reading.")
    expect(note).to_have_value("half a sentence")
    expect(details).to_have_attribute("open", "")
    reader.expect_same_document()


def test_rewritten_article_is_what_was_written(writing: Writing, open_reader: OpenReader) -> None:
    reader = open_page(open_reader, writing, "/constructs")
    assert [reader.page.evaluate(_REWRITE, seed) for seed in (1, 20261121)] == [[], []]


def test_blocks_that_say_the_same_are_left_alone(writing: Writing, open_reader: OpenReader) -> None:
    reader = open_page(open_reader, writing, "/constructs")
    blocks = ".prose > :not(:has([data-island], img), [data-island], img)"
    count = reader.page.locator(blocks).count()
    reader.page.evaluate(f"() => {{ for (const block of document.querySelectorAll('{blocks}')) block.mine = true; }}")
    writing.replace("docs/constructs.mdx", "\n## ", "\nAn added paragraph.\n\n## ")
    expect(reader.article).to_contain_text("An added paragraph.")
    left = f"() => [...document.querySelectorAll('{blocks}')].filter((block) => block.mine).length"
    assert reader.page.evaluate(left) == count
    expect(reader.page.locator(blocks)).to_have_count(count + 1)


def test_table_that_scrolls_is_left_alone(writing: Writing, open_reader: OpenReader) -> None:
    """A script describes such a table to its readers, with attributes that its author has not written."""
    row = "| " + " | ".join(f"`{'wide' * 12}`" for _ in range(6)) + " |"
    table = f"{row}\n|{' - |' * 6}\n{row}\n{row}"
    writing.replace("docs/guide/cool.md", "\n\n", f"\n\n{table}\n\n")
    reader = open_page(open_reader, writing, "/guide/cool")
    box = reader.article.locator(".table-wrap[role=group]")
    expect(box).to_have_count(1)
    box.evaluate("(box) => { box.mine = true; }")
    writing.replace("docs/guide/cool.md", table, f"An added paragraph.\n\n{table}")
    expect(reader.article).to_contain_text("An added paragraph.")
    assert box.evaluate("(box) => box.mine === true")


def test_page_that_has_not_changed_is_left_alone(writing: Writing, open_reader: OpenReader) -> None:
    reader = open_page(open_reader, writing, "/guide/dry", METERED)
    reader.page.evaluate("() => { document.querySelector('.prose').firstElementChild.dataset.mine = ''; }")
    asked: list[str] = []
    # Other files, such as pictures, may still be on their way.
    reader.page.on("request", lambda request: asked.append(request.url) if "/guide/dry" in request.url else None)
    writing.replace("docs/constructs.mdx", "# ", "Of no concern to others.\n\n# ")
    reader.page.wait_for_function("() => document.documentElement.dataset.refreshed !== undefined")
    expect(reader.article.locator("[data-mine]")).to_have_count(1)
    assert asked == []


def test_title_and_sidebar_follow_too(writing: Writing, open_reader: OpenReader) -> None:
    reader = open_page(open_reader, writing, "/guide/cool")
    path = writing.root / "docs/guide/cool.md"
    title = reader.page.locator("h1").inner_text()
    writing.replace("docs/guide/cool.md", title, "Cooling anew")
    reader.expect_heading("Cooling anew")
    expect(reader.sidebar.get_by_role("link", name="Cooling anew")).to_be_visible()
    expect(reader.page).to_have_title(re.compile("^Cooling anew"))
    assert path.is_file()
    reader.expect_same_document()


def test_problem_is_shown_with_its_place_and_goes_when_it_is_mended(writing: Writing, open_reader: OpenReader) -> None:
    reader = open_page(open_reader, writing, "/guide/dry")
    path = writing.root / "docs/guide/dry.md"
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\n<b>[away](./gone-for-ever.md)</b>\n", encoding="utf-8")
    overlay = reader.page.get_by_role("region", name="Problems of the site")
    expect(overlay).to_contain_text("docs/guide/dry.md:")
    expect(overlay).to_contain_text('link "./gone-for-ever.md" leads to no document and no file.')
    assert find_violations(reader.page) == []
    path.write_text(before, encoding="utf-8")
    expect(reader.page.get_by_text("gone-for-ever")).to_have_count(0)
    reader.expect_same_document()
