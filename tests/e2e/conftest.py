"""Sites, servers, browsers and readers."""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.support import paths
from tests.support.browser import NOT_FOUND, find_browser, launch_browser
from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .pages import DESKTOP, TIMEOUT_MS, Answers, Reader, Settings

_PATIENCE_S = 600

HERE = Path(__file__).parent
NO_ANSWERS: Answers = {}
SHIPPED = paths.SITE
FIXTURES = HERE / "fixtures"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here as needing a browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it loudly when the browser tests were left out."""
    if any(NOT_FOUND in str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_sep("!", "browser tests skipped", red=True, bold=True)
        terminalreporter.write_line(NOT_FOUND, red=True)


@pytest.fixture(autouse=True)
def _end_of_patience() -> Iterator[None]:
    """A script that never answers ends this process with a trace, instead of holding everything up for ever."""
    faulthandler.dump_traceback_later(_PATIENCE_S, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """The driver of browsers, ended with the tests of this folder: while it is there, no other event loop runs in its thread."""
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all tests of a process; each reader has a context of its own."""
    executable = find_browser(playwright)
    if executable is None:
        pytest.skip(NOT_FOUND)
    launched = launch_browser(playwright, executable)
    yield launched
    launched.close()


def _serve(folder: Path, source: Path, changes: dict[str, str] | None = None) -> Iterator[Served]:
    site = copy_site(source, folder / "site", changes)
    publish_site(site, folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site of this repository."""
    yield from _serve(tmp_path_factory.mktemp("shipped"), SHIPPED)


@pytest.fixture(scope="session")
def editions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site with two locales and two versions of each, two announcements, a dropdown and pictures."""
    yield from _serve(tmp_path_factory.mktemp("editions"), FIXTURES / "editions")


@pytest.fixture(scope="session")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same site under a path, always light at first, with a bar that hides and a logo that has no name beside it."""
    changes = {
        'title = "Kiln"\nlogo = { src = "/img/mark.svg", src_dark = "/img/mark-dark.svg", alt = ""': (
            'logo = { src = "/img/mark.svg", src_dark = "/img/mark-dark.svg", alt = "Kiln"'
        ),
        'base_url = "/"': 'base_url = "/team/handbook/"',
        'default = "dark"': 'default = "light"',
        "respect_system = true": "respect_system = false",
        "hide_on_scroll = false": "hide_on_scroll = true",
    }
    yield from _serve(tmp_path_factory.mktemp("handbook"), FIXTURES / "editions", changes)


class OpenReader(Protocol):
    """Open a page as a reader of certain habits, before whom some addresses are answered by the test.

    Without `alive` nothing waits for the page's scripts.
    """

    def __call__(
        self,
        site: Served,
        route: str = "/",
        settings: Settings = DESKTOP,
        answers: Answers = NO_ANSWERS,
        *,
        alive: bool = True,
    ) -> Reader: ...


@pytest.fixture
def open_reader(browser: Browser) -> Iterator[OpenReader]:
    """Open readers; at the end none of them may have anything to complain about."""
    readers: list[Reader] = []

    def open_(
        site: Served,
        route: str = "/",
        settings: Settings = DESKTOP,
        answers: Answers = NO_ANSWERS,
        *,
        alive: bool = True,
    ) -> Reader:
        reader = Reader(browser, site, settings, answers)
        readers.append(reader)
        reader.visit(route, alive=alive)
        return reader

    yield open_
    complaints = [line for reader in readers for line in reader.leave()]
    assert not complaints, "\n".join(complaints)
