"""The extensions that come with Octavo."""

from __future__ import annotations

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
