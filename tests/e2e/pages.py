"""Page objects: what a reader does and sees, in the reader's words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.support.serving import Served

from .watch import Watch

TIMEOUT_MS = 30_000
"""For each wait, in ms: a machine that is held up for some seconds is not a failure."""

IS_HYDRATED = """() => {
  // A document that has only just come has no element yet.
  const ours = document.documentElement?.dataset.hydrated !== undefined;
  // React leaves its mark on every element it has taken over; the sidebar follows when its data is here.
  const taken = (element) => Object.keys(element).some((key) => key.startsWith("__reactProps"));
  return ours && [...document.querySelectorAll("nav.sidebar > ul, [data-island=tabs] > div")].every(taken);
}"""

# What the first frame left out has its height when the place is known.
IS_ALIVE = f"""() => ({IS_HYDRATED})() && document.documentElement.dataset.unfolded !== undefined """

# Past the next frame, and what was put off until after it.
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))"

AT_REST = """() => document.getAnimations()
  .every(({ playState, timeline }) => playState !== "running" || !(timeline instanceof DocumentTimeline))"""
"""No transition is under way: colors and sizes that are read half-way are those of neither state.

What follows the scroll position runs as long as the page is there.
"""

_SIDEWAYS = """() => {
  window.scrollTo({ left: 10000, top: window.scrollY, behavior: "instant" });
  const reached = window.scrollX;
  window.scrollTo({ left: 0, top: window.scrollY, behavior: "instant" });
  return reached === 0;
}"""

_BELOW_BAR = """([element, least, most]) => {
  const { bottom } = document.querySelector("header.top-bar").getBoundingClientRect();
  const distance = element.getBoundingClientRect().top - bottom;
  return distance >= least && distance < most;
}"""

# Once for each reader: a later visit finds what the site has made of it. The first, empty page has no storage.
_STORE = """if (location.protocol === "http:" && !sessionStorage.getItem("test.stored")) {
  sessionStorage.setItem("test.stored", "1");
  for (const [key, value] of Object.entries(%s)) localStorage.setItem(key, value);
}"""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Habits of a reader and of the reader's machine."""

    width: int = 1440
    """Of the window, in px."""
    height: int = 900
    system: Literal["light", "dark"] = "light"
    """What the machine prefers."""
    has_scripts: bool = True
    stored: dict[str, str] = {}
    """Content of the site's storage before the first visit."""
    reduces_motion: bool = False
    grants: list[str] = []
    """Permissions, such as `clipboard-read`."""
    init_script: str = ""
    """Runs in each document before everything else."""
    is_touch: bool = False


Answers = Mapping[str, Callable[[Route], None]]
"""Pattern of addresses → what answers in the place of the server."""

DESKTOP = Settings()
PHONE = Settings(width=390, height=844)
METERED = Settings(
    init_script="Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) });"
)
"""A reader without prefetching: a page is requested when its link is clicked."""


def settings(base: Settings = DESKTOP, **changes: Any) -> Settings:
    """Change some habits of a reader."""
    return msgspec.structs.replace(base, **changes)


