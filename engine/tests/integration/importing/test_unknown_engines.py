"""Sites of engines that are not known: called by their names, and refused where hardly anything of them could be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.errors import UsageError
from octavo.importing import import_site
from tests.support.each import each

from .sites import write


@each(
    ("files", "message"),
    [
        (
            {"antora.yml": "name: k\n", "modules/a.adoc": "= A\n"},
            "It is a site of Antora (antora.yml), which is not known. It holds 1 files in AsciiDoc",
        ),
        (
            {"README.md": "# K\n", "_quarto.yml": "a: 1\n", **{f"{n}.qmd": "# A\n" for n in range(6)}},
            "holds 6 files in Quarto or R Markdown, which are not read, and only 1 in Markdown. It is a site of Quarto",
        ),
    ],
)
def test_refused_by_name(files: dict[str, str], message: str, tmp_path: Path) -> None:
    site = write(tmp_path / max(files), files)
    with pytest.raises(UsageError) as raised:
        import_site(site)
    assert message in str(raised.value)
    assert not (site / "octavo.toml").exists()


def test_what_is_in_markdown_is_imported_where_one_asks_for_it(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "# K\n", **{f"{n}.adoc": "= A\n" for n in range(6)}})
    assert import_site(tmp_path, engine="plain").report.pages == 1


@each(
    ("files", "note"),
    [
        ({"writerside.cfg": "", "a.md": "# A"}, "The site is one of Writerside, which is not known"),
        ({"docs/doctave.yaml": "title: A\n", "docs/a.md": "# A"}, "The site is one of Doctave"),
    ],
)
def test_named_in_the_report(files: dict[str, str], note: str, tmp_path: Path) -> None:
    done = import_site(write(tmp_path / next(iter(files)).partition(".")[0], files))
    assert any(one.what.startswith(note) for one in done.report.notes)
