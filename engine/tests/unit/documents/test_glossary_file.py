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
    ("text", "place", "problem"),
    [
        (None, ("octavo.toml", 2, 1), "terms.toml cannot be read"),
        ("a = 'x'\nmux rule = 1", ("terms.toml", 2, 5), "is not valid TOML"),
        ('a = "x"\nMCP = " "', ("terms.toml", 2, 1), 'nothing is said about "MCP"'),
        ('a = "x"\nMCP = 1', ("terms.toml", 2, 1), "must be a line such as"),
        ('[[terms]]\nterm = "MCP"\n', ("terms.toml", 1, 1), "must be a line such as"),
        ('a = "x"\n[MCP]\ndefinition = "It."\nproducts = []\n', ("terms.toml", 2, 1), '"products" is not among them'),
        (
            'a = "It."\n[b]\ndefinition = "It."\nalso = ["a"]\n',
            ("terms.toml", 2, 1),
            '"a" is explained twice: as "a" and as "b"',
        ),
    ],
)
def test_file_that_holds_something_else_is_an_error(
    text: str | None, place: tuple[str, int, int], problem: str, tmp_path: Path
) -> None:
    (tmp_path / "octavo.toml").write_text('title = "T"\nglossary = "terms.toml"\n', encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        terms_of(tmp_path, text)
    assert "glossary: " in str(raised.value)
    assert problem in str(raised.value)
    [found] = raised.value.findings
    assert (found.span.path, found.span.line, found.span.column) == place
    assert problem in found.message
