"""Sites of Sphinx keep their addresses, whether pages are published as files or as folders; and their redirects."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

FILES = {
    "docs/conf.py": "project = 'Kite'\nextensions = ['myst_parser']\n",
    "docs/index.md": "# Kite\n\n```{toctree}\nguide/wind\n```\n\n[Wind](guide/wind.md)\n",
    "docs/guide/wind.md": "# Wind\n\n[Start](/index)\n",
}
HOST = "version: 2\nsphinx:\n  builder: {builder}\n  configuration: {conf}\n"


@pytest.mark.parametrize(
    ("files", "is_folder"),
    [
        ({}, False),
        ({".readthedocs.yaml": HOST.format(builder="dirhtml", conf="docs/conf.py")}, True),
        ({".readthedocs.yml": HOST.format(builder="htmldir", conf="docs/conf.py")}, True),
        ({".readthedocs.yaml": HOST.format(builder="html", conf="docs/conf.py")}, False),
        ({".readthedocs.yaml": HOST.format(builder="dirhtml", conf="other/conf.py")}, False),
        ({".readthedocs.yaml": "build:\n  commands:\n    - sphinx-build -b dirhtml docs out\n"}, True),
        ({".readthedocs.yaml": "sphinx: [\n"}, False),
        ({"docs/Makefile": "html:\n\tsphinx-build -b dirhtml . out\n"}, True),
        ({"docs/Makefile": "html:\n\tsphinx-build -b html . out\ndirhtml:\n\tsphinx-build -b dirhtml . out\n"}, False),
        ({"tox.ini": "[testenv:docs]\ncommands = sphinx-build -W -b dirhtml docs out\n"}, True),
        ({"noxfile.py": 'session.run("sphinx-build", "-b", "dirhtml", "docs", "out")\n'}, True),
    ],
)
@pytest.mark.parametrize("folder", [".", "docs"])
def test_pages_have_the_addresses_of_the_builder(
    tmp_path: Path, files: dict[str, str], folder: str, *, is_folder: bool
) -> None:
    site = write(tmp_path / "site", {**FILES, **files})
    (site / ".git").mkdir()
    import_site(site / folder)
    result = build_site(site / folder, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code == "broken-link"] == []
    assert (tmp_path / "out/guide/wind/index.html").is_file() == is_folder
    assert (tmp_path / "out/guide/wind.html").is_file() != is_folder


@pytest.mark.parametrize(("builder", "ending"), [("html", ".html"), ("dirhtml", "/")])
def test_redirects_of_extensions_are_carried(tmp_path: Path, builder: str, ending: str) -> None:
    conf = (
        "project = 'Kite'\nextensions = ['myst_parser', 'sphinx_reredirects', 'sphinxext.rediraffe']\n"
        "redirects = {'old/air': '../guide/wind" + ending + "', 'away': 'https://kite.example/', 'a/*': 'b'}\n"
        "rediraffe_redirects = {'breeze.md': 'guide/wind.md', 'gone/index.md': 'index.md'}\n"
    )
    host = HOST.format(builder=builder, conf="docs/conf.py")
    site = write(tmp_path / "site", {**FILES, "docs/conf.py": conf, ".readthedocs.yaml": host})
    done = import_site(site)
    [note] = [one for one in done.plan.notes if "redirect" in one.what.lower()]
    assert (note.what, list(note.files)) == ("Redirects for many pages at once", ["a/* → b"])
    found = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    gone = "/gone/" if ending == "/" else "/gone/index.html"
    target = "/old/guide/wind/" if ending == "/" else "/guide/wind.html"
    assert found == {
        f"/old/air{ending}": target,
        f"/away{ending}": "https://kite.example/",
        f"/breeze{ending}": f"/guide/wind{ending}",
        gone: "/",
    }


def test_scripts_that_cannot_be_read_say_nothing(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    (site / "docs/Makefile").write_bytes(b"# caf\xe9\nhtml:\n\tsphinx-build -b dirhtml . out\n")
    (site / ".readthedocs.yaml").write_bytes(b"\xff\xfe\xfd")
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).is_published
