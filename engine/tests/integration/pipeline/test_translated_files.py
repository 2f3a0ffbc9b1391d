"""Translations that name files and headings as their originals do, and those that are not written in Markdown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.translations import read_po, units_of, write_po, write_translation
from tests.support.each import each
from tests.support.sites import MakeSite, SiteFolder, page

LANGUAGES = """[[locales]]
id = "en"
label = "English"
[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "i18n/fr"
[navbar]
items = [{ type = "locale" }]
"""


def config(*extensions: str) -> str:
    return f'url = "https://docs.example.org"\n{LANGUAGES}[markdown]\nextensions = {json.dumps(extensions)}\n'


@each(
    "extensions, line, shown",
    [
        (("vitepress",), "<!--@include: ./part.md-->", "Of the part"),
        (("vitepress",), "<!--@include: ../above.md-->", "From above"),
        (("vitepress",), "<<< ./code.py", "answer"),
        (("mdbook",), "{{#include ./part.md}}", "Of the part"),
        (("snippets",), '--8<-- "docs/part.md"', "Of the part"),
        (("myst",), "```{include} part.md\n```", "Of the part"),
    ],
)
def test_a_translation_takes_in_the_files_that_its_original_names(
    make_site: MakeSite, extensions: tuple[str, ...], line: str, shown: str
) -> None:
    files = {
        "docs/index.md": page("Home"),
        "docs/deep.md": page("Deep", line),
        "docs/part.md": "---\ndraft: true\n---\n\nOf the part.\n",
        "above.md": "From above.\n",
        "docs/code.py": "answer = 42\n",
        "i18n/fr/docs/index.md": page("Accueil"),
        "i18n/fr/docs/deep.md": page("Profond", line),
    }
    site = make_site(files, config(*extensions))
    assert site.check() == []
    assert shown in site.html("/deep")
    assert shown in site.html("/fr/deep")


IMPORT = "import Part from './_part.mdx';\n\n<Part />"


def test_a_partial_of_the_translation_goes_before_that_of_the_original(make_site: MakeSite) -> None:
    files = {
        "docs/index.mdx": page("Home", IMPORT),
        "docs/_part.mdx": "See <b>it</b>.\n",
        "i18n/fr/docs/index.mdx": page("Accueil", IMPORT),
    }
    site = make_site(files, config())
    site.build()
    assert "See <b" in site.html("/fr/")
    site.write({"i18n/fr/docs/_part.mdx": "Voir <b>cela</b>.\n"})
    site.build()
    assert "Voir <b>" in site.html("/fr/")
    assert "See <b" in site.html("/")


def test_findings_of_a_file_of_the_original_name_that_file(make_site: MakeSite) -> None:
    files = {
        "docs/index.mdx": page("Home", IMPORT),
        "docs/_part.mdx": "Fine.\n\n<Missing />\n",
        "i18n/fr/docs/index.mdx": page("Accueil", IMPORT),
    }
    found = make_site(files, f"{config()}[diagnostics]\nunknown_component = 'warn'\n").check()
    assert [one.partition(": ")[0] for one in found] == ["docs/_part.mdx:3:1"]


def test_links_of_a_translation_may_name_headings_as_the_original_does(make_site: MakeSite) -> None:
    links = "[a](#set-up) [b](./other.md#the-end) [c](./other.md#fin) [d](./same.md#kept)"
    files = {
        "docs/index.md": page("Home", f"{links.replace('#fin', '#the-end')}\n\n## Set up"),
        "docs/other.md": page("Other", "## Start\n\n### The end"),
        "docs/same.md": page("Same", "## Kept\n\n## More"),
        "i18n/fr/docs/index.md": page("Accueil", f"{links}\n\n## Préparer"),
        "i18n/fr/docs/other.md": page("Autre", "## Début\n\n### Fin"),
        "i18n/fr/docs/same.md": page("Pareil", "## Autre chose"),
    }
    site = make_site(files, config())
    # The headings of the last page are not those of its original: nobody knows which one is meant.
    assert [(one.partition(": ")[0], one[one.rindex("[") :]) for one in site.check()] == [
        ("i18n/fr/docs/index.md:5:58", "[broken-anchor]")
    ]
    html = site.html("/fr/")
    assert '<a href="#préparer">a</a>' in html or '<a href="#pr%C3%A9parer">a</a>' in html
    assert '<a href="/fr/other#fin">b</a> <a href="/fr/other#fin">c</a>' in html
    assert '<a href="#set-up">a</a> <a href="/other#the-end">b</a>' in site.html("/")


def test_the_title_of_a_translation_is_a_heading_too(make_site: MakeSite) -> None:
    files = {
        "docs/index.md": "# Fire a kiln\n\n[top](#fire-a-kiln)\n",
        "i18n/fr/docs/index.md": "# Cuire\n\n[haut](#fire-a-kiln)\n",
    }
    site = make_site(files, f'{config()}slugs = "github-titles"\n')
    assert site.check() == []
    assert '<a href="#cuire">haut</a>' in site.html("/fr/")


def exported(site: SiteFolder, folder: Path) -> dict[str, str]:
    """Export the texts of French, translate each by changing the case of its letters, import them, and give the file's texts."""
    runner = CliRunner()
    file = folder / "fr.po"
    result = runner.invoke(octavo, ["translations", "export", "fr", str(file), "--site", str(site.root)])
    assert result.exit_code == 0, result.output
    given = read_po(file.read_text(encoding="utf-8"))
    marks = re.compile(r"(`+[^`]*`+|\{[^}]*\}|\.\. [\w:-]+::|\]\([^)]*\)|:::\w*)")
    units = [
        one._replace(
            target="".join(part if at % 2 else part.swapcase() for at, part in enumerate(marks.split(one.source)))
        )
        for one in given.units
    ]
    file.write_text(write_po("fr", "en", units), encoding="utf-8")
    result = runner.invoke(octavo, ["translations", "import", str(file), "--site", str(site.root)])
    assert result.exit_code == 0, result.output
    listed = runner.invoke(octavo, ["translations", "--site", str(site.root)])
    assert "current" in listed.output
    assert "missing" not in listed.output
    return {one.source: one.target for one in units if one.page != "octavo.toml"}


RST = """\
:author: Ada
:orphan:

=====
Kilns
=====

Heat the kiln::

    heat --now

    wait

Then
----

.. note:: It is hot
   for hours.

.. admonition:: Mind this
   :class: tip

   The inner text.

.. code-block:: sh
   :caption: Not a text

   run me

.. toctree::

   other

.. _target:

.. a comment of two
   lines

- one
- two

>>> print("hot")
hot
"""


def test_texts_of_restructuredtext_leave_code_and_targets_alone(make_site: MakeSite, tmp_path: Path) -> None:
    files = {"docs/index.rst": RST, "docs/other.rst": "Other\n=====\n\nText.\n"}
    site = make_site(files, config("rst"))
    texts = exported(site, tmp_path)
    assert list(texts) == [
        "Kilns", "Heat the kiln::", "Then", ".. note:: It is hot\n   for hours.", ".. admonition:: Mind this", "The inner text.",
        "- one\n- two", "Other", "Text.",
    ]  # fmt: skip
    written = (site.root / "i18n/fr/docs/index.rst").read_text()
    assert written.startswith(":author: Ada\n:orphan:\n:translated_from: ")
    assert "\n=====\nkILNS\n=====\n" in written
    site.build()
    html = site.html("/fr/")
    assert "translated_from" not in html
    assert "hEAT THE KILN" in html
    assert "run me" in re.sub("<[^>]+>", "", html)
    assert "hEAT --NOW" not in html
    assert ">kILNS<" in html


def test_titles_of_restructuredtext_get_lines_that_are_long_enough() -> None:
    targets = {("", "Kilns"): "四角い窯について", ("", "Then"): "Et après cela"}
    text, _ = write_translation("=====\nKilns\n=====\n\nThen\n----\n\n", None, targets, page="a.rst")
    assert text == f"{'=' * 16}\n四角い窯について\n{'=' * 16}\n\nEt après cela\n{'-' * 13}\n\n"


def test_short_lines_of_restructuredtext_are_titles_as_docutils_has_them() -> None:
    text = "R\n=\n\nWinds\n=====\n\nA text\n-\n\nof two lines.\n"
    assert [one.source for one in units_of("a.rst", text)] == ["R", "Winds", "A text\n-", "of two lines."]


def notebook(*cells: tuple[str, str]) -> str:
    made = [
        {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for kind, text in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"


@each(
    "head",
    [
        (),
        (("raw", "---\ntitle: Burn\n---"),),
        (("markdown", "---\ntitle: Burn\n---\n\nUnder the title."),),
    ],
)
def test_texts_of_notebooks_are_those_of_their_markdown_cells(
    make_site: MakeSite, tmp_path: Path, head: tuple[tuple[str, str], ...]
) -> None:
    cells = (
        *head,
        ("markdown", "# Kilns\n\nHeat “them”.\n\n```sh\nrun me\n```"),
        ("code", "a = 'Heat'\n"),
        ("markdown", "After."),
    )
    site = make_site({"docs/index.ipynb": notebook(*cells)}, config("notebooks"))
    texts = exported(site, tmp_path)
    assert list(texts) == [*(["Burn"] if head else []), *(["Under the title."] if len(head) and head[0][0] == "markdown" else []),
                           "# Kilns", "Heat “them”.", "After."]  # fmt: skip
    written = json.loads((site.root / "i18n/fr/docs/index.ipynb").read_text())
    assert "translated_from" in "".join(written["cells"][0]["source"])
    assert [one["source"] for one in written["cells"] if one["cell_type"] == "code"] == [["a = 'Heat'\n"]]
    site.build()
    html = site.html("/fr/")
    assert "translated_from" not in html
    assert "hEAT “THEM”." in html
    # What has been translated comes back, also where a cell was put in front of the others.
    file = tmp_path / "again.po"
    CliRunner().invoke(octavo, ["translations", "export", "fr", str(file), "--site", str(site.root)])
    assert 'msgstr "aFTER."' in file.read_text()


def test_notebook_that_cannot_be_read_is_not_translated(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site({"docs/index.ipynb": '{"cells": [', "docs/a.md": page("A")}, config("notebooks"))
    runner, file = CliRunner(), tmp_path / "fr.po"
    runner.invoke(octavo, ["translations", "export", "fr", str(file), "--site", str(site.root)])
    result = runner.invoke(octavo, ["translations", "import", str(file), "--site", str(site.root)])
    assert (result.exit_code, "ipynb" in result.output) == (0, False)
    assert not (site.root / "i18n/fr/docs/index.ipynb").exists()


MYST = """\
# Kilns

```{note}
Mind **this**.
```

````{admonition} A title
:class: tip
Inner.

```python
print("code")
```
````

```{code-cell}
not_a_text()
```
"""


def test_directives_of_myst_that_hold_prose_are_translated(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site({"docs/index.md": MYST}, config("myst"))
    texts = exported(site, tmp_path)
    assert list(texts) == ["# Kilns", "Mind **this**.", "````{admonition} A title", "Inner."]
    site.build()
    html = site.html("/fr/")
    assert "mIND" in html
    assert "a TITLE" in html
    assert "not_a_text" in html


VUE = """\
# Kilns

<script setup>
import Part from './Part.vue';

const text = "Heat";
</script>

After.

<style>
.a { color: red }

.b { color: blue }
</style>

<<< ./code.py
"""


def test_scripts_styles_and_lines_that_take_in_files_are_no_texts() -> None:
    assert [one.source for one in units_of("a.md", VUE)] == ["# Kilns", "After."]


def test_titles_of_directives_and_of_folded_texts_are_words_of_the_language(make_site: MakeSite) -> None:
    text = page(
        "Kilns",
        "```{versionadded} 2.1\nHeat.\n```\n\n:::{seealso}\nThat.\n:::\n\n```{exercise}\nDo it.\n```\n\n<details>\n\nHidden.\n\n</details>\n\n"
        "```{dropdown}\nFolded.\n```",
    )
    site = make_site({"docs/index.md": text, "i18n/fr/docs/index.md": text}, config("myst"))
    site.build()
    first, second = site.html("/"), site.html("/fr/")
    for english, french in (
        ("New in version 2.1", "Nouveau dans la version 2.1"),
        ("See also", "Voir aussi"),
        (">Exercise<", ">Exercice<"),
        ("<summary>Details", "<summary>Détails"),
    ):
        assert (english in first, french in second, english in second) == (True, True, False)
    assert second.count("<summary>Détails") == 2
