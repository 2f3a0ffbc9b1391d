"""Where the passphrase of an export comes from, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway_api.errors import SetupError
from gateway_api.maintenance.passphrase import PASSPHRASE_VARIABLE, read_passphrase

GOOD = "p\u00e4ssw\u00f6rd-\u65e5\u672c\u8a9e"


@pytest.mark.parametrize(
    "written", [f"{GOOD}\n", f"{GOOD}\r\n", f"\ufeff{GOOD}", GOOD], ids=["lf", "crlf", "bom", "bare"]
)
def test_file_has_one_line(written: str, tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_bytes(written.encode())
    assert read_passphrase(file) == GOOD


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"", "fewer than 12 characters"),
        (b"short\n", "fewer than 12 characters"),
        (b" " * 20, "fewer than 12 characters"),
        (b"the-first-line\nthe-second-line\n", "cannot be typed on one line"),
        (b"with\x00nul-and-more", "cannot be typed on one line"),
        (b"p\xe4ssw\xf6rd-latin-1", "is not in UTF-8"),
    ],
)
def test_bad_file_is_named_with_what_is_wrong(written: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_bytes(written)
    with pytest.raises(SetupError, match=said) as refused:
        read_passphrase(file)
    assert str(file) in str(refused.value)


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"missing cannot be read: No such file"):
        read_passphrase(tmp_path / "missing")


def test_variable_is_checked_as_a_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "")
    assert read_passphrase(None) is None
    monkeypatch.setenv(PASSPHRASE_VARIABLE, GOOD)
    assert read_passphrase(None) == GOOD
    for wrong in ("short", "p\udce4ssword-latin-1"):  # a byte that is no UTF-8 comes as such a character
        monkeypatch.setenv(PASSPHRASE_VARIABLE, wrong)
        with pytest.raises(SetupError, match=PASSPHRASE_VARIABLE):
            read_passphrase(None)
