"""Terminal sessions: which parts of the lines are prompts, commands and output.

Prompts and output carry a class, so that the theme leaves them out when it copies and when a reader selects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from octavo.content.code.heredocs import find_end, open_quote
from octavo.content.code.highlight import highlight_lines
from octavo.content.escape import escape
from octavo.lazy import regex as re

SESSIONS = frozenset(
    {"console", "shell-session", "shellsession", "sh-session", "bash-session", "powershell-session", "pwsh-session"}
)
"""Languages whose blocks show what a terminal shows."""

_SHELLS = frozenset({"bash", "sh", "shell", "zsh"})
_POWERSHELLS = frozenset({"powershell", "pwsh", "ps1"})

_PROMPT = re.compile(r"(?:\([^()\s]+\) )?(?:[\w.-]+@[\w.-]+(?:[: ][^\s$#%>]*)?|[~/][^\s$#%>]*)? ?[$#%❯](?: |$)")
_POWERSHELL_PROMPT = re.compile(r"(?:PS(?: [A-Za-z]:[^>\n]*| [~/][^>\n]*)?|[A-Za-z]:\\[^>\n]*)> ?")
_CONTINUATION = re.compile(r">>? ?")
_UNFINISHED = re.compile(r"(?:[\\`|&;{(,]|\b(?:do|then|else|in))\s*\Z")
"""End of a line behind which a command may begin, or which goes on by itself."""
_SIGN = re.compile(r' (?:<span class="\w+">)?[\\`](?:</span>)?\Z')


class _Part(NamedTuple):
    """A line of a session."""

    prompt: str
    """What is not copied: the prompt, or the whole line where it is output."""
    command: str | None
    is_loose: bool = False
    """The shell waits for more, though the line before seems to be finished."""


def session_language(language: str, code: str) -> str:
    """Choose the language of a block of code: that of a session where a script begins with a prompt.

    Nothing in a shell is called `$`, and readers would copy the prompts and the output.
    """
    if language in _SHELLS and code.startswith("$ "):
        return "console"
    if language in _POWERSHELLS and _POWERSHELL_PROMPT.match(code):
        return "powershell-session"
    return language


def mark_session(language: str, code: str) -> tuple[str, ...]:
    """Mark a session line by line.

    Returns:
        The HTML of each line. A block without any prompt holds commands only.
    """
    parts = _split(code)
    commands = [part.command for part in parts if part.command is not None]
    loose = {number for number, part in enumerate(part for part in parts if part.command is not None) if part.is_loose}
    highlighted = iter(_highlight("powershell" if language.startswith("p") else "bash", commands, loose))
    lines = []
    for prompt, command, _ in parts:
        if command is None:
            lines.append(f'<span class="output">{escape(prompt)}</span>' if prompt else "")
        else:
            mark = f'<span class="prompt" aria-hidden="false">{escape(prompt)}</span>' if prompt else ""
            lines.append(mark + next(highlighted))
    return tuple(lines)


def _highlight(language: str, commands: list[str], loose: set[int]) -> Sequence[str]:
    """Highlight commands together; those that are loose go on with what precedes them, though nothing there says so."""
    if loose:
        sign = "`" if language == "powershell" else "\\"
        joined = [f"{line} {sign}" if number + 1 in loose else line for number, line in enumerate(commands)]
        found = list(highlight_lines(language, "\n".join(joined)))
        if all(_SIGN.search(found[number - 1]) for number in loose):
            return [_SIGN.sub("", line) if number + 1 in loose else line for number, line in enumerate(found)]
    return highlight_lines(language, "\n".join(commands))


def _split(code: str) -> list[_Part]:
    """Split a session into lines of prompt and command, or of output."""
    lines = code.split("\n")
    if not any(_prompt_end(line) for line in lines):
        return [_Part("", line) for line in lines]
    parts: list[_Part] = []
    goes_on = False
    index = 0
    while index < len(lines):
        line = lines[index]
        end = _prompt_end(line)
        before = parts[-1].command if parts else None
        is_loose = False
        if not end and before is not None and (match := _CONTINUATION.match(line)):
            end = match.end()
            is_loose = not _UNFINISHED.search(before)
        if end:
            parts.append(_Part(line[:end], line[end:], is_loose=is_loose))
        elif goes_on:
            parts.append(_Part("", line))
        else:
            parts.append(_Part(line, None))
        index += 1
        goes_on = parts[-1].command is not None and line.rstrip().endswith(("\\", "`"))
        if end:
            last = _end_of_text(lines, index - 1, end)
            parts += [_Part(*_continued(text)) for text in lines[index:last]]
            index = last
    return parts


def _end_of_text(lines: list[str], start: int, end: int) -> int:
    """Find where a text ends that a command opens and that a later line closes: a here-document or a string.

    Args:
        lines: All lines of the session.
        start: Index of the command's line.
        end: Length of its prompt.
    """
    following = [lines[start][end:], *(_continued(line)[1] for line in lines[start + 1 :])]
    found = start + find_end(following, 0)
    if found > start + 1:
        return found
    quote = open_quote(following[0])
    for index in range(1, len(following) if quote else 0):
        if _prompt_end(lines[start + index]):
            break
        quote = open_quote(following[index], quote)
        if not quote:
            return start + index + 1
    return start + 1


def _continued(line: str) -> tuple[str, str]:
    """Split a line of a text that goes on into what the shell has written before it, and the text."""
    match = _CONTINUATION.match(line)
    return (match[0], line[match.end() :]) if match else ("", line)


def _prompt_end(line: str) -> int:
    """Length of the prompt at the start of a line; 0 for none."""
    match = _POWERSHELL_PROMPT.match(line) or _PROMPT.match(line)
    return match.end() if match else 0
