from __future__ import annotations

import posixpath
import random
import re

import pytest

from bench.errors import BenchError
from bench.generate import collect_pieces, generate_pages, page_names

SOURCE = """---
title: Source
---

import Note from './_note.mdx'

The first paragraph of this page has a [link](./other.mdx) and an ![image](./x.png).

## Configure the gateway {#configure}

Another paragraph, with `code` and **strong** words in it.

<Note kind="tip" />

| name | meaning |
| --- | --- |
| port | the [number](./port.md) to listen on |

```python title="app.py" {1}
import this

print("hello world")
```

```mermaid
graph LR
```

:::note

Paragraphs inside directives are paragraphs too.

:::
"""


def make_pages(seed: int = 1, count: int = 120) -> dict[str, str]:
    return generate_pages([SOURCE], count=count, rng=random.Random(seed))


def test_same_seed_gives_same_pages() -> None:
    assert make_pages(seed=1) == make_pages(seed=1)


def test_other_seed_gives_other_pages() -> None:
    assert make_pages(seed=1) != make_pages(seed=2)


def test_as_many_pages_as_asked_for() -> None:
    assert len(make_pages(count=1000)) == 1000


def test_every_folder_has_an_index_page() -> None:
    names = page_names(1000)
    folders = {posixpath.dirname(name) for name in names}
    assert len(folders) == 37
    assert all(posixpath.join(folder, "index.md") in names for folder in folders)


def test_links_resolve() -> None:
    pages = make_pages()
    targets = [
        posixpath.normpath(posixpath.join(posixpath.dirname(name), href))
        for name, text in pages.items()
        for href in re.findall(r"\]\(([^)]+)\)", text)
    ]
    assert len(targets) == 5 * len(pages)
    assert set(targets) <= pages.keys()


def test_pages_have_the_size_and_the_parts_of_real_ones() -> None:
    pages = make_pages(count=200).values()
    assert 6_500 < sum(map(len, pages)) / len(pages) < 9_000
    assert all(text.count("\n```python\n") == 5 for text in pages)
    assert all(len(re.findall(r"^###? ", text, re.MULTILINE)) == 9 for text in pages)
    with_table = sum("| --- |" in text for text in pages)
    assert 60 < with_table < 140


def test_no_block_of_code_is_the_same_on_two_pages() -> None:
    """A builder that remembers what it highlighted must not profit from an artificial corpus."""
    fences = [fence for text in make_pages().values() for fence in re.findall(r"```python\n.*?```", text, re.DOTALL)]
    assert len(set(fences)) > 0.99 * len(fences)


def test_pieces_are_plain_markdown() -> None:
    pieces = collect_pieces([SOURCE])
    assert pieces.headings == ["Configure the gateway"]
    assert pieces.paragraphs == [
        "The first paragraph of this page has a link and an .",
        "Another paragraph, with `code` and **strong** words in it.",
        "Paragraphs inside directives are paragraphs too.",
    ]
    assert pieces.fences == ['```python\nimport this\n\nprint("hello world")\n```']
    assert pieces.tables == ["| name | meaning |\n| --- | --- |\n| port | the number to listen on |"]


def test_sources_without_a_table_are_refused() -> None:
    with pytest.raises(BenchError, match="hold no tables"):
        collect_pieces([SOURCE.replace("|", "")])
