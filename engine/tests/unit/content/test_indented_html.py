"""HTML below admonitions, tabs and list items: to Python-Markdown it is a part of a paragraph, in which Markdown is read."""

from __future__ import annotations

import re

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document
from tests.support.each import each

BUTTON = '[Reel](https://example.org/reel "Wind it"){ .button }'


def compiled(text: str, *extensions: str) -> tuple[str, list[str]]:
    names = frozenset(extensions or ("admonitions", "attr_list", "details", "md_in_html"))
    options = ContentOptions(folders={"": Dialect(extensions=names)})
    document = compile_document(text, source_path="docs/a.md", load={}.get, options=options)
    return re.sub(rf"{SLOT}[^{SLOT}]*{SLOT}", "", document.body), [one.code for one in document.diagnostics]


@each(
    "text",
    [
        f'??? tip "One"\n\n    Text\n\n    <div class="x">\n    {BUTTON}\n    </div>\n',
        f'!!! note\n\n    <div class="x">\n    {BUTTON}\n    </div>\n',
        f'- Item\n\n    <div class="x">\n    {BUTTON}\n    </div>\n',
        f'!!! note\n\n    <div class="x">{BUTTON}</div>\n',
    ],
)
def test_markdown_in_it_is_read(text: str) -> None:
    body, codes = compiled(text)
    assert '<div class="x">' in body
    assert 'class="button">Reel</a>' in body
    assert "[Reel]" not in body
    assert body.count("<div") == body.count("</div>")
    assert codes == []


@each(
    "text, kept",
    [
        ('<div class="x">\n*Wind*\n</div>\n', "*Wind*"),
        ("!!! note\n\n    <div>\n    <b>*</b>\n    </div>\n", "<b>*</b>"),
        ("!!! note\n\n    <pre>\n    *Wind*\n    </pre>\n", "*Wind*"),
    ],
)
def test_html_at_the_start_of_lines_and_code_stay(text: str, kept: str) -> None:
    assert kept in compiled(text)[0]


def test_without_the_extension_it_stays() -> None:
    assert "*Wind*" in compiled("!!! note\n\n    <div>\n    *Wind*\n    </div>\n", "admonitions")[0]
