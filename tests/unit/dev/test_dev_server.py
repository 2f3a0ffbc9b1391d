"""`recto dev`: whatever an author saves, the server lives on and says what is wrong."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recto.dev.state import load_state
from recto.dev.watching import take_snapshot
from tests.conftest import HOME, MakeSite, SiteFolder, page
from tests.unit.dev.conftest import Dev


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": page("A", "First.")})


def state(site: SiteFolder) -> Any:
    return load_state(site.root / ".recto/dev/state.json")


def test_broken_and_mended_pages_and_settings_never_end_the_server(
    site: SiteFolder, start_dev: Callable[[Path], Dev]
) -> None:
    dev = start_dev(site.root)
    assert b"First." in dev.get("/a")[1]
    site.write({"docs/a.md": page("A", "Broken: [x](./gone.md)")})
    dev.wait_until(lambda: b"Broken:" in dev.get("/a")[1])
    dev.wait_until(lambda: [str(problem.span) for problem in state(site).problems] == ["docs/a.md:5:9"])
    site.write({"recto.toml": "title = 1"})
    dev.wait_until(lambda: "recto.toml" in state(site).failure)
    assert b"Broken:" in dev.get("/a")[1]
    site.write({"recto.toml": 'title = "Mended"', "docs/a.md": page("A", "Mended.")})
    dev.wait_until(lambda: b"Mended." in dev.get("/a")[1])
    dev.wait_until(lambda: (state(site).problems, state(site).failure) == ([], ""))


def test_events_tell_of_each_build(site: SiteFolder, start_dev: Callable[[Path], Dev]) -> None:
    dev = start_dev(site.root)
    connection = http.client.HTTPConnection(dev.origin.removeprefix("http://"), timeout=30)
    connection.request("GET", "/_recto/dev/events")
    answer = connection.getresponse()
    first = json.loads(answer.readline().removeprefix(b"data: "))
    answer.readline()
    site.write({"docs/a.md": page("A", "Second.")})
    second = json.loads(answer.readline().removeprefix(b"data: "))
    connection.close()
    assert (first["number"], second["number"]) == (1, 2)
    assert first["build"] != second["build"]


def test_search_includes_the_edit(site: SiteFolder, start_dev: Callable[[Path], Dev]) -> None:
    dev = start_dev(site.root)
    site.write({"docs/a.md": page("A", "A porcupine.")})

    def is_found() -> bool:
        body = json.dumps({"query": "porcupine"})
        connection = http.client.HTTPConnection(dev.origin.removeprefix("http://"), timeout=30)
        headers = {"x-algolia-application-id": "recto", "x-algolia-api-key": "public-search-key"}
        connection.request("POST", "/1/indexes/docs/query", body, headers)
        found = json.loads(connection.getresponse().read())
        connection.close()
        return bool(found.get("nbHits"))

    dev.wait_until(is_found)


def test_ledger_of_addresses_stays_as_it_is(site: SiteFolder, start_dev: Callable[[Path], Dev]) -> None:
    site.write({"addresses.txt": "/\n"})
    assert start_dev(site.root).get("/a")[0] == 200
    assert (site.root / "addresses.txt").read_text() == "/\n"


def test_what_builds_write_is_no_change(site: SiteFolder) -> None:
    before = take_snapshot(site.root, site.root / "build")
    site.write({"build/index.html": "x", ".recto/x": "x", ".git/x": "x"})
    assert take_snapshot(site.root, site.root / "build") == before
