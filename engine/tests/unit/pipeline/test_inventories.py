"""Inventories of other projects."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from octavo.config import parse_config
from octavo.pipeline.inventories import load_inventories, read_inventory
from tests.support.each import each

HEAD = b"# Sphinx inventory version 2\n# Project: Kiln\n# Version: 1\n# packed by zlib\n"


def packed(text: str) -> bytes:
    return HEAD + zlib.compress(text.encode())


@each(
    "text, expected",
    [
        ("kiln.Heat py:class 1 api.html#$ -\n", {"kiln.Heat": "api.html#kiln.Heat"}),
        ("a word std:label -1 page.html#a-word Shown name\n", {"a word": "page.html#a-word"}),
        ("one py:function 1 x.html -\none py:function 1 y.html -\n", {"one": "x.html"}),
        # Objects come before labels of the same name, wherever they are.
        ("one std:label 1 x.html -\none py:function 1 y.html -\n", {"one": "y.html"}),
        ("one py:function 1 y.html -\none std:label 1 x.html -\n", {"one": "y.html"}),
        ("no entry\n\nb py:data 0  -\n", {"b": ""}),
        ("größe js:data 1 a.html#$ -", {"größe": "a.html#größe"}),
        ("", {}),
    ],
)
def test_entries_of_an_inventory(text: str, expected: dict[str, str]) -> None:
    assert read_inventory(packed(text)) == expected


def test_entries_of_an_old_inventory() -> None:
    head = b"# Sphinx inventory version 1\n# Project: Kiln\n# Version: 1\n"
    assert read_inventory(head + b"kiln mod api.html\nkiln.Heat class api.html\nnot enough\n") == {
        "kiln": "api.html#module-kiln",
        "kiln.Heat": "api.html#kiln.Heat",
    }


@each(
    "data, message",
    [
        (b"", "is not an inventory of Sphinx"),
        (b"# Sphinx inventory version 3\n\n\n\n", "is not an inventory of Sphinx"),
        (b"a\nb\nc\nd\n", "is not an inventory of Sphinx"),
        (HEAD + b"no archive", "is an inventory that cannot be unpacked"),
        (packed("a py:class 1 b -\n")[:-3], "is an inventory whose end is missing"),
    ],
)
def test_what_is_no_inventory_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_inventory(data)


def test_inventory_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a py:class 1 b -\n"
    monkeypatch.setattr("octavo.pipeline.inventories._MOST_BYTES", len(text))
    assert read_inventory(packed(text)) == {"a": "b"}
    with pytest.raises(ValueError, match="is an inventory larger than 0 MB"):
        read_inventory(packed(f"{text}\n"))


def test_inventories_of_a_site_are_read_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "a.inv").write_bytes(packed("one py:class 1 a.html -\n"))
    (tmp_path / "b.inv").write_bytes(packed("one py:class 1 b.html -\ntwo py:class 1 b.html -\n"))
    (tmp_path / "c.inv").write_bytes(b"no inventory")
    (tmp_path / "folder.inv").mkdir()
    names = {
        "a": "https://a.example/",
        "b": "http://b.example/docs",
        "c": "https://c.example",
        "folder": "https://f.example",
    }
    names |= {"gone": "https://gone.example", "odd": "ftp://odd.example"}
    text = 'title = "T"\n' + "".join(
        f'[inventories.{name}]\nurl = "{url}"\nfile = "{name}.inv"\n' for name, url in names.items()
    )
    found, problems = load_inventories(tmp_path, parse_config(text), text)
    assert found == {"one": "https://a.example/a.html", "two": "http://b.example/docs/b.html"}
    assert [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}" for one in problems] == [
        'octavo.toml:10:1 error config-error: "c.inv" is not an inventory of Sphinx. Download https://c.example/objects.inv to it.',
        (
            'octavo.toml:13:1 error config-error: "folder.inv" cannot be read: Is a directory. Download '
            "https://f.example/objects.inv to it."
        ),
        (
            'octavo.toml:16:1 error config-error: There is no inventory "gone.inv". Download https://gone.example/objects.inv to '
            "it."
        ),
        (
            'octavo.toml:19:1 error config-error: "ftp://odd.example" is not an address of an inventory\'s project. Begin it with '
            "https://."
        ),
    ]
