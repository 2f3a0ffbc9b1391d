"""The example requests of a page, in its order, each with the answer that the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from site_text.calls import CONTINUED, PROMPT, SHELLS, Call, commands, read_call
from site_text.texts import FENCE, SITE, Fence, fences, sources

TITLE = re.compile(r'title="([^"]*)"')
REQUEST_TITLE = re.compile(r"(?P<method>PUT|POST|DELETE|GET) (?P<path>/\S+)")
STATUS = re.compile(r"\bstatus (\d{3})\b")
ANSWER = "Answer"
GATEWAY = "http://localhost:8989"


class Example(msgspec.Struct, frozen=True):
    """A request of a page."""

    call: Call
    socket: str | None = None
    """Path behind `--unix-socket`."""
    status: int | None = None
    """What the sentence before it says; None where the page says nothing."""
    shown: str | None = None
    """The answer as the page shows it: a body, or with `curl -i` a head."""


def pages_with_examples() -> list[Path]:
    """List the pages that show a request."""
    return [path for path in sources() if any(page_examples(path))]


def page_examples(path: Path) -> Iterator[Example]:
    """Read the requests of a page: `curl` in blocks, and blocks whose title is a method and a path."""
    text = path.read_text(encoding="utf-8")
    held: Example | None = None
    end = 0
    for match, fence in zip(FENCE.finditer(text), fences(path), strict=True):
        title = TITLE.search(match["info"])
        name = title[1] if title else ""
        said = STATUS.findall(text[end : match.start()])
        status = int(said[-1]) if said else None
        if held and name == ANSWER:
            held = msgspec.structs.replace(held, shown=fence.code)
        if held:
            yield held
            held = None
        if fence.language in SHELLS:
            *before, held = [*_shell(fence, status)] or [None]
            yield from (example for example in before if example)
        elif found := REQUEST_TITLE.fullmatch(name):
            held = Example(Call(found["method"], GATEWAY + found["path"], fence.code, fence.place), status=status)
        end = match.end()
    if held:
        yield held


def _shell(fence: Fence, status: int | None) -> Iterator[Example]:
    for command, output in _steps(fence):
        for words in commands(msgspec.structs.replace(fence, language="bash", code=command)):
            call = read_call(words, fence.place)
            if call:
                socket = words[words.index("--unix-socket") + 1] if "--unix-socket" in words else None
                yield Example(call, socket, status, output or None)


def _steps(fence: Fence) -> Iterator[tuple[str, str]]:
    """Split a session into commands with their output; a block of commands is one step without any."""
    if fence.language != "console":
        yield fence.code, ""
        return
    command, output = "", ""
    for line in CONTINUED.sub(" ", fence.code).splitlines(keepends=True):
        if PROMPT.match(line):
            if command:
                yield command, output
            command, output = PROMPT.sub("", line), ""
        else:
            output += line
    if command:
        yield command, output


def name(path: Path) -> str:
    """Name a page by its path from the site's folder."""
    return path.relative_to(SITE).as_posix()
