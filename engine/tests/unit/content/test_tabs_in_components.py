"""A component of the site around tabs, such as one that remembers the reader's language, is drawn as a group of them."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document

PAGE = """<LanguageTabs items={['Python', 'Go', 'Ruby']}>
  <Tabs.Tab>
    Silk **line**.
  </Tabs.Tab>
  <Tabs.Tab>
    Hemp line.
  </Tabs.Tab>
  <Tabs.Tab title="Ruby (early)">
    Wire.
  </Tabs.Tab>
</LanguageTabs>
"""


@pytest.mark.parametrize("kind", ["react", "stubs"])
def test_labels_are_those_that_the_component_is_given(kind: str) -> None:
    names = frozenset(["LanguageTabs"])
    options = ContentOptions(
        folders={"": Dialect(is_mdx=True, extensions=frozenset(["nextra"]))},
        components=names,
        react=names if kind == "react" else frozenset(),
        stubs=names if kind == "stubs" else frozenset(),
    )
    document = compile_document(PAGE, source_path="docs/a.mdx", load={}.get, options=options)
    assert document.diagnostics == []
    (tabs,) = document.islands
    assert [one["label"] for one in tabs.props["tabs"]] == ["Python", "Go", "Ruby (early)"]
    assert "Hemp line." in tabs.children[1]
