"""Ids that a heading and another element of a page both have."""

from __future__ import annotations

import re

from octavo.content import SLOT, ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each


def compiled(text: str, *extensions: str, path: str = "docs/a.md") -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    return compile_document(text, source_path=path, load={}.get, options=options)


@each(
    "text, kept, lines",
    [
        ('<a id="set-up"></a>\n\n## Set up\n', "<a></a>", []),
        ('<a id="set-up"></a>\n## Set up\n', "<a></a>", []),
        ("<div id='set-up' class=\"x\"></div>\n\n## Set up\n", '<div class="x"></div>', []),
        ('<a id="set-up"></a>\n\n<a id="start"></a>\n\n## Set up\n', "<a></a>", []),
        ('## <span id="set-up"></span> Set up\n', "<span></span>", []),
        ('## Set <b id="set-up">up</b>\n', "<b>up</b>", []),
        ('## Other\n\n<b id="set-up">b</b>\n\n## Set up\n', "<b>b</b>", [3]),
        ('<a id="set-up"></a>\n\nA text.\n\n## Set up\n', "<a></a>", [1]),
        ('## Set up\n\nA text.\n\n<span id="set-up">Here</span>\n', "<span>Here</span>", [5]),
        ('## Set up {#own}\n\n<i class="a" id="own">i</i>\n', '<i class="a">i</i>', [3]),
        ('## Set up\n\n<h3 id="other">Other</h3>\n', '<h3 id="other">Other</h3>', []),
        ('## Set up\n\n`<a id="set-up">`, <b id="b">b</b>\n', '<b id="b">b</b>', []),
    ],
)
def test_a_heading_keeps_its_id(text: str, kept: str, lines: list[int]) -> None:
    document = compiled(text)
    body = document.body.replace(SLOT, "")
    assert kept in body
    assert len(re.findall(r'<[^<>]*\sid="(?:set-up|own)"', body)) == 1
    assert "<h2 id=" in body
    found = [(one.code, one.span.line) for one in document.diagnostics]
    assert found == [("duplicate-anchor", line) for line in lines]
