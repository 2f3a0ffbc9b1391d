"""Compressed once, kept, and never twice at the same time."""

from __future__ import annotations

import asyncio
import threading

import pytest

from octavo.server.cache import DiskCache, MemoryCache
from octavo.server.compression import Compressor
from octavo.server.published_build import UnreadableFileError
from tests.support.published import PAGE, describe

FILE = describe(PAGE)


class Source:
    """A content that counts how often it is read."""

    def __init__(self, content: bytes = PAGE) -> None:
        self.content = content
        self.reads = 0

    def __call__(self) -> bytes:
        self.reads += 1
        return self.content


@pytest.fixture
def source() -> Source:
    return Source()


def test_requests_at_the_same_time_share_the_work(source):
    async def main():
        compressor = Compressor(None, 1 << 20)
        return await asyncio.gather(*(compressor.body(FILE, "gzip", source) for _ in range(50)))

    bodies = asyncio.run(main())
    assert source.reads == 1
    assert len(set(map(id, bodies))) == 1


def test_compressed_form_is_kept_in_memory(source):
    async def main():
        compressor = Compressor(None, 1 << 20)
        await compressor.body(FILE, "gzip", source)
        await compressor.body(FILE, "gzip", source)

    asyncio.run(main())
    assert source.reads == 1


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_compressed_form_outlives_the_process(tmp_path, source, encoding):
    async def main():
        first = await Compressor(tmp_path, 1 << 20).body(FILE, encoding, source)
        second = await Compressor(tmp_path, 1 << 20).body(FILE, encoding, source)
        return first, second

    first, second = asyncio.run(main())
    assert first == second
    assert source.reads == 1


def test_client_that_goes_away_leaves_the_others_answer_alone(source):
    begun, goes_on = threading.Event(), threading.Event()

    def slow() -> bytes:
        begun.set()
        goes_on.wait(10)
        return source()

    async def main():
        compressor = Compressor(None, 1 << 20)
        leaving = asyncio.create_task(compressor.body(FILE, "gzip", slow))
        staying = asyncio.create_task(compressor.body(FILE, "gzip", slow))
        await asyncio.to_thread(begun.wait, 10)
        leaving.cancel()
        await asyncio.wait([leaving])
        goes_on.set()
        return await staying

    assert asyncio.run(main()).form == "gzip"
    assert source.reads == 1


def test_failure_is_told_and_not_kept(source):
    def fail() -> bytes:
        raise UnreadableFileError("gone")

    async def main():
        compressor = Compressor(None, 1 << 20)
        with pytest.raises(UnreadableFileError, match="gone"):
            await compressor.body(FILE, "br", fail)
        return await compressor.body(FILE, "br", source)

    assert asyncio.run(main()).form == "br6"


def test_file_asked_for_again_gets_its_best_form_in_the_background(tmp_path, source):
    async def main():
        compressor = Compressor(tmp_path, 1 << 20)
        forms = [(await compressor.body(FILE, "br", source)).form]
        while forms[-1] != "br11":
            await asyncio.sleep(0)  # an answer from memory gives the loop no turn
            forms.append((await compressor.body(FILE, "br", source)).form)
        return forms, await Compressor(tmp_path, 1 << 20).body(FILE, "br", source)

    forms, after_restart = asyncio.run(asyncio.wait_for(main(), 20))
    assert forms[0] == "br6"
    assert after_restart.form == "br11"
    assert source.reads == 2


class TestMemoryCache:
    def test_drops_what_was_used_longest_ago(self):
        cache = MemoryCache(10)
        for key in ("a", "b", "c"):
            cache.put(key, b"xxx")
        cache.get("a")
        cache.put("d", b"xxx")
        assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]

    def test_counts_a_replaced_content_once(self):
        cache = MemoryCache(10)
        for _ in range(5):
            cache.put("a", b"xxxxx")
        cache.put("b", b"xxxxx")
        assert cache.get("a") == cache.get("b") == b"xxxxx"

    def test_takes_nothing_larger_than_itself(self):
        cache = MemoryCache(10)
        cache.put("a", b"x")
        cache.put("b", b"x" * 11)
        assert (cache.get("a"), cache.get("b")) == (b"x", None)


class TestDiskCache:
    def test_gives_back_what_it_was_given(self, tmp_path):
        DiskCache(tmp_path).put("0123.br6", b"content")
        assert DiskCache(tmp_path).get("0123.br6") == b"content"

    @pytest.mark.parametrize("entry", [b"", b"short", b"x" * 40])
    def test_damaged_entry_is_a_miss(self, tmp_path, entry):
        cache = DiskCache(tmp_path)
        cache.put("0123.br6", b"content")
        (tmp_path / "01" / "0123.br6").write_bytes(entry)
        assert cache.get("0123.br6") is None

    def test_folder_that_cannot_be_written_costs_nothing_but_time(self, tmp_path):
        (tmp_path / "file").write_bytes(b"")
        cache = DiskCache(tmp_path / "file")
        cache.put("0123.br6", b"content")
        assert cache.get("0123.br6") is None

    def test_prune_removes_what_is_no_longer_published(self, tmp_path):
        cache = DiskCache(tmp_path)
        for key in ("0123.br6", "0123.gzip", "4567.br6"):
            cache.put(key, b"content")
        cache.prune({"0123"})
        assert [key for key in ("0123.br6", "0123.gzip", "4567.br6") if cache.get(key)] == ["0123.br6", "0123.gzip"]

    def test_entry_that_cannot_be_put_in_its_place_leaves_nothing_behind(self, tmp_path):
        (tmp_path / "01" / "0123.br6").mkdir(parents=True)
        DiskCache(tmp_path).put("0123.br6", b"content")
        assert [path.name for path in (tmp_path / "01").iterdir()] == ["0123.br6"]


def test_best_form_of_a_file_that_is_gone_is_given_up(source):
    def fail() -> bytes:
        raise UnreadableFileError("gone")

    async def main():
        compressor = Compressor(None, 1 << 20)
        await compressor.body(FILE, "br", source)
        await compressor.body(FILE, "br", fail)
        await asyncio.wrap_future(compressor._best.submit(int))  # one thread: what was waiting is done
        return await compressor.body(FILE, "br", fail)

    assert asyncio.run(asyncio.wait_for(main(), 20)).form == "br6"
