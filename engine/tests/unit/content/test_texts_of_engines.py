"""What pages of Jekyll, Zola, VuePress and mdBook say in ways of their own is shown."""

from __future__ import annotations

import re

from octavo.content import SLOT, ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(
    text: str,
    extensions: list[str],
    *,
    variables: dict[str, str] | None = None,
    containers: dict[str, str] | None = None,
) -> Document:
    dialect = Dialect(extensions=frozenset(extensions), variables=variables or {}, containers=containers or {})
    return compile_document(text, source_path="docs/a.md", load={}.get, options=ContentOptions(folders={"": dialect}))


def test_code_that_vuepress_takes_in_may_lie_between_marks() -> None:
    files = {"src/Kite.java": "a\n  // :::1\n  wind();\n  // :::12\n    rope();\n  // :::1\nb\n// :::2\nc\n// :::2\n"}
    text = (
        "# A\n\n@[code lang=java transcludeWith=:::1](@/src/Kite.java)\n\n@[code transclude={1-2,7} highlight={1}](@/src/Kite.java)\n\n"
        '@[code lang=java transcludeWith=":::9"](@/src/Kite.java)\n'
    )
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["vuepress"]))})
    document = compile_document(text, source_path="docs/a.md", load=files.get, options=options)
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("missing-snippet", 7)]
    first, second = (re.sub(r"<[^>]*>", "", one) for one in document.body.split("<pre")[1:])
    assert first.partition(">")[2] == "wind();\n// :::12\n  rope();"
    assert second.partition(">")[2] == "a\n  // :::1\nb"
    unknown = compile_document(text, source_path="docs/a.md", load=files.get, options=ContentOptions())
    assert [(one.code, one.span.line) for one in unknown.diagnostics if one.code == "foreign-syntax"] == [
        ("foreign-syntax", 3),
        ("foreign-syntax", 5),
        ("foreign-syntax", 7),
    ]


def test_blocks_of_an_unknown_extension_of_python_markdown_show_their_content() -> None:
    text = "# A\n\n/// kite-embed\n    size: big\n    rope: 2\n\n```py\nfly()\n```\n///\n\n/// kite-file\n    path: a.py\n///\n\n/// kite-hint\nHold.\n///\n"
    document = compiled(text, ["blocks"])
    assert [(one.code, one.span.line) for one in document.diagnostics] == [
        ("foreign-syntax", 3),
        ("foreign-syntax", 12),
        ("unknown-admonition", 16),
    ]
    assert "rope, size" in document.diagnostics[0].message
    assert "fly" in document.body
    assert "ite-embed<" not in document.body
    assert "Kite-hint<" in document.body


def test_notes_of_versions_are_admonitions() -> None:
    text = (
        '# A\n\n+++ 2.0.0\n    Kites.\n\n- One\n\n    +/- 2.1 "New `rope`"\n        Longer.\n\n--- 3.0 "No tail"\n\n'
        "```text\n+++ 2.0\n```\n\n--- text\n"
    )
    document = compiled(text, ["admonitions", "version_notes"])
    assert document.diagnostics == []
    titles = re.findall(r'<p class="admonition-title"[^>]*><svg.*?</svg>(.*?)</p>', document.body)
    assert titles == [
        "Added in version 2.0.0",
        "Changed in version 2.1 — New <code>rope</code>",
        "Removed in version 3.0 — No tail",
    ]
    assert "<p>Kites.</p>" in document.body
    assert "+++ 2.0" in document.body
    found = compiled("# A\n\n+++ 2.0.0\n    Kites.\n\n+++ Tab\nText.\n+++\n", []).diagnostics
    assert [
        one.message.partition(" looks like ")[2].partition(";")[0] for one in found if one.code == "foreign-syntax"
    ] == [
        "a note of a version",
        "a tab of Retype",
    ]


def test_diagrams_that_are_not_drawn_are_a_finding_of_their_own() -> None:
    document = compiled("# A\n\n```d2\na -> b\n```\n\n```PlantUML\n@startuml\n```\n\n```dot\ngraph {}\n```\n", [])
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("foreign-syntax", 3), ("foreign-syntax", 7)]
    assert "Mermaid" in document.diagnostics[0].suggestion


def test_titles_of_tabs_need_no_space() -> None:
    text = "# A\n\n::::tabs\n==Wind\nBlows.\n\n==marked== text\n\nTitle\n=====\n\n==Rope\nHolds.\n::::\n"
    document = compiled(text, ["vitepress"])
    (island,) = [one for one in document.islands if one.kind == "tabs"]
    assert [tab["label"] for tab in island.props["tabs"]] == ["Wind", "Rope"]


