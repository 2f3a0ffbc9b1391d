"""The address of a reader behind proxies: what they write is believed, what others write is not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from engine.tests.unit.search.conftest import SETTINGS, records
from octavo.search.index.tantivy_index import IndexWriter, make_entries
from octavo.server.access import TrustedProxies
from octavo.server.app import create_app
from tests.support.published import publish

PROXIES = TrustedProxies(["10.0.0.0/8", "192.0.2.1", "2001:db8:ffff::/48"])


def find(peer: str, *values: str, proxies: TrustedProxies = PROXIES, header: bytes = b"x-forwarded-for") -> str:
    return proxies.find(peer, [(header, value.encode()) for value in values])


@pytest.mark.parametrize(
    ("peer", "values", "expected"),
    [
        ("203.0.113.9", (), "203.0.113.9"),
        ("203.0.113.9", ("198.51.100.1",), "203.0.113.9"),
        ("10.1.1.1", ("198.51.100.1",), "198.51.100.1"),
        ("10.1.1.1", ("6.6.6.6, 198.51.100.1",), "198.51.100.1"),
        ("10.1.1.1", ("6.6.6.6", "198.51.100.1"), "198.51.100.1"),
        ("10.1.1.1", ("6.6.6.6, 198.51.100.1, 10.2.2.2, 192.0.2.1",), "198.51.100.1"),
        ("10.1.1.1", ("10.3.3.3, 10.2.2.2",), "10.3.3.3"),
        ("10.1.1.1", ("198.51.100.1, unknown",), "10.1.1.1"),
        ("10.1.1.1", ("198.51.100.1, , 10.2.2.2",), "10.2.2.2"),
        ("10.1.1.1", (), "10.1.1.1"),
        ("10.1.1.1", ("198.51.100.1:51234",), "198.51.100.1"),
        ("10.1.1.1", ("[2001:db8::7]:443",), "2001:db8::7"),
        ("2001:db8:ffff::1", ("2001:DB8::0007",), "2001:db8::7"),
        ("::ffff:10.1.1.1", ("::ffff:198.51.100.1",), "198.51.100.1"),
        ("fe80::1%eth0", ("198.51.100.1",), "fe80::1"),
        ("testclient", ("198.51.100.1",), "testclient"),
    ],
)
def test_reader_is_the_last_address_that_no_trusted_proxy_has(
    peer: str, values: tuple[str, ...], expected: str
) -> None:
    assert find(peer, *values) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("for=198.51.100.1", "198.51.100.1"),
        ("for=6.6.6.6, for=198.51.100.1;proto=https;by=10.0.0.1", "198.51.100.1"),
        ('proto=https;For="[2001:db8::7]:4711"', "2001:db8::7"),
        ('for="198.51.100.1:80", for=10.2.2.2', "198.51.100.1"),
        ("for=_hidden", "10.1.1.1"),
        ("proto=https", "10.1.1.1"),
        ("notfor=198.51.100.1", "10.1.1.1"),
    ],
)
def test_standard_header_is_read_where_the_settings_name_it(value: str, expected: str) -> None:
    proxies = TrustedProxies(["10.0.0.0/8"], "forwarded")
    assert find("10.1.1.1", value, proxies=proxies, header=b"Forwarded") == expected


def test_only_the_header_that_the_settings_name_is_read() -> None:
    both = [(b"forwarded", b"for=6.6.6.6"), (b"x-forwarded-for", b"198.51.100.1")]
    assert PROXIES.find("10.1.1.1", both) == "198.51.100.1"
    assert TrustedProxies(["10.0.0.0/8"], "forwarded").find("10.1.1.1", both) == "6.6.6.6"


def test_nobody_is_believed_by_default() -> None:
    assert TrustedProxies([]).find("127.0.0.1", [(b"x-forwarded-for", b"6.6.6.6")]) == "127.0.0.1"


@pytest.mark.costly
def test_each_reader_behind_a_proxy_has_a_rate_of_their_own(tmp_path: Path) -> None:
    out = publish(tmp_path / "out", search="index")
    writer = IndexWriter(out / "index")
    writer.add(make_entries(records("Kiln", "Fires clay."), "/kiln"))
    writer.commit(msgspec.structs.replace(SETTINGS, most_per_second=1))

    def ask(reader: str) -> int:
        headers = {"x-algolia-application-id": "app", "x-algolia-api-key": "key", "x-forwarded-for": reader}
        return browser.post("/1/indexes/docs/query", json={"query": "kiln"}, headers=headers).status_code

    app = create_app(out, proxies=TrustedProxies(["10.0.0.0/8"]))
    with TestClient(app, client=("10.0.0.1", 1)) as browser:
        assert [ask("198.51.100.1") for _ in range(3)] == [200, 200, 429]
        assert ask("198.51.100.2") == 200
        # What the client writes into the header comes before what the proxy adds.
        assert ask("6.6.6.6, 198.51.100.1") == 429
        assert [ask(f"2001:db8:0:1::{number}") for number in (1, 2, 3)] == [200, 200, 429]
    with TestClient(app, client=("203.0.113.9", 1)) as browser:
        assert [ask(f"198.51.100.{number}") for number in (7, 8, 9)] == [200, 200, 429]