class Reader:
    """A reader with one window, watched all the time."""

    def __init__(self, browser: Browser, site: Served, habits: Settings, answers: Answers) -> None:
        self.site = site
        self.habits = habits
        self.context = browser.new_context(
            viewport={"width": habits.width, "height": habits.height},
            color_scheme=habits.system,
            reduced_motion="reduce" if habits.reduces_motion else "no-preference",
            java_script_enabled=habits.has_scripts,
            has_touch=habits.is_touch,
            permissions=habits.grants,
            locale="en-US",
            timezone_id="UTC",
        )
        self.context.set_default_timeout(TIMEOUT_MS)
        if habits.stored:
            self.context.add_init_script(_STORE % json.dumps(habits.stored))
        if habits.init_script:
            self.context.add_init_script(habits.init_script)
        for address, answer in answers.items():
            self.context.route(address, answer)
        self.watch = Watch(self.context, site.origin)
        self.page: Page = self.context.new_page()

    # Coming and going

    def visit(self, route: str, *, alive: bool = True) -> None:
        """Open a route in the address bar and wait until the page lives, if it will."""
        self.page.goto(self.site.url(route))
        if alive:
            self.wait_until_alive()

    def open_tab(self, route: str) -> Reader:
        """Open another tab of the same browser window."""
        other = object.__new__(Reader)
        other.__dict__.update(self.__dict__)
        other.page = self.context.new_page()
        other.visit(route)
        return other

    def wait_until_alive(self) -> None:
        """Wait until scripts have taken over, where there are any."""
        if self.habits.has_scripts:
            self.page.wait_for_function(IS_ALIVE)

    def resize(self, width: int, height: int = 900) -> None:
        """Change the window, and wait until the page has laid itself out anew."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function("width => innerWidth === width", arg=width)
        # Observers of sizes are called in the next frame.
        self.page.evaluate(NEXT_FRAME)

    def emulate(self, **media: Any) -> None:
        """Change what the page is shown on, as `Page.emulate_media`, and wait for the colors that follow."""
        self.page.emulate_media(**media)
        self.page.wait_for_function(AT_REST)

    def hold_clock(self) -> None:
        """Stop the timers that the page sets from now on; `page.clock` lets them run."""
        self.page.evaluate(NEXT_FRAME)
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1)

    def leave(self) -> list[str]:
        """Close the window and say what was wrong with the visit."""
        # The handler of a route that is still fetching would fail on the closed window, and in the next test.
        for place in (self.context, *self.context.pages):
            place.unroute_all(behavior="ignoreErrors")
        self.context.close()
        return self.watch.complaints()

    # Where the reader is

    def expect_at(self, route: str) -> None:
        """Expect the address bar to show a route, and the page's HTML to have come as a whole.

        The address of another document is there with its first bytes: a value that is read then may be half of an element.
        """
        expect(self.page).to_have_url(self.site.url(route))
        self.page.wait_for_load_state("domcontentloaded")

    def expect_heading(self, text: str) -> None:
        """Expect the page to be about something."""
        expect(self.page.locator("h1")).to_have_text(text)

    def mark_document(self) -> None:
        """Leave a mark that only this document bears; see `expect_same_document`."""
        self.page.evaluate("window.markOfTheTest = true")

    def expect_same_document(self) -> None:
        """Expect the browser to have the document that was marked; what follows an act must be waited for before."""
        self.page.wait_for_load_state()
        assert self.page.evaluate("window.markOfTheTest === true") is True

    def expect_other_document(self) -> None:
        """Expect the browser to load another document than the one that was marked."""
        self.expect_true("() => window.markOfTheTest === undefined")

    def expect_true(self, condition: str, argument: Any = None) -> None:
        """Expect a function of the page to answer true, now or later: a value that is read once may be too early.

        Args:
            condition: A JavaScript function. It may not throw, as where it reads an element that has yet to come.
            argument: What it is called with.
        """
        self.page.wait_for_function(condition, arg=argument)

    @property
    def scroll_y(self) -> float:
        """How far the page is scrolled, in px."""
        position: float = self.page.evaluate("window.scrollY")
        return position

    def expect_scrolled(self, y: float, *, within: float = 2) -> None:
        """Expect the page to be scrolled to a place, in px."""
        self.expect_true("([y, within]) => Math.abs(window.scrollY - y) < within", [y, within])

    def expect_below_bar(self, place: Locator, *, least: float = 0, most: float) -> None:
        """Expect an element so far below the top bar, in px."""
        self.expect_true(_BELOW_BAR, [place.element_handle(), least, most])

    def scroll_to(self, y: float) -> None:
        """Scroll the page and wait until it is there; again where what is above has got another height meanwhile."""
        self.page.wait_for_function(
            "y => Math.abs(window.scrollY - y) < 2 || window.scrollTo({ top: y, behavior: 'instant' })", arg=y
        )

    def expect_stored(self, key: str, value: str | None) -> None:
        """Expect a value in the site's storage; None: nothing."""
        self.expect_true("([key, value]) => localStorage.getItem(key) === value", [key, value])

    def expect_no_sideways_scroll(self) -> None:
        """Expect that the page can't be scrolled sideways."""
        self.expect_true(_SIDEWAYS)

    def focused(self) -> Locator:
        """Give the element that has the focus."""
        return self.page.locator("*:focus")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    # Parts of the page

    @property
    def bar(self) -> Locator:
        return self.page.get_by_role("navigation", name="Main", exact=True)

    @property
    def sidebar(self) -> Locator:
        return self.page.locator("nav.sidebar")

    @property
    def article(self) -> Locator:
        return self.page.get_by_role("main")

    @property
    def toc(self) -> Locator:
        return self.page.get_by_role("navigation", name="On this page")

    @property
    def breadcrumbs(self) -> Locator:
        return self.page.get_by_role("navigation", name="Breadcrumbs")

    @property
    def pager(self) -> Locator:
        return self.page.get_by_role("navigation", name="Docs pages")

    @property
    def footer(self) -> Locator:
        return self.page.get_by_role("contentinfo")

    @property
    def announcer(self) -> Locator:
        """The live region, which screen readers announce changes from."""
        return self.page.get_by_role("status")

    @property
    def hamburger(self) -> Locator:
        return self.page.get_by_role("button", name="Toggle navigation bar")

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("dialog").filter(has=self.page.get_by_role("button", name="Close navigation bar"))

    @property
    def color_mode(self) -> ColorMode:
        return ColorMode(self.page)

    def link(self, name: str, *, within: Locator | None = None) -> Locator:
        """Give the first link of a name, of the article or of another part of the page."""
        return (within or self.article).get_by_role("link", name=name).first

    def follow(self, name: str, *, within: Locator | None = None) -> None:
        """Click a link by its name, and wait until the address is another one; see `link` for one that leads nowhere."""
        before = self.page.url
        self.link(name, within=within).click()
        self.page.wait_for_url(lambda address: address != before)

    def tabs(self, index: int) -> Tabs:
        """Give a set of tabs of the article, counted from 0."""
        return Tabs(self.article.locator(".tabs").nth(index))

    def code(self, text: str) -> CodeBlock:
        """Find the code block that contains a text."""
        return CodeBlock(self.article.locator("figure.code").filter(has_text=text).first)

    def open_drawer(self) -> Locator:
        """Open the drawer and give it."""
        # One that was closed takes its entry of the history away, which the browser does in its own time.
        self.page.wait_for_function("() => history.state?.isOverlay === undefined")
        self.hamburger.click()
        expect(self.drawer).to_be_visible()
        return self.drawer


