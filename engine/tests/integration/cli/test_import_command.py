"""`octavo import commands`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.tests.integration.cli.conftest import Run

GENERATED = """\
name: pot fire
synopsis: Harden what has dried
description: Heats the kiln.
usage: pot fire [flags]
options:
    - name: heat
      shorthand: H
      default_value: "900"
      usage: degrees
    - name: help
      shorthand: h
      default_value: "false"
      usage: help for fire
inherited_options:
    - name: verbose
      default_value: "false"
      usage: say more
see_also:
    - "pot\\t - Make things of clay"
"""
"""As cobra's generator writes it."""


def test_folder_of_cobra_becomes_one_file(run: Run, tmp_path: Path) -> None:
    folder, out = tmp_path / "yaml", tmp_path / "site" / "pot.yaml"
    folder.mkdir()
    (folder / "pot_fire.yaml").write_text(GENERATED)
    (folder / "pot.yaml").write_text("name: pot\nsynopsis: Make things of clay\noptions: []\n")
    result = run("import", "commands", folder, "--out", out)
    assert (result.code, result.out) == (0, f"Wrote 2 commands to {out}.\n")
    assert out.read_text().startswith("name: pot\nsynopsis: Make things of clay\n---\nname: pot fire\n")


def test_application_is_imported_by_its_path(run: Run) -> None:
    result = run("import", "commands", "octavo.cli.main:octavo", "--name", "octavo")
    assert result.code == 0
    assert "name: octavo import commands\n" in result.out


def test_program_is_asked_for_its_help(run: Run) -> None:
    result = run("import", "commands", f"{sys.executable} -m json.tool", "--name", "json.tool")
    assert result.code == 0
    assert "  - name: sort-keys\n" in result.out


def test_text_of_a_help_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "help.txt").write_text("Usage: pot [OPTIONS]\n\n  Make things.\n\nOptions:\n  -q, --quiet  Say less.\n")
    result = run("import", "commands", tmp_path / "help.txt")
    assert result.out == (
        "name: pot\nsynopsis: Make things.\nusage: pot [OPTIONS]\noptions:\n"
        "  - name: quiet\n    shorthand: q\n    type: bool\n    usage: Say less.\n"
    )


def test_file_is_not_replaced_unasked(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pot.yaml"
    out.write_text("mine")
    result = run("import", "commands", "octavo.cli.main:octavo", "--name", "octavo", "--out", out)
    assert (result.code, out.read_text()) == (2, "mine")
    assert result.err == f"octavo: {out} exists; name another file, or replace it with --force.\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no-such-program", "No folder, file, or program is named no-such-program."),
        ("no_such_module:app", "no_such_module:app cannot be imported: No module named 'no_such_module'."),
        ("json:nothing", "json:nothing cannot be imported: module 'json' has no attribute 'nothing'."),
    ],
)
def test_what_cannot_be_read_is_named(run: Run, source: str, message: str) -> None:
    result = run("import", "commands", source)
    assert (result.code, result.err) == (2, f"octavo: {message}\n")


def test_bad_file_of_cobra_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: pot\nflags: []\n")
    result = run("import", "commands", tmp_path)
    assert result.code == 2
    assert result.err.startswith(f'octavo: {tmp_path}/a.yaml:2:1: "flags" is not a setting.')
