"""The extensions that come with Octavo."""

from __future__ import annotations

import json
import re

from tests.support.sites import HOME, MakeSite, page

CONFIG = """
extensions = ["octavo.shipped.source_code", "octavo.shipped.csv_table", "octavo.shipped.spelling"]

[extension_options.source_code]
files = ["../src/*.py"]

[extension_options.spelling]
words = { javascript = "JavaScript", e-mail = "email" }
"""
SOURCE = """import os

def main():
    # [start:setup]
    first = `1`
    second = 2
    # [end:setup]
"""


def test_code_tables_and_words_are_shown_and_found(make_site: MakeSite) -> None:
    uses = [
        '::source[../src/acme.py]{marker=setup title="Set up"}',
        "::source[../src/acme.py]{lines=1}",
        "::source[../src/acme.py]{marker=gone}",
        "::source[../src/acme.py]{lines=90-95}",
        '::csv[data/prices.csv]{columns="price,name"}',
        "::csv[data/prices.csv]{columns=weight}",
        '```csv-table\na,b\n"x | y",`z`\n1\n```',
        "Write javascript, not `javascript` or [e](https://x.example/javascript), javascript.js or an e-mail.",
        ":::note[Of attributes]{.javascript}\nNone is text.\n:::",
    ]
    files = {
        "docs/a.md": page("A", "\n\n".join(uses)),
        "data/prices.csv": "name,price\nApple,**1**\nPear,2\n",
        **HOME,
    }
    site = make_site(files, CONFIG)
    source = site.root.parent / "src" / "acme.py"
    source.parent.mkdir()
    source.write_text(SOURCE, "utf-8")
    found = site.check()
    assert [one.partition(": warn: ")[::2] for one in found] == [
        (
            "docs/a.md:9:1",
            (
                'source_code: "../src/acme.py" has no line with "[start:gone]"; all of it is shown. '
                'Write "[start:gone]" into a comment of the file. [extension-finding]'
            ),
        ),
        ("docs/a.md:11:1", 'source_code: lines is "90-95", and "../src/acme.py" has 7 lines. [extension-finding]'),
        (
            "docs/a.md:15:1",
            'csv_table: The table has no column "weight"; its columns are name, price. [extension-finding]',
        ),
        ("docs/a.md:17:1", "csv_table: Row 3 of this table has 1 cells, and its head has 2. [extension-finding]"),
        (
            "docs/a.md:23:7",
            'spelling: "javascript" is written "JavaScript" here. Write "JavaScript". [extension-finding]',
        ),
        ("docs/a.md:23:94", 'spelling: "e-mail" is written "email" here. Write "email". [extension-finding]'),
    ]
    html = re.sub(r"<(t[hd])[^>]*>", r"<\1>", site.html("/a").replace("\n", ""))
    assert "Set up" in html
    assert "[start:setup]" not in html
    assert "<th>price</th><th>name</th>" in html
    assert "<td><strong>1</strong></td>" in html
    assert "<td>x | y</td><td><code>z</code></td>" in html
    # A file outside the site's folder is an input all the same, and so are options.
    source.write_text(SOURCE.replace("second", "third"), "utf-8")
    site.check()
    assert "third" in site.html("/a")
    site.write({"octavo.toml": f'title = "Site"\n{CONFIG.replace("javascript =", "typescript =")}'})
    assert [one for one in site.check() if "javascript" in one] == []


def test_files_that_cannot_be_shown_are_found_at_the_directive(make_site: MakeSite) -> None:
    """Each was a failure of the extension, with a path of its package, and the advice to change the extension."""
    uses = [
        "::source[../src/gone.py]",
        "::source[../secret.txt]",
        "::source[data/latin.txt]",
        "::source[data]",
        "::csv[data/gone.csv]",
        "::csv[../secret.txt]",
        '::csv[data/tabs.csv]{delimiter=";;"}',
        "::csv[data/tabs.csv]{delimiter=tab}",
    ]
    files: dict[str, str | bytes] = {
        "docs/a.md": page("A", "\n\n".join(uses)),
        "data/latin.txt": b"caf\xe9",
        "data/tabs.csv": "name\tprice\nApple\t1\n",
        **HOME,
    }
    site = make_site(files, CONFIG)
    (site.root.parent / "secret.txt").write_text("secret", "utf-8")
    found = site.check()
    assert [one.partition(" [extension-finding]")[0] for one in found] == [
        """docs/a.md:5:1: error: source_code: There is no file "../src/gone.py". Write its path from the site's folder.""",
        """docs/a.md:7:1: error: source_code: "../secret.txt" lies outside the site's folder. Name it in files of [extension_options.source_code].""",
        'docs/a.md:9:1: error: source_code: "data/latin.txt" is not UTF-8. Save it as UTF-8.',
        'docs/a.md:11:1: error: source_code: "data" cannot be read: Is a directory. Name a file.',
        """docs/a.md:13:1: error: csv_table: There is no file "data/gone.csv". Write its path from the site's folder.""",
        """docs/a.md:15:1: error: csv_table: "../secret.txt" lies outside the site's folder. Name it in files of [extension_options.csv_table].""",
        'docs/a.md:17:1: warn: csv_table: The delimiter is ";;"; expected one character, or tab.',
    ]
    # A file that is there now is shown.
    (site.root.parent / "src").mkdir()
    (site.root.parent / "src" / "gone.py").write_text("here = 1\n", "utf-8")
    site.write({"docs/a.md": page("A", "::source[../src/gone.py]\n\n" + uses[-1])})
    assert site.check() == []
    assert "here" in site.html("/a")
    assert ">price</th>" in site.html("/a")


