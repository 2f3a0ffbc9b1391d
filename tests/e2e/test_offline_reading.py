"""Pages without the site: read again and searched while it cannot be reached, and printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from octavo.publish.build import build_site
from tests.support.serving import Served

from .conftest import OpenReader
from .folders import serve_folder
from .searching import reopen_dialog

KEPT = """async (ending) => {
  const holds = async () => {
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) if (new RegExp(ending).test(url)) return true;
    return false;
  };
  while (!(await holds())) await new Promise(requestAnimationFrame);
}"""
"""Waits for a file whose address matches; `wait_for_function` does not wait for what a function promises."""
LEFT = """async () => {
  while ((await navigator.serviceWorker.getRegistrations()).length > 0) await new Promise(requestAnimationFrame);
}"""


def write_site(folder: Path, *, offline: bool = True, title: str = "Firing") -> Path:
    pages = {
        "index.md": "# Start\n\nSee [how to fire](firing.md) and [how to glaze](glazing.md).\n",
        "firing.md": f"# {title}\n\nBack to the [start](index.md).\n",
        "glazing.md": "# Glazing\n\nA glaze of feldspar needs 1,200 degrees.\n",
    }
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    setting = "offline = true\n" if offline else ""
    (folder / "octavo.toml").write_text(f'title = "Kiln"\nurl = "https://example.org"\n{setting}')
    return folder


def publish(site: Path, out: Path) -> None:
    assert build_site(site, out).is_published


@pytest.fixture
def hosts() -> Iterator[ExitStack]:
    """Hosts of files; requested before `open_reader`, for they must outlive the pages."""
    with ExitStack() as running:
        yield running


def test_pages_and_search_without_the_site_and_its_changes_when_it_is_back(
    hosts: ExitStack, open_reader: OpenReader, tmp_path: Path
) -> None:
    site, out = write_site(tmp_path / "site"), tmp_path / "out"
    publish(site, out)
    with serve_folder(out) as origin:
        reader = open_reader(Served(out, origin, "/"), "/")
        page = reader.page
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.evaluate(KEPT, "/find/all-")
        reader.follow("how to fire")
        expect(page.get_by_role("heading", level=1)).to_have_text("Firing")
        page.evaluate(KEPT, "/firing/$")
    reader.watch.forgive(r"ERR_|503|Failed to fetch|1/indexes|offline-worker")
    read_without_the_site(page)
    dialog = reopen_dialog(reader)
    dialog.ask("feldspar")
    expect(dialog.options.first).to_contain_text("Glazing")
    page.goto(f"{origin}/glazing/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "This could not be loaded: the site does not answer. Check your connection."
    )
    expect(page.get_by_role("link", name="Firing | Kiln")).to_be_visible()

    # A new build, of a site that has no worker any more.
    publish(write_site(site, offline=False, title="Firing anew"), out)
    port = int(origin.rpartition(":")[2])
    with serve_folder(out, port=port):
        page.goto(f"{origin}/firing/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Firing anew")
        page.evaluate(LEFT)


def read_without_the_site(page: Page) -> None:
    """Load the page again, and go from it to the one that was read first."""
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Firing")
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")
    page.get_by_role("link", name="start", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Start")
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")


def test_page_for_paper_becomes_a_pdf_with_links_inside(
    hosts: ExitStack, open_reader: OpenReader, tmp_path: Path
) -> None:
    """Each page of the site starts on a new sheet; contents and links lead to places in the PDF, not to the site."""
    site, out = write_site(tmp_path / "site", offline=False), tmp_path / "out"
    with (site / "octavo.toml").open("a") as settings:
        settings.write('print_pages = "sidebars"\n')
    publish(site, out)
    origin = hosts.enter_context(serve_folder(out))
    (address,) = (out / "print").glob("*/index.html")
    page = open_reader(Served(out, origin, "/"), "/").page
    page.goto(f"{origin}/print/{address.parent.name}/")
    expect(page.get_by_role("heading", level=2)).to_have_text(["Start", "Firing", "Glazing"])
    page.get_by_role("navigation").get_by_role("link", name="Glazing").click()
    expect(page.locator("#glazing")).to_be_in_viewport()
    pdf = page.pdf()
    assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) == 4
    # Three entries of the contents; to fire, to glaze, and back.
    assert len(re.findall(rb"/Subtype /Link[^>]*?/Dest\b", pdf)) == 6
    assert origin.encode() not in pdf
