"""What templates of Hugo get from dates, files and functions."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.translate.hugo_templates.functions import CODE, FUNCTIONS
from octavo.content.translate.hugo_templates.prose import inline_html, markdown_html
from octavo.content.translate.hugo_templates.times import Time, read_time, write_time
from octavo.content.translate.hugo_templates.values import File
from tests.support.each import each

MOMENT = datetime(2024, 2, 9, 15, 4, 5, tzinfo=timezone(timedelta(hours=-7, minutes=-30)))


@each(
    "layout, written",
    [
        ("January 2, 2006", "February 9, 2024"),
        ("Mon Jan _2 06", "Fri Feb  9 24"),
        ("Monday 02/01/2006 1", "Friday 09/02/2024 2"),
        ("15:04:05 03 3 4 5", "15:04:05 03 3 4 5"),
        ("PM pm", "PM pm"),
        ("MST -0700 -07:00 Z07:00", "-0730 -0730 -07:30 -07:30"),
        (":date_full", "Friday, February 9, 2024"),
        (":time_short", "15:04"),
        ("RFC3339", "2024-02-09T15:04:05-07:30"),
        ("Janssen", "Janssen"),
    ],
)
def test_date_is_written_as_its_layout_writes_the_second_of_january(layout: str, written: str) -> None:
    assert write_time(layout, MOMENT) == written


@each(
    "hour, written",
    [(0, "12 AM am 00"), (1, "1 AM am 01"), (11, "11 AM am 11"), (12, "12 PM pm 12"), (13, "1 PM pm 13")],
)
def test_hours_before_noon_are_told_from_those_after_it(hour: int, written: str) -> None:
    assert write_time("3 PM pm 15", datetime(2024, 1, 2, hour, tzinfo=UTC)) == written
    assert write_time("MST Z07:00", datetime(2024, 1, 2, hour, tzinfo=UTC)) == "UTC Z"


@each(
    "given, moment",
    [
        (date(2024, 2, 9), datetime(2024, 2, 9, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        ("2024-02-09", datetime(2024, 2, 9)),  # noqa: DTZ001 - a text without a zone has none
        ("2024-02-09 10:00:00 UTC", datetime(2024, 2, 9, 10, tzinfo=UTC)),
        ("February 9, 2024", datetime(2024, 2, 9, tzinfo=UTC)),
        ("Fri, Feb 9 2024", datetime(2024, 2, 9, tzinfo=UTC)),
    ],
)
def test_dates_are_read_in_the_forms_of_front_matter(given: Any, moment: datetime) -> None:
    assert read_time(given) == moment


@each("given", ["soon", "Kite 9, 2024", ""])
def test_what_is_no_date_is_named(given: str) -> None:
    with pytest.raises(ValueError, match=f"^{given} is not a date that is known$"):
        read_time(given)


def test_parts_of_a_date() -> None:
    time = Time(MOMENT)
    names = ("Year", "Month", "Day", "Weekday", "Hour", "Minute", "Second", "YearDay", "IsZero")
    assert [time.field(name) for name in names] == [2024, "February", 9, "Friday", 15, 4, 5, 40, False]
    assert time.field("Unix") == int(MOMENT.timestamp())
    assert time.field("Format")("2006") == "2024"
    assert str(time) == "2024-02-09 15:04:05 -0730 -0730"
    none = Time(datetime(1, 1, 1, tzinfo=UTC))
    assert (bool(time), bool(none), none.field("IsZero"), none.field("Unix"), none.sort_key()) == (
        True,
        False,
        True,
        0,
        0.0,
    )
    assert time.sort_key() == MOMENT.timestamp()
    with pytest.raises(LookupError, match="Nanosecond"):
        time.field("Nanosecond")


@each(
    "path, parts",
    [
        ("kite/red.de.md", ("kite/", "red.de.md", "red.de", "red", "red.de", "md")),
        ("kite/index.md", ("kite/", "index.md", "index", "index", "kite", "md")),
        ("kite/_index.md", ("kite/", "_index.md", "_index", "_index", "kite", "md")),
        ("red.md", ("", "red.md", "red", "red", "red", "md")),
    ],
)
def test_parts_of_the_path_of_a_page(path: str, parts: tuple[str, ...]) -> None:
    names = ("Dir", "LogicalName", "BaseFileName", "TranslationBaseName", "ContentBaseName", "Ext")
    assert tuple(File(path).field(name) for name in names) == parts
    assert File(path).field("Path") == path
    with pytest.raises(LookupError, match=r"File\.Size is not known"):
        File(path).field("Size")


@each(
    "name, arguments, value",
    [
        ("int", ("2.9",), 2),
        ("math.Ceil", (2.1,), 3),
        ("math.Floor", (2.9,), 2),
        ("math.Round", (2.4,), 2),
        ("math.Round", (2.5,), 3),
        ("math.Round", (-2.5,), -3),
        ("div", (7, 2), 3),
        ("div", (-7, 2), -3),
        ("div", (7.0, 2), 3.5),
        ("mod", (7, 3), 1),
        ("mod", (-7, 3), -1),
        ("mul", ("3", 2), 6),
        ("sub", ("3", 2), 1),
        ("add", (1, "2"), 3),
        ("add", ("a", "b"), "ab"),
        ("first", (2, [1, 2, 3]), [1, 2]),
        ("last", (2, [1, 2, 3]), [2, 3]),
        ("last", (0, [1, 2, 3]), []),
        ("last", (9, [1, 2, 3]), [1, 2, 3]),
        ("after", (1, [1, 2, 3]), [2, 3]),
        ("append", (4, [1, 2]), [1, 2, 4]),
        ("seq", (3,), [1, 2, 3]),
        ("seq", (2, 4), [2, 3, 4]),
        ("seq", (4, 2), [4, 3, 2]),
        ("seq", (1, 2, 5), [1, 3, 5]),
        ("seq", (5, -2, 1), [5, 3, 1]),
        ("index", ([1, 2], 1), 2),
        ("index", ([1, 2], 2), ""),
        ("index", ([1, 2], -1), ""),
        ("index", ({"a": {"B": 5}}, "a", "b"), 5),
        ("index", ({"a": {"b": 5}}, ["a", "b"]), 5),
        ("index", ({"a": None}, "a"), ""),
        ("isset", ([1], 0), True),
        ("isset", ([1], 1), False),
        ("isset", ({"a": 0}, "a"), True),
        ("isset", ({"a": 0}, "b"), False),
        ("isset", (None, "b"), False),
        ("replace", ("aaa", "a", "b", 2), "bba"),
        ("replace", ("aaa", "a", "b"), "bbb"),
        ("replaceRE", ("(a)(b)", "${2}$1", "xab"), "xba"),
        ("findRE", ("a.", "abacad", 2), ["ab", "ac"]),
        ("findRESubmatch", ("(a)(x)?", "ab"), [["a", "a", ""]]),
        ("merge", ({"a": 1}, {"b": 2, "a": 3}), {"a": 3, "b": 2}),
        ("substr", ("abcdef", 2, 3), "cde"),
        ("substr", ("abcdef", 2), "cdef"),
        ("strings.Title", ("don't fly",), "Don't Fly"),
        ("strings.TrimLeft", ("a", "aab"), "b"),
        ("strings.TrimRight", ("b", "abb"), "a"),
        ("strings.TrimPrefix", ("ab", "abab"), "ab"),
        ("strings.TrimSuffix", ("ab", "abab"), "ab"),
        ("strings.Count", ("a", "banana"), 3),
        ("strings.ContainsAny", ("abc", "xyc"), True),
        ("strings.ContainsAny", ("abc", "xy"), False),
        ("delimit", ([1, "b"], ", "), "1, b"),
        ("path.Base", ("a/b.c",), "b.c"),
        ("path.Ext", ("a/b.c",), ".c"),
        ("path.BaseName", ("a/b.c",), "b"),
        ("path.Join", ("a", "../b"), "b"),
        ("urls.JoinPath", ("https://a.b/", "/c"), "https://a.b/c"),
        ("in", ([1, 2], 2), True),
        ("in", ("a2", 2), True),
        ("in", (None, 2), False),
        ("complement", ([1], [2], [1, 2, 3]), [3]),
        ("intersect", ([1, 2], [2, 3]), [2]),
        ("union", ([1, 2], [2, 3]), [1, 2, 3]),
        ("gt", ("10", 9), True),
        ("gt", ("", 0), False),
        ("le", (2, "2"), True),
        ("unmarshal", ("a: [1]",), {"a": [1]}),
        ("unmarshal", ("a = 1",), {"a": 1}),
        ("unmarshal", ({}, '{"a": 1}'), {"a": 1}),
        ("anchorize", ("A b! c",), "a-b-c"),
        ("countwords", (" a  b ",), 2),
        ("partial", ("kite/icon-red.html",), ""),
        ("partial", ("badge.html", {"content": "<b>"}), '<span class="badge">&lt;b&gt;</span>'),
    ],
)  # fmt: skip
def test_function_gives_what_hugo_gives(name: str, arguments: tuple[Any, ...], value: Any) -> None:
    found = FUNCTIONS[name](*arguments)
    assert (found, type(found)) == (value, type(value))


def test_bounds_and_unknown_partials_are_errors() -> None:
    assert len(FUNCTIONS["seq"](2000)) == 2000
    with pytest.raises(ValueError, match="too long"):
        FUNCTIONS["seq"](2001)
    for context in ({"content": 5}, "text", None):
        with pytest.raises(LookupError, match=r"the partial badge\.html is not known"):
            FUNCTIONS["partial"]("badge.html", context)


KITES = [{"name": "b", "size": {"cm": 20}}, {"name": "a", "size": {"cm": 3}}, {"name": "c"}]


@each(
    "test, names",
    [
        (("name", "b"), "b"),
        ((".name", "ne", "b"), "ac"),
        (("size.cm", "gt", 5), "b"),
        (("name", "in", ["a", "c"]), "ac"),
        (("name", "not in", ["a", "c"]), "b"),
        (("name", "like", "[ab]"), "ba"),
        (("size", None), "c"),
    ],
)
def test_members_of_a_list_are_chosen_by_what_they_have(test: tuple[Any, ...], names: str) -> None:
    kites = KITES if "gt" not in test else KITES[:2]
    assert "".join(one["name"] for one in FUNCTIONS["where"](kites, *test)) == names


def test_lists_and_tables_are_sorted() -> None:
    sort = FUNCTIONS["sort"]
    assert sort([3, 20, "b", 1]) == [1, 3, 20, "b"]
    assert sort([1, 3], "value", "desc") == [3, 1]
    assert [one["name"] for one in sort(KITES[:2], "size.cm")] == ["a", "b"]
    assert [one["name"] for one in sort(KITES, ".name", "DESC")] == ["c", "b", "a"]
    assert sort({"b": 1, "a": 2}) == [2, 1]
    assert sort({"b": 1, "a": 2}, "key", "desc") == [1, 2]
    assert sort({"b": {"w": 2}, "a": {"w": 1}}, "w") == [{"w": 1}, {"w": 2}]


def test_code_is_fenced_by_more_marks_than_it_holds() -> None:
    assert FUNCTIONS["highlight"]("\na\n", "go", "x") == f"{CODE}```go\na\n```{CODE}"
    assert FUNCTIONS["highlight"]("````") == f"{CODE}`````\n````\n`````{CODE}"


@each(
    "text, written",
    [
        ("plain", "plain"),
        ("`a<b` **c** *d* _e_", "<code>a&lt;b</code> <strong>c</strong> <em>d</em> <em>e</em>"),
        ("a_b_c 2*3*4", "a_b_c 2*3*4"),
        ("[a](b?x&y)", '<a href="b?x&amp;y">a</a>'),
        ("**[a](b)**: *`c` d*", '<strong><a href="b">a</a></strong>: <em><code>c</code> d</em>'),
        ("[**a** _b_](c)", '<a href="c"><strong>a</strong> <em>b</em></a>'),
        ("**a [b** c](d)", '**a <a href="d">b** c</a>'),
        ("**a <br/> b**", "<strong>a <br/> b</strong>"),
        ('<i title="_x_">_y_</i>', '<i title="_x_"><em>y</em></i>'),
    ],
)
def test_marks_within_a_line_are_elements(text: str, written: str) -> None:
    assert inline_html(text) == written


@each(
    "text, written",
    [
        ("a *b*", "a <em>b</em>"),
        ("a\n\n*b*", "<p>a</p>\n<p><em>b</em></p>"),
        ("- a\n- b\n  c", "<ul><li>a</li><li>b\nc</li></ul>"),
        ("1. a\n2) b", "<ol><li>a</li><li>b</li></ol>"),
        ("a\n\n> *b*", "a\n\n> *b*"),
        ("# a\n\nb", "# a\n\nb"),
        ("a\n\n    b", "a\n\n    b"),
    ],
)
def test_paragraphs_and_lists_are_elements_and_other_blocks_stay(text: str, written: str) -> None:
    assert markdown_html(text) == written


def drawn(template: str, text: str = "{{< x >}}", **files: str) -> tuple[str, list[str]]:
    """Compile a page with a shortcode and its template: (body, messages of findings)."""
    known = {
        "shortcodes/x.html": template,
        **{name.replace("__", "/").replace("_dot_", "."): one for name, one in files.items()},
    }
    dialect = Dialect(extensions=frozenset({"hugo"}), shortcodes=("shortcodes",))

    def load(path: str) -> str | None:
        if not path.endswith("/"):
            return known.get(path)
        folder = path.removeprefix("./")
        return (
            "\n".join(sorted({one.removeprefix(folder).partition("/")[0] for one in known if one.startswith(folder)}))
            or None
        )

    found = compile_document(
        text, source_path="docs/a/index.md", load=load, options=ContentOptions(folders={"": dialect})
    )
    return found.body.strip(), [one.message for one in found.diagnostics]


@each(
    "fields, written",
    [
        (".Name", "kite.svg"),
        (".Title", "kite.svg"),
        (".ResourceType", "image"),
        (".MediaType.SubType", "svg"),
        (".MediaType.Type", "image/svg"),
        (".MediaType.MainType", "image"),
        ('(.Resize "10x").Name', "kite.svg"),
        ("(len .Params)", "0"),
        (".Width", ""),
    ],
)
def test_picture_beside_a_page_has_fields(fields: str, written: str) -> None:
    template = '{{ with .Page.Resources.GetMatch "kite.svg" }}<b>{{ ' + fields + " }}</b>{{ end }}"
    body, messages = drawn(template, docs__a__kite_dot_svg="<svg/>")
    assert (messages, f"<b>{written}</b>" in body) == ([], True), body


def test_unknown_field_of_a_file_is_a_finding() -> None:
    body, messages = drawn(
        '{{ with .Page.Resources.GetMatch "kite.svg" }}{{ .Exif }}{{ end }}', docs__a__kite_dot_svg="<svg/>"
    )
    assert "the field Exif of a file is not known" in messages[0]
    assert body == ""
