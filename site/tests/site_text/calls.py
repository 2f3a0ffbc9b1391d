"""The requests that the pages show: what `curl` in a code block would send."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import msgspec

from site_text.texts import Fence, fences, sources

SHELLS = {"bash", "console"}
CONTINUED = re.compile(r"\\\n[ \t]*")
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
PROMPT = re.compile(r"^\$ ")
WITH_VALUE = {"-X", "--request", "-H", "--header", "-d", "--data", "-o", "--output", "--unix-socket"}


class Call(msgspec.Struct, frozen=True):
    """One request of a page."""

    method: str
    url: str
    body: str | None
    place: str
    """`path:line` of its code block."""


def commands(fence: Fence) -> Iterator[list[str]]:
    """List the commands of a shell block, each as words; in a session, lines without a prompt are output."""
    text = COMMENT.sub("", CONTINUED.sub(" ", fence.code))
    if fence.language == "console":
        lines = [PROMPT.sub("", line) for line in text.splitlines() if PROMPT.match(line)]
        text = "\n".join(lines)
    lexer = shlex.shlex(text, posix=True, punctuation_chars="();|&\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""  # it would take the end of the line along
    words: list[str] = []
    for word in lexer:
        if set(word) <= set("();|&\n"):
            if words:
                yield words
            words = []
        else:
            words.append(word)
    if words:
        yield words


def read_call(words: list[str], place: str) -> Call | None:
    """Read the words of a `curl` command; None for any other."""
    if words[0] != "curl":
        return None
    method, body, url = None, None, ""
    rest = iter(words[1:])
    for word in rest:
        value = next(rest) if word in WITH_VALUE else None
        if word in {"-X", "--request"}:
            method = value
        elif word in {"-d", "--data"}:
            body = value
        elif not word.startswith("-") and value is None:
            url = word
    return Call(method or ("POST" if body is not None else "GET"), url, body, place)


def calls() -> list[Call]:
    """List the requests of all pages."""
    found = []
    for path in sources():
        for fence in fences(path):
            if fence.language in SHELLS:
                for words in commands(fence):
                    call = read_call(words, fence.place)
                    if call:
                        found.append(call)
    return found
