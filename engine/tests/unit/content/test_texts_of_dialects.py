"""Each text that blocks and components of an engine may hold is on the page, and in its Markdown.

The files in `fixtures/dialects` use what an engine offers; each text in them is a mark of its own.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document

FOLDER = Path(__file__).parent / "fixtures" / "dialects"
_MARK = re.compile(r"zq\w+?zq")
EXTENSIONS = {
    "gitbook.md": "gitbook",
    "hugo.md": "hugo",
    "mdbook.md": "mdbook mdbook_preprocessors def_list",
    "mdc.md": "mdc",
    "mintlify.mdx": "starlight mintlify",
    "mkdocs.md": "admonitions tabs attr_list def_list abbr annotations blocks caret critic keys mark tilde md_in_html emoji details",
    "myst.md": "myst def_list",
    "nextra.mdx": "nextra",
    "rspress.mdx": "rspress",
    "starlight.mdx": "starlight",
    "vitepress.md": "vitepress",
    "vocs.mdx": "vocs",
}
NOT_SHOWN = {
    "zqRssTzq": "for a feed of one page, which sites do not have",
    "zqRssDzq": "the same",
    "zqEmojizq": "a picture beside a title, which has an icon here",
    "zqEmzq": "the same",
    "zqToolzq": "a further program for packages",
    "zqCT2zq": "no title outside of a group of code in VitePress either",
    "zqHidzq": "a hidden line",
    "zqSpanTzq": "an attribute of a span",
    "zqIcTzq": "an attribute of an icon",
    "zqCCzq": "a comment of an editor",
    "zqKeyzq": "no key; a finding says so",
    "zqAttrzq": "an attribute of a block; a finding says so",
}
NOT_IN_MARKDOWN = {
    "zqABBRTzq": "the meaning of an abbreviation, which pages show on demand",
    "zqAidzq": "an id",
    "zqHidzq": "an id",
    "zqTitzq": "the title for browsers",
    "zqVideoFallbackzq": "for browsers without films",
    "zqImTitlezq": "an attribute of a picture",
    "zqLTzq": "an attribute of a link",
    "zqBTzq": "an attribute of a link",
}


def compiled(name: str) -> Document:
    dialect = Dialect(is_mdx=name.endswith(".mdx"), extensions=frozenset(EXTENSIONS[name].split()))
    return compile_document(
        (FOLDER / name).read_text(encoding="utf-8"),
        source_path=f"docs/{name}",
        load={}.get,
        options=ContentOptions(folders={"": dialect}),
    )


@pytest.mark.parametrize("name", sorted(EXTENSIONS))
def test_no_text_is_lost(name: str) -> None:
    document = compiled(name)
    marks = set(_MARK.findall((FOLDER / name).read_text(encoding="utf-8")))
    links = " ".join(link.href for link in document.links)
    parts = [document.body, str(document.islands), links, str(document.front_matter.metas), str(document.headings)]
    shown = html.unescape(" ".join(parts))
    assert {mark for mark in marks if mark not in shown} <= NOT_SHOWN.keys()
    assert {mark for mark in marks if mark in shown and mark not in document.markdown} <= NOT_IN_MARKDOWN.keys()


def test_each_file_is_a_dialect_with_marks() -> None:
    assert {file.name for file in FOLDER.iterdir()} == EXTENSIONS.keys()
    assert all(len(_MARK.findall(file.read_text(encoding="utf-8"))) >= 15 for file in FOLDER.iterdir())
