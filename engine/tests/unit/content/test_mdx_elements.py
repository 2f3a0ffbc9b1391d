"""Markdown inside HTML elements of MDX is read without blank lines around it; elsewhere it is not, as CommonMark says."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions
from octavo.content.compile import compile_document


def body(text: str, *, path: str = "docs/a.mdx") -> str:
    document = compile_document(text, source_path=path, load={}.get, options=ContentOptions())
    assert document.diagnostics == []
    return document.body


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<div>\n*x*\n</div>\n", "<div><p><em>x</em></p></div>"),
        ("<div>*x*</div>\n", "<div><em>x</em></div>"),
        ("<p>\n*a* b\n</p>\n", "<p><em>a</em> b</p>"),
        ("<div>\n    *x*\n</div>\n", "<div><p><em>x</em></p></div>"),
        ("<div>\n- a\n- b\n</div>\n", "<div><ul><li>a</li><li>b</li></ul></div>"),
        (
            '<figure>\n  <img src="/c.png" alt="x"/>\n  <figcaption>A *b* `c`</figcaption>\n</figure>\n',
            "<figcaption>A <em>b</em> <code>c</code></figcaption>",
        ),
        ("<div>\n  <p>\n    a **b**\n  </p>\n</div>\n\nnext\n", "<div><p>a <strong>b</strong></p></div><p>next</p>"),
        ("<tr>\n<td>*a*</td>\n<td>b</td>\n</tr>\n", "<td><em>a</em></td>\n<td>b</td>"),
        (
            '<div className="a" style={{color: "red"}}>\n  a `b` and {1}\n</div>\n',
            '<div class="a" style="color: red"><p>a <code>b</code> and 1</p></div>',
        ),
        ("- item\n\n  <div>\n  *x*\n  </div>\n", "<div><p><em>x</em></p></div></li></ul>"),
    ],
)
def test_content_is_markdown(text: str, html: str) -> None:
    assert html in body(text).replace("\x00", "")


@pytest.mark.parametrize(
    "text",
    [
        "<div>\n2 * 3 * 4 and a_b_c\n</div>\n",
        "<pre>*x*</pre>\n",
        "<div>\n<div>*x*</div>\nplain\n</div>\n",
        "<div>\nplain\n</div>\n",
    ],
)
def test_element_without_marks_of_its_own_is_left_as_it_is(text: str) -> None:
    first = text.partition("\n")[0]
    assert body(text).startswith(first)


def test_markdown_files_follow_commonmark() -> None:
    assert "<div>\n*x*\n</div>" in body("<div>\n*x*\n</div>\n", path="docs/a.md")
