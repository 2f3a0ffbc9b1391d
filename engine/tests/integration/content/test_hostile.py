"""No text makes the compiler raise, hang, or take more than linear time."""

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.content.compile import ContentOptions, compile_document
from octavo.content.context import MOST_ALIKE
from octavo.content.dialect import Dialect
from octavo.content.source import MARK_CLOSE, MARK_OPEN

OPTIONS = ContentOptions(components=frozenset({"Card"}), magic_comments={"bad": "error"})
FILES = {
    "components/Card.mdx": "<div className={props.c}>{props.children}</div>\n\n## {props.title}\n",
    "docs/_p.mdx": "import Q from './_p.md'\n\n{props.x} <Q/> <Card>{props.children}</Card>\n",
    "docs/_p.md": "> [^1]\n\n[^1]: x\n",
}
_WORDS = [
    *"\n \t`~:<>{}[]()!*_#-+|\\/\"'=&^.$@é🚀\x00\ufdd0\u2028\r0a",
    *("\n\n", "    ", ":::", "::::note", ":::tip[", "```", "```js {1}\n", "~~~", "<!--", "-->", "{/*", "*/}"),
    *("<Tabs>", "</Tabs>", '<TabItem value="a">', "</TabItem>", "<details>", "<summary>", "</summary>", "</details>"),
    *("<Card>", "</Card>", "<Card/>", "<P x={1}>", "</P>", "import P from './_p.mdx'\n", "export const a = {\n"),
    *("{props.children}", "{props.x}", "{'a'}", "{`b`}", "{1", "<T>", "<a href=", "<img src='x'>", "<div>\n", "</div>"),
    *("- ", "1. ", "> ", "| a |", "\n|-|\n", "[^1]", "[^1]: ", "[x]: y\n", "[x]", "![", "](", "https://a.b", "www.", "a@b.c"),
    *("---\n", "title: x\n", "\n# ", "## a {#b}", "{#b}", "$ ls", "highlight-next-line", "<script>", "</script>", "<CodeBlock>"),
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_WORDS), max_size=60).map("".join) | st.text(max_size=300)


@pytest.mark.parametrize("extension", ["md", "mdx"])
def test_no_text_makes_it_raise(extension: str):
    @settings(derandomize=True, deadline=None, max_examples=600, suppress_health_check=list(HealthCheck), database=None)
    @given(_TEXTS)
    def check(text: str):
        path = f"docs/page.{extension}"
        document = compile_document(text, source_path=path, load=FILES.get, options=OPTIONS)
        printed = [document.body, document.markdown, *(chunk.text for chunk in document.text)]
        printed += [child for island in document.islands for child in island.children]
        assert not any(MARK_OPEN in part or MARK_CLOSE in part or "<?" in part for part in printed)
        anchors = [heading.anchor for heading in document.headings if heading.anchor]
        assert len(anchors) == len(set(anchors))

    check()