class Tabs:
    """One set of tabs."""

    def __init__(self, root: Locator) -> None:
        self.root = root

    def tab(self, label: str) -> Locator:
        return self.root.get_by_role("tab", name=label, exact=True).first

    def choose(self, label: str) -> None:
        self.tab(label).click()

    def expect_chosen(self, label: str) -> None:
        """Expect one tab to be chosen, and its panel alone to be seen."""
        expect(self.tab(label)).to_have_attribute("aria-selected", "true")
        expect(self.root.locator(":scope > [role=tablist] [aria-selected=true]")).to_have_count(1)
        expect(self.root.locator(":scope > [role=tabpanel]:visible")).to_have_count(1)
        expect(self.root.locator(f":scope > [role=tabpanel][data-label={label!r}]")).to_be_visible()


class CodeBlock:
    """One block of code."""

    def __init__(self, root: Locator) -> None:
        self.root = root

    def copy(self) -> None:
        """Press the copy button and wait until it says that it has copied.

        It says so for a second only: the reader's clock must be held.
        """
        self.root.hover()
        self.root.get_by_role("button", name="Copy code to clipboard").click()
        expect(self.root.get_by_role("button", name="Copied")).to_be_visible()

    @property
    def wrap_button(self) -> Locator:
        return self.root.get_by_role("button", name="Toggle word wrap")


class ColorMode:
    """The mode that is shown, and the button that changes it."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @property
    def button(self) -> Locator:
        return self._page.get_by_role("button", name="Switch between dark and light mode")

    def expect_shown(self, mode: str, *, choice: str) -> None:
        """Expect a mode on the page, and the choice that led to it."""
        root = self._page.locator("html")
        expect(root).to_have_attribute("data-theme", mode)
        expect(root).to_have_attribute("data-theme-choice", choice)
