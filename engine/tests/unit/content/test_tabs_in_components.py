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


def test_tabs_that_a_component_in_react_arranges_are_a_group() -> None:
    names = frozenset(["SystemTabs"])
    page = """<SystemTabs>
<TabItem value="a" label="Sail">

By **wind**.

</TabItem>
<TabItem value="b" label="Oar">

By hand.

</TabItem>
</SystemTabs>
"""
    document = compile_document(
        page, source_path="docs/a.mdx", load={}.get, options=ContentOptions(components=names, react=names)
    )
    assert document.diagnostics == []
    (tabs,) = document.islands
    assert [one["label"] for one in tabs.props["tabs"]] == ["Sail", "Oar"]


def test_tabs_of_themes_of_vitepress_take_their_label_from_what_sets_them_apart() -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=False, extensions=frozenset(["vitepress"]))})
    page = '<Tabs>\n<Tab flavor="hemp">\n\nOne **line**.\n\n</Tab>\n<Tab flavor="wire">\n\nTwo.\n\n</Tab>\n</Tabs>\n'
    document = compile_document(page, source_path="docs/a.md", load={}.get, options=options)
    assert document.diagnostics == []
    (tabs,) = document.islands
    assert [one["label"] for one in tabs.props["tabs"]] == ["hemp", "wire"]
    assert "<strong>line</strong>" in tabs.children[0]


def test_tabs_of_the_books_of_kubernetes_are_a_group() -> None:
    dialect = Dialect(is_mdx=False, extensions=frozenset(["mdbook", "mdbook_preprocessors"]))
    page = '{{#tabs name:"kind" tabs:"Sail,By Oar"}}\n{{#tab Sail}}\n\nOne **line**.\n\n{{#/tab }}\n{{#tab By Oar}}\n\nTwo.\n\n{{#/tab }}\n{{#/tabs }}\n'
    document = compile_document(
        page, source_path="docs/a.md", load={}.get, options=ContentOptions(folders={"": dialect})
    )
    assert document.diagnostics == []
    (tabs,) = document.islands
    assert [one["label"] for one in tabs.props["tabs"]] == ["Sail", "By Oar"]
    assert tabs.children == ["<p>One <strong>line</strong>.</p>", "<p>Two.</p>"]


def test_groups_of_vitepress_that_hold_others_have_longer_marks() -> None:
    page = "::::tabs\n=== Sail\n\nOne.\n\n:::tabs\n== Jib\n\nIn front.\n\n== Main\n\nBehind.\n:::\n\n=== Oar\n\nTwo.\n::::\n"
    options = ContentOptions(folders={"": Dialect(is_mdx=False, extensions=frozenset(["vitepress"]))})
    document = compile_document(page, source_path="docs/a.md", load={}.get, options=options)
    assert document.diagnostics == []
    labels = [[tab["label"] for tab in island.props["tabs"]] for island in document.islands]
    assert sorted(labels) == [["Jib", "Main"], ["Sail", "Oar"]]


def test_tabs_are_called_by_the_items_that_their_values_mean() -> None:
    text = (
        '<Tabs items={["React Native", "Vue"]} defaultValue="vue">\n<Tab value="vue" title="lib/a.ts">\n\nOne.\n\n</Tab>\n'
        '<Tab value="react-native" title="lib/a.ts">\n\nTwo.\n\n</Tab>\n</Tabs>\n'
    )
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset(["nextra"]))})
    document = compile_document(text, source_path="a.mdx", load={}.get, options=options)
    assert document.diagnostics == []
    island = document.islands[0]
    assert [one["label"] for one in island.props["tabs"]] == ["Vue", "React Native"]
    assert island.props["defaultValue"] == "Vue"


def test_parts_of_tabs_may_be_blocks_of_colons() -> None:
    text = "# A\n\n::::tabs\n:::tab[One]\nFly.\n:::\n:::tab[Two]\n1. Land.\n:::\n::::\n\nEnd.\n"
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=ContentOptions())
    assert document.diagnostics == []
    [island] = document.islands
    assert [one["label"] for one in island.props["tabs"]] == ["One", "Two"]