_SIZED = {
    "nested admonitions": lambda n: ":::note\n" * n,
    "admonitions of many lengths": lambda n: "".join(f"{':' * (3 + i % 50)}note\n" for i in range(n // 5)),
    "nested tabs": lambda n: "<Tabs>\n<TabItem value='a'>\n" * (n // 4),
    "angle brackets": lambda n: "<" * n * 5,
    "square brackets": lambda n: "[" * n * 10,
    "braces": lambda n: "{" * n * 5,
    "open tags": lambda n: "<Card " * n,
    "open quotes in tags": lambda n: '<a "' * n,
    "open comments": lambda n: "<!--" * n + "{/*" * n,
    "open shortcodes": lambda n: "{{< a {{% b {% c " * n,
    "open code beside an end": lambda n: "a <code>" * n + "</p>",
    "open scripts": lambda n: "<script>" * n,
    "backticks of many lengths": lambda n: " ".join("`" * (i % 100 + 1) for i in range(n // 5)),
    "quotes": lambda n: ">" * n + " :::",
    "addresses": lambda n: "https://" * n + "a" * n + "@" + "a@" * n,
    "brackets in an address": lambda n: "https://a.b/" + "(" * n + ")" * n,
    "emphasis": lambda n: "*a_" * n,
    "equal headings": lambda n: "## a\n" * (n // 5),
    "footnotes": lambda n: "".join(f"[^{i}] " for i in range(n // 5)) + "\n\n" + "".join(f"[^{i}]: x\n\n" for i in range(n // 5)),
    "one footnote used often": lambda n: "[^a] " * n + "\n\n[^a]: x\n",
    "inline components": lambda n: "a <Card>" * (n // 5) + "</Card>" * (n // 5),
    "spaces after import": lambda n: "import " + " " * n * 5,
    "backslashes in a fence": lambda n: '```js title="' + "\\" * n * 5,
    "front matter": lambda n: "---\n" + "a: [" * (n // 5) + "\n---\n",
    "lists": lambda n: "- " * n,
    "conditions without an end": lambda n: "{a && " * n,
    "braces behind addresses": lambda n: "[a](" * n + "{b" * n,
    "imports of nothing": lambda n: "import {\n\nimport P from './part.md'\n\n" * (n // 2),
    "open brackets between tags": lambda n: "<div " + "<![CDATA[:a:" * n * 2,
    "emphasis without an end between tags": lambda n: "<div>\n" + "<b>a</b> _a" * n,
    "spaces at the head of a line": lambda n: "  " * n * 2 + "```a",
    "open fences beside foreign marks": lambda n: "~~" * n + "{{#include" * n,
    "lines that open fences": lambda n: "~~~ a\n\n```` b\n" * n + "{{#include",
    "foreign marks in many blocks": lambda n: "export const a = {\n```js {1}\n@*" * n,
    "end tags of none of many elements": lambda n: "<pre>" * n + "</details>" * n,
    "blocks behind a long text": lambda n: "<summary>" * n + "{: .a }\n" * n + ":::note\n" * n,
    "a long word in code": lambda n: "`a- " + "a" * n * 10 + "`",
    "statements without an end": lambda n: "export default {{ a\n\n" * (n // 2),
    "words behind a fence": lambda n: "```js " + "title=\"a ' /b/ " * n + "\nx\n```\n",
    "spaces in a heading": lambda n: "# a" + " " * n * 5 + "b}\n",
    "labels of footnotes": lambda n: "[^" * n * 5 + "]",
    "directives of diagrams": lambda n: "```mermaid\n" + "%%{" * n * 3 + "\n```\n",
}  # fmt: skip


@pytest.mark.parametrize("extension", ["md", "mdx"])
@pytest.mark.parametrize("name", _SIZED)
def test_time_grows_with_size_and_not_with_its_square(name: str, extension: str):
    """Four times the text may take eight times as long, where a quadratic rule would take sixteen times.

    Other processes can double the time of one measurement, so one that is too long is repeated; a quadratic rule is too slow
    each time.
    """
    _check_growth(lambda n: _cpu_s(_SIZED[name](n), extension))


def _check_growth(measure: Callable[[int], float]) -> None:
    measured = []
    for _ in range(5):
        large = measure(5000)
        if large < _ALWAYS_FAST_S:
            return
        small = measure(1250)
        if large < 8 * small:
            return
        measured.append((small, large))
    pytest.fail(f"seconds of a text, and of one that is four times as long: {measured}")


_DIALECTS = {
    "mdbook": Dialect(extensions=frozenset({"mdbook"})),
    "myst": Dialect(extensions=frozenset({"myst"}), slugs="docutils"),
}
_SIZED_IN_A_DIALECT = {
    "headings": ("myst", lambda n: "".join(f"## Kiln_{i} heat\n\n" for i in range(n))),
    "fences behind open comments": ("mdbook", lambda n: "<!--\n```\na\n```\n\n" * n),
    "open fences in comments": ("mdbook", lambda n: "".join(f"<!--\n{'~' * (90 - i % 87)}\n-->\n\n" for i in range(n))),
}  # fmt: skip


@pytest.mark.parametrize("name", _SIZED_IN_A_DIALECT)
def test_time_in_a_dialect_grows_with_size_and_not_with_its_square(name: str):
    dialect, make = _SIZED_IN_A_DIALECT[name]
    options = ContentOptions(folders={"": _DIALECTS[dialect]})
    _check_growth(lambda n: _cpu_s(make(n), "md", options))


_ALWAYS_FAST_S = 0.25
"""A text that takes less is not compared: differences of so little time say nothing."""


def _cpu_s(text: str, extension: str, options: ContentOptions = OPTIONS) -> float:
    start = time.process_time()
    compile_document(text, source_path=f"docs/page.{extension}", load=FILES.get, options=options)
    return time.process_time() - start


def test_many_findings_in_one_line_are_bounded_in_number_and_size() -> None:
    """10,000 elements without an end were 10,000 findings, each with the whole line: 1.5 GB."""
    document = compile_document(
        "word " * 1_000 + "<div>" * 10_000, source_path="docs/page.md", load={}.get, options=OPTIONS
    )
    found = document.diagnostics
    assert {one.code for one in found} == {"unclosed-html"}
    assert len(found) == MOST_ALIKE + 1
    assert found[-1].message == f"There are more findings of this kind than the first {MOST_ALIKE}."
    assert max(len(one.excerpt) for one in found) == 1_000
    first = found[0]
    assert first.span.column > 5_000
    assert first.excerpt[first.span.column - 1 - first.excerpt_start :].startswith("<div>")


def test_page_that_is_too_deep_shows_its_source_with_a_finding() -> None:
    def load(path: str) -> str:
        raise RecursionError

    source = "---\ntitle: Deep\n---\n\nimport P from './_p.mdx'\n\n```js\n<P/>\n```\n\n<P/>\n"
    document = compile_document(source, source_path="docs/page.mdx", load=load, options=OPTIONS)
    assert [(one.code, one.level, str(one.span)) for one in document.diagnostics] == [
        ("too-deep", "error", "docs/page.mdx:4:1")
    ]
    assert document.front_matter.title == "Deep"
    assert "import P from &#x27;./_p.mdx&#x27;" in document.body or "import P from './_p.mdx'" in document.body
    assert "```js" in document.body


def test_partials_that_multiply_are_stopped():
    files = {f"docs/_{i}.mdx": f"import N from './_{i + 1}.mdx'\n\n" + "<N/>\n\n" * 10 for i in range(8)}
    files["docs/_8.mdx"] = "end\n"
    document = compile_document(
        "import N from './_0.mdx'\n\n<N/>\n", source_path="docs/page.mdx", load=files.get, options=OPTIONS
    )
    assert {"too-many-partials"} == {found.code for found in document.diagnostics}


def test_block_of_which_one_match_takes_minutes_is_plain_text_with_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.content.code.budget.BUDGET_S", 0.05)
    code = "0" * 64_000
    source = f"```devicetree\n{code}\n```\n\nAfter\n"
    document = compile_document(source, source_path="p.md", load={}.get, options=ContentOptions())
    assert [(found.code, str(found.span)) for found in document.diagnostics] == [("slow-code", "p.md:1:1")]
    assert f"<code>{code}</code>" in document.body


def test_block_that_takes_too_long_is_plain_text_with_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.content.code.budget.BUDGET_S", 0.05)
    code = "a." * 8000
    source = f"Text\n\n```ts\n{code}\n```\n\nAfter\n"
    document = compile_document(source, source_path="p.md", load={}.get, options=ContentOptions())
    assert [(found.code, str(found.span)) for found in document.diagnostics] == [("slow-code", "p.md:3:1")]
    assert f'data-language="ts" role="none"><pre tabindex="0"><code>{code}</code>' in document.body
    assert document.body.endswith("<p>After</p>")
    assert document.code == {}
