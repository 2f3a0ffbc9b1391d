"""The filters of Liquid, Jekyll and Nunjucks."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from octavo.content.translate.jekyll.filters import FILTERS, shown
from tests.support.each import each

KITES = [{"name": "b", "size": 20, "on": True}, {"name": "a", "size": 3, "tags": ["red"]}, {"size": None, "on": False}]


@each(
    "value, text",
    [
        (None, ""), (False, "false"), (True, "true"), (0, "0"), ("a", "a"), ([1, None, ["b"]], "1b"), ({"a": 1}, '{"a": 1}'),
    ],
)  # fmt: skip
def test_values_are_shown_as_liquid_shows_them(value: Any, text: str) -> None:
    assert shown(value) == text


@each(
    "name, arguments, value",
    [
        ("abs", ("-3",), 3),
        ("abs", (-2.5,), 2.5),
        ("append", ("a", 1), "a1"),
        ("array_to_sentence_string", (["a"],), "a"),
        ("array_to_sentence_string", (["a", "b"],), "a and b"),
        ("array_to_sentence_string", (["a", "b", "c"], "or"), "a, b, or c"),
        ("capitalize", ("kite flies",), "Kite flies"),
        ("ceil", ("2.1",), 3),
        ("ceil", (-2.1,), -2),
        ("floor", (2.9,), 2),
        ("floor", (-2.1,), -3),
        ("round", (2.4,), 2),
        ("round", (2.5,), 3),
        ("round", (-2.5,), -3),
        ("round", (2.468, 2), 2.47),
        ("compact", ([1, None, 0],), [1, 0]),
        ("concat", ([1], [2]), [1, 2]),
        ("date", ("2024-02-09", "%-d/%-m/%Y"), "9/2/2024"),
        ("date", (date(2024, 2, 9),), "2024-02-09"),
        ("date", ("soon", "%Y"), "soon"),
        ("date", (None, "%Y"), ""),
        ("date_to_string", (datetime(2024, 2, 9, 15),), "09 Feb 2024"),  # noqa: DTZ001 - front matter may have no zone
        ("date_to_long_string", ("2024-02-09",), "09 February 2024"),
        ("date_to_xmlschema", ("2024-02-09",), "2024-02-09T00:00:00+00:00"),
        ("default", ("", "x"), "x"),
        ("default", (False, "x"), "x"),
        ("default", ([], "x"), "x"),
        ("default", (0, "x"), 0),
        ("divided_by", (20, 7), 2),
        ("divided_by", ("20", 7), 2),
        ("divided_by", (7.5, 2), 3.75),
        ("divided_by", (20, 8.0), 2.5),
        ("escape", ("<a>",), "&lt;a&gt;"),
        ("escape_once", ("&lt;a> &amp;",), "&lt;a&gt; &amp;"),
        ("first", ([1, 2],), 1),
        ("first", ([],), None),
        ("last", ([1, 2],), 2),
        ("last", (None,), None),
        ("find", (KITES, "name", "a"), KITES[1]),
        ("find", (KITES, "name", "z"), None),
        ("join", ([1, "b"],), "1 b"),
        ("join", ([1, "b"], ", "), "1, b"),
        ("map", (KITES, "name"), ["b", "a", None]),
        ("map", (["text"], "name"), [None]),
        ("minus", ("5", 2), 3),
        ("modulo", (7, 3), 1),
        ("plus", ("1.5", 1), 2.5),
        ("times", ("3", 2), 6),
        ("number_of_words", (" a  b ",), 2),
        ("pop", ([1, 2],), [1]),
        ("pop", ([1, 2, 3], 2), [1]),
        ("push", ([1], 2), [1, 2]),
        ("shift", ([1, 2],), [2]),
        ("shift", ([1, 2, 3], 2), [3]),
        ("unshift", ([2], 1), [1, 2]),
        ("relative_url", ("kites/red",), "/kites/red"),
        ("relative_url", ("/kites",), "/kites"),
        ("absolute_url", ("https://a.b",), "https://a.b"),
        ("absolute_url", ("//a.b",), "//a.b"),
        ("absolute_url", ("#a",), "#a"),
        ("absolute_url", ("../a",), "../a"),
        ("remove", ("abab", "a"), "bb"),
        ("remove_first", ("abab", "a"), "bab"),
        ("replace", ("abab", "a", "c"), "cbcb"),
        ("replace", ("abab", "a"), "bb"),
        ("replace_first", ("abab", "a", "c"), "cbab"),
        ("reverse", ([1, 2],), [2, 1]),
        ("size", ("abc",), 3),
        ("size", (5,), 0),
        ("length", ([1],), 1),
        ("slice", ("abcd", 1), "b"),
        ("slice", ("abcd", 1, 2), "bc"),
        ("slice", ("abcd", -2, 2), "cd"),
        ("slice", ([1, 2, 3], -1), [3]),
        ("slice", (1234, 0, 2), "12"),
        ("slugify", ("A kite, red!",), "a-kite-red"),
        ("sort", ([3, 20, None, 1],), [1, 3, 20, None]),
        ("sort", (["b", "a"],), ["a", "b"]),
        ("sort", (KITES, "size"), [KITES[1], KITES[0], KITES[2]]),
        ("sort", (None,), []),
        ("split", ("a,b", ","), ["a", "b"]),
        ("split", (" a  b ",), ["a", "b"]),
        ("split", ("ab", ""), ["a", "b"]),
        ("split", ("", ","), []),
        ("split", (",a,,b,,", ","), ["", "a", "", "b"]),
        ("strip_html", ("<b>a</b>",), "a"),
        ("strip_index", ("/a/index.html",), "/a/"),
        ("sum", ([1, "2"],), 3),
        ("sum", (KITES[:2], "size"), 23),
        ("to_integer", ("2.9",), 2),
        ("truncate", ("a" * 50,), "a" * 50),
        ("truncate", ("a" * 51,), "a" * 47 + "..."),
        ("truncate", ("abcdef", 5, "-"), "abcd-"),
        ("truncate", ("abcdef", 2), "..."),
        ("truncatewords", ("a b c", 3), "a b c"),
        ("truncatewords", ("a b c", 2), "a b..."),
        ("truncatewords", ("a b c", 2, "-"), "a b-"),
        ("uniq", ([1, 2, 1],), [1, 2]),
        ("uniq", ([[1], [1]],), [[1]]),
        ("uri_escape", ("/a b?c=é",), "/a%20b?c=%C3%A9"),
        ("where", (KITES, "name", "a"), [KITES[1]]),
        ("where", (KITES, "tags", "red"), [KITES[1]]),
        ("where", (KITES, "on"), [KITES[0]]),
        ("where", (KITES, "on", False), [KITES[2]]),
        ("where", ({"x": KITES[1]}, "name", "a"), [KITES[1]]),
    ],
)
def test_filter_gives_what_liquid_gives(name: str, arguments: tuple[Any, ...], value: Any) -> None:
    found = FILTERS[name](*arguments)
    assert (found, type(found)) == (value, type(value))


def test_members_are_grouped_in_the_order_of_their_first() -> None:
    groups = FILTERS["group_by"]([{"a": 1}, {"a": "x"}, {"a": 1, "b": 2}], "a")
    assert groups == [
        {"name": "1", "items": [{"a": 1}, {"a": 1, "b": 2}], "size": 2},
        {"name": "x", "items": [{"a": "x"}], "size": 1},
    ]


@each(
    "name, arguments, value",
    [
        ("cgi_escape", ("a b&",), "a+b%26"),
        ("url_encode", ("a b&",), "a+b%26"),
        ("url_decode", ("a+b%26",), "a b&"),
        ("downcase", ("Ab",), "ab"),
        ("lower", ("Ab",), "ab"),
        ("upcase", ("Ab",), "AB"),
        ("upper", ("Ab",), "AB"),
        ("jsonify", ({"a": 1},), '{"a": 1}'),
        ("jsonify", (date(2026, 1, 2),), '"2026-01-02"'),
        ("dump", ([1], 2), "[1]"),
        ("lstrip", (" a ",), "a "),
        ("rstrip", (" a ",), " a"),
        ("strip", (" a ",), "a"),
        ("trim", (" a ",), "a"),
        ("markdownify", ("*a*",), "<p><em>a</em></p>"),
        ("newline_to_br", ("a\nb",), "a<br>\nb"),
        ("normalize_whitespace", (" a \n b ",), "a b"),
        ("strip_newlines", ("a\nb",), "ab"),
        ("striptags", ("<b>a</b>",), "a"),
        ("prepend", ("a", "b"), "ba"),
        ("smartify", ('"a"',), '"a"'),
        ("sort_natural", (["b", "a"],), ["a", "b"]),
        ("slug", ("A b!",), "a-b"),
        ("xml_escape", ("<a>",), "&lt;a&gt;"),
        ("sample", ([1, 2],), 1),
        ("sample", ([],), None),
        ("safe", ("<b>",), "<b>"),
        ("url", ("/a", 1), "/a"),
        ("log", ("a",), ""),
    ],
)
def test_filter_makes_what_the_engines_make(name: str, arguments: tuple[Any, ...], value: Any) -> None:
    assert FILTERS[name](*arguments) == value
