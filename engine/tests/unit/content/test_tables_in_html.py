"""Tables that authors write as HTML scroll on their own where they are wider than the page, as those of Markdown do."""

from __future__ import annotations

import re

from octavo.content import ContentOptions
from octavo.content.compile import compile_document
from tests.support.each import each

WRAP = '<div class="table-wrap" tabindex="0">'
TABLE = "<table>\n<tr><td>a</td></tr>\n</table>"


def body_of(source: str, path: str = "docs/a.md") -> str:
    return compile_document(source, source_path=path, load={}.get, options=ContentOptions()).body


@each(
    ("source", "path"),
    [
        (f"{TABLE}\n", "docs/a.md"),
        (f"{TABLE}\n", "docs/a.mdx"),
        ("<table>\n<tr>\n<td>\n\n*a*\n\n</td>\n</tr>\n</table>\n", "docs/a.md"),
        ("<table>\n<tr>\n<td>\n\n*a*\n\n</td>\n</tr>\n</table>\n", "docs/a.mdx"),
        ('<TABLE class="x"><tr><td>a</td></tr></TABLE>\n', "docs/a.md"),
        (f'<div align="center">\n{TABLE}\n</div>\n', "docs/a.md"),
        (f"- one\n\n  {TABLE.replace(chr(10), chr(10) + '  ')}\n", "docs/a.md"),
        ("<table>\n<tr><td><table><tr><td>b</td></tr></table></td></tr>\n</table>\n", "docs/a.md"),
        ("<details>\n<summary>s</summary>\n\n<table><tr><td>a</td></tr></table>\n\n</details>\n", "docs/a.mdx"),
    ],
)
def test_table_is_in_a_box_that_scrolls(source: str, path: str) -> None:
    body = body_of(source, path)
    assert body.count(WRAP) == 1
    assert re.search(rf"{re.escape(WRAP)}<table\b(?s:.*)</table></div>", body, re.IGNORECASE)
    assert len(re.findall(r"<div\b", body)) == body.count("</div>")


def test_each_of_two_tables_has_its_own_box() -> None:
    body = body_of(f"{TABLE}\n\ntext\n\n{TABLE}\n")
    assert body.count(WRAP) == 2
    assert body.count("</table></div>") == 2


def test_end_tag_without_a_table_ends_no_box() -> None:
    assert "</div>" not in body_of("a\n\n</table>\n\nb\n")
