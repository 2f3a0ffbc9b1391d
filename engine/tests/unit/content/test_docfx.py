"""Pages of DocFX: files that are taken in, code from files, tabs, videos and names of things."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each

DIALECT = Dialect(
    extensions=frozenset(["docfx", "callouts"]),
    snippet_folders=("docs",),
    references={"kite.wind": "docs/guide/wind.md"},
    slugs="github",
)
CODE = """using System;
class Kite
{
    // <Fly>
    void Fly()
    {
        // <Inner>
        Up();
        // </Inner>
    }
    // </Fly>
    #region Land
    void Land() { }
    #endregion
}
"""
FILES = {
    "docs/parts/note.md": "---\nuid: x\n---\nIt *flies*, see [more](../b.md) and ![a](a.png).\n\n[!INCLUDE [](deep.md)]\n",
    "docs/parts/deep.md": "Deep.",
    "docs/parts/round.md": "[!INCLUDE [](round.md)]",
    "docs/kite.cs": CODE,
    "docs/guide/wind.md": "# Wind *blows*\n",
}


def compiled(text: str) -> Document:
    return compile_document(
        text, source_path="docs/a.md", load=FILES.get, options=ContentOptions(folders={"": DIALECT})
    )


def messages(document: Document) -> list[str]:
    return [one.message for one in document.diagnostics]


def test_files_are_taken_in_with_their_links() -> None:
    document = compiled("[!INCLUDE [Note](parts/note.md)]\n\n- Item [!include[](~/parts/deep.md)] here\n")
    assert document.markdown.split("\n\n")[:2] == ["It *flies*, see [more](b.md) and ![a](parts/a.png).", "Deep."]
    assert "Item Deep. here" in document.markdown
    assert document.diagnostics == []


def test_files_that_are_missing_or_take_in_themselves_are_findings() -> None:
    assert messages(compiled("[!INCLUDE [](gone.md)]\n")) == [
        'The file "gone.md" of this line does not exist in the site\'s folder.'
    ]
    assert messages(compiled("[!INCLUDE [](parts/round.md)]\n")) == [
        'The file "round.md" is not taken in: files take each other in without an end.'
    ]


@each(
    ("text", "code"),
    [
        ("[!code-csharp[Main](kite.cs?name=Fly&highlight=2)]", "csharp {2}|void Fly()|{|    Up();|}"),
        ("[!code-csharp[](kite.cs#Land)]", "csharp|void Land() { }"),
        ("[!code[](kite.cs#L1-L2)]", "csharp|using System;|class Kite"),
        ("[!code-cs[](~/kite.cs?range=2,15)]", "cs|class Kite|}"),
        (':::code language="csharp" source="kite.cs" id="Inner":::', "csharp|Up();"),
        (':::code language="csharp" source="kite.cs" range="1":::', "csharp|using System;"),
    ],
)
def test_code_comes_from_files(text: str, code: str) -> None:
    document = compiled(f"{text}\n")
    assert "|".join(document.markdown.strip().removeprefix("```").removesuffix("\n```").split("\n")) == code
    assert document.diagnostics == []


def test_parts_that_are_missing_and_options_without_effect_are_findings() -> None:
    assert messages(compiled("[!code-csharp[](kite.cs?name=Gone)]\n\n[!code-csharp[](kite.cs?range=1&color=red)]\n")) == [
        'The file "kite.cs" has no part "Gone"; all of it is shown.',
        '"color" of this code has no effect.',
    ]  # fmt: skip


def test_headings_with_addresses_of_tabs_are_tabs() -> None:
    text = "# A\n\n# [`Linux`](#tab/linux)\n\nOne\n\n```\n---\n```\n\n# [Mac](#tab/mac)\n\nTwo\n\n---\n\nAfter\n\n## [X](#tab/linux)\n\nThree\n"
    document = compiled(text)
    tabs = [island.props["tabs"] for island in document.islands if island.kind == "tabs"]
    assert tabs == [
        [{"value": "linux", "label": "Linux"}, {"value": "mac", "label": "Mac"}],
        [{"value": "linux", "label": "X"}],
    ]
    assert "<p>After</p>" in document.body
    assert document.diagnostics == []


def test_tabs_for_a_choice_made_before_are_shown_with_it() -> None:
    document = compiled("# [C](#tab/c/mac)\n\nOne\n\n# [C](#tab/c/pc)\n\nTwo\n\n***\n")
    assert [tab["label"] for tab in document.islands[0].props["tabs"]] == ["C (mac)", "C (pc)"]
    assert len(messages(document)) == 2


@each(
    ("text", "markdown"),
    [
        ("See <xref:kite.wind>.", "See [Wind *blows*](./guide/wind.md)."),
        ("See @kite.wind and [it](xref:kite.wind#top).", "See [Wind *blows*](./guide/wind.md) and [it](./guide/wind.md#top)."),
        ("<xref:System.String.Format*> `@kite.wind`", "[`Format`](https://learn.microsoft.com/dotnet/api/system.string.format) `@kite.wind`"),
        ("Mail a@kite.wind.example or https://x.example/@Kite.Wind", "Mail a@kite.wind.example or https://x.example/@Kite.Wind"),
        (':::image type="content" source="a.png" alt-text="A kite":::', "![A kite](a.png)"),
        ('> [!div class="big"]\n> [Next](b.md)', "> [Next](b.md)"),
    ],
)  # fmt: skip
def test_names_pictures_and_marks_are_rewritten(text: str, markdown: str) -> None:
    document = compiled(f"{text}\n")
    shown = re.sub(r"[<>](?=[./h])|(?<=\w)>(?=\))", "", document.markdown.strip())
    assert shown.replace("> \n", "").replace(">\n", "") == markdown
    assert document.diagnostics == []


def test_names_that_no_page_has_are_findings() -> None:
    document = compiled("[Up](xref:Kite.Up) <xref:Kite.Down*> @Kite.Left @left.right\n")
    assert document.markdown.strip() == "Up `Down` `Kite.Left` @left.right"
    assert messages(document) == [
        'No page has the uid "Kite.Up"; its link is left out.',
        'No page has the uid "Kite.Down*"; its name is shown as code.',
        'No page has the uid "Kite.Left"; its name is shown as code.',
    ]


def test_text_of_a_reference_may_hold_brackets_in_code() -> None:
    document = compiled("[`[Fly]`](xref:Kite.Fly), [`[Wind]`](xref:kite.wind)\n")
    assert document.markdown.strip().startswith("`[Fly]`, [`[Wind]`](")
    assert messages(document) == ['No page has the uid "Kite.Fly"; its link is left out.']


def test_videos_are_frames_and_what_is_for_some_readers_is_a_finding() -> None:
    document = compiled('> [!VIDEO https://v.example/1]\n\n:::zone pivot="a"\n\nText\n\n:::zone-end\n')
    assert 'src="https://v.example/1"' in document.body
    assert messages(document) == ['What ":::zone" holds for some readers or versions only is shown to all.']
