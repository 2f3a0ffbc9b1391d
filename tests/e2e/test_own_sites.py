"""Two sites that look and act unlike ours, from settings and files alone, without a warning. `test_own_layout` has a third."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.support.html import html_files, html_findings
from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .conftest import FIXTURES, OpenReader
from .pages import Settings


@contextmanager
def _served(name: str, folder: Path) -> Iterator[Served]:
    publish_site(copy_site(FIXTURES / name, folder / "site"), folder / "out", is_strict=True)
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Served]]:
    """Name of a fixture → its site."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(_served(name, tmp_path_factory.mktemp(name))) for name in ("library", "fieldbook")
        }


def test_pages_are_valid_html(sites: dict[str, Served], editions: Served, tmp_path: Path) -> None:
    files = [file for site in (*sites.values(), editions) for file in html_files(site.out)]
    assert len(files) > 50
    assert html_findings(files, tmp_path) == []


def test_python_library_has_reference_and_blog(sites: dict[str, Served], open_reader: OpenReader) -> None:
    reader = open_reader(sites["library"], "/guide/first-table", Settings(width=390, system="dark"))
    page = reader.page
    reader.expect_no_sideways_scroll()
    reader.mark_document()
    page.locator("article").get_by_role("link", name="height", exact=True).click()
    reader.expect_heading("tidepool")
    expect(page.locator("[id='tidepool.Station.height']")).to_be_in_viewport()
    reader.expect_no_sideways_scroll()
    reader.expect_same_document()
    reader.visit("/blog/")
    posts = page.locator("article h2")
    expect(posts).to_have_text(["Curves in 1.1", "Tidepool 1.0"])
    expect(page.locator("article")).to_contain_text("Version 1.1 samples whole days with tidepool.Station.curve.")
    page.get_by_role("link", name="Lars Holm").click()
    expect(posts).to_have_text(["Curves in 1.1"])


@pytest.mark.parametrize(("width", "mode"), [(390, "dark"), (1280, "light")])
def test_handbook_looks_and_works_as_its_files_say(
    sites: dict[str, Served], open_reader: OpenReader, width: int, mode: Literal["light", "dark"]
) -> None:
    reader = open_reader(sites["fieldbook"], "/", Settings(width=width, system=mode))
    page = reader.page
    reader.expect_no_sideways_scroll()
    expect(page.locator("html")).to_have_css(
        "background-color", {"dark": "rgb(16, 20, 31)", "light": "rgb(255, 250, 240)"}[mode]
    )
    expect(page.locator(".rota")).to_have_css("display", "grid")
    expect(page.locator(".rota li b")).to_have_text(["Mon", "Tue", "Wed", "Thu", "Fri"])
    expect(page.locator(".owner")).to_have_text("Ask Ines Duarte about this chapter.")
    expect(page.locator("section.emergency")).to_contain_text("Call 112.")
    page.get_by_role("button", name="watch", exact=True).click()
    expect(page.get_by_text("Four hours in the lamp room.")).to_be_visible()
    page.get_by_role("link", name="spare lamp").click()
    reader.expect_heading("The lamp")
    expect(page.get_by_role("cell", name="Head keeper")).to_be_visible()
    reader.expect_no_sideways_scroll()
