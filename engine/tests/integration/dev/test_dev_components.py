"""`octavo dev` follows the components of a site: what they draw is sent, and the rest of the site is left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.tests.integration.dev.conftest import Dev
from tests.support.sites import HOME, MakeSite, SiteFolder, page

StartDev = Callable[[Path], Dev]

BOX = """import "./Box.css";
import { word } from "./lib/word";
globalThis.count = (globalThis.count ?? 0) + 1;
export default function Box() { return <p className="box">{word} SAVED {globalThis.count}</p>; }
"""
FOOTER = "export const contract = 1;\nexport default () => <p>FOOTER</p>;\n"


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site(
        {
            **HOME,
            "components/Box.tsx": BOX,
            "components/Box.css": ".box { color: red }\n",
            "components/lib/word.ts": "export const word = 'first';\n",
            "components/Unused.tsx": "export default () => <p>nobody</p>;\n",
            "slots/footer.tsx": FOOTER,
            "docs/a.md": page("A", "<Box />"),
            "docs/b.md": page("B", "Without."),
        }
    )


def plain(html: str) -> str:
    """Return what the component has drawn into a page."""
    return html.partition('<p class="box">')[2].partition("</p>")[0].replace("<!-- -->", "")


def style_of(html: str) -> str:
    """Return the address of the style sheet of the first component of a page."""
    return html.partition("<main")[2].partition('<link rel="stylesheet" href="')[2].partition('"')[0]


def next_change(events: Iterator[Any]) -> Any:
    """Return the next message about pages."""
    return next(event for event in events if event["problems"] is None)


def test_a_saved_component_brings_the_pages_that_show_it(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    assert plain(dev.get("/a")[1].decode()) == "first SAVED 1"
    with dev.listen() as events:
        next(events)
        for path, content, wanted in (
            ("components/Box.tsx", BOX.replace("SAVED", "AGAIN"), "first AGAIN 1"),
            ("components/lib/word.ts", "export const word = 'second';\n", "second AGAIN 1"),
            ("components/Box.tsx", BOX.replace("SAVED", "LAST"), "second LAST 1"),
        ):
            site.write({path: content})
            changes = iter(lambda: next_change(events), None)
            # A file may be read while it is empty, before it is written.
            change = next(one for one in changes if one["isWhole"] or plain(one["pages"][0]["html"]) == wanted)
            assert ([one["path"] for one in change["pages"]], change["isWhole"]) == (["/a"], False)
    # What a module has left behind in one state of the site is not there in the next: the count is 1 in each.
    assert plain(dev.get("/a")[1].decode()) == "second LAST 1"


def test_a_saved_style_sheet_of_a_component_is_served(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        next(events)
        site.write({"components/Box.css": ".box { color: blue }\n"})
        assert [one["path"] for one in next_change(events)["pages"]] == ["/a"]
    dev.wait_until(lambda: dev.get(style_of(dev.get("/a")[1].decode())) == (200, b".box { color: blue }\n"))


def test_mistakes_in_components_are_told_whether_or_not_a_page_shows_them(
    site: SiteFolder, start_dev: StartDev
) -> None:
    dev = start_dev(site.root)
    site.write({"components/Unused.tsx": "export default () => <p>;\n"})
    dev.wait_until(lambda: dev.problems() == ["components/Unused.tsx:1:19"])
    site.write({"components/Unused.tsx": "export default () => <p>nobody</p>;\n"})
    dev.wait_until(lambda: dev.problems() == [])
    site.write({"components/Box.tsx": BOX.replace("{word}", "{wrong}")})
    dev.wait_until(lambda: dev.problems() == ["components/Box.tsx:4:59"])
    site.write({"components/Box.tsx": BOX})
    dev.wait_until(lambda: dev.problems() == [])
    assert plain(dev.get("/a")[1].decode()).startswith("first SAVED")


def test_a_saved_slot_and_a_new_component_change_all_that_shows_them(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        next(events)
        site.write({"slots/footer.tsx": FOOTER.replace("FOOTER", "Below")})
        assert next_change(events)["isWhole"]
    for path in ("/a", "/b"):
        dev.wait_until(lambda path=path: b"<p>Below</p>" in dev.get(path)[1])
    site.write({"components/New.tsx": "export default () => <p>new</p>;\n", "docs/b.md": page("B", "<New />")})
    dev.wait_until(lambda: b"<p>new</p>" in dev.get("/b")[1])
    (site.root / "components/New.tsx").unlink()
    dev.wait_until(lambda: b"<p>new</p>" not in dev.get("/b")[1])


def test_the_processes_for_components_are_two_at_most_and_end_with_the_server(
    site: SiteFolder, start_dev: StartDev
) -> None:
    dev = start_dev(site.root)
    host = b"component_host"
    with dev.listen() as events:
        next(events)
        for count in range(5):
            site.write({"components/Box.tsx": BOX.replace("SAVED", f"SAVED{count}")})
            next_change(events)
            assert len(dev.children(host)) <= 2
    dev.wait_until(lambda: len(dev.children(host)) == 2)
    # A process that was prepared and has died is no reason to show nothing.
    dev.kill_children(host)
    site.write({"components/Box.tsx": BOX.replace("SAVED", "ALIVE")})
    dev.wait_until(lambda: b"ALIVE" in dev.get("/a")[1])
    running = dev.children(host)
    dev.stop()
    for process in running:
        assert not Path(f"/proc/{process}").exists()
