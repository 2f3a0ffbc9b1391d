"""The search index of a build: what the next build takes over from it, and what it makes anew."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from octavo.config import load_config
from octavo.content import TextChunk
from octavo.documents import Body
from octavo.publish.search_index import publish_index
from octavo.publish.search_shards import PublishedShards, StaticIndex
from octavo.publish.staging import Staging
from octavo.runtime import Cache
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.protocol.answer import make_answer
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine
from octavo.site import AssetStore, DocumentSummary, LinkResolver, Site, assemble_site, find_sources
from tests.support.sites import MakeSite, SiteFolder


class Texts:
    """Bodies with one paragraph each, whose keys are the paragraphs."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def load(self, body_key: str) -> Body:
        self.read.append(body_key)
        return Body("", [], [], [TextChunk("paragraph", -1, body_key)], "")


class Indexed:
    """A site of pages with one paragraph each, whose index is published again and again."""

    def __init__(self, folder: SiteFolder, place: Path) -> None:
        self._folder = folder
        self._place = place
        self.out = place / "out"
        self.read: list[str] = []
        """Paragraphs that the last build has read."""
        self.steps: list[tuple[int, int]] = []
        """What the last build has told of its progress."""
        self.index = ""
        self.shards = PublishedShards({}, 0)
        self.written: set[str] = set()
        """Files that the last build has made anew."""

    def build(self, pages: dict[str, str], *, largest_bundle: int = 0, is_static: bool = True) -> None:
        """Publish the index of pages: name → paragraph."""
        before = {path.name for path in self.out.rglob("*") if path.is_file()}
        cache, bodies, site = Cache(self._place / "cache"), Texts(), self._site(pages)
        staging = Staging.make(self.out, self._place / "work")
        self.steps = []
        with StaticIndex(staging, cache, largest_bundle=largest_bundle) as static:
            self.index, finish = publish_index(
                site,
                resolver=LinkResolver(site, AssetStore(self._folder.root, site.config.static)),
                bodies=bodies,
                staging=staging,
                out=self.out,
                cache=cache,
                report=lambda _, done, total: self.steps.append((done, total)),
                static=static if is_static else None,
            )
            self.shards = static.publish() if is_static else PublishedShards({}, 0)
            finish()
        staging.publish(self.shards.files)
        self.read = bodies.read
        self.written = {path.name for path in self.out.rglob("*") if path.is_file()} - before

    def configure(self, settings: str) -> None:
        """Give the site other settings."""
        self._folder.write({"octavo.toml": f'title = "Site"\n{settings}'})

    def _site(self, pages: dict[str, str]) -> Site:
        root = self._folder.root
        shutil.rmtree(root / "docs", ignore_errors=True)
        self._folder.write({f"docs/{name}.md": text for name, text in pages.items()})
        config = load_config(root)
        sources = find_sources(root, config)
        plain = self._folder.assemble()
        summaries: dict[str, DocumentSummary] = {}
        for page in plain.pages:
            if page.summary is not None:
                text = pages[page.doc_id]
                summaries[page.summary.source_path] = msgspec.structs.replace(page.summary, body_key=text)
        return assemble_site(config, sources, summaries, site_dir=root, history={})

    def found(self, query: str) -> list[str]:
        """Search as the server does: the routes that are found."""
        raw = {"query": query}
        answer = make_answer(Engine(IndexReader(self.out / self.index)), "docs", parse_parameters(raw), raw)
        return [urlsplit(hit["url"]).path for hit in answer["hits"]]


PAGES = {"a": "Porcelain cools slowly.", "b": "Earthenware is porous.", "c": "Glazes run.", "d": "Kilns are hot."}
NEW = {"b": "Stoneware is dense."}


@pytest.fixture
def indexed(make_site: MakeSite, tmp_path: Path) -> Indexed:
    return Indexed(make_site({}), tmp_path)


def test_next_build_reads_only_pages_that_have_changed(indexed: Indexed) -> None:
    indexed.build(PAGES)
    assert sorted(indexed.read) == sorted(PAGES.values())
    assert indexed.steps[-1] == (4, 4)
    assert indexed.found("porous") == ["/b"]
    name = indexed.index
    indexed.build(PAGES)
    assert (indexed.read, indexed.index, indexed.written) == ([], name, set())
    indexed.build(PAGES | NEW)
    assert indexed.read == list(NEW.values())
    assert indexed.index != name
    assert (indexed.found("porous"), indexed.found("dense"), indexed.found("glazes")) == ([], ["/b"], ["/c"])
    assert not (indexed.out / name).exists()


