"""Names of other projects lead there, by the inventories that Sphinx and mkdocstrings publish."""

from __future__ import annotations

import zlib

import pytest

from octavo.pipeline.inventories import read_inventory
from tests.support.sites import HOME, MakeSite, page

CONFIG = """
extensions = ["octavo.shipped.python_api"]

[extension_options.python_api]
packages = ["acme"]
paths = ["src"]

[markdown]
extensions = ["autorefs"]

[inventories.python]
url = "https://docs.example/3"
file = "inventories/python.inv"
"""
ENTRIES = """\
pathlib.Path py:class 1 library/pathlib.html#$ -
str py:class 1 library/stdtypes.html#str -
with-statement std:label -1 reference/compound.html#with The with statement
a name with spaces std:term -1 glossary.html#term-a A name
"""


def inventory(entries: str = ENTRIES) -> bytes:
    head = "# Sphinx inventory version 2\n# Project: P\n# Version: 3\n# The remainder of this file is compressed using zlib.\n"
    return head.encode() + zlib.compress(entries.encode())


SOURCE = '''"""Acme, with :class:`pathlib.Path` and [`str`][]."""
from pathlib import Path


def read(path: Path, name: Path) -> "list[Path]":
    """Read.

    Args:
        path: The first.
        name: A :class:`unknown.Thing`.
    """
'''


def test_names_of_other_projects_are_links(make_site: MakeSite) -> None:
    text = "See [a path][pathlib.Path], [with](ref:with-statement), and [own][acme.read]."
    site = make_site({"src/acme.py": SOURCE, "docs/a.md": page("A", text), **HOME}, CONFIG)
    file = site.root / "inventories/python.inv"
    file.parent.mkdir()
    file.write_bytes(inventory())
    assert site.build().diagnostics == []
    html = site.html("/a")
    assert 'href="https://docs.example/3/library/pathlib.html#pathlib.Path"' in html
    assert 'href="https://docs.example/3/reference/compound.html#with"' in html
    assert 'href="/api/acme#acme.read"' in html
    api = site.html("/api/acme")
    assert api.count('href="https://docs.example/3/library/pathlib.html#pathlib.Path"') == 3
    assert 'href="https://docs.example/3/library/stdtypes.html#str"' in api
    assert "]()" not in (site.out / "api/acme.md").read_text("utf-8")
    # Another file, other addresses.
    file.write_bytes(inventory(ENTRIES.replace("library/pathlib", "lib/paths")))
    site.build()
    assert 'href="https://docs.example/3/lib/paths.html#pathlib.Path"' in site.html("/a")


def test_inventory_that_cannot_be_read_is_a_finding(make_site: MakeSite) -> None:
    site = make_site({"src/acme.py": '"""Acme."""\n', "docs/a.md": page("A", "[a path][pathlib.Path]"), **HOME}, CONFIG)
    found = site.check()
    missing = (
        'octavo.toml:14:8: error: There is no inventory "inventories/python.inv". '
        "Download https://docs.example/3/objects.inv to it. [config-error]"
    )
    assert missing in found
    assert (
        'docs/a.md:5:1: error: No heading and no member of a reference has the id "pathlib.Path". [broken-link]'
        in found
    )
    (site.root / "inventories").mkdir()
    (site.root / "inventories/python.inv").write_bytes(b"<html>")
    [problem] = [one for one in site.check() if "config-error" in one]
    assert '"inventories/python.inv" is not an inventory' in problem
    site.write({"octavo.toml": f'title = "Site"\n{CONFIG.replace("https://docs", "javascript:docs")}'})
    [problem] = [one for one in site.check() if "config-error" in one]
    assert "Begin it with https://." in problem
    site.write({"octavo.toml": f'title = "Site"\n{CONFIG.replace("inventories/python.inv", "inventories")}'})
    [problem] = [one for one in site.check() if "config-error" in one]
    assert '"inventories" cannot be read: Is a directory.' in problem


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# Sphinx inventory version 9\n# Project: P\n# Version: 3\n#\n",
        inventory()[:-9],
        inventory().replace(b"version 2", b"version 3"),
        b"\xff\xfe",
    ],
)
def test_what_is_no_inventory_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="inventory"):
        read_inventory(data)


def test_inventories_of_both_versions_are_read() -> None:
    assert read_inventory(inventory())["pathlib.Path"] == "library/pathlib.html#pathlib.Path"
    assert read_inventory(inventory())["a name with spaces"] == "glossary.html#term-a"
    old = b"# Sphinx inventory version 1\n# Project: P\n# Version: 3\nos.path mod library/os.path.html\nos.sep data library/os.html\n"
    assert read_inventory(old) == {
        "os.path": "library/os.path.html#module-os.path",
        "os.sep": "library/os.html#os.sep",
    }


def test_objects_come_before_labels_of_the_same_name() -> None:
    entries = "str std:label -1 labels.html#str Str\nstr py:class 1 types.html#$ -\nstr js:class 1 js.html#$ -\n"
    assert read_inventory(inventory(entries)) == {"str": "types.html#str"}


def test_inventory_that_unpacks_to_much_is_refused() -> None:
    with pytest.raises(ValueError, match="larger than"):
        read_inventory(inventory("a" * 200_000_000))
