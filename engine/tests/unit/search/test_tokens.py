from __future__ import annotations

import unicodedata

import pytest

from octavo.search.text.scripts import has_plain_letters, is_unspaced
from octavo.search.text.tokens import LONGEST_WORD, make_stream, spans, tokens_of_word
from tests.support.each import each


def tokens(text: str) -> tuple[str, list[str]]:
    stream = make_stream(text)
    return " ".join(stream.parts), [name for _, name in stream.names]


@each(
    ("text", "parts", "names"),
    [
        ("plain words, here.", "plain words here", []),
        ("readFileSync", "read file sync", ["readfilesync"]),
        ("MCPServer", "mcp server", ["mcpserver"]),
        ("workspace_name", "workspace name", ["workspace_name"]),
        ("auto-discovery", "auto discovery", ["auto-discovery"]),
        ("fs.readFile()", "fs read file", ["fs.readfile", "readfile"]),
        ("--dry-run", "dry run", ["--dry-run", "dry-run"]),
        ("-f", "f", ["-f"]),
        ("$HOME", "home", ["$home"]),
        ("${HOME}", "home", ["$home"]),
        ("C++", "c", ["c++"]),
        ("C#", "c", ["c#"]),
        (".NET", "net", [".net"]),
        ("std::vector<int>", "std vector int", ["std::vector"]),
        ("GET /api/v1/health", "get api v1 health", ["/api/v1/health", "api/v1/health"]),
        ("/x/{user_id}", "x user id", ["/x/{user_id}", "x/{user_id}", "user_id"]),
        ("@scope/pkg", "scope pkg", ["@scope/pkg", "scope/pkg"]),
        ("sha256 i18n v0.1", "sha256 i18n 0 1", ["v0.1", "0.1"]),
        ("FAQs URLs", "faqs urls", []),
        ("a => b !! c", "a => b !! c", []),
        ("Café naïve Größe", "cafe naive grosse", []),
    ],
)
def test_text_is_cut_into_parts_and_names(text: str, parts: str, names: list[str]) -> None:
    assert tokens(text) == (parts, names)


def test_name_stands_at_its_first_part() -> None:
    assert make_stream("use the --dry-run flag").names[0] == (2, "--dry-run")


def test_spans_tell_where_chunks_stand() -> None:
    text = "Set $HOME, then (run) it."
    assert [text[span.start : span.end] for span in spans(text)] == ["Set", "$HOME", "then", "run", "it"]


@pytest.mark.parametrize("text", ["camelCase and --flag-name", "a/b/c.d", "Ünïcode ﬁ", "x" * 1000, "a/" * 5000])
def test_spans_and_stream_agree(text: str) -> None:
    parts = [part.form for span in spans(text) for part in span.chunk.parts]
    assert parts == make_stream(text).parts


def test_words_without_end_are_cut() -> None:
    assert len("".join(make_stream("ab/" * 10_000).parts)) <= LONGEST_WORD


def test_tokens_of_a_word_that_recurs_are_made_once() -> None:
    assert tokens_of_word("read-file") is tokens_of_word("read-file")


def test_pattern_for_plain_letters_takes_nothing_apart_that_marks_hold_together() -> None:
    plain = [char for char in map(chr, range(0x30000)) if has_plain_letters(f"a{char}")]
    assert not [char for char in plain if unicodedata.category(char) in ("Mn", "Mc") or is_unspaced(char)]
    assert not {"\u200c", "\u200d"}.intersection(plain)


@pytest.mark.parametrize(
    "text", ["🛡️ 🚨b ©️d", "naïve–Bayes", "“--dry-run”", "Größe_größer.py", "caffè2go’s", "a→b::c", "œuvre/été"]
)
def test_plain_letters_give_the_tokens_of_the_pattern_for_all_letters(text: str) -> None:
    assert has_plain_letters(text)
    assert make_stream(f"{text}\u0301") == make_stream(text)  # an accent, which is dropped, needs the other pattern
