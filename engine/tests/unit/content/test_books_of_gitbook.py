"""Pages of books, which the program of GitBook (now HonKit) draws as templates."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each

FILES = {
    "book/en/kite/red.md": "Red, {{ book.wind }}.\n\n{% include './blue.md' %}",
    "book/en/kite/blue.md": "Blue.",
    "book/en/loop.md": "again {% include 'loop.md' %}",
    "book/en/code.md": "```\n{{ book.wind }} {% raw %}{{ book.wind }}{% endraw %}\n```",
    "book/shared.md": "Shared.",
}


def compile_text(text: str) -> Document:
    dialect = Dialect(
        extensions=frozenset({"gitbook", "macros"}),
        variables={"book.wind": "strong"},
        snippet_folders=("book/en", "book/ja", "book"),
    )
    return compile_document(
        text, source_path="book/en/a.md", load=FILES.get, options=ContentOptions(folders={"": dialect})
    )


@each(
    ("text", "body"),
    [
        ('{% include "/kite/red.md" %}', "<p>Red, strong.</p><p>Blue.</p>"),
        ('{% include "kite/blue.md" %} Fly.', "<p>Blue. Fly.</p>"),
        ('{% include "../shared.md" %}', "<p>Shared.</p>"),
        (
            '{% raw %}`{% include "/kite/red.md" %}`{% endraw %}',
            "<p><code>{% include &quot;/kite/red.md&quot; %}</code></p>",
        ),
    ],
)
def test_other_files_are_taken_in(text: str, body: str) -> None:
    found = compile_text(text)
    assert found.body.replace('"', "&quot;").strip() == body
    assert found.diagnostics == []


def test_code_is_no_template() -> None:
    found = compile_text("```py\n{% include 'kite.py' %}\n{% for a in b %}{{ a }}{% endfor %}{{ book.wind }}\n```\n")
    assert "{% include 'kite.py' %}\n{% for a in b %}{{ a }}{% endfor %}{{ book.wind }}" in re.sub(
        "<[^>]*>", "", found.body
    )
    assert found.diagnostics == []


def test_code_of_files_that_are_taken_in_is_a_template() -> None:
    assert "<code>strong {{ book.wind }}</code>" in compile_text("{% include '/code.md' %}").body


def test_missing_file_and_endless_one_are_findings() -> None:
    found = compile_text('A\n\nB {% include "/gone.md" %}\n')
    assert [(one.code, one.span.line, one.span.column) for one in found.diagnostics] == [("missing-snippet", 3, 3)]
    found = compile_text('{% include "/loop.md" %}')
    assert [one.code for one in found.diagnostics] == ["missing-snippet"]
    assert "again" in found.body


def test_name_of_a_file_is_the_title_of_the_code_below() -> None:
    found = compile_text(
        "{% set mark = '<i class=\"x\"></i>' %}\n{% filename %}kite.py{{ mark }}{% endfilename %}\n```py\nfly()\n```\n\n{% filename %}shell{% endfilename %}\n\n    $ fly\n"
    )
    assert "kite.py" in found.body
    assert "<code>shell</code>" in found.body
    assert "filename" not in found.body
    assert found.diagnostics == []


def test_name_of_a_file_in_a_quote_leaves_the_code_below_whole() -> None:
    found = compile_text(
        "> * Go\n>\n>   {% filename %}a.sh{% endfilename %}\n>   ```bash\n>   fly\n>   ```\n>   Land.\n"
    )
    assert "<code>a.sh</code>" in found.body
    assert found.body.index("<figure") < found.body.index("Land.") < found.body.index("</blockquote>")


def test_sections_that_open_are_details() -> None:
    found = compile_text(
        '<!--sec data-title="On: macOS" data-id="a"\ndata-collapse=true ces-->\n\nFly *high*.\n\n<!--endsec-->\n\nEnd.\n'
    )
    assert "<summary>On: macOS</summary>" in found.body
    assert found.body.index("<em>high</em>") < found.body.index("</details>") < found.body.index("End.")


@each(
    ("text", "title", "address"),
    [
        ('{% page-ref page="../kite.md" %}', "All kites", "../kite.md"),
        ('{% page-ref page="../wind/" %}', "Winds", "../wind/"),
        ('{% page-ref page="gone.md" %}', "gone.md", "gone.md"),
    ],
)
def test_reference_to_a_page_is_a_link_with_its_title(text: str, title: str, address: str) -> None:
    files = {"docs/kite.md": "# All kites\n", "docs/wind/README.md": "# Winds\n"}
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"gitbook"}))})
    document = compile_document(
        f"Before.\n\n{text}\n\nAfter.", source_path="docs/a/b.md", load=files.get, options=options
    )
    assert document.diagnostics == []
    assert [link.href for link in document.links] == [address]
    assert f">{title}</a>" in document.body
