"""The report of searches, the description of a site's search, and the route that says what answers searches."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from octavo.config import Config
from octavo.errors import ServeError
from octavo.search.insights.page import ADDRESS, LEAST_SECRET, report_route
from octavo.search.insights.store import InsightsStore
from octavo.search.opensearch import write_opensearch
from octavo.search.service import SearchService
from octavo.search.shards.files import MODE_PATH, bundle_shards, mode_file
from octavo.search.shards.mode import mode_route
from octavo.search.text.comparing import question_stems, text_stems
from tests.support.each import each

from .conftest import SETTINGS, MakeIndex

SECRET = "glaze-and-kilns!"


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.fixture
def report(tmp_path: Path, make_index: MakeIndex) -> Iterator[TestClient]:
    make_index({"Kiln": "Fires clay."})
    database = tmp_path / "insights.sqlite"
    store = InsightsStore(database)
    for number in range(SETTINGS.least_count):
        store.note_search(f"reader {number}", "porcelain", 1, "")
    store.note_search("reader", "stoneware", 1, "")
    store.close()

    async def name_index() -> str:
        return "index"

    route = report_route(database, SECRET, SearchService(tmp_path, name_index))
    with TestClient(Starlette(routes=[route])) as client:
        yield client


@pytest.mark.costly
def test_report_is_for_those_who_know_the_secret(report: TestClient) -> None:
    for given in (f"Bearer {SECRET}", f"bearer {SECRET} ", basic(f"anybody:{SECRET}"), basic(f":{SECRET}")):
        answer = report.get(ADDRESS, headers={"Authorization": given})
        assert answer.status_code == 200
        assert "porcelain" in answer.text
        assert "stoneware" not in answer.text
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    for given in ("", f"Bearer {SECRET}x", SECRET, basic(SECRET), basic(f"{SECRET}:"), "Basic ?", "Basic /w=="):
        answer = report.get(ADDRESS, headers={"Authorization": given})
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Basic realm=")
        assert "porcelain" not in answer.text


async def name_nothing() -> str:
    return ""


def test_report_of_a_site_that_is_not_published_says_so(tmp_path: Path) -> None:
    route = report_route(tmp_path / "insights.sqlite", SECRET, SearchService(tmp_path, name_nothing))
    answer = TestClient(Starlette(routes=[route])).get(ADDRESS, headers={"Authorization": f"Bearer {SECRET}"})
    assert (answer.status_code, answer.text) == (404, "No index is published here.\n")


def test_short_secret_of_the_report_is_refused(tmp_path: Path) -> None:
    assert len(SECRET) == LEAST_SECRET
    with pytest.raises(ServeError, match="take a longer one"):
        report_route(tmp_path / "insights.sqlite", SECRET[:-1], SearchService(tmp_path, name_nothing))


def test_days_for_which_searches_are_kept_can_be_changed(tmp_path: Path) -> None:
    store = InsightsStore(tmp_path / "insights.sqlite", retention_days=36500)
    store.keep_for(1)
    store.note_search("reader", "old", 1, "", 1_700_000_000)
    store.note_search("other", "new", 1, "")
    store.close()
    with sqlite3.connect(tmp_path / "insights.sqlite") as database:
        assert database.execute("SELECT query FROM search").fetchall() == [("new",)]
    database.close()


def description(config: Config) -> dict[str, ET.Element]:
    root = ET.fromstring(write_opensearch(config, "https://docs.example.org/find/a&b"))
    return {one.tag.partition("}")[2]: one for one in root}


def test_browsers_learn_the_name_and_the_address_of_the_search() -> None:
    config = Config(title="Kilns & Glazes of the World", url="https://docs.example.org", base_url="/docs/")
    found = description(config)
    assert found["ShortName"].text == "Kilns & Glazes o"
    assert found["Description"].text == "Search Kilns & Glazes of the World"
    assert found["Url"].get("template") == "https://docs.example.org/find/a&b?q={searchTerms}"
    assert "Image" not in found
    icon = description(msgspec.structs.replace(config, favicon="/img/kiln.ico"))["Image"]
    assert icon.text == "https://docs.example.org/docs/img/kiln.ico"


def test_server_says_that_it_answers_searches_and_where_the_static_index_is(tmp_path: Path) -> None:
    names = iter(["index", "", "index"])

    async def name_index() -> str:
        return next(names)

    path, content = mode_file("abc", has_bundle=True)
    assert msgspec.json.decode(content) == {"server": False, "root": "abc", "bundle": True}
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_bytes(content)
    client = TestClient(Starlette(routes=[mode_route(tmp_path, name_index)]))
    answer = client.get(f"/docs/{MODE_PATH}")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.json() == {"server": True, "root": "abc", "bundle": True}
    assert client.get(f"/{MODE_PATH}").json() == {"server": False, "root": "abc", "bundle": True}
    (tmp_path / path).write_bytes(b"{")
    assert client.get(f"/{MODE_PATH}").json() == {"server": True, "root": "", "bundle": False}


def test_all_files_of_a_static_index_are_written_as_one() -> None:
    (item,) = bundle_shards("abc", {"search/b.json": b"[2]", "search/a.json": b"[1]"}).items()
    path, content = item
    assert path.endswith("/all-abc.json")
    assert list(msgspec.json.decode(content).items()) == [("a", [1]), ("b", [2])]


@each(
    "text, language, stems",
    [
        ("Firing the kilns", "en", ["fire", "the", "kiln"]),
        ("Häuser", "de", ["haus"]),
        ("x86", "en", ["x86"]),
    ],
)
def test_texts_are_compared_by_stems(text: str, language: str, stems: list[str]) -> None:
    assert text_stems(text, language) == stems


@each(
    "question, given, stems",
    [
        ("How is the kiln fired?", {}, {"kiln": 1.0, "fire": 1.0}),
        ("How is it?", {}, {"how": 1.0, "is": 1.0, "it": 1.0}),
        ("FireBrick", {}, {"fire": 0.5, "brick": 0.5}),
        ("kilns", {"one_way": {"kilns": ["old ovens"]}}, {"kiln": 1.0, "old": 0.5, "oven": 0.5}),
        ("loam", {"synonyms": {"clay": ["loam"]}}, {"loam": 1.0, "clay": 1.0}),
    ],
)
def test_question_tells_what_it_is_about(
    question: str, given: dict[str, dict[str, list[str]]], stems: dict[str, float]
) -> None:
    assert question_stems(question, "en", given.get("synonyms"), given.get("one_way")) == stems
