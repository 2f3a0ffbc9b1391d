"""What a file of translators leaves as it is in a page, and texts in front matter."""

from __future__ import annotations

from octavo.translations import (
    read_po,
    read_xliff,
    units_of,
    with_translations,
    write_po,
    write_translation,
    write_xliff,
)


def arabic(text: str) -> str:
    """Translate: Arabic letters in the place of Latin ones, marks of Markdown kept."""
    return text.translate({ord(latin): chr(0x627 + number) for number, latin in enumerate("abcdefghijklmnopqrst")})


LANDING = """---
title: Kiln
template: splash # no frame
hero:
  title: 'Fire it'
  tagline: >
    Heat in
    two lines.
  image: { alt: A kiln, file: a.svg }
  actions:
    - text: Start
      link: /start/
features:
  - title: Fast
    details: |
      Very.
draft: false
other:
  text: Not for readers
---

Words.
"""
LANDING_TEXTS = [
    ("title", "Kiln"),
    ("hero.title", "Fire it"),
    ("hero.tagline", "Heat in two lines."),
    ("hero.image.alt", "A kiln"),
    ("hero.actions.0.text", "Start"),
    ("features.0.title", "Fast"),
    ("features.0.details", "Very."),
    ("", "Words."),
]


def test_texts_of_landing_pages_are_translated() -> None:
    assert [(unit.context, unit.source) for unit in units_of("docs/a.md", LANDING)] == LANDING_TEXTS
    written, missing = write_translation(LANDING, None, {(key, text): arabic(text) for key, text in LANDING_TEXTS})
    assert missing == []
    assert written == LANDING.replace("title: Kiln", f'title: "{arabic("Kiln")}"').replace(
        "'Fire it'", f'"{arabic("Fire it")}"'
    ).replace(">\n    Heat in\n    two lines.", f'"{arabic("Heat in two lines.")}"').replace(
        "A kiln,", f'"{arabic("A kiln")}",'
    ).replace("text: Start", f'text: "{arabic("Start")}"').replace("title: Fast", f'title: "{arabic("Fast")}"').replace(
        "|\n      Very.", f'"{arabic("Very.")}"'
    ).replace("Words.", arabic("Words."))
    units, _ = with_translations("docs/a.md", LANDING, LANDING, written)
    assert [unit.target for unit in units] == [arabic(text) for _, text in LANDING_TEXTS]
    for write, read in ((write_po, read_po), (write_xliff, read_xliff)):
        found = {(unit.context, unit.source): unit.target for unit in read(write("ar", "en", units)).units}
        assert found == {(key, text): arabic(text) for key, text in LANDING_TEXTS}


def test_front_matter_that_a_translator_wrote_stays() -> None:
    """The import of a file with the same texts changed it to that of the original."""
    own = (
        LANDING.replace("title: Kiln", "title: Ofen")
        .replace("/start/", "/de/start/  # of this language")
        .replace("draft: false\n", "")
        .replace("text: Start", "text: Los")
    )
    units, _ = with_translations("docs/a.md", LANDING, LANDING, own)
    targets = {(unit.context, unit.source): unit.target for unit in units}
    assert write_translation(LANDING, own, targets, LANDING)[0] == own
    changed = targets | {("hero.actions.0.text", "Start"): "Anfangen", ("", "Words."): "Worte."}
    assert write_translation(LANDING, own, changed, LANDING)[0] == own.replace("Los", '"Anfangen"').replace(
        "Words.", "Worte."
    )


def test_front_matter_follows_what_has_changed_in_the_original() -> None:
    own = LANDING.replace("title: Kiln", "title: Ofen").replace("/start/", "/de/start/")
    new = LANDING.replace("template: splash # no frame", "template: doc").replace(
        "  text: Not for", "  text: Still not for"
    )
    new = new.replace("draft: false\n", "toc: false\n").replace("title: Kiln", "title: Kilns")
    targets = {(key, text): text for key, text in LANDING_TEXTS} | {("title", "Kilns"): "Öfen"}
    written, missing = write_translation(new, own, targets, LANDING)
    assert missing == []
    assert written == own.replace("Ofen", '"Öfen"').replace("template: splash # no frame", "template: doc").replace(
        "  text: Not for", "  text: Still not for"
    ).replace("draft: false\n", "").replace("readers\n---", "readers\ntoc: false\n---")