CHANGELOG = """# Changelog

## Unreleased

- Soon, see #7.

## [1.10.0] - 2026-02-28

### Added

- Kilns of @ada-l (#12), not `#13` or [#14](https://x.example/14) or a#15 or mail@ada.

```md
## 9.9.9
```

## v1.9.0 (2026-13-01)

### Fixed

- All.

[1.10.0]: https://code.example/acme/compare/v1.9.0...v1.10.0
"""
RELEASES = """
extensions = ["octavo.shipped.changelog"]

[extension_options.changelog]
repository = "https://code.example/acme/acme"
"""


def test_changelog_becomes_pages_and_pieces(make_site: MakeSite) -> None:
    uses = "::changelog[1.10.0]\n\n::changelog[3.0]\n\n::changelog[v1.9.0]\n"
    site = make_site({"docs/a.md": page("A", uses), **HOME}, RELEASES)
    file = site.root.parent / "CHANGELOG.md"
    file.write_text(CHANGELOG, "utf-8")
    found = [one.partition(": warn: ")[2] for one in site.check()]
    assert sorted(found) == [
        'changelog: "../CHANGELOG.md" has no release "3.0". It has Unreleased, 1.10.0, v1.9.0. [extension-finding]',
        'changelog: "2026-13-01" is not a date. Write it as 2026-01-31. [extension-finding]',
    ]
    text = (site.out / "releases/1-10-0.md").read_text("utf-8")
    assert "2026-02-28 · [All changes](https://code.example/acme/compare/v1.9.0...v1.10.0)" in text
    assert "[@ada-l](https://code.example/ada-l) ([#12](https://code.example/acme/acme/issues/12))" in text
    assert "not `#13` or [#14](https://x.example/14) or a#15 or mail@ada." in text
    assert "## 9.9.9" in text
    # Pages are in the order of the file, and a piece of another page links as they do.
    assert site.payload("/releases/1-10-0")["previous"]["label"] == "Unreleased"
    assert [part in site.html("/releases") for part in ("1.10.0</a>, 2026-02-28", "v1.9.0</a>")] == [True, True]
    assert "acme/issues/12" in site.html("/a")
    assert "<strong>1.10.0</strong> · 2026-02-28 · " in site.html("/a")
    # Its links start at its own folder.
    links = f"[guide]({site.root.name}/docs/a.md), [license](./LICENSE), `[code](LICENSE)`"
    (site.root.parent / "LICENSE").write_text("Free", "utf-8")
    file.write_text(CHANGELOG.replace("- All.", f"- All, see {links}."), "utf-8")
    assert [one for one in site.check() if "link" in one] == []
    text = (site.out / "releases/v1-9-0.md").read_text("utf-8")
    assert '<a href="/a">guide</a>' in site.html("/releases/v1-9-0")
    assert "[license](https://code.example/acme/acme/blob/HEAD/LICENSE), `[code](LICENSE)`" in text
    assert "https://code.example/acme/acme/blob/HEAD/LICENSE" in site.html("/a")
    # What is wrong with a release is reported in the changelog.
    file.write_text(CHANGELOG.replace("- All.", "- Nearly [all](./gone.md)."), "utf-8")
    assert any(one.startswith('../CHANGELOG.md:21:10: error: link "./gone.md"') for one in site.check()), site.check()
    file.write_text(CHANGELOG.replace("- All.", "- Nearly all."), "utf-8")
    site.check()
    assert "Nearly all." in site.html("/releases/v1-9-0")


def test_link_is_shown_as_a_card_from_data(make_site: MakeSite) -> None:
    known, unknown = "https://example.org/a?b=1&c=2", "https://example.org/new"
    data = {known: {"title": 'A "guide" <b>', "description": "All of\nit."}}
    site = make_site(
        {
            "docs/a.md": page("A", f"::preview[{known}]\n\n::preview[{unknown}]\n"),
            "data/links.json": json.dumps(data),
            **HOME,
        },
        'extensions = ["octavo.shipped.link_previews"]\n',
    )
    assert [one.partition(": warn: ")[2] for one in site.check()] == [
        (
            f'link_previews: "data/links.json" has no title for "{unknown}"; it is shown as a plain link. '
            f'Add it to "data/links.json": {{"{unknown}": {{"title": "…", "description": "…"}}}} [extension-finding]'
        )
    ]
    text = site.html("/a")
    assert 'href="https://example.org/a?b=1&amp;c=2"' in text
    assert "A &quot;guide&quot; &lt;b&gt;" in text
    assert "All of it." in text
    assert f'href="{unknown}"' in text
    site.write({"data/links.json": json.dumps(data | {unknown: {"title": "New one"}})})
    assert site.check() == []
    assert "New one" in site.html("/a")
    site.write({"data/links.json": "[1]"})
    assert "expected an object of address" in site.check()[0]