def test_callouts_of_a_site_of_jekyll_have_its_titles() -> None:
    values = {
        "site.callouts.recipe.kind": "tip",
        "site.callouts.recipe.title": "How to",
        "site.callouts.warning.kind": "danger",
        "site.callouts.warning.title": "Beware",
    }
    text = "# A\n\n{: .recipe }\nBake it.\n\n{: .warning }\n> Hot.\n\nAfter.\n{: .recipe }\n\n{: .warning-title }\n> Own\n>\n> Text.\n"
    document = compiled(text, ["jekyll"], variables=values)
    assert document.diagnostics == []
    assert document.body.count("How to") == 2
    assert document.body.count("Beware") == 1
    assert "Own" in document.body
    assert "admonition-danger" in document.body


def test_tags_and_authors_of_zola_are_those_of_the_page() -> None:
    head = '+++\ntitle = "A"\nupdated = 2024-02-03\n[taxonomies]\ntags = ["clay"]\nshapes = ["bowl"]\n+++\n'
    document = compiled(f"{head}Text.\n", ["zola"])
    assert document.front_matter.tags == ["clay"]
    assert document.front_matter.last_update is not None
    assert ['"taxonomies.shapes"' in one.message for one in document.diagnostics] == [True]


def test_components_of_vuepress_are_drawn() -> None:
    text = (
        '# A\n\n<RouterLink to="https://x.example/b">There</RouterLink> <OutboundLink/>\n\n<TOC />\n\n'
        '<VPCard title="Kiln" desc="It is hot" link="https://x.example/c" logo="/k.svg" />\n'
    )
    document = compiled(text, ["vitepress", "vuepress"])
    assert document.diagnostics == []
    body = document.body.replace(SLOT, "")
    assert ">There</a>" in body
    assert "It is hot" in str([one.props for one in document.islands])
    assert "https://x.example/b" in [one.href for one in document.links]


def test_kinds_of_admonitions_that_a_book_declares_are_known() -> None:
    text = "# A\n\n```admonish try-it\nDo.\n```\n"
    known = compiled(text, ["mdbook", "mdbook_preprocessors"], containers={"try-it": "note"})
    assert known.diagnostics == []
    assert "Try-it" in known.body
    assert compiled(text, ["mdbook", "mdbook_preprocessors"]).diagnostics != []


def test_indented_code_in_an_admonition_of_mdbook_stays_code() -> None:
    text = "# A\n\n- One\n\n  ```admonish example\n\n      name: a\n\n      # No title\n  ```\n\n```admonish note collapsible=true\n\n    name: b\n\n    # No title\n```\n"
    document = compiled(text, ["mdbook", "mdbook_preprocessors"])
    assert [one.code for one in document.diagnostics] == []
    assert document.body.count("<h1") == 1
    assert document.body.count("# No title") == 2


def test_admonitions_of_mdbook_in_comments_stay_there() -> None:
    text = "# A\n\n<!--\nLater:\n\n```prql\nfrom b\n```\n\n```admonish info\nRead.\n``` -->\n\n```admonish tip\nDo.\n```\n\nEnd.\n"
    document = compiled(text, ["mdbook", "mdbook_preprocessors"])
    assert document.diagnostics == []
    assert "admonition-tip" in document.body
    assert "Read." not in document.body
    assert "<p>End.</p>" in document.body


def test_heads_and_feet_of_cards_and_links_of_features_of_hugo_are_shown() -> None:
    text = (
        '# A\n\n{{< card header="Head" title="Title" subtitle="Sub" footer="Foot" >}}\nBody\n{{< /card >}}\n\n'
        '{{% blocks/feature title="Fast" url="https://x.example/f" url_text="Read on" %}}\nIt is.\n{{% /blocks/feature %}}\n'
    )
    document = compiled(text, ["hugo"])
    assert [
        word
        for word in ("Head", "Title", "Sub", "Foot", "Body", "Fast", "It is.", ">Read on</a>")
        if word not in document.body
    ] == []


def test_blocks_of_readme_are_a_finding() -> None:
    document = compiled('# A\n\n[block:callout]\n{"type": "info", "body": "Text"}\n[/block]\n', [])
    assert [(one.span.line, "a block of ReadMe" in one.message) for one in document.diagnostics] == [(3, True)]
