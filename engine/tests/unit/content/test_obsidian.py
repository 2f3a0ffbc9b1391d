"""Links between double brackets, embedded files, callouts and comments of Obsidian."""

from __future__ import annotations

import pytest

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.document import Document

FILES = {
    "notes/Sails.md": "---\ntitle: Sails\n---\n\n# Sails\n\nAll of them.\n\n## Main sail\n\nThe **large** one, see [[Mast]].\n\nTrim it. ^trim\n\n## Jib\n\nSmall.\n",
    "notes/deep/Mast.md": "# Mast\n",
    "notes/Mast.md": "# Mast\n",
    "img/A boat.png": "",
}
NAMES: dict[str, list[str]] = {}
for path in sorted(FILES, key=lambda one: (one.count("/"), one)):
    NAMES.setdefault(path.rpartition("/")[2].lower(), []).append(path)


def compiled(text: str, path: str = "notes/A.md") -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["obsidian"]))}, names=NAMES)
    return compile_document(text, source_path=path, load=FILES.get, options=options)


@pytest.mark.parametrize(
    ("link", "href", "text"),
    [
        ("[[Sails]]", "Sails.md", "Sails"),
        ("[[sails#Main sail]]", "Sails.md#main-sail", "sails &gt; Main sail"),
        ("[[Sails#Main sail|the *main* one]]", "Sails.md#main-sail", "the <em>main</em> one"),
        ("[[deep/Mast|tall]]", "deep/Mast.md", "tall"),
        ("[[Mast]]", "Mast.md", "Mast"),
        ("[[#Here]]", "#here", "Here"),
        ("[[Sails#^trim|trim]]", "Sails.md#^trim", "trim"),
        ("[[Nowhere]]", "Nowhere.md", "Nowhere"),
        ("[[A boat.png]]", "../img/A%20boat.png", "A boat.png"),
    ],
)
def test_names_are_links(link: str, href: str, text: str) -> None:
    document = compiled(
        f"# Title\n\n## Here\n\nGo to {link} now.\n\n| a | b |\n|---|---|\n| {link.replace('|', chr(92) + '|')} | c |\n"
    )
    assert document.diagnostics == []
    found = [one.href for one in (*document.links, *document.assets)]
    assert found == [href, href]
    assert document.body.count(f">{text}</a>") == 2


def test_names_in_code_are_none() -> None:
    document = compiled("# A\n\n`[[Sails]]` and\n\n```md\n[[Sails]] %%no%%\n> [!tip] x\n```\n")
    assert document.links == []
    assert "[[Sails]]" in document.body
    assert "%%no%%" in document.body.replace("<span", "").replace("</span>", "") or "no" in document.body


def test_pictures_have_their_size() -> None:
    document = compiled("# A\n\n![[A boat.png]]\n\n![[A boat.png|Under way|300x200]]\n\n![[A boat.png|120]]\n")
    assert [one.href for one in document.assets] == ["../img/A%20boat.png", "../img/A boat.png", "../img/A boat.png"]
    html = document.body.replace(SLOT, "")
    assert 'alt="Under way" width="300" height="200"' in html


def test_pages_show_what_others_say() -> None:
    document = compiled("# A\n\n![[Sails#Main sail]]\n\n![[Sails#^trim]]\n")
    assert document.diagnostics == []
    assert "<strong>large</strong>" in document.body
    assert document.body.count("Trim it.") == 2
    assert "Small." not in document.body
    assert [one.href for one in document.links] == ["Mast.md"]
    assert "notes/Sails.md" in document.dependencies


def test_a_file_that_is_not_there_is_a_finding() -> None:
    document = compiled("# A\n\nSee:\n\n![[Gone]]\n")
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("missing-snippet", 5)]
    assert "Gone" in document.body


def test_callouts_nest_and_fold() -> None:
    document = compiled(
        "# A\n\n> [!tip] Wind **first**\n> Look up.\n>\n> > [!question]- Why?\n> > Because of [[Sails]].\n>\n> - one\n> - two\n\nAfter.\n\n> [!warning]\n> Low.\n\n- item\n\n  > [!example] Ex\n  > In it.\n"
    )
    assert document.diagnostics == []
    html = document.body
    assert html.count('class="admonition admonition-tip"') == 1
    assert "<details" in html
    assert "Why?" in html
    assert 'class="admonition admonition-warning"' in html
    assert "[!" not in html
    assert "<blockquote" not in html
    assert html.index("<li>") < html.index("After.")
    assert [(one.href, one.span.line) for one in document.links] == [("Sails.md", 7)]


def test_comments_and_ids_of_blocks_are_not_shown() -> None:
    document = compiled("# A\n\nSeen %%not seen%% too. ^mark\n\n%%\nHidden\n\nall\n%%\n")
    assert document.diagnostics == []
    assert "not seen" not in document.body
    assert "Hidden" not in document.body
    assert 'id="^mark"' in document.body


def test_alerts_with_text_in_the_line_of_their_mark_are_read_alone() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["callouts"]))})
    text = "# A\n\n> [!NOTE] Wind is **strong**,\n> and [[x]] is text.\n\n> [!LEGACY]\n> Old.\n\n> [!DETAILS] More\n> Folded.\n"
    document = compile_document(text, source_path="a.md", load={}.get, options=options)
    assert [one.code for one in document.diagnostics] == ["foreign-syntax"]
    html = document.body
    assert "Wind is <strong>strong</strong>,\nand [[x]] is text." in html
    assert "Legacy" in html
    assert "<summary>More</summary>" in html
    assert "[!" not in html


def test_pages_that_show_each_other_end() -> None:
    files = {"A.md": "# A\n\n" + "![[B]]\n" * 50, "B.md": "# B\n\n" + "![[A]]\n\nText.\n" * 50}
    names = {"a.md": ["A.md"], "b.md": ["B.md"]}
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["obsidian"]))}, names=names)
    document = compile_document(files["A.md"], source_path="A.md", load=files.get, options=options)
    assert "missing-snippet" in {one.code for one in document.diagnostics}
    assert document.body.count("Text.") < 11_000


@pytest.mark.parametrize("engine", ["hugo", "vitepress"])
def test_alerts_of_hugo_and_vitepress_have_a_title_in_the_line_of_their_mark(engine: str) -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset([engine]))})
    text = "# A\n\n> [!NOTE] Wind of **nine**\n>\n> Stay.\n\n> [!TIP]- More\n> Folded.\n\n> [!NB]\n> Low.\n\n> [!NOTE]\n> Plain.\n"
    document = compile_document(text, source_path="a.md", load={}.get, options=options)
    assert document.diagnostics == []
    html = document.body
    assert "Wind of <strong>nine</strong></p>" in html
    assert "<summary>More</summary>" in html
    assert html.count('class="admonition admonition-note"') == 3
    assert "[!" not in html
