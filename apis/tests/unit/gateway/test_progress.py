"""Texts of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway_api.commands.progress import counted, say_if_new


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 conversations"), (1, "1 conversation"), (2, "2 conversations"), (1_200, "1,200 conversations")],
)
def test_noun_has_the_form_that_its_number_needs(number: int, text: str) -> None:
    assert counted(number, "conversation") == text


def test_database_that_is_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new.sqlite"
    say_if_new(f"sqlite:///{file}?mode=rwc")
    assert capsys.readouterr().err == f"{file} is a new database.\n"
    file.touch()
    for url in (f"sqlite:///{file}", "sqlite:///:memory:", "sqlite:///", "postgresql://localhost/new"):
        say_if_new(url)
    assert capsys.readouterr().err == ""
