"""`<Since>`, `<Changed>` and `<Removed>`: marks of versions beside headings, settings and flags."""

from __future__ import annotations

from pathlib import Path

from octavo.content import ContentOptions, Document
from octavo.content.compile import compile_document
from octavo.words import words_of

STYLES = Path(__file__).parents[3] / "theme/src/styles"


def compiled(source: str, path: str = "docs/a.md", options: ContentOptions | None = None) -> Document:
    return compile_document(source, source_path=path, load={}.get, options=options or ContentOptions())


def test_mark_is_beside_a_heading_and_no_part_of_it() -> None:
    document = compiled('## Fire <Since version="2.1" />\n\n| a |\n| - |\n| `--x` <Removed version={3} /> |\n')
    [heading] = document.headings
    assert (heading.anchor, heading.text) == ("fire", "Fire")
    assert 'Fire <span class="badge" data-mark="since" data-version="2.1">Since 2.1</span></h2>' in document.body
    assert "| `--x` *(Removed in 3)* |" in document.markdown
    assert [chunk.text for chunk in document.text] == ["Fire", "a", "--x"]
    assert document.diagnostics == []
    assert any("\n.badge {" in path.read_text(encoding="utf-8") for path in STYLES.glob("*.css"))


def test_mark_is_in_the_language_of_the_page() -> None:
    german = compiled(
        'Text <Changed version="2" />\n', "docs/de/a.md", ContentOptions(words={"docs/de": dict(words_of("de"))})
    )
    assert "Geändert in 2</span>" in german.body


def test_mark_without_a_version_and_hostile_ones_do_no_harm() -> None:
    for source in ("<Since />", '<Since version="" />', "<Since version={true} />"):
        document = compiled(f"Text {source}.\n")
        assert [one.code for one in document.diagnostics] == ["version-mark"]
        assert "badge" not in document.body
    hostile = compiled('Text <Since version="<img src=x onerror=alert(1)>" />\n').body
    assert "<img" not in hostile
