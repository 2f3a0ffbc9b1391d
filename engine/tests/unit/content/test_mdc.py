"""Components in Markdown, as Nuxt Content and Docus read them."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.document import Document


def compiled(text: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["mdc"]))})
    return compile_document(text, source_path="content/1.a.md", load={}.get, options=options)


def test_callouts_have_kind_title_and_content() -> None:
    document = compiled(
        '# A\n\n::callout{icon="i-lucide-x" color="warning" title="Mind the **wind**"}\nIt :br blows.\n::\n\n::tip\n---\nto: /reel\n---\nReel `in`{lang="ts"}.\n::\n\n- item\n\n  ::note\n  Inside.\n  ::\n'
    )
    assert document.diagnostics == []
    html = document.body
    assert html.count('class="admonition admonition-warning"') == 1
    assert "Mind the <strong>wind</strong>" in html
    assert "It <br> blows." in html
    assert 'class="admonition admonition-tip"' in html
    assert "{lang" not in html
    assert [one.href for one in document.links] == ["/reel"]
    assert html.index("<li>") < html.index("admonition-note") < html.index("</li>")


def test_cards_lose_the_indentation_of_their_group() -> None:
    document = compiled(
        "# A\n\n::card-group\n  ::card\n  ---\n  title: Sail\n  to: /sail\n  icon: i-lucide-anchor\n  ---\n  By **wind**.\n\n      code\n  ::\n\n  :::card{title=Oar}\n  By hand.\n\n    :::note\n    Deep.\n    :::\n  :::\n::\n\nAfter.\n"
    )
    assert document.diagnostics == []
    html = document.body
    assert "By <strong>wind</strong>." in html
    assert "admonition-note" in html
    assert [one.href for one in document.links] == ["/sail"]
    assert "Oar" in html
    assert "<p>After.</p>" in html
    assert "::" not in html


def test_tabs_groups_of_code_and_folded_parts() -> None:
    document = compiled(
        '# A\n\n::tabs\n  :::tabs-item{label="One"}\n  First.\n  :::\n  :::tabs-item{label="Two"}\n  Second.\n  :::\n::\n\n::code-group\n```sh [npm]\nnpm i\n```\n\n```sh [yarn]\nyarn\n```\n::\n\n'
        '::accordion\n:::accordion-item{label="Why?"}\nBecause.\n:::\n::\n\n```ts [a.ts]{1}\nlet a\n```\n'
    )
    assert document.diagnostics == []
    assert [[tab["label"] for tab in one.props["tabs"]] for one in document.islands] == [
        ["One", "Two"],
        ["npm", "yarn"],
    ]
    assert "<summary>Why?</summary>" in document.body
    assert "<figcaption>a.ts</figcaption>" in document.body


def test_slots_and_given_texts_are_shown() -> None:
    document = compiled(
        '# A\n\n::u-page-hero\n---\ntitle: Fly\nlinks:\n  - label: Start\n    to: /start\n---\n#description\nHigh and [far]{.text-primary}.\n\n#links\n  :::u-button{to=/now}\n  Now\n  :::\n::\n\n::field{name="color" type="string" required}\nThe color.\n::\n'
    )
    assert document.diagnostics == []
    html = document.body
    assert "<strong>Fly</strong>" in html
    assert "High and far." in html
    assert "#description" not in html
    assert [one.href for one in document.links] == ["/start", "/now"]
    assert "<code>color</code> <em>string</em> required" in html


def test_components_in_a_line_are_their_text() -> None:
    document = compiled(
        '# A\n\nA :badge{label="new" color="info"}, :kbd{value="K"}, :icon{name="i-x"} and :link[there]{to="/there"}; 10:30, a:b[c] and `:x[y]`.\n'
    )
    assert document.diagnostics == []
    assert "new" in document.body
    assert "<kbd>K</kbd>" in document.body
    assert "10:30, a:b[c] and <code>:x[y]</code>" in document.body
    assert [one.href for one in document.links] == ["/there"]


def test_components_of_the_site_keep_their_content_with_a_finding() -> None:
    document = compiled("# A\n\n::kite-map{zoom=3}\nWith **text**.\n::\n\nText :kite-count{} here.\n")
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("foreign-syntax", 3), ("foreign-syntax", 7)]
    assert "With <strong>text</strong>." in document.body


def test_a_component_that_is_not_closed_is_a_finding() -> None:
    document = compiled("# A\n\n::note\nText.\n")
    assert [one.code for one in document.diagnostics] == ["unclosed"]
    assert "admonition-note" in document.body


def test_commands_of_undocs_are_shown_for_all_package_managers() -> None:
    document = compiled('# A\n\n:pm-install{name="kite" dev}\n\nOr :pm-x{command="kite fly"} now.\n')
    assert document.diagnostics == []
    assert len(document.islands) == 2
    assert [tab["label"] for tab in document.islands[0].props["tabs"]][:2] == ["npm", "Yarn"]
    assert "now." in document.body


def test_component_without_an_end_is_a_finding_where_it_begins() -> None:
    document = compiled("# A\n\n::steps{level=3}\n\n### One\n\n  ::note\n  Mind.\n\n### Two\n\nText.\n")
    found = [(one.span.line, one.message.partition(" is")[0]) for one in document.diagnostics if one.code == "unclosed"]
    assert found == [(3, '"::steps"'), (7, '"::note"')]


def test_button_without_an_address_is_its_text() -> None:
    document = compiled('# A\n\n::read-more\nSee *below*.\n::\n\n::button-link{label="Go"}\n::\n')
    assert "<p>See <em>below</em>.</p>" in document.body
    assert "<p>Go</p>" in document.body
    assert (document.links, document.diagnostics) == ([], [])


def test_components_of_nuxt_ui_within_a_line_are_drawn() -> None:
    document = compiled(
        '## Fast <UIcon name="i-lucide-rocket" />\n\nA <UButton to="/a" label="Go" icon="i-lucide-anchor" />, a <UButton to="/b">stay</UButton>'
        ' and <UBadge label="New" />.\n'
    )
    assert document.diagnostics == []
    assert [(one.anchor, one.text) for one in document.headings] == [("fast", "Fast")]
    assert "icon-rocket" in document.body
    assert [one.href for one in document.links] == ["/a", "/b"]
    assert re.search(
        r'<a class="button-link" href="[^"]*"><svg class="icon icon-anchor".*?</svg> Go</a>', document.body
    )
    assert '<span class="badge">New</span>' in document.body
