"""The file of a site's terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import Config
from octavo.content import Term
from octavo.documents.compiler import Compiler
from octavo.errors import ConfigError


def terms_of(folder: Path, text: str | None) -> dict[str, str | Term]:
    if text is not None:
        (folder / "terms.toml").write_text(text, encoding="utf-8")
    return Compiler.of(folder, Config(title="T", glossary="terms.toml"), {}).options.glossary


def test_term_is_a_text_or_a_table(tmp_path: Path) -> None:
    assert terms_of(tmp_path, 'MCP = "A protocol."\n["mux rule"]\ndefinition = "It."\nalso = ["rule"]\n') == {
        "MCP": "A protocol.",
        "mux rule": Term("It.", also=["rule"]),
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot be read"),
        ("mux rule = 1", "is not valid TOML"),
        ('MCP = " "', 'says nothing about "MCP"'),
        ("MCP = 1", "must hold lines such as"),
        ('[[terms]]\nterm = "MCP"\n', "must hold lines such as"),
        ('[MCP]\ndefinition = "It."\nproducts = []\n', "unknown field `products`"),
        ('a = "It."\n[b]\ndefinition = "It."\nalso = ["a"]\n', 'explains "a" twice: as "a" and as "b"'),
    ],
)
def test_file_that_holds_something_else_is_an_error(text: str | None, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        terms_of(tmp_path, text)
    assert "glossary: " in str(raised.value)
    assert problem in str(raised.value)
