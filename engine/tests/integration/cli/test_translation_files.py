"""Files for translators: what is a text, gettext and XLIFF, and pages that are written from them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from octavo.cli.main import octavo
from octavo.cli.translations.exchange import import_texts
from octavo.config import parse_config
from octavo.errors import UsageError
from octavo.translations import (
    Exchanged,
    ExchangeError,
    Unit,
    read_po,
    read_xliff,
    revision_of,
    units_of,
    with_translations,
    write_po,
    write_translation,
    write_xliff,
)
from tests.support.each import each

CONFIG = """title = "Kiln"
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "ar"
label = "العربية"
path = "ar"
docs = "i18n/ar"
[[locales]]
id = "zh-Hans"
label = "中文"
path = "zh"
docs = "i18n/zh"
"""
PAGE = """---
title: Heat the kiln
description: "How to heat."
sidebar_position: 3
---

# Heat

Close the "door" \\ and
wait a tab\there.

- one
- two

:::note

  Indented words.

:::

```sh
kiln heat

kiln wait
```

---

| A | B |
|---|---|
| 1 | two |
"""
TEXTS = [
    ("title", "Heat the kiln"),
    ("description", "How to heat."),
    ("", "# Heat"),
    ("", 'Close the "door" \\ and\nwait a tab\there.'),
    ("", "- one\n- two"),
    ("", "Indented words."),
    ("", "| A | B |\n|---|---|\n| 1 | two |"),
]


def arabic(text: str) -> str:
    """Translate: Arabic letters in the place of Latin ones, marks of Markdown kept."""
    return text.translate({ord(latin): chr(0x627 + number) for number, latin in enumerate("abcdefghijklmnopqrst")})


def site_of(tmp_path: Path, files: dict[str, str]) -> Path:
    for name, text in {"octavo.toml": CONFIG, **files}.items():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path


def run(site: Path, *arguments: str) -> Result:
    command, *rest = arguments
    return CliRunner().invoke(octavo, ["translations", command, "--site", str(site), *rest], catch_exceptions=False)


def test_texts_are_paragraphs_and_visible_fields() -> None:
    assert [(unit.context, unit.source) for unit in units_of("docs/a.md", PAGE)] == TEXTS
    assert units_of("docs/a.md", PAGE)[3].line == 9


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\n",
        "---\ntitle: x",
        "+++\ntitle = 3\ntags = [\n'a',\n]\n+++\n",
        "---\n: :\n\ttitle: 'x\n---\n\r\n1 + 1",
        "import A from 'a'\n\nexport const b = 1\n\n<!-- c -->\n\n{/* d */}\n",
    ],
)
def test_sources_without_texts_stay_as_they_are(text: str) -> None:
    units = [unit for unit in units_of("docs/a.md", text) if unit.source not in ("---\ntitle: x", "title: x")]
    assert [unit for unit in units if unit.context] == []
    assert write_translation(text, None, {})[0] == text.replace("\r\n", "\n")


def test_toml_front_matter_is_written_as_toml() -> None:
    text = '+++\ntitle = "Heat"\nsidebar_position = 2\n+++\n\nWords.\n'
    written, missing = write_translation(text, None, {("title", "Heat"): 'Hei"zen', ("", "Words."): "Worte."})
    assert written == '+++\ntitle = "Hei\\"zen"\nsidebar_position = 2\n+++\n\nWorte.\n'
    assert missing == []


@pytest.mark.parametrize(("write", "read"), [(write_po, read_po), (write_xliff, read_xliff)])
def test_file_keeps_every_text(write: Callable[[str, str, list[Unit]], str], read: Callable[[str], Exchanged]) -> None:
    odd = 'a "b" \\n \\ <c> & {d} \t \u200fع\u2028 漢字\n\n  e\nf#g'
    units = [
        Unit("docs/a b#c.md", "title", 2, odd, odd),
        Unit("docs/a b#c.md", "", 3, "Untranslated."),
        Unit("docs/z.md", "", 1, "New.", "Alt.", is_fuzzy=True, previous='Old "x"\ny.'),
    ]
    text = write("ar", "en", units)
    assert text == write("ar", "en", units)
    found = read(text)
    assert found.language == "ar"
    assert [unit._replace(line=0, previous="") for unit in found.units] == [
        unit._replace(line=0, previous="") for unit in units
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('msgid "a"\nmsgstr "b"\n', 1, "no msgctxt"),
        ('msgid ""\nmsgstr "Language: \\n"\n', 1, "Language: de"),
        ('msgctxt "a"\nmsgid "b\nmsgstr "c"\n', 2, "Expected msgctxt"),
        ('msgid ""\nmsgstr ""\n"Language: de\\n"\n\nmsgctxt "a"\nmsgid "b"\n"c" d"\nmsgstr ""', 7, "quotation marks"),
        ('msgctxt "a"\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "d"\n', 1, "plural"),
        ("hello\n", 1, "Expected msgctxt"),
    ],
)
def test_mistake_in_a_gettext_file_names_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ExchangeError, match=message) as caught:
        read_po(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>", "not XML"),
        ("<a/>", "found <a>"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "document type"),
        ('<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"/>', "target-language"),
        (
            '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"><file target-language="ar"><trans-unit/></file></xliff>',
            "no <source>",
        ),
    ],
)
def test_mistake_in_an_xliff_file_is_explained(text: str, message: str) -> None:
    with pytest.raises(ExchangeError, match=message):
        read_xliff(text)


def test_gettext_files_of_other_tools_are_read() -> None:
    text = (
        '\ufeff# Translators\r\nmsgid ""\r\nmsgstr ""\r\n"Language: zh_Hans\\n"\r\n\r\n#, fuzzy, no-wrap\r\n#| msgid "w"\r\n'
        'msgctxt "docs/a.md"\r\nmsgid "x"\r\nmsgstr "y"\r\n\r\n#: docs/a.md:1\r\nmsgctxt "docs/a.md#title"\r\nmsgid ""\r\n'
        '"two "\r\n"lines\\n"\r\n"here"\r\nmsgstr "z"\r\n#~ msgid "gone"\r\n#~ msgstr "gone"\r\n'
    )
    found = read_po(text)
    assert found.language == "zh_Hans"
    assert [(unit.context, unit.source, unit.target, unit.is_fuzzy) for unit in found.units] == [
        ("", "x", "y", True),
        ("title", "two lines\nhere", "z", False),
    ]


def test_translation_is_matched_by_its_shape() -> None:
    translated, missing = write_translation(PAGE, None, {(key, text): arabic(text) for key, text in TEXTS})
    assert missing == []
    units, is_paired = with_translations("docs/a.md", PAGE, PAGE, translated)
    assert is_paired
    assert all(unit.target for unit in units)
    assert {unit.source: unit.target for unit in units}["- one\n- two"] == arabic("- one\n- two")
    units, is_paired = with_translations("docs/a.md", PAGE, PAGE, "# Other\n\nShape.\n")
    assert not is_paired
    assert not any(unit.target for unit in units)


@each(
    ("original", "translated", "is_paired"),
    [
        ("# A\n\nOne.\n", "# B\n\nZwei.\n", True),
        ("# A\n\nOne.\n", "B\n\n# Zwei.\n", False),
        ("## A\n\nOne.\n", "### B\n\nZwei.\n", False),
        ("- a\n\nOne.\n", "* b\n\nZwei.\n", False),
        ("1. a\n\nOne.\n", "7) b\n\nZwei.\n", True),
        ("> a\n\nOne.\n", "b\n\nZwei.\n", False),
        (":::tip\nOne.\n:::\n", ":::note\nZwei.\n:::\n", False),
        ("One.\n\n```\na\n```\n", "Zwei.\n\nb\n", False),
        ("One.\n\n```\na\n```\n", "Zwei.\n\n~~~\nb\n~~~\n", True),
    ],
)
def test_shape_is_what_translating_does_not_change(original: str, translated: str, is_paired: bool) -> None:
    assert with_translations("docs/a.md", original, original, translated)[1] is is_paired


def test_changed_text_keeps_its_earlier_translation_to_be_looked_through() -> None:
    new = PAGE.replace("- two", "- two\n- three").replace("Indented", "Wholly other and long")
    units, _ = with_translations("docs/a.md", new, PAGE, PAGE.replace("- two", "- zwei"))
    changed = {unit.source: unit for unit in units}["- one\n- two\n- three"]
    assert (changed.target, changed.is_fuzzy, changed.previous) == ("- one\n- zwei", True, "- one\n- two")


NESTED = """---
title: Kiln
description: >
  Heat in
  two lines.
