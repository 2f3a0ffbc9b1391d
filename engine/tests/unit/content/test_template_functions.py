"""Functions of templates."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.content.translate.hugo_templates.functions import FUNCTIONS
from tests.support.each import each


def test_a_text_is_repeated_within_bounds() -> None:
    repeat = FUNCTIONS["strings.Repeat"]
    assert repeat(3, "ab") == "ababab"
    assert repeat("-1", "ab") == ""
    text = repeat(1000, repeat(100, "x"))
    assert len(text) == 100_000
    with pytest.raises(ValueError, match="the text is too long"):
        repeat(1000, text)


@pytest.mark.parametrize(("length", "text"), [(5, "Kiln…"), (6, "Kiln a…"), (7, "Kiln ab"), (8, "Kiln ab")])
def test_a_text_is_cut_only_where_it_is_longer(length: int, text: str) -> None:
    assert FUNCTIONS["truncate"](length, "Kiln ab") == text


def test_a_cut_text_ends_with_the_given_mark() -> None:
    assert FUNCTIONS["truncate"](4, " (more)", "Kiln ab") == "Kiln (more)"


@each(
    ("pattern", "text", "found"),
    [
        (r"([^\/]+/){3}", "https://git.test/kite/wind/a.md", "git.test/kite/wind/"),
        ("(?:/[^/]+)+", "kite/wind/a.md", "/wind/a.md"),
        (r"(\.\./)+", "a/../../b", "../../"),
        ("(?:ab[0-9])*", "ab1ab2", "ab1ab2"),
    ],
)
def test_a_group_that_can_be_divided_in_one_way_is_repeated(pattern: str, text: str, found: str) -> None:
    assert FUNCTIONS["findRE"](pattern, text, 1) == [found]


@each("pattern, found", [("(?m)^[ ]{2}", ["  ", "  "]), ("(?s)b.*c", ["b\n  c"]), ("(?im)^ +C", ["  c"])])
def test_patterns_may_begin_with_flags(pattern: str, found: list[str]) -> None:
    assert FUNCTIONS["findRE"](pattern, "  b\n  c") == found


@each("pattern", ["(a+)+b", "(a|a)*b", "([^/]+)*/", "([^/]+a)+b", "(a[^b]+)+c", "((ab)+)+c", "(a?)*b", "(?=a)b"])
def test_a_pattern_that_could_take_long_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="the pattern is too much"):
        FUNCTIONS["findRE"](pattern, "a")


@each(
    "name, arguments, value",
    [
        ("cond", (True, 1, 2), 1),
        ("cond", ("", 1, 2), 2),
        ("dict", ("a", 1, "b", 2), {"a": 1, "b": 2}),
        ("errorf", ("%s", 1), ""),
        ("warnf", ("%s", 1), ""),
        ("htmlUnescape", ("&lt;b&gt;",), "<b>"),
        ("md5", ("a",), "0cc175b9c0f1b6a831c399e269772661"),
        ("sha1", ("a",), "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        ("crypto.SHA256", ("",), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("base64Encode", ("ä",), "w6Q="),
        ("path.Dir", ("a/b.md",), "a"),
        ("path.Split", ("a/b.md",), {"Dir": "a", "File": "b.md"}),
        ("path.Clean", ("a/../b//c",), "b/c"),
        ("strings.FindRE", ("a.", "ab ac", 1), ["ab"]),
        ("strings.ReplaceRE", ("a(.)", "$1", "ab ac"), "b c"),
        ("strings.FindRESubmatch", ("a(.)(x)?", "ab acx"), [["ab", "b", ""], ["acx", "c", "x"]]),
        ("strings.FindRESubmatch", ("a(.)", "ab ac", 1), [["ab", "b"]]),
        ("jsonify", ({"ä": 1},), '{"ä": 1}'),
        ("jsonify", ({"indent": " "}, [1]), "[1]"),
        ("math.Max", (1, 3, 2), 3),
        ("math.Min", (2, 1, 3), 1),
        ("math.Abs", (-2,), 2),
        ("float", ("2",), 2.0),
        ("chomp", ("a\n\n",), "a"),
        ("strings.Trim", ("-a-", "-"), "a"),
        ("trim", ("-a-", "-"), "a"),
        ("strings.TrimSpace", (" a ",), "a"),
        ("strings.Fields", (" a  b ",), ["a", "b"]),
        ("split", ("a,b", ","), ["a", "b"]),
        ("transform.Unmarshal", ("a = 1",), {"a": 1}),
        ("transform.Unmarshal", ("a: [1]",), {"a": [1]}),
        ("transform.Unmarshal", ({"delimiter": ";"}, '{"a": 1}'), {"a": 1}),
        ("urlize", ("A b/C-d!",), "a-b/c-d"),
        ("urls.URLize", ("A b/C-d!",), "a-b/c-d"),
        ("urlquery", ("a b&c",), "a+b%26c"),
        ("ge", (2, 2), True),
        ("ge", (1, 2), False),
        ("lt", (2, 2), False),
        ("lt", ("1", 2), True),
        ("gt", (2, 2), False),
        ("le", (2, 2), True),
        ("hasPrefix", ("ab", "a"), True),
        ("strings.HasPrefix", ("ab", "b"), False),
        ("hasSuffix", ("ab", "b"), True),
        ("strings.HasSuffix", ("ab", "a"), False),
        ("strings.Contains", ("abc", "b"), True),
        ("strings.Replace", ("aaa", "a", "b", 2), "bba"),
        ("lower", ("Ab",), "ab"),
        ("strings.ToLower", ("Ab",), "ab"),
        ("upper", ("Ab",), "AB"),
        ("strings.ToUpper", ("Ab",), "AB"),
        ("strings.FirstUpper", ("ab cd",), "Ab cd"),
        ("strings.FirstUpper", ("",), ""),
        ("strings.Substr", ("abcd", 1, 2), "bc"),
        ("strings.Substr", ("abcd", 2), "cd"),
        ("humanize", ("learn_more-now",), "Learn more now"),
        ("humanize", ("21",), "21st"),
        ("humanize", ("112",), "112th"),
        ("inflect.Humanize", (3,), "3rd"),
        ("humanize", ("2",), "2nd"),
        ("humanize", ("4",), "4th"),
        ("reverse", ([1, 2],), [2, 1]),
        ("reverse", (None,), []),
        ("slice", (1, 2), [1, 2]),
        ("uniq", ([1, 2, 1],), [1, 2]),
        ("partialCached", ("x/icon.html", None), ""),
    ],
)
def test_function_gives_what_go_gives(name: str, arguments: tuple[Any, ...], value: Any) -> None:
    assert FUNCTIONS[name](*arguments) == value


def test_address_is_taken_apart() -> None:
    parts = FUNCTIONS["urls.Parse"]("https://x.example:8/a?b=1#c")
    assert parts == {
        "Scheme": "https", "Host": "x.example:8", "Hostname": "x.example", "Path": "/a", "RawQuery": "b=1", "Fragment": "c",
        "String": "https://x.example:8/a?b=1#c", "IsAbs": True,
    }  # fmt: skip
    assert FUNCTIONS["urls.Parse"]("/a")["IsAbs"] is False


def test_functions_have_the_names_of_their_packages_too() -> None:
    same = {
        "collections.Where": "where", "collections.Dict": "dict", "compare.Ge": "ge", "fmt.Warnf": "warnf",
        "cast.Float": "float", "encoding.Jsonify": "jsonify", "math.Add": "add", "math.Mul": "mul",
        "strings.Truncate": "truncate",
    }  # fmt: skip
    assert {name for name, short in same.items() if FUNCTIONS[name] is not FUNCTIONS[short]} == set()
