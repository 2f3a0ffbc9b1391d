"""Where the passphrase of an export comes from, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway_api.errors import SetupError
from gateway_api.maintenance.passphrase import PASSPHRASE_VARIABLE, PassphraseCipher, read_passphrase

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
    for wrong in ("short", "p\udce4ssword-latin-1"):  # a byte that is not UTF-8 comes as such a character
        monkeypatch.setenv(PASSPHRASE_VARIABLE, wrong)
        with pytest.raises(SetupError, match=PASSPHRASE_VARIABLE):
            read_passphrase(None)


@pytest.mark.costly
def test_header_names_the_cost_of_a_guess_and_opens_with_the_passphrase() -> None:
    made = PassphraseCipher.new(GOOD)
    header = made.header
    assert (header["kdf"], header["n"], header["r"], header["p"]) == ("scrypt", 131_072, 8, 1)
    sealed = made.close("key", owner="a")
    assert PassphraseCipher.of_header(GOOD, header).open(sealed, owner="a") == "key"
    with pytest.raises(SetupError, match="not the one that the export was written with"):
        PassphraseCipher.of_header("another-passphrase", header)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": 2**21}, "in a way that this release does not know"),
        ({"n": 2**13}, "in a way that this release does not know"),
        ({"n": 2**17 - 1}, "in a way that this release does not know"),
        ({"n": "131072"}, "in a way that this release does not know"),
        ({"kdf": "argon2"}, "in a way that this release does not know"),
        ({"r": 9}, "in a way that this release does not know"),
        ({"salt": "?"}, "its part about keys cannot be read"),
        ({"salt": None}, "its part about keys cannot be read"),
    ],
)
def test_header_that_costs_too_much_or_is_damaged_is_refused(change: dict[str, object], said: str) -> None:
    """A file of somebody else must not make the server compute for minutes, or take all memory."""
    header = {"kdf": "scrypt", "n": 2**14, "r": 8, "p": 1, "salt": "AAAAAAAAAAAAAAAAAAAAAA==", "check": ""}
    with pytest.raises(SetupError, match=said):
        PassphraseCipher.of_header(GOOD, header | change)


def test_exports_of_earlier_releases_are_opened() -> None:
    header = {
        "kdf": "scrypt",
        "n": 16384,
        "r": 8,
        "p": 1,
        "salt": "AAECAwQFBgcICQoLDA0ODw==",
        "check": "U60mC5a8eDGB10RsYSndZr4B9olJzeMP6fjD2IAHU0IogEXLVJJhR5t3kXiP5wJLlw==",
    }
    cipher = PassphraseCipher.of_header("correct horse battery", header)
    sealed = "gRi2fj4xRjuM2+x19RWA7SB6yGKAKQVIEEffF0Ohxo1uDRA="
    assert cipher.open(sealed, owner="one\nopenai\nhttps://a.example") == "sk-kept"
    assert {**cipher.header, "check": ""} == {**header, "check": ""}
