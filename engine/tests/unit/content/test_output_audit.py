"""Nothing of a page is lost, and no mark is shown: the output audit, and pages of seven dialects under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.content import ContentOptions, Dialect, audit_document, audit_output
from octavo.content.compile import compile_document
from tests.support.each import each

MKDOCS = frozenset(
    [
        "abbr",
        "admonitions",
        "annotations",
        "attr_list",
        "blocks",
        "caret",
        "def_list",
        "details",
        "emoji",
        "keys",
        "mark",
        "math",
        "md_in_html",
        "snippets",
        "tabs",
        "tilde",
    ]
)
DIALECTS = {
    "docusaurus": (
        "page.mdx",
        Dialect(),
        """---
title: Kiln
---

import Tabs from '@theme/Tabs';

# Firing {#fire}

Light the **burner** with `ignite`, see [manual](./manual.md "Manual title").

:::tip[Cooling down]
Wait for the chamber.
:::

<Tabs>
<TabItem value="gas" label="Propane">Open the valve.</TabItem>
<TabItem value="wood" label="Firewood">Split the logs.</TabItem>
</Tabs>

```js title="kiln.js" {1}
const temperature = 900;
```

<details><summary>Hidden summary</summary>

Hidden paragraph.

</details>
""",
    ),
    "mkdocs": (
        "page.md",
        Dialect(extensions=MKDOCS),
        """# Firing { #fire }

!!! warning "Danger zone"
    Keep away from *children*.

    - First precaution

??? note
    Folded paragraph

=== "Propane"

    Open the valve

=== "Firewood"

    ```sh hl_lines="1"
    split logs # (1)!
    ```

    1.  Annotation text

/// tip | Cooling
Wait patiently
///

A [button](other.md){ .md-button } and ==highlight==, ++ctrl+c++ :smile: :material-fire:

Chamber
:   Where pots stand

<div class="grid" markdown>

- __Card title__

    Card content

</div>

--8<-- "part.md"

The CONE melts.

*[CONE]: Pyrometric device
""",
    ),
    "vitepress": (
        "page.md",
        Dialect(extensions=frozenset({"vitepress", "emoji"}), slugs="vitepress"),
        """# Firing

::: warning Careful
Hot surface
:::

::: details More
Hidden paragraph
:::

::: code-group

```sh [propane]
open valve
```

```sh [firewood]
split logs
```

:::

```js{1}:line-numbers
const temperature = 900
```

<<< @/kiln.js{1}

<!--@include: ./part.md-->
""",
    ),
    "mdbook": (
        "page.md",
        Dialect(extensions=frozenset({"mdbook"})),
        """# Firing

Some paragraph.[^one]

```rust,ignore
{{#include kiln.js}}
```

{{#include part.md}}

[^one]: Footnote text.
""",
    ),
    "starlight": (
        "page.md",
        Dialect(),
        """---
title: Kiln
sidebar: { order: 2 }
hero: { tagline: ignored }
---

:::caution[Watch out]
Hot surface
:::

```js title="kiln.js" ins={1}
const temperature = 900
```
""",
    ),
    "hugo": ("page.md", Dialect(), "---\nweight: 3\n---\n\n# Firing\n\n> [!NOTE]\n> Alert text\n\n| Cone | Degrees |\n| - | - |\n| four | warm |\n"),
    "plain": ("page.md", Dialect(), "# Firing\n\n1. Light\n   it\n\n   ```\n   indented code\n   ```\n\n- [x] finished\n\n![Picture](a.png)\n\nSetext heading\n---\n\n    indented\n"),
}  # fmt: skip
FILES = {"docs/part.md": "Included paragraph.\n", "docs/kiln.js": "const included = true\n"}
FILES |= {path.removeprefix("docs/"): text for path, text in FILES.items()}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_page_of_each_dialect_loses_nothing(name: str) -> None:
    file, dialect, source = DIALECTS[name]
    options = ContentOptions(folders={"": dialect})
    document = compile_document(source, source_path=f"docs/{file}", load=FILES.get, options=options)
    audit = audit_document(source, document)
    assert (audit.lost, audit.raw) == ([], [])
    assert audit.words > 3
    assert [found for found in document.diagnostics if found.level == "error"] == []


SITE = Path(__file__).parents[4] / "site"
PAGES = sorted(path.relative_to(SITE).as_posix() for name in ("docs", "pages") for path in (SITE / name).rglob("*.md*"))


@pytest.mark.costly
@each("path", PAGES)
def test_pages_of_the_site_lose_nothing(path: str) -> None:
    source = (SITE / path).read_text(encoding="utf-8")

    def load(name: str) -> str | None:
        file = SITE / name
        return file.read_text(encoding="utf-8") if file.is_file() else None

    names = frozenset(file.stem for file in (SITE / "components").glob("[A-Z]*.mdx"))
    document = compile_document(source, source_path=path, load=load, options=ContentOptions(components=names))
    audit = audit_document(source, document)
    assert (audit.lost, audit.raw) == ([], [])


def test_lost_words_have_the_line_of_their_first_use() -> None:
    source = "# Title\n\nSome words here.\n\nGone words, gone forever.\n"
    audit = audit_output(source, "<h1>Title</h1><p>Some words here.</p>")
    assert [(loss.line, loss.word) for loss in audit.lost] == [(5, "forever"), (5, "gone")]


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ("!!! note", "admonition"),
        (":::tip", "admonition"),
        ('=== "Tab"', "tab"),
        ("/// note | T", "block"),
        ('--8<-- "x"', "snippet"),
        ("Title { .cls }", "attribute list"),
        ("{{< x >}}", "template"),
        ("{props.x}", "expression"),
        ("import A from 'b';", "import"),
        ("&lt;Card title=&quot;x&quot;/&gt;", "component"),
        ("[text](address)", "link"),
        ("a [^1] b", "footnote"),
        ("**bold text**", "bold"),
        (":material-home:", "short code"),
    ],
)
def test_marks_outside_code_are_found(shown: str, kind: str) -> None:
    assert [mark.kind for mark in audit_output("", f"<p>{shown}</p>").raw] == [kind]
    assert audit_output("", f"<p><code>{shown}</code></p><pre>{shown}</pre>").raw == []


def test_what_a_finding_speaks_of_is_not_silent() -> None:
    source = "# A\n\n!!! note\n    Text\n"
    document = compile_document(source, source_path="a.md", load={}.get, options=ContentOptions())
    assert audit_document(source, document).is_clean
    assert not audit_document(source, document.__class__(**{**_fields(document), "diagnostics": []})).is_clean


def _fields(document: object) -> dict[str, object]:
    return {name: getattr(document, name) for name in document.__struct_fields__}  # type: ignore[attr-defined]
