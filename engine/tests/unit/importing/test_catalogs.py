"""Catalogs of gettext, which Sphinx translates pages with."""

from __future__ import annotations

from pathlib import Path

from octavo.importing.model import Plan
from octavo.translations import revision_of

from .planned import plan_of

CONF = 'project = "Kilns"\nextensions = ["myst_parser"]\n'
PAGE = """(top)=
# Firing a *kiln*

Heat it
slowly, see [clay](clay.md).

- First this.
- Then that.

```{admonition} Mind the door.
:class: tip

Mind
the door.
```

| Cool | B |
|---|---|
| `a` | Cool |

```python
Cool
```

## Cool

## Cool

Nothing of this is translated.

```{toctree}
:caption: Workshop

clay
```
"""
HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n\n'


def catalog(**messages: str) -> str:
    return HEAD + "".join(f'msgid "{source}"\nmsgstr "{text}"\n\n' for source, text in messages.items())


GERMAN = catalog(
    **{
        "Firing a *kiln*": "Einen *Ofen* heizen",
        "Heat it slowly, see [clay](clay.md).": "Langsam heizen, siehe [Ton](clay.md).",
        "First this.": "Erst dies.",
        "Mind the door.": "Auf die Tür achten.",
        "Cool": "Abkühlen",
        "Workshop": "Werkstatt",
    }
)
FILES = {"docs/conf.py": CONF, "docs/index.md": PAGE, "docs/clay.md": "# Clay\n\nOf the ground.\n"}


def sphinx(folder: Path, files: dict[str, str], settings: str = "") -> Plan:
    return plan_of(folder, {**FILES, "docs/conf.py": CONF + settings, **files}, "sphinx")


def test_pages_get_the_texts_of_the_catalog_and_titles_keep_their_ids(tmp_path: Path) -> None:
    plan = sphinx(tmp_path, {"docs/locales/de/LC_MESSAGES/index.po": GERMAN})
    assert plan.settings["locales"] == [
        {"id": "en", "label": "English"},
        {"id": "de", "label": "Deutsch", "path": "de", "docs": "i18n/de"},
    ]
    assert plan.settings["labels"] == {"de": {"Workshop": "Werkstatt"}}
    assert {"type": "locale", "label": "Language", "position": "right"} in plan.settings["navbar"]["items"]
    assert plan.files == {
        "i18n/de/docs/index.md": f"""---
translated_from: "{revision_of(PAGE.encode())}"
---

(top)=
# Einen *Ofen* heizen {{#firing-a-kiln}}

Langsam heizen, siehe [Ton](clay.md).

- Erst dies.
- Then that.

```{{admonition}} Auf die Tür achten.
:class: tip

Auf die Tür achten.
```

| Abkühlen | B |
|---|---|
| `a` | Abkühlen |

```python
Cool
```

## Abkühlen

## Abkühlen

Nothing of this is translated.

```{{toctree}}
:caption: Werkstatt

clay
```
"""
    }
    [note] = [note for note in plan.notes if "gettext" in note.what]
    assert (note.what, note.count) == ("Translations in files of gettext (de: 10 of 17 texts)", 1)
    assert note.files == ["docs/locales/de/LC_MESSAGES/index.po"]


def test_text_of_the_document_s_own_catalog_comes_first_and_others_fill_in(tmp_path: Path) -> None:
    files = {
        "docs/a/one.md": "# One\n\nShared.\n\n---\n\nOnly elsewhere.\n",
        "docs/locale/pt_BR/LC_MESSAGES/a.po": catalog(**{"One": "Um", "Shared.": "De a."}),
        "docs/locale/pt_BR/LC_MESSAGES/z.po": catalog(**{"Shared.": "De z.", "Only elsewhere.": "De z só."}),
    }
    plan = sphinx(tmp_path, files, 'locale_dirs = ["locale/"]\n')
    text = plan.files["i18n/pt-BR/docs/a/one.md"]
    assert text.partition("---\n\n")[2] == "# Um {#one}\n\nDe a.\n\n---\n\nDe z só.\n"
    assert plan.settings["locales"][1]["label"] == "Português (Brasil)"


def test_unfinished_texts_and_catalogs_that_cannot_be_read_are_left_out_and_noted(tmp_path: Path) -> None:
    files = {
        "docs/locales/zh_CN/LC_MESSAGES/index.po": f'{HEAD}#, fuzzy\nmsgid "First this."\nmsgstr "首先"\n',
        "docs/locales/fr/LC_MESSAGES/index.po": "nonsense\n",
        "docs/locales/en/LC_MESSAGES/index.po": GERMAN,
        "docs/locales/old copies/LC_MESSAGES/index.po": GERMAN,
    }
    plan = sphinx(tmp_path, files)
    assert plan.files == {}
    assert "locales" not in plan.settings
    notes = [note.what for note in plan.notes]
    assert "docs/locales/fr/LC_MESSAGES/index.po cannot be read" in notes
    assert "Translations in files of gettext (fr: 0 of 17 texts, zh_CN: 0 of 17 texts)" in notes


RST = """=====
Guide
=====

Heat it
slowly.

* First this.
* Then
  that.

term
    What it means.

.. note:: Mind the door.

Run::

    Heat it
      slowly.

Part
----
"""


def test_pages_in_restructuredtext_are_translated_by_paragraphs_and_titles(tmp_path: Path) -> None:
    messages = catalog(
        **{
            "Guide": "窯の案内",
            "Heat it slowly.": "ゆっくり。",
            "Then that.": "次。",
            "What it means.": "意味。",
            "Mind the door.": "扉に注意。",
            "Part": "部",
        }
    )
    plan = sphinx(tmp_path, {"docs/guide.rst": RST, "docs/locales/ja/LC_MESSAGES/guide.po": messages})
    text = plan.files["i18n/ja/docs/guide.rst"].partition("---\n\n")[2]
    assert (
        text
        == """========
窯の案内
========

ゆっくり。

* First this.
* 次。

term
    意味。

.. note:: 扉に注意。

Run::

    Heat it
      slowly.

部
----
"""
    )
