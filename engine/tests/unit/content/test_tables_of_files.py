"""Tables from files, as the plug-in table-reader of MkDocs draws them, and text of reStructuredText within a line."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.translate.rst.inline import code, escape, escape_heads, link
from tests.support.each import each

FILES = {
    "docs/k.csv": "name,cm\nred,20\nblue|green,3\n",
    "docs/k.tsv": "name\tcm\nred\t20\n",
    "docs/odd.csv": "\ufeff# note\nname;cm;more\nred;20\n\n",
    "docs/k.json": '[{"name": "red", "size": {"cm": 20}}, {"name": null, "wind": "b"}]',
    "docs/columns.json": '{"name": {"0": "red", "1": "blue"}, "cm": {"0": 20}}',
    "docs/lists.yaml": "name: [red, blue]\ncm: [20, 3]\n",
    "docs/one.yaml": "name: red\ncm: 20\n",
    "docs/list.json": "[1, 2]",
    "docs/empty.csv": "",
    "docs/wrong.json": "{",
    "docs/deep.json": "[" + '{"a":' * 3 + "1" + "}" * 3 + "]",
    "data/shared.csv": "a\nb\n",
}


def compiled(call: str, text: str = "{}") -> tuple[list[list[str]], list[str]]:
    """Compile a page with a call: (rows of its table, messages)."""
    dialect = Dialect(extensions=frozenset({"table_reader"}), snippet_folders=("data",))
    options = ContentOptions(folders={"": dialect})
    found = compile_document(text.replace("{}", call), source_path="docs/a.md", load=FILES.get, options=options)
    rows = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", found.body, re.DOTALL)
    ]
    return rows, [one.message for one in found.diagnostics]


@each(
    "call, rows",
    [
        ("read_csv('k.csv')", [["name", "cm"], ["red", "20"], ["blue|green", "3"]]),
        ("pd_read_csv('k.csv', usecols=['cm'])", [["cm"], ["20"], ["3"]]),
        ("read_csv('k.csv', usecols=[0])", [["name"], ["red"], ["blue|green"]]),
        ("read_csv('k.csv', nrows=1)", [["name", "cm"], ["red", "20"]]),
        ("read_csv('k.csv', nrows=0)", [["name", "cm"]]),
        ("read_csv('odd.csv', sep=';', skiprows=1)", [["name", "cm", "more"], ["red", "20", ""]]),
        ("read_csv('odd.csv', delimiter=';', skiprows=1, usecols=['name', 'more'])", [["name", "more"], ["red", ""]]),
        ("read_table('k.tsv')", [["name", "cm"], ["red", "20"]]),
        ("read_json('k.json')", [["name", "size.cm", "wind"], ["red", "20", ""], ["", "", "b"]]),
        ("read_json('columns.json')", [["name", "cm"], ["red", "20"], ["blue", ""]]),
        ("read_yaml('lists.yaml')", [["name", "cm"], ["red", "20"], ["blue", "3"]]),
        ("read_yaml('one.yaml')", [["name", "cm"], ["red", "20"]]),
        ("read_json('deep.json')", [["a.a.a"], ["1"]]),
        ("read_csv(filepath_or_buffer='shared.csv')", [["a"], ["b"]]),
        ("read_csv('k.csv', dtype='str', nrows=1) | add_indentation(spaces=2)", [["name", "cm"], ["red", "20"]]),
    ],
)
def test_table_is_drawn_from_its_file(call: str, rows: list[list[str]]) -> None:
    assert compiled("{{ " + call + " }}") == (rows, [])


@each(
    "call, message",
    [
        ("read_csv('gone.csv')", 'The file "gone.csv" of this table does not exist in the site\'s folder.'),
        ("read_excel('k.xlsx')", "read_excel cannot be drawn: files of this kind are read by programs."),
        ("read_csv(path)", "read_csv cannot be drawn: its arguments are computed."),
        ("read_csv()", "read_csv cannot be drawn: it names no file."),
        ("read_csv(5)", "read_csv cannot be drawn: it names no file."),
        ("read_csv('empty.csv')", 'read_csv cannot be drawn: "empty.csv" is empty.'),
        ("read_json('list.json')", 'read_json cannot be drawn: "list.json" holds no records.'),
        ("read_csv('k.csv', sep=', ')", 'read_csv cannot be drawn: ", " is not a character that separates.'),
        ("read_csv('k.csv', skiprows=-1)", 'read_csv cannot be drawn: "skiprows" is not a number of rows.'),
        ("read_csv('k.csv', skiprows='x')", 'read_csv cannot be drawn: "skiprows" is not a number of rows.'),
    ],
)
def test_table_that_cannot_be_drawn_is_a_finding(call: str, message: str) -> None:
    rows, messages = compiled("{{ " + call + " }}")
    assert (rows, messages[:1]) == ([], [message])


def test_file_that_cannot_be_read_says_why() -> None:
    _, messages = compiled("{{ read_json('wrong.json') }}")
    assert messages[0].startswith('read_json cannot be drawn: "wrong.json" cannot be read: ')


def test_option_that_changes_nothing_here_is_a_finding_and_the_table_is_drawn() -> None:
    rows, messages = compiled("{{ read_csv('k.csv', header=None, nrows=0, tablefmt='x') }}")
    assert (rows, messages) == ([["name", "cm"]], ['The option "header" of read_csv has no effect here.'])


def test_calls_in_code_stay_but_those_of_raw_files() -> None:
    rows, messages = compiled("{{ read_csv('k.csv') }}", "```\n{}\n```\n")
    assert (rows, messages) == ([], [])
    dialect = Dialect(extensions=frozenset({"table_reader"}))
    found = compile_document(
        "```\n  {{ read_raw('k.csv') }}\n```\n", source_path="docs/a.md", load=FILES.get,
        options=ContentOptions(folders={"": dialect}),
    )  # fmt: skip
    assert "  name,cm\n  red,20\n  blue|green,3" in re.sub("<[^>]*>", "", found.body)


@each(
    "text, written",
    [
        ("a*b`c[d]", "a\\*b\\`c\\[d\\]"),
        ("a_b _c_ d", "a_b \\_c\\_ d"),
        ("a < b <c", "a < b \\<c"),
        ("&amp; & b", "&amp;amp; & b"),
        ("~~a~~ ==b== ++c++", "\\~~a\\~~ \\==b\\== \\++c\\++"),
        (":smile: a:b", "\\:smile: a:b"),
        ("a\x00b", "ab"),
        ("{x} $y |z", "\\{x\\} \\$y \\|z"),
    ],
)
def test_text_of_rst_is_no_markup_of_ours(text: str, written: str) -> None:
    assert escape(text) == written


@each(
    "text, written",
    [
        ("# a\n+ b\n> c", "\\# a\n\\+ b\n\\> c"),
        ("1. a\n12) b", "1\\. a\n12\\) b"),
        ("::: a\n!!! b\n~~~ c", "\\::: a\n\\!!! b\n\\~~~ c"),
        ("#a\n1.a\n-a", "#a\n1.a\n-a"),
        ("  - a", "  \\- a"),
        ("===", "\\==="),
        ("1234567890. a", "1234567890. a"),
    ],
)
def test_lines_of_a_paragraph_begin_no_blocks(text: str, written: str) -> None:
    assert escape_heads(text) == written


@each(
    "text, written",
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a``b`", "``` a``b` ```"), ("a\nb", "`a b`"), (" ", " ")],
)
def test_code_is_marked_by_more_signs_than_it_holds(text: str, written: str) -> None:
    assert code(text) == written


@each(
    "text, href, written",
    [
        ("a", "b.html", "[a](b.html)"),
        ("a\nb", "c", "[a b](c)"),
        ("a", "https://x.y/a b\nc", "[a](https://x.y/abc)"),
        ("a", " b c ", "[a](<b c>)"),
        ("a", "b(c)<d>", "[a](<b(c)%3Cd%3E>)"),
        (" ", "https://x.y", "<https://x.y>"),
        ("", "b", ""),
    ],
)
def test_links_are_written_with_what_their_address_needs(text: str, href: str, written: str) -> None:
    assert link(text, href) == written
