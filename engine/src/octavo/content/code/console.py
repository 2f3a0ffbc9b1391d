"""Terminal sessions: which parts of the lines are prompts, commands and output.

Prompts and output carry a class, so that the theme leaves them out when it copies and when a reader selects.
"""

from __future__ import annotations

import re

from octavo.content.code.highlight import highlight_lines
from octavo.content.escape import escape

SESSIONS = frozenset(
    {"console", "shell-session", "shellsession", "sh-session", "bash-session", "powershell-session", "pwsh-session"}
)
"""Languages whose blocks show what a terminal shows."""

_PROMPT = re.compile(r"(?:\([^()\s]+\) )?(?:[\w.-]+@[\w.-]+(?:[: ][^\s$#%>]*)?|[~/][^\s$#%>]*)? ?[$#%❯](?: |$)")
_POWERSHELL_PROMPT = re.compile(r"(?:PS(?: [A-Za-z]:[^>\n]*| [~/][^>\n]*)?|[A-Za-z]:\\[^>\n]*)> ?")
_CONTINUATION = re.compile(r">>? ?")


def mark_session(language: str, code: str) -> tuple[str, ...]:
    """Mark a session line by line.

    Returns:
        The HTML of each line. A block without any prompt holds commands only.
    """
    parts = _split(code)
    commands = "\n".join(command for _, command in parts if command is not None)
    highlighted = iter(highlight_lines("powershell" if language.startswith("p") else "bash", commands))
    lines = []
    for prompt, command in parts:
        if command is None:
            lines.append(f'<span class="output">{escape(prompt)}</span>' if prompt else "")
        else:
            mark = f'<span class="prompt" aria-hidden="false">{escape(prompt)}</span>' if prompt else ""
            lines.append(mark + next(highlighted))
    return tuple(lines)


def _split(code: str) -> list[tuple[str, str | None]]:
    """Split a session into lines of (prompt, command), or (output, None)."""
    lines = code.split("\n")
    if not any(_prompt_end(line) for line in lines):
        return [("", line) for line in lines]
    parts: list[tuple[str, str | None]] = []
    in_command = goes_on = False
    for line in lines:
        end = _prompt_end(line)
        if not end and in_command and (match := _CONTINUATION.match(line)):
            end = match.end()
        if end:
            parts.append((line[:end], line[end:]))
        elif goes_on:
            parts.append(("", line))
        else:
            parts.append((line, None))
        in_command = parts[-1][1] is not None
        goes_on = in_command and line.rstrip().endswith(("\\", "`"))
    return parts


def _prompt_end(line: str) -> int:
    """Length of the prompt at the start of a line; 0 for none."""
    match = _POWERSHELL_PROMPT.match(line) or _PROMPT.match(line)
    return match.end() if match else 0
