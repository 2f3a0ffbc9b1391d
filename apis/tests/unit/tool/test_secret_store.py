"""The secrets file is a dotenv file, and what is wrong with it is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tool_api.errors import FieldError, StartError
from tool_api.secret_store import MAX_FILE_BYTES, Secrets


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("k=v", "v"),
        ("export k=v", "v"),
        ("  k = v  ", "v"),
        ("k=", ""),
        ("k='a b'", "a b"),
        ('k="a # b"', "a # b"),
        ("k=a#b", "a#b"),
        ("k=a # a comment", "a"),
        ("k=a=b", "a=b"),
        ("k=${HOME}", "${HOME}"),
        ('k="first\\nsecond"', "first\nsecond"),
        ('k="-----BEGIN KEY-----\nabc\n-----END KEY-----"', "-----BEGIN KEY-----\nabc\n-----END KEY-----"),
        ("# k=x\n\nk=v", "v"),
        ("k=x\nk=v", "v"),
    ],
)
def test_value_is_read_as_in_other_dotenv_files(tmp_path: Path, line: str, value: str) -> None:
    secrets = Secrets(write(tmp_path / "s.env", f"{line}\nother.name-1=x\n"))
    assert secrets.resolve((("k", "K"), ("other.name-1", "O"))) == {"K": value, "O": "x"}


@pytest.mark.parametrize(("text", "line"), [("k", 1), ("a=1\n\nnothing\nb=2", 3), ("a=1\nk='open\nb=2", 2)])
def test_line_that_is_wrong_is_named(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(StartError, match=f'secrets file "s.env", line {line}: expected NAME=VALUE.'):
        Secrets(write(tmp_path / "s.env", text))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o610])
def test_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(StartError, match="set its mode to 0600"):
        Secrets(write(tmp_path / "s.env", "k=v", mode))


def test_file_comes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLHIVE_SECRET_k", "environment")
    monkeypatch.setenv("TOOLHIVE_SECRET_e", "environment")
    secrets = Secrets(write(tmp_path / "s.env", "k=file"))
    assert secrets.resolve((("k", "K"), ("e", "E"))) == {"K": "file", "E": "environment"}
    assert Secrets(None).resolve((("k", "K"),)) == {"K": "environment"}


def test_missing_secret_is_named() -> None:
    with pytest.raises(FieldError, match='secrets: there is no secret named "nowhere"'):
        Secrets(None).resolve((("nowhere", "K"),))


def test_changed_file_counts_for_the_next_server(tmp_path: Path) -> None:
    path = write(tmp_path / "s.env", "k=1")
    secrets = Secrets(path)
    path.write_text("k=2")
    assert secrets.resolve((("k", "K"),)) == {"K": "2"}
    path.unlink()
    assert secrets.resolve(()) == {}
    with pytest.raises(FieldError, match="cannot be read"):
        secrets.resolve((("k", "K"),))


def test_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=f"larger than {MAX_FILE_BYTES} bytes"):
        Secrets(write(tmp_path / "s.env", "k=v\n" + "#" * MAX_FILE_BYTES))
