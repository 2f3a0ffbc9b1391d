"""What a request's headers ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.server.negotiation import (
    UnsatisfiableRangeError,
    choose_encoding,
    header_values,
    matching_tag,
    parse_range,
    prefers_markdown,
)


@pytest.mark.parametrize(
    ("header", "encoding"),
    [
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("x-gzip", "gzip"),
        ("deflate", "identity"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.001", "br"),
        ("BR;Q=1.0", "br"),
        ("*", "br"),
        ("*;q=0.5, br;q=0", "gzip"),
        ("*;q=0", "identity"),
        ("identity;q=0", "identity"),
        ("identity, gzip;q=0.5", "identity"),
        ("gzip;q=nonsense", "identity"),
        ("gzip;q=2", "identity"),
        (",,;;,", "identity"),
    ],
)
def test_encoding_is_what_the_client_likes_best(header, encoding):
    assert choose_encoding(header) == encoding


@pytest.mark.costly
@given(st.text())
def test_any_text_chooses_an_encoding(header):
    assert choose_encoding(header) in ("br", "gzip", "identity")


@pytest.mark.parametrize(
    ("header", "tag"),
    [
        ('"a"', '"a"'),
        ('W/"a"', '"a"'),
        ('"x", W/"b" , "y"', '"b"'),
        ('"b", "a"', '"a"'),
        ("*", '"a"'),
        ('"c"', None),
        ("a", None),
        ("", None),
    ],
)
def test_tag_matches_weakly(header, tag):
    assert matching_tag(header, ['"a"', '"b"']) == tag


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-9", (0, 10)),
        ("bytes=90-", (90, 100)),
        ("bytes=90-500", (90, 100)),
        ("bytes=-5", (95, 100)),
        ("bytes=-500", (0, 100)),
        ("BYTES=0-0", (0, 1)),
        ("", None),
        ("bytes=-", None),
        ("bytes=9-0", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
        ("bytes=0-99999999999999999999", None),
    ],
)
def test_range_of_a_file_of_100_bytes(header, part):
    assert parse_range(header, 100) == part


@pytest.mark.parametrize(("header", "size"), [("bytes=100-", 100), ("bytes=-0", 100), ("bytes=0-", 0), ("bytes=-1", 0)])
def test_range_behind_the_end_is_refused(header, size):
    with pytest.raises(UnsatisfiableRangeError):
        parse_range(header, size)


@given(st.text(alphabet="bytes=0123456789-, ", max_size=30), st.integers(0, 50))
def test_range_never_leaves_the_file(header, size):
    try:
        part = parse_range(header, size)
    except UnsatisfiableRangeError:
        return
    assert part is None or 0 <= part[0] < part[1] <= size


def test_repeated_headers_are_joined():
    headers = [(b"if-none-match", b'"a"'), (b"host", b"x"), (b"if-none-match", b'"b"')]
    assert header_values(headers, b"if-none-match", b"range") == ['"a","b"', ""]


@pytest.mark.parametrize(
    ("accept", "prefers"),
    [
        ("", False),
        ("*/*", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", False),
        ("text/markdown", True),
        ("Text/Markdown; charset=utf-8", True),
        ("text/markdown, */*", True),
        ("text/markdown, text/html, */*", True),
        ("text/html, text/markdown", False),
        ("text/html;q=0.9, text/markdown", True),
        ("text/markdown;q=0.5, text/html;q=0.8", False),
        ("text/markdown;q=0.5, */*;q=0.8", False),
        ("text/markdown;q=0, */*", False),
        ("text/markdown;q=x", False),
        ("text/html;q=0, text/markdown;q=0", False),
    ],
)
def test_markdown_is_preferred_by_those_who_say_so(accept, prefers):
    assert prefers_markdown(accept) is prefers


@given(st.text())
def test_any_accept_header_is_understood(accept):
    assert prefers_markdown(accept) in (True, False)