def test_index_of_mostly_new_pages_is_made_anew(indexed: Indexed) -> None:
    indexed.build(PAGES, is_static=False)
    indexed.build(PAGES | {"b": "1", "c": "2"}, is_static=False)
    assert sorted(indexed.read) == sorted((PAGES | {"b": "1", "c": "2"}).values())
    indexed.build(PAGES | {"b": "3", "c": "2"}, is_static=False)
    assert indexed.read == ["3"]
    gone = {name: text for name, text in PAGES.items() if name != "d"} | {"b": "3", "c": "2"}
    indexed.build(gone, is_static=False)
    assert sorted(indexed.read) == sorted(gone.values())
    assert (indexed.found("porcelain"), indexed.found("kilns")) == (["/a"], [])


def test_index_of_other_settings_is_made_anew(indexed: Indexed) -> None:
    indexed.build(PAGES, is_static=False)
    indexed.configure("[search]\nmost_per_second = 7\n")
    indexed.build(PAGES, is_static=False)
    assert sorted(indexed.read) == sorted(PAGES.values())
    assert IndexReader(indexed.out / indexed.index).settings.most_per_second == 7


def test_damaged_index_is_made_anew(indexed: Indexed) -> None:
    indexed.build(PAGES)
    for path in (indexed.out / indexed.index).iterdir():
        path.write_bytes(b"damaged")
    indexed.build(PAGES)
    assert sorted(indexed.read) == sorted(PAGES.values())
    assert indexed.found("porous") == ["/b"]


def test_lost_files_of_words_are_made_anew(indexed: Indexed) -> None:
    indexed.build(PAGES)
    files = indexed.shards.files
    for address in files:
        (indexed.out / address).unlink()
    indexed.build(PAGES | NEW)
    assert sorted(indexed.read) == sorted((PAGES | NEW).values())
    assert all((indexed.out / address).is_file() for address in indexed.shards.files)


def test_files_of_the_index_before_stay_for_readers_who_have_its_pages_open(indexed: Indexed) -> None:
    indexed.build(PAGES)
    first = set(indexed.shards.files)
    indexed.build(PAGES | NEW)
    second = set(indexed.shards.files)
    assert first - {mode for mode in first if mode.endswith("find.json")} <= second
    indexed.build(PAGES | NEW | {"c": "Slips run."})
    assert not first <= set(indexed.shards.files)


def test_one_file_for_readers_without_a_network_is_made_unless_it_is_too_large(indexed: Indexed) -> None:
    indexed.build(PAGES, largest_bundle=1_000_000)
    [bundle] = [address for address in indexed.shards.files if "/all-" in address]
    assert indexed.shards.too_large == 0
    size = indexed.shards.files[bundle].size
    indexed.build(PAGES, largest_bundle=1_000_000)
    assert (bundle in indexed.shards.files, indexed.written) == (True, set())
    indexed.build(PAGES | NEW, largest_bundle=1_000_000)
    [other] = [address for address in indexed.written if address.startswith("all-")]
    assert other != bundle.rpartition("/")[2]
    indexed.build(PAGES, largest_bundle=size - 1)
    assert (bundle in indexed.shards.files, indexed.shards.too_large) == (False, size)
    indexed.build(PAGES, largest_bundle=size - 1)
    assert indexed.shards.too_large == size
    indexed.build(PAGES, largest_bundle=size)
    assert (bundle in indexed.shards.files, indexed.shards.too_large) == (True, 0)
    indexed.build(PAGES)
    assert (bundle in indexed.shards.files, indexed.shards.too_large) == (False, 0)


def test_index_without_pages_finds_nothing(indexed: Indexed) -> None:
    """As where all pages are unlisted."""
    indexed.build({})
    assert (indexed.read, indexed.steps) == ([], [])
    assert indexed.found("porous") == []
    indexed.build(PAGES)
    assert indexed.found("porous") == ["/b"]
    indexed.build({})
    assert indexed.found("porous") == []