def test_field_that_a_translation_leaves_out_is_left_out() -> None:
    original = "---\ntitle: Kiln\ndescription: Heat.\nslug: /kiln\n---\n\nWords.\n"
    own = "---\ntitle: Ofen\n---\n\nWorte.\n"
    targets = {("title", "Kiln"): "Ofen", ("", "Words."): "Worte."}
    for base in (original, None):
        assert write_translation(original, own, targets, base) == (own, [])
    written, _ = write_translation(original, own, targets | {("description", "Heat."): "Heizen."}, original)
    assert written == own.replace("title: Ofen\n", 'title: Ofen\ndescription: "Heizen."\n')


def test_front_matter_in_toml_keeps_the_tables_of_a_translation() -> None:
    original = '+++\n# Its name\ntitle = "Kiln"\nweight = 2\n[extra]\nlead = "Heat."\n+++\n\nWords.\n'
    own = '+++\n# Its name\ntitle = "Ofen"\n[extra]\nlead = "Heizen."\n+++\n\nWorte.\n'
    new = original.replace("weight = 2", "weight = 2\ntoc = true")
    targets = {("title", "Kiln"): "Öfen", ("", "Words."): "Worte."}
    written, missing = write_translation(new, own, targets, original)
    assert missing == []
    assert written == own.replace("Ofen", "Öfen").replace("[extra]", "toc = true\n[extra]")


def test_text_with_several_translations_keeps_them() -> None:
    original, own = "**Type:** `a`\n\nOther.\n\n**Type:** `a`\n", "**Type :** `a`\n\nAutre.\n\n**Type\u00a0:** `a`\n"
    units, _ = with_translations("docs/a.md", original, original, own)
    targets = {(unit.context, unit.source): unit.target for unit in units}
    assert write_translation(original, own, targets)[0] == own
    targets["", "**Type:** `a`"] = "**Sorte:** `a`"
    assert write_translation(original, own, targets)[0].count("**Sorte:** `a`") == 2


def test_code_that_has_changed_in_the_original_is_taken_over_unless_it_is_translated() -> None:
    original = "Words.\n\n```\none\n```\n\n```\ntwo\n```\n"
    own = original.replace("Words.", "Worte.").replace("two", "zwei")
    new = original.replace("one", "one more").replace("two", "two more")
    written, missing = write_translation(new, own, {("", "Words."): "Worte."}, original)
    assert (written, missing) == (own.replace("one", "one more"), [])


def test_text_that_has_become_another_of_the_page_is_translated_anew() -> None:
    original, own = "One.\n\nTwo.\n", "Eins.\n\nZwei.\n"
    written, missing = write_translation("Two.\n\nTwo.\n", own, {("", "Two."): "Zwei."}, original)
    assert (written, missing) == ("Zwei.\n\nZwei.\n", [])


def test_nested_text_that_a_translation_leaves_out_is_left_out() -> None:
    own = LANDING.replace("/start/", "/de/start/").replace("  tagline: >\n    Heat in\n    two lines.\n", "")
    targets = {(key, text): text for key, text in LANDING_TEXTS if key != "hero.tagline"}
    assert write_translation(LANDING, own, targets, LANDING) == (own, [])
    written, _ = write_translation(LANDING, own, targets | {("hero.tagline", "Heat in two lines."): "Heizen."}, LANDING)
    assert 'tagline: "Heizen."' in written


def test_fields_in_toml_need_no_spaces() -> None:
    text = '+++\ntitle="Kiln"\nweight=2\n+++\n\nWords.\n'
    assert [(unit.context, unit.source) for unit in units_of("docs/a.md", text)] == [("title", "Kiln"), ("", "Words.")]
    written, _ = write_translation(text, None, {("title", "Kiln"): "Ofen", ("", "Words."): "Worte."})
    assert written == '+++\ntitle = "Ofen"\nweight=2\n+++\n\nWorte.\n'


def test_page_whose_name_looks_like_a_field_keeps_it() -> None:
    units = units_of("docs/a#image.md", "Words.\n")
    assert [unit.page for unit in read_po(write_po("ar", "en", units)).units] == ["docs/a#image.md"]
