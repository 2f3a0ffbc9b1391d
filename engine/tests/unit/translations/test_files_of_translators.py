"""Files for translators, paragraphs and their changes, and the states of originals."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.translations import (
    ExchangeError,
    Unit,
    changed_paragraphs,
    count_untranslated,
    is_revision,
    read_po,
    read_xliff,
    revision_of,
    split_paragraphs,
    units_of,
    with_revision,
    with_translations,
    write_po,
    write_translation,
    write_xliff,
)
from tests.support.each import each

UNITS = [
    Unit("docs/a.md", "title", 2, "Kiln", "Ofen"),
    Unit("docs/a.md", "", 5, 'Say "hot"\nand\\or\tcold', ""),
    Unit("docs/b.md", "", 1, "Glaze it.", "Glasieren.", is_fuzzy=True, previous="Glaze."),
    Unit("docs/b.md", "hero.actions.0.text", 9, "Ends\n", "Endet\n"),
]


def told(units: list[Unit]) -> list[tuple[Any, ...]]:
    """Leave out what a file for translators does not bring back."""
    return [(one.page, one.context, one.source, one.target, one.is_fuzzy) for one in units]


@each("write, read", [(write_po, read_po), (write_xliff, read_xliff)])
def test_texts_come_back_as_they_were(write: Any, read: Any) -> None:
    found = read(write("de", "en", UNITS))
    assert (found.language, told(found.units)) == ("de", told(UNITS))


def test_gettext_file_names_places_and_what_was_translated_before() -> None:
    written = write_po("de", "en", UNITS)
    assert written.startswith('msgid ""\nmsgstr ""\n"MIME-Version: 1.0\\n"\n')
    assert '"Language: de\\n"\n"X-Source-Language: en\\n"\n\n' in written
    assert '#. title\n#: docs/a.md:2\nmsgctxt "docs/a.md#title"\nmsgid "Kiln"\nmsgstr "Ofen"\n' in written
    assert '#, fuzzy\n#| msgid "Glaze."\nmsgctxt "docs/b.md"\nmsgid "Glaze it."\n' in written
    assert 'msgid ""\n"Say \\"hot\\"\\n"\n"and\\\\or\\tcold"\nmsgstr ""\n' in written
    assert written.count("fuzzy") == 1
    assert written.endswith('msgstr "Endet\\n"\n')


HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n\n'


@each(
    "entry, target, is_fuzzy",
    [
        ('msgctxt "a.md"\nmsgid "A"\nmsgstr "B"', "B", False),
        ('# by hand\n#, fuzzy, c-format\nmsgctxt "a.md"\nmsgid "A"\nmsgstr "B"', "B", True),
        ('#~ old\nmsgctxt "a.md"\n  msgid   "A"\nmsgstr ""\n"B"\n"C\\n\\q"', "BC\n\\q", False),
        ('msgctxt "a.md#title"\nmsgid "A"\nmsgstr ""', "", False),
    ],
)
def test_gettext_of_other_programs_is_read(entry: str, target: str, is_fuzzy: bool) -> None:
    more = '\n\nmsgctxt "b.md"\nmsgid "Z"\nmsgstr "Y"\n'
    first, second = read_po(f"\ufeff{HEAD}{entry}{more}".replace("\n", "\r\n")).units
    assert (first.page, first.source, first.target, first.is_fuzzy) == ("a.md", "A", target, is_fuzzy)
    assert (second.page, second.target, second.is_fuzzy) == ("b.md", "Y", False)


def test_entries_know_their_lines() -> None:
    found = read_po(f'{HEAD}# note\nmsgctxt "a.md"\nmsgid "A"\nmsgstr "B"\n\nmsgctxt "a.md"\nmsgid "C"\nmsgstr ""\n')
    assert [one.line for one in found.units] == [5, 9]


@each(
    "text, line, message",
    [
        (f'{HEAD}msgctxt "a.md"\nmsgid "A"\nmsgid_plural "B"\nmsgstr[0] "C"\n', 4, "plural forms"),
        (f'{HEAD}msgctxt "a.md"\nmsgid "A"\n', 4, "no msgstr"),
        (f'{HEAD}msgid "A"\nmsgstr "B"\n', 4, "no msgctxt"),
        (f'{HEAD}msgctxt "a.md"\nmsgid "A\nmsgstr "B"\n', 5, "Expected msgctxt"),
        (f'{HEAD}msgctxt "a.md"\nmsgid "A" "\nmsgstr "B"\n', 5, "do not match"),
        ('"A"\n', 1, "Expected msgctxt"),
        ('msgctxt "a.md"\nmsgid "A"\nmsgstr "B"\n', 1, "Language: de"),
    ],
)
def test_mistake_in_a_gettext_file_has_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ExchangeError, match=message) as caught:
        read_po(text)
    assert caught.value.line == line


def test_xliff_has_a_file_for_each_page_and_the_state_of_each_text() -> None:
    written = write_xliff("de", "en", [*UNITS, Unit("docs/b&c.md", "", 3, "a < b & c\x01", "")])
    assert written.count("<file ") == 3
    assert '<file original="docs/a.md" source-language="en" target-language="de"' in written
    assert [part.partition('"')[0] for part in written.split('state="')[1:]] == [
        "translated", "needs-translation", "needs-review-translation", "translated", "needs-translation",
    ]  # fmt: skip
    assert "<note>Translated from: Glaze.</note>" in written
    assert '<trans-unit id="1" resname="title" xml:space="preserve"><source>Kiln</source>' in written
    assert "<source>a &lt; b &amp; c\ufffd</source>" in written
    assert '<context context-type="linenumber">9</context>' in written


def xliff(body: str, language: str = 'target-language="de"') -> str:
    return f'<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a.md" {language}><body>{body}</body></file></xliff>'


@each(
    "target, text, is_fuzzy",
    [
        ("<target>B <g>c</g></target>", "B c", False),
        ('<target state="needs-review-translation">B</target>', "B", True),
        ('<target state="needs-adaptation">B</target>', "B", True),
        ('<target state="needs-translation">B</target>', "B", False),
        ("", "", False),
    ],
)
def test_xliff_of_other_programs_is_read(target: str, text: str, is_fuzzy: bool) -> None:
    (unit,) = read_xliff(xliff(f"<trans-unit id='1'><source>A</source>{target}</trans-unit>")).units
    assert (unit.page, unit.source, unit.target, unit.is_fuzzy) == ("a.md", "A", text, is_fuzzy)


@each(
    "text, message",
    [
        ("<xliff>", "This is not XML"),
        ("<other/>", "found <other>"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><x/>', "no document type declaration"),
        (xliff("", ""), "the same target-language"),
        ('<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"/>', "has no <file> element, so that it holds no texts"),
        (xliff("<trans-unit id='7'/>"), 'id="7"> of a.md has no <source>'),
    ],
)
def test_what_is_no_xliff_is_said_so(text: str, message: str) -> None:
    with pytest.raises(ExchangeError, match=message):
        read_xliff(text)


@each(
    "text, paragraphs",
    [
        ("a\nb\n\nc\n", [(1, "a\nb"), (4, "c")]),
        ("---\ntitle: T\n---\na\n", [(1, "---\ntitle: T\n---"), (4, "a")]),
        ("a\n# b\nc\n", [(1, "a"), (2, "# b"), (3, "c")]),
        ("a\n```\n\nb\n```\nc", [(1, "a"), (2, "```\n\nb\n```"), (6, "c")]),
        ("````\n```\n\n````\na", [(1, "````\n```\n\n````"), (5, "a")]),
        ("~~~\n```\n\n~~~", [(1, "~~~\n```\n\n~~~")]),
        ("```\n\na\n", [(1, "```\n\na")]),
        ("- ```\n\n  ```\na", [(1, "- ```\n\n  ```"), (4, "a")]),
        ("> ```\n> a\n\nb", [(1, "> ```\n> a"), (4, "b")]),
        (":::note\na\n:::\n", [(1, ":::note"), (2, "a"), (3, ":::")]),
        ("```\n    ```\n\n```", [(1, "```\n    ```\n\n```")]),
        ("a\r\n\r\nb", [(1, "a"), (3, "b")]),
        ("", []),
    ],
)
def test_source_is_divided_into_paragraphs(text: str, paragraphs: list[tuple[int, str]]) -> None:
    assert [(one.line, one.text) for one in split_paragraphs(text) if one.text.strip()] == paragraphs


@each(
    "old, new, changes",
    [
        ("a b\nc\n\nd\n", "a\nb c\n\nd\n", []),
        ("a\n\nb\n", "b\n", [("removed", 1, "a", "")]),
        ("a\n", "a\n\nb\n", [("added", 3, "", "b")]),
        ("a\n\nb\n\nc\n", "a\n\nx\n\nc\n", [("changed", 3, "b", "x")]),
        ("a\n\nb\n", "x\n\ny\n\nz\n", [("changed", 1, "a", "x"), ("changed", 3, "b", "y"), ("added", 5, "", "z")]),
        ("a\n\nb\n\nc\n", "a\n\nx\n", [("changed", 3, "b", "x"), ("removed", 3, "c", "")]),
        ("a\n", "", [("removed", 1, "a", "")]),
    ],
)
def test_changed_paragraphs_are_listed_in_the_order_of_the_new_text(
    old: str, new: str, changes: list[tuple[str, int, str, str]]
) -> None:
    assert changed_paragraphs(old, new) == changes


PAGE = "---\ntitle: Kiln\n---\n\nimport A from 'a'\n\nFire it.\n\n- One\n\n```\ncode\n```\n\n:::note\n\nHot.\n\n:::\n\n$$x$$\n\nFire it.\n"


def test_texts_of_a_page_are_its_title_and_paragraphs_each_once() -> None:
    found = [(one.context, one.line, one.source) for one in units_of("a.md", PAGE)]
    assert found == [("title", 2, "Kiln"), ("", 7, "Fire it."), ("", 9, "- One"), ("", 17, "Hot.")]


def test_translation_is_paired_with_what_it_was_made_from() -> None:
    translated = (
        PAGE.replace("Kiln", "Ofen").replace("Fire it.", "Brennen.").replace("One", "Eins").replace("Hot.", "Heiß.")
    )
    now = PAGE.replace("Fire it.", "Fire it twice.").replace("- One\n\n", "")
    units, is_paired = with_translations("a.md", now, PAGE, translated)
    assert is_paired
    assert [(one.source, one.target, one.is_fuzzy, one.previous) for one in units] == [
        ("Kiln", "Ofen", False, ""),
        ("Fire it twice.", "Brennen.", True, "Fire it."),
        ("Hot.", "Heiß.", False, ""),
    ]
    assert count_untranslated(units) == 1
    other, is_paired = with_translations("a.md", PAGE, None, "Ganz anders.\n\n# Form\n")
    assert not is_paired
    assert [one.target for one in other] == [""] * 4
    assert count_untranslated(other) == 4


def test_translation_is_written_into_the_shape_of_its_original() -> None:
    targets = {("title", "Kiln"): "Ofen", ("", "Fire it."): "Brennen.", ("", "- One"): "- Eins"}
    written, missing = write_translation(PAGE, None, targets)
    assert written == PAGE.replace("Kiln", '"Ofen"').replace("Fire it.", "Brennen.").replace("One", "Eins")
    assert [(one.line, one.source) for one in missing] == [(17, "Hot.")]


def test_code_that_a_translator_has_changed_stays() -> None:
    existing = PAGE.replace("code", "Programm").replace("Fire it.", "Brennen.")
    written, _ = write_translation(PAGE, existing, {("", "Fire it."): "Brennen."}, PAGE)
    assert "Programm" in written
    newer = PAGE.replace("code", "other")
    assert "other" in write_translation(newer, PAGE, {}, PAGE)[0]


def test_item_of_a_list_keeps_its_indentation() -> None:
    page = "- One\n\n  Below it\n  goes on\n"
    written, missing = write_translation(
        page, None, {("", "- One"): "- Eins", ("", "Below it\ngoes on"): "Darunter\nweiter"}
    )
    assert (written, missing) == ("- Eins\n\n  Darunter\n  weiter\n", [])


def test_state_of_an_original_is_known_by_the_beginning_of_its_id() -> None:
    content = b"text\nmore\n"
    known = revision_of(content)
    assert len(known) == 12
    assert revision_of(b"text\r\nmore\r\n") == known
    assert [is_revision(known[:length], content) for length in (6, 7, 12)] == [False, True, True]
    assert is_revision(f"{known}{'0' * 28}", content)
    assert not is_revision(f"{known}{'0' * 29}", content)
    assert not is_revision("0" * 12, content)
    assert not is_revision(known.upper(), content) or known.upper() == known


@each(
    "text, marked",
    [
        ("Text.\n", '---\ntranslated_from: "abc"\n---\n\nText.\n'),
        ("---\ntitle: T\n---\nText.\n", '---\ntitle: T\ntranslated_from: "abc"\n---\nText.\n'),
        ("---\ntranslated_from: old\ntitle: T\n---\n", '---\ntranslated_from: "abc"\ntitle: T\n---\n'),
        ("+++\na = 1\n[b]\n+++\n", '+++\ntranslated_from = "abc"\na = 1\n[b]\n+++\n'),
        ("---\nA line above.\n", '---\ntranslated_from: "abc"\n---\n\n---\nA line above.\n'),
    ],
)
def test_state_is_written_into_the_front_matter(text: str, marked: str) -> None:
    assert with_revision(text, "abc") == marked
