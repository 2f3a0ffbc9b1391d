"""Files of static search that are made of the last ones: the same as all made anew."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec
import pytest

from engine.tests.unit.search.conftest import records
from octavo.manifest import hash_content
from octavo.search.index.record import Indexed
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.shards import export, postings
from octavo.search.shards.contents import IndexedPage, gather_contents, starts_of_editions
from octavo.search.shards.entries import EntriesInMemory
from octavo.search.shards.export import IndexSource, ShardsExport
from octavo.search.shards.files import SHARDS_FOLDER, InMemory, cut, recut
from octavo.search.shards.page_numbers import GROUP
from octavo.search.shards.parts import digest_of_part, make_part
from octavo.search.shards.postings import write_letters
from octavo.search.shards.stored import Stored

BASE = "https://docs.example.org"
SETTINGS = IndexSettings(
    app_id="app",
    api_key="key",
    index_name="docs",
    synonyms={"kiln": ["oven"]},
    rules=[Rule("pin", ["glaze"], pinned=[f"{BASE}/page-3#two"], hidden=[f"{BASE}/page-1"])],
)
WORDS = [
    f"{start}{end}"
    for start in ("kil", "gla", "cla", "fir", "wi-", "pot")
    for end in ("n", "ze", "y", "e", "fi", "ter")
]

Texts = Mapping[tuple[str, str], str]
"""Version and name of each page → its text."""


@cache
def page_of(version: str, name: str, text: str) -> tuple[IndexedPage, bytes]:
    """Make what an index has of a page."""
    address = f"{BASE}/{version}/{name}" if version else f"{BASE}/{name}"
    made = [
        Indexed(msgspec.structs.replace(one.record, url_without_anchor=address, version=version or "next"), one.text)
        for one in records(name, text)
    ]
    first = made[0].record
    page = IndexedPage(address, "en", first.version, f"docs-{version}", "Docs", first.hierarchy[0], "guide")
    return page, make_part(made)


class Site:
    """Pages, and the files that were last made of them."""

    def __init__(self) -> None:
        self.stored = Stored()
        self.entries = EntriesInMemory()
        self.files: dict[str, bytes] = {}
        self.written: set[str] = set()

    def export(self, texts: Texts, before: Stored, entries: EntriesInMemory) -> tuple[Stored, Taken]:
        made = [page_of(version, name, text) for (version, name), text in texts.items()]
        parts = [part for _, part in made]
        keys = [f"{place}" for place in range(len(made))]
        source = IndexSource([page for page, _ in made], keys, list(map(digest_of_part, parts)), SETTINGS)
        sink = Taken(self.files)
        return ShardsExport(source, before, parts.__getitem__, sink, entries).write(), sink

    def update(self, texts: Texts) -> None:
        """Change the files, and compare them with such as are made without the last ones."""
        stored, sink = self.export(texts, self.stored, self.entries)
        store = EntriesInMemory()
        anew, all_anew = self.export(texts, Stored(), store)
        assert sink.all == all_anew.all
        assert list(sink.names) == list(all_anew.names)
        assert stored.root == anew.root
        assert entries_of(stored, self.entries) == entries_of(anew, store)
        assert msgspec.structs.replace(stored, entries=[]) == msgspec.structs.replace(anew, entries=[])
        self.stored, self.files, self.written = stored, sink.all, sink.written


class Taken(InMemory):
    """Files that are written, and those that are taken over."""

    def __init__(self, before: Mapping[str, bytes]) -> None:
        super().__init__()
        self.before = before
        self.kept: dict[str, bytes] = {}
        self.names: dict[str, None] = {}
        """In the order in which they were put there."""

    def write(self, path: str, content: bytes) -> str:
        self.names[path] = None
        return super().write(path, content)

    def keep(self, path: str) -> str:
        self.names[path] = None
        self.kept[path] = self.before[path]
        return hash_content(self.before[path])

    def read(self, path: str) -> bytes:
        return self.before[path]

    @property
    def all(self) -> dict[str, bytes]:
        return {**self.kept, **self.files}

    @property
    def written(self) -> set[str]:
        return {path for path, content in self.files.items() if self.before.get(path) != content}


def entries_of(stored: Stored, store: EntriesInMemory) -> dict[str, list[bytes]]:
    """List the entry of each word."""
    entries = [entry for number in stored.entries for entry in store.load(number)]
    return dict(zip(stored.words.split("\n"), map(lines, entries), strict=True))


def lines(entry: bytes) -> list[bytes]:
    return sorted(entry.split(b"\n"))


def text_of(rng: random.Random) -> str:
    blocks = []
    for level in ("##", "###", "##", "###", "##")[: rng.randint(0, 5)]:
        blocks.append(f"{level} {' '.join(rng.sample(WORDS, 2))}")
        blocks += [" ".join(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in range(rng.randint(0, 4))]
    return "\n".join([" ".join(rng.choices(WORDS, k=6)), *blocks])


def change(rng: random.Random, texts: dict[tuple[str, str], str]) -> None:
    """Do what authors do: change, add, remove, rename, and make versions."""
    pages = sorted(texts)
    kind = rng.choice(["word", "text", "new word", "add", "remove", "rename", "cut", "drop", "twin"])
    page = rng.choice(pages)
    if kind == "word":
        texts[page] = texts[page].replace(rng.choice(WORDS), rng.choice(WORDS), 1)
    elif kind == "text":
        texts[page] = text_of(rng)
    elif kind == "new word":
        texts[page] += f"\nword{rng.randrange(1000)}"
    elif kind == "add":
        texts["", f"page-{rng.randrange(1000)}"] = text_of(rng)
    elif kind == "remove" and len(pages) > 3:
        del texts[page]
    elif kind == "rename":
        texts[page[0], f"page-{rng.randrange(1000)}"] = texts.pop(page)
    elif kind == "cut":
        version = f"{rng.randint(1, 12)}.0"
        texts.update({(version, name): text for (own, name), text in list(texts.items()) if not own})
    elif kind == "drop":
        for other in pages:
            if page[0] and other[0] == page[0]:
                del texts[other]
    elif kind == "twin":
        texts["", page[1]] = texts[page]


@pytest.mark.parametrize("seed", range(3))
def test_lists_of_words_are_cut_again_as_if_they_were_cut_anew(seed: int) -> None:
    rng = random.Random(seed)

    def word() -> str:
        return "".join(rng.choices("abcde", k=rng.randint(1, 7)))

    words = {word() for _ in range(800)}
    before = sorted(words)
    starts = cut(before, map(len, before), 60, is_anchored=bool(seed % 2))
    for _ in range(40):
        touched = {word() for _ in range(rng.randint(1, 6))} | {
            before[rng.choice(starts)] for _ in range(rng.randint(0, 2))
        }
        now = sorted(set(before) ^ touched)
        firsts = [before[start] for start in starts]
        starts = recut(now, len, 60, firsts, sorted(touched), is_anchored=bool(seed % 2))
        assert starts == cut(now, map(len, now), 60, is_anchored=bool(seed % 2))
        before = now


@pytest.mark.parametrize("seed", range(3))
def test_many_words_are_updated_as_if_they_were_written_anew(seed: int) -> None:
    rng = random.Random(seed)
    words = [f"{start}{rng.choice(WORDS)}{number}" for number, start in enumerate(rng.choices(WORDS, k=1500))]
    words += [f"{one}-{rng.choice(words)}" for one in rng.sample(words, 300)]
    texts = {("", f"page-{number}"): " ".join(rng.sample(words, 60)) for number in range(40)}
    site = Site()
    site.update(texts)
    assert len(site.stored.units) > 20
    for _ in range(10):
        for page in rng.sample(sorted(texts), 2):
            texts[page] = " ".join([*texts[page].split()[rng.randint(0, 3) :], *rng.sample(words, rng.randint(0, 3))])
        site.update(texts)


@pytest.mark.parametrize("seed", range(3))
def test_changed_files_are_those_of_a_site_that_is_exported_anew(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "COMMON", 25)  # words become common, and rare again
    rng = random.Random(seed)
    texts = {("", f"page-{number}"): text_of(rng) for number in range(20)}
    site = Site()
    site.update(texts)
    for _ in range(12):
        for _ in range(rng.randint(1, 3)):
            change(rng, texts)
        site.update(texts)


def test_index_that_gets_many_records_is_written_as_if_it_had_always_had_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """More words are common in it: those that no change has touched, too. And as many are as before when it is small again."""
    monkeypatch.setattr(postings, "COMMON_OF_MANY", 12)
    rng = random.Random(4)
    texts = {("", f"page-{number}"): text_of(rng) for number in range(40)}
    site = Site()
    site.update(texts)
    before = dict(site.files)
    root = msgspec.json.decode(site.files[f"{SHARDS_FOLDER}/{site.stored.root}.json"])
    monkeypatch.setattr(postings, "MANY_RECORDS", root["records"] + 1)
    site.update({**texts, ("", "page-further"): "Word of its own.\n## Another\nText."})
    assert site.stored.common == 12
    assert len(site.written) > len(site.files) / 4
    site.update(texts)
    assert site.files == before


def test_changed_word_writes_the_files_of_its_page_and_of_its_words_alone() -> None:
    rng = random.Random(1)
    texts = {("", f"page-{number}"): text_of(rng) + f"\nown{number}of" for number in range(300)}
    site = Site()
    site.update(texts)
    texts["", "page-7"] = texts["", "page-7"].replace("own7of", "own8of")
    site.update(texts)
    # The root, two files of words, as many of postings, and the texts of the page and of its neighbours.
    assert len(site.written) < len(site.files) / 20


def shown(paths: Iterable[str]) -> set[str]:
    """Choose the files of texts and outlines."""
    return {path for path in paths if re.search(r"-\d+-(\d+-\d+|outlines)\.json$", path)}


def test_large_index_has_other_order_and_writes_the_same_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contents of a group are in the order of their numbers; an index that becomes large keeps its texts."""
    monkeypatch.setattr(export, "MANY_CONTENTS", 41)
    rng = random.Random(5)
    texts = {("", f"page-{number}"): text_of(rng) for number in range(40)}
    site = Site()
    site.update(texts)
    before = shown(site.files)
    site.update({**texts, ("", "page-further"): text_of(rng)})
    assert len(shown(site.files) & before) > len(before) / 3
    root = msgspec.json.decode(site.files[f"{SHARDS_FOLDER}/{site.stored.root}.json"])
    steps = [[write_letters(range(GROUP)).index(letter) for letter in members] for _, members in root["pages"]]
    assert sum(map(len, steps)) == 41
    assert all(sum(some) < GROUP for some in steps)  # in order, these go once round at most
    for _ in range(6):
        change(rng, texts)
        site.update(texts)
        site.update({**texts, **{("", f"page-more-{number}"): text_of(rng) for number in range(9)}})


