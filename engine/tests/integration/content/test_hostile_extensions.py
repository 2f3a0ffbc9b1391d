"""Input made to cost time or to break things, for dialects with every extension."""

from __future__ import annotations

import random
import time

import pytest

from engine.tests.unit.content.cases import FIXTURES, load_cases
from octavo.content import EXTENSIONS, ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.source import MARK_CLOSE, MARK_OPEN

CASES = load_cases(FIXTURES / "extensions.md") + load_cases(FIXTURES / "foreign.md")
FILES = {path: text for case in CASES for path, text in case.files.items()}
LINES = [line for case in CASES for line in case.source.split("\n")]
PIECES = [
    "{",
    "}",
    "===",
    "!!!",
    ":::",
    "///",
    '"',
    "`",
    "```",
    "$",
    "$$",
    "~",
    "^",
    "++",
    "==",
    ":smile:",
    "\n",
    "    ",
]
PIECES += [
    "<div markdown>",
    "</div>",
    '--8<-- "docs/part.md"',
    "\t",
    "> ",
    "- ",
    "[^1]",
    "*[HTML]: x",
    "{ #a }",
    "|",
    "</d",
    "{{< tab",
    "{{% /",
    ">}}",
    "{% hint",
    ' title="a"',
    "%}",
    "{note}",
    "{ref}`",
    "(a)=",
    "<Card",
    "</Tabs>",
]
LONG = {
    "gitbook": "{% tab" + " a=b" * 5000 + "\n\n" + '{% hint a="' * 3000 + "\n\n" + "{% code %}\n" * 3000,
    "tabs": '=== "a"\n    ' * 1500,
    "marks": "==a " * 10_000 + "\n" + "^a " * 10_000 + "\n" + "~a" * 10_000,
    "runs": "==" * 10_000 + "\n\n" + "$$" * 10_000 + "\n\n" + "++a " * 10_000,
    "attribute lists": "{: .a }\n" * 3000 + "\n" + "{ #a " * 10_000 + "a{ .b" * 10_000,
    "editor's marks": "{++" * 8000,
    "blocks": "/// note\n" * 1500,
    "elements": "<div markdown>\n" * 1500 + "<div>" * 10_000,
    "quotes": "> !!! note\n>     x\n" * 1000,
    "abbreviations": "".join(f"*[A{number}]: x\n" for number in range(1000)) + "A1 " * 3000,
    "shortcodes": "{{< a " * 4000 + "{{< note >}}" * 1000 + '{{< x "' * 2000,
    "closed shortcodes": "{{< tabs >}}{{< tab >}}" * 2000 + "{{< /tab >}}{{< /tabs >}}" * 2000,
    "directives": "```{note}\n" * 500 + ":::{tip}\n" * 500 + "{ref}`" * 2000 + "[a](b" * 2000,
    "literal directives": "```{include} docs/part.md\n" * 1500 + "{{ a" * 5000 + "(a)=\n" * 3000,
    "components": "<Card>\n" * 2000 + "<Badge " * 5000 + "<Foo>" * 5000,
    "short codes": ":a" * 20_000,
    "loops of Liquid": "{% capture a %}{% for a in b %}" * 2000,
    "open code of Liquid": "{% highlight a %}\n" * 2000,
}


def compile_page(source: str) -> Document:
    dialect = Dialect(extensions=frozenset(EXTENSIONS))
    options = ContentOptions(folders={"": dialect})
    return compile_document(source, source_path="docs/x.md", load=FILES.get, options=options)


def assert_no_placeholder(document: Document, shown: str) -> None:
    printed = [document.body, document.markdown, *(chunk.text for chunk in document.text)]
    printed += [child for island in document.islands for child in island.children]
    assert not any(MARK_OPEN in text or MARK_CLOSE in text for text in printed), shown


@pytest.mark.parametrize("name", LONG)
def test_long_input_compiles(name: str) -> None:
    """Rules that cost time with the square of the length would take minutes here."""
    assert_no_placeholder(compile_page(LONG[name]), name)


GROWING = {
    "list in a directive": ("myst", lambda count: "```{note}\n- a\n" + "\n    more\n" * count + "```\n"),
    "paragraph in a directive": ("myst", lambda count: "```{note}\na\n" + "    more\n" * count + "```\n"),
    "code in a directive": ("myst", lambda count: "```{note}\nx\n\n" + "    more\n\ny\n\n" * count + "```\n"),
    "open raw stretches of a book": ("gitbook,macros", lambda count: "{% include %}{% endraw %}" + "{% raw %}" * count),
    "open raw stretches": ("macros", lambda count: "{% include %}{% endraw %}" + "{% raw %}" * count),
    "open comments": ("macros", lambda count: "{% include %} #}" + "{#" * count),
    "spaces before no statement": ("macros", lambda count: "{% include %}" + " " * 5 * count),
    "directives without an end": ("myst", lambda count: ":::{tip}\n> a\n|-|\n" * count),
    "scripts without an end": ("vitepress", lambda count: "<script>\n\n</Tabs>\n" * count * 2),
    "what Vue leaves as it is, without an end": ("vitepress", lambda count: "<!-- <b v-pre> " * count * 2 + "{{ a }}"),
    "tabs of VuePress": ("vuepress,myst", lambda count: "@tab a\n```{note}\na\n" * count),
    "parts of pages with roles": ("myst", lambda count: "`a`\n\n(b)=\n\n" * count * 2),
    "comments of Nunjucks without an end": ("eleventy", lambda count: "{#" * count * 4),
    "calls without an end": ("table_reader", lambda count: "{{ read_csv('a', " * count),
}


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_with_the_number_of_lines_and_marks(name: str) -> None:
    """Four times as many may take eight times as long, where a rule that reads all of the rest takes sixteen times."""
    extensions, text_of = GROWING[name]
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions.split(",")))})

    def cpu_s(count: int) -> float:
        begun = time.process_time()
        compile_document(text_of(count), source_path="docs/x.md", load=FILES.get, options=options)
        return time.process_time() - begun

    # One measurement may come upon a collection of garbage, or the import of a lexer; that rule is too slow each time.
    measured = []
    for _ in range(5):
        large = cpu_s(4000)
        if large < 0.5:
            return
        small = cpu_s(1000)
        if large < 8 * small:
            return
        measured.append((small, large))
    pytest.fail(f"seconds of a text, and of one that is four times as long: {measured}")


@pytest.mark.parametrize("seed", range(8))
def test_mixed_up_pages_compile_and_show_no_placeholder(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        source = "\n".join(chance.choice(LINES) for _ in range(chance.randint(1, 20)))
        for _ in range(chance.randint(0, 6)):
            place = chance.randint(0, len(source))
            source = source[:place] + chance.choice(PIECES) + source[place + chance.choice([0, 0, 3]) :]
        document = compile_page(source)
        assert_no_placeholder(document, source)