sidebar_label: A name
  that goes on
tags:
- one word
---
# Heat
First words.
```sh
kiln heat

kiln wait
```

2. Open the door:

    ![Door](door.png)
3. Close it, and
   wait:
    >Or not.
    ```python
    # not a text

    heat()
    ```

    - ```sh
      one
      ```
    Last words.

> ```sh
> quoted
> ```
> A quote.

::::features
- **Fast**

  Launches within a second.
- **Safe**

  Lands where it should.
::::
!!! note "A title"
    Indented below it.

$$
heat = x
$$
"""


def test_code_is_no_text_wherever_it_is() -> None:
    sources = [unit.source for unit in units_of("docs/a.md", NESTED)]
    assert sources == [
        "Kiln",
        "Heat in two lines.",
        "A name that goes on",
        "# Heat",
        "First words.",
        "2. Open the door:",
        "    ![Door](door.png)\n3. Close it, and\n   wait:\n    >Or not.",
        "Last words.",
        "> A quote.",
        "- **Fast**",
        "  Launches within a second.\n- **Safe**",
        "Lands where it should.",
        '!!! note "A title"',
        "Indented below it.",
    ]


@each("trim", [False, True])
def test_translation_that_says_the_same_is_the_same_page(trim: bool) -> None:
    units = units_of("docs/a.md", NESTED)
    targets = {(unit.context, unit.source): unit.source.strip() if trim else unit.source for unit in units}
    written, missing = write_translation(NESTED, None, targets)
    assert missing == []
    assert written == NESTED


def test_own_lists_of_front_matter_are_kept_whole() -> None:
    own = "---\ntitle: Alt\nkeywords:\n  - eins\n\n  - zwei\nslug: /x\n---\n\nWorte.\n"
    written, _ = write_translation("---\ntitle: Old\n---\n\nWords.\n", own, {("title", "Old"): "Neu"})
    assert written == '---\ntitle: "Neu"\nkeywords:\n  - eins\n\n  - zwei\nslug: /x\n---\n\nWords.\n'


def test_page_without_texts_is_written_with_the_others(tmp_path: Path) -> None:
    code = "```sh\nkiln heat\n```\n"
    site = site_of(tmp_path, {"docs/a.md": "Words.\n", "docs/b.md": code})
    (site / "ar.po").write_text(
        write_po("ar", "en", [Unit("docs/a.md", "", 1, "Words.", "Kalimat.")]), encoding="utf-8"
    )
    assert run(site, "import", str(site / "ar.po")).output == "i18n/ar/docs/a.md: written\ni18n/ar/docs/b.md: written\n"
    assert (site / "i18n/ar/docs/b.md").read_text(encoding="utf-8").endswith(code)


@pytest.mark.parametrize("place", ["i18n/ar/docs/install.md", "docs/install.ar.md"], ids=["folder", "suffix"])
@pytest.mark.parametrize("ending", [".po", ".xlf"])
def test_texts_go_out_and_come_back_as_a_page(tmp_path: Path, ending: str, place: str) -> None:
    # Beside its original a translation is not text to translate itself.
    config = CONFIG if place.startswith("i18n") else CONFIG.replace('docs = "i18n/ar"', 'suffix = "ar"')
    site = site_of(tmp_path, {"octavo.toml": config, "docs/install.md": PAGE})
    file = site / f"out/ar{ending}"
    count = len(TEXTS) + 1  # and the title of the site
    assert f"{count} texts, {count} of them to translate" in run(site, "export", "ar", str(file)).output
    read, write = (read_po, write_po) if ending == ".po" else (read_xliff, write_xliff)
    found = [unit._replace(target=arabic(unit.source)) for unit in read(file.read_text(encoding="utf-8")).units]
    units = [unit for unit in found if unit.page != "octavo.toml"]
    file.write_text(write("ar", "en", units[1:]), encoding="utf-8")
    assert "left as it is, 1 text not translated" in run(site, "import", str(file)).output
    assert not (site / place).exists()
    file.write_text(write("ar", "en", units), encoding="utf-8")
    assert run(site, "import", str(file)).output == f"{place}: written\n"
    written = (site / place).read_text(encoding="utf-8")
    assert f'title: "{arabic("Heat the kiln")}"' in written
    assert "```sh\nkiln heat\n\nkiln wait\n```" in written
    assert f"  {arabic('Indented words.')}" in written
    assert f'translated_from: "{revision_of(PAGE.encode())}"' in written
    assert f"{count} texts, 1 of them" in run(site, "export", "ar", str(file)).output


LABELS = """
[[navbar.items]]
label = "Guides"
href = "/"
[[sidebars]]
id = "docs"
items = [{ category = "Glazes", items = [{ doc = "b/x", label = "Own" }, { doc = "c/x", label = "Title" }] }]
"""


@pytest.mark.parametrize("ending", [".po", ".xlf"])
def test_labels_go_out_and_come_back_into_the_settings(tmp_path: Path, ending: str) -> None:
    files = {
        "octavo.toml": CONFIG
        + LABELS
        + '\n# Kept.\n[labels.ar]\nGuides = "old"\n\n[labels.zh-Hans]\nGuides = "指南"\n',
        "docs/a.md": "Words.\n",
        "docs/b/_category_.yaml": "label: Firing",
        "docs/b/x.md": "Words.\n",
        "docs/c/_category_.yaml": "label: Cooling",
        "docs/c/x.md": "---\ntitle: Title\n---\n",
        "i18n/ar/docs/c/_category_.yaml": "label: arabic",
    }
    site = site_of(tmp_path, files)
    file = site / f"ar{ending}"
    run(site, "export", "ar", str(file))
    read, write = (read_po, write_po) if ending == ".po" else (read_xliff, write_xliff)
    units = [unit for unit in read(file.read_text(encoding="utf-8")).units if unit.page == "octavo.toml"]
    assert {unit.source: unit.target for unit in units} == {
        "Kiln": "",
        "Guides": "old",
        "Glazes": "",
        "Firing": "",
        "Own": "",
    }
    targets = {"Kiln": "كيلن", "Guides": 'A "b" \\', "Glazes": "تزجيج", "Firing": "حرق", "Own": "خاص"}
    file.write_text(write("ar", "en", [one._replace(target=targets[one.source]) for one in units]), encoding="utf-8")
    assert "octavo.toml: written" in run(site, "import", str(file)).output
    text = (site / "octavo.toml").read_text(encoding="utf-8")
    assert text.startswith(CONFIG + LABELS + "\n# Kept.\n[labels.ar]\n")
    assert text.endswith('\n\n[labels.zh-Hans]\nGuides = "指南"\n')
    assert parse_config(text).labels["ar"] == {key: value for key, value in targets.items() if value}
    assert "octavo.toml" not in run(site, "import", str(file)).output
    listed = CliRunner().invoke(octavo, ["translations", "--site", str(site)]).output
    assert "ar: " in listed
    assert "[labels.ar]" not in listed
    assert "4 labels of octavo.toml and of folders have no translation in [labels.zh-Hans]" in listed
    assert '  label     "Cooling"\n' in listed


def test_ends_of_lines_of_the_settings_stay(tmp_path: Path) -> None:
    site = site_of(tmp_path, {"octavo.toml": "", "docs/a.md": "Words.\n"})
    text = "\ufeff" + (CONFIG + LABELS + '[labels.ar]\nGuides = "old"\n').replace("\n", "\r\n")
    (site / "octavo.toml").write_bytes(text.encode())
    (site / "ar.po").write_text(
        write_po("ar", "en", [Unit("octavo.toml", "", 1, "Guides", "الأدلة")]), encoding="utf-8"
    )
    import_texts(site, site / "ar.po", is_partial=False)
    assert (site / "octavo.toml").read_bytes().decode() == text.replace('Guides = "old"', '"Guides" = "الأدلة"')


def test_labels_in_another_form_are_named_and_not_written(tmp_path: Path) -> None:
    config = 'labels = { ar = { Guides = "old" } }\n' + CONFIG + LABELS
    site = site_of(tmp_path, {"octavo.toml": config, "docs/a.md": "Words.\n"})
    file = site / "ar.po"
    file.write_text(write_po("ar", "en", [Unit("octavo.toml", "", 1, "Glazes", "تزجيج")]), encoding="utf-8")
    with pytest.raises(UsageError, match='"Glazes" = "تزجيج"'):
        import_texts(site, file, is_partial=False)
    assert (site / "octavo.toml").read_text(encoding="utf-8") == config


def test_partial_page_is_written_on_demand_and_not_marked(tmp_path: Path) -> None:
    site = site_of(tmp_path, {"docs/a.md": "# Heat\n\nWait.\n"})
    file = site / "zh.po"
    file.write_text(write_po("zh_Hans", "en", [Unit("docs/a.md", "", 1, "# Heat", "# 加热")]), encoding="utf-8")
    assert "zh/docs/a.md: written, 1 text not translated" in run(site, "import", str(file), "--partial").output
    assert (site / "i18n/zh/docs/a.md").read_text(encoding="utf-8") == "# 加热\n\nWait.\n"


def test_own_fields_and_code_of_a_translation_are_kept(tmp_path: Path) -> None:
    own = "---\ntitle: Alt\nslug: /heizen\n---\n\nWorte.\n\n```sh\n# Ofen\n```\n"
    site = site_of(
        tmp_path, {"docs/a.md": "---\ntitle: Old\n---\n\nWords.\n\n```sh\n# kiln\n```\n", "i18n/ar/docs/a.md": own}
    )
    units = [Unit("docs/a.md", "title", 2, "Old", "Neu"), Unit("docs/a.md", "", 5, "Words.", "Text.")]
    (site / "ar.xliff").write_text(write_xliff("ar", "en", units), encoding="utf-8")
    run(site, "import", str(site / "ar.xliff"))
    written = (site / "i18n/ar/docs/a.md").read_text(encoding="utf-8")
    assert written.startswith('---\ntitle: "Neu"\nslug: /heizen\ntranslated_from: ')
    assert written.endswith("---\n\nText.\n\n```sh\n# Ofen\n```\n")


def test_outdated_page_goes_out_with_what_still_holds(tmp_path: Path) -> None:
    old = "# Heat\n\nFirst words of it.\n\nSecond.\n"
    translation = f'---\ntranslated_from: "{revision_of(old.encode())}"\n---\n\n# Heizen\n\nErste Worte.\n\nZweite.\n'
    site = site_of(tmp_path, {"docs/a.md": old, "i18n/ar/docs/a.md": translation})
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", "-C", str(site), *arguments], check=True)
    (site / "docs/a.md").write_text("# Heat\n\nFirst words of all.\n\nSecond.\n\nThird.\n", encoding="utf-8")
    run(site, "export", "ar", str(site / "ar.po"))
    units = {unit.source: unit for unit in read_po((site / "ar.po").read_text(encoding="utf-8")).units}
    assert (units["# Heat"].target, units["Second."].target, units["Third."].target) == ("# Heizen", "Zweite.", "")
    assert (units["First words of all."].target, units["First words of all."].is_fuzzy) == ("Erste Worte.", True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "fr", "fr.po"], 'no translations in "fr"; it has ar, zh-Hans'),
        (["export", "ar", "ar.txt"], "must end in .po for gettext, or in .xlf or .xliff"),
        (["import", "bad.po"], "bad.po:1: Expected msgctxt"),
        (["import", "gone.po"], "docs/gone.md, which is not a page of the first language"),
    ],
)
def test_mistake_names_the_remedy(tmp_path: Path, arguments: list[str], message: str) -> None:
    files = {
        "docs/a.md": "Words.\n",
        "bad.po": "x",
        "gone.po": write_po("ar", "en", [Unit("docs/gone.md", "", 1, "a")]),
    }
    site = site_of(tmp_path, files)
    command, *given = arguments
    with pytest.raises(UsageError, match=message):
        run(site, command, *[str(site / one) if "." in one else one for one in given])