def test_equal_pages_of_versions_are_written_once() -> None:
    rng = random.Random(2)
    texts: dict[tuple[str, str], str] = {("", f"page-{number}"): text_of(rng) for number in range(40)}
    site = Site()
    site.update(texts)
    before = shown(site.files)
    texts.update({("1.0", name): text for (_, name), text in list(texts.items())})
    site.update(texts)
    assert shown(site.files) == before
    assert sum(map(len, site.files.values())) < 1.2 * sum(
        len(content)
        for content in Site()
        .export({key: text for key, text in texts.items() if not key[0]}, Stored(), EntriesInMemory())[1]
        .all.values()
    )


def test_pages_of_editions_are_one_content_where_path_and_text_are_equal() -> None:
    def pages(*addresses: str) -> Sequence[IndexedPage]:
        return [
            IndexedPage(address, "en", "1.0" if "/1.0" in address else "next", "", "", None, "guide")
            for address in addresses
        ]

    given = pages(BASE + "/", BASE + "/a", BASE + "/b", BASE + "/1.0", BASE + "/1.0/a", BASE + "/1.0/c")
    starts = starts_of_editions(given)
    assert starts == {("en", "next"): BASE, ("en", "1.0"): f"{BASE}/1.0"}
    contents = gather_contents(given, [b"home", b"same", b"same", b"home", b"same", b"same"], starts)
    assert [[given[place].address.removeprefix(BASE) for place in one.pages] for one in contents] == [
        ["/1.0"], ["/"], ["/1.0/a", "/a"], ["/b"], ["/1.0/c"],
    ]  # fmt: skip
    assert contents[2].name == f"{BASE}/a"
