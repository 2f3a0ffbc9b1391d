"""Text beside the blocks of a group of code, or before the first of its tabs, is shown."""

from __future__ import annotations

import pytest

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document

TEXTS = 'Before the blocks.\n\n```js [One]\nlet a;\n```\n\nThe **output**:\n\n```sh title="Two"\nb\n```\n\n## Next\n\nAfter them.\n'


def shown(text: str, *extensions: str) -> tuple[list[str], list[str]]:
    dialect = Dialect(is_mdx="nextra" in extensions, extensions=frozenset(extensions))
    document = compile_document(
        text, source_path="docs/a.mdx", load={}.get, options=ContentOptions(folders={"": dialect})
    )
    assert document.diagnostics == []
    (tabs,) = document.islands
    return [one["label"] for one in tabs.props["tabs"]], list(tabs.children)


@pytest.mark.parametrize(
    ("page", "extension"),
    [(f"<CodeGroup>\n\n{TEXTS}\n</CodeGroup>\n", "nextra"), (f"::: code-group\n\n{TEXTS}\n:::\n", "vitepress")],
)
def test_text_in_a_group_of_code_stays_beside_its_block(page: str, extension: str) -> None:
    labels, (first, second) = shown(page, extension)
    assert labels[0].strip("[]") == "One"
    assert "Before the blocks." in first
    assert "<strong>output</strong>" in first
    assert "After them." in second
    assert "output" not in second


def test_text_before_the_first_tab_is_in_it() -> None:
    labels, (first, _) = shown("::: tabs\n\nBefore.\n\n== A\n\nIn a.\n\n== B\n\nIn b.\n\n:::\n", "vitepress")
    assert labels == ["A", "B"]
    assert first.index("Before.") < first.index("In a.")


def test_an_image_that_opens_when_it_is_clicked_is_an_image() -> None:
    page = '<ImageZoom src="/a.png" alt="A sail" width={300} />\n\n<ImageZoom>![A mast](/b.png)</ImageZoom>\n'
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset(["nextra"]))})
    document = compile_document(page, source_path="docs/a.mdx", load={}.get, options=options)
    assert [one.href for one in document.assets] == ["/a.png", "/b.png"]
    html = document.body.replace(SLOT, "")
    assert 'alt="A sail" width="300"' in html
    assert 'alt="A mast"' in html
