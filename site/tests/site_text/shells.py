"""What breaks when a reader pastes a shell block: comments, open wildcards, actions that undo each other."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import yaml

from site_text.calls import CONTINUED, PROMPT, commands, read_call
from site_text.texts import SITE, Fence, fences, sources

SHELLS = {"bash", "console", "powershell"}
SAMPLES = "docs/theme-preview.mdx"
"""Shows constructs; nobody runs its blocks."""
DOING = {
    *("add", "apply", "create", "import", "install", "patch", "pull", "put", "register", "register-client"),
    *("restart", "run", "serve", "set", "set-ca-cert", "set-registry-url", "start", "tap", "upgrade"),
}
UNDOING = {
    *("delete", "destroy", "remove", "remove-client", "reset-keyring", "rm", "rmi", "stop", "uninstall", "unset"),
    *("unset-ca-cert", "unset-registry-url", "untap", "down"),
}
LOOKING = {"cp", "describe", "exec", "get", "info", "inspect", "list", "logs", "search", "version"}
"""Words that decide what a command does, and that it changes nothing to be undone."""
QUOTES = {"'", '"'}
WILDCARDS = set("*?[")


class Loose(msgspec.Struct, frozen=True):
    """A character of a block that stands outside of quotes, or in double ones."""

    character: str
    before: str
    """The character before it; a line break at the beginning."""
    is_quoted: bool


def shell_fences() -> list[Fence]:
    """List the shell blocks of all pages, and the examples and sessions of the command pages as blocks."""
    found = [fence for path in sources() for fence in fences(path) if fence.language in SHELLS]
    for entry in yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8")):
        example = entry.get("example")
        if example:
            found.append(Fence("bash", example, f"commands/thv.yaml:{entry['name']}"))
        if output := entry.get("output"):
            found.append(Fence("console", output, f"commands/thv.yaml:{entry['name']}:output"))
    return [fence for fence in found if not fence.place.startswith(SAMPLES)]


def typed(fence: Fence) -> str:
    """Give what a reader types: all of a block, and of a session the lines with a prompt."""
    code = fence.code
    if fence.language == "console":
        lines = CONTINUED.sub(" ", code).splitlines(keepends=True)
        code = "".join(PROMPT.sub("", line) for line in lines if PROMPT.match(line))
    return code


def loose(code: str) -> Iterator[Loose]:
    """List the characters that a shell interprets: those outside of single quotes and not escaped."""
    quote, before, is_escaped = "", "\n", False
    for character in code:
        if is_escaped:
            is_escaped = False
        elif character == "\\" and quote != "'":
            is_escaped = True
        elif character == quote:
            quote = ""
        elif not quote and character in QUOTES:
            quote = character
        elif quote != "'":
            yield Loose(character, before, bool(quote))
        before = character


def problems(fence: Fence) -> list[str]:
    """Say what breaks when the block is pasted into an interactive shell."""
    found = []
    for part in loose(typed(fence)):
        if part.character == "#" and part.before.isspace() and not part.is_quoted:
            found.append("a comment: interactive zsh passes it on as arguments")
        if fence.language != "powershell" and part.character in WILDCARDS and not part.is_quoted:
            found.append(f"{part.character} outside of quotes: zsh looks for files")
        if fence.language != "powershell" and part.character == "!" and part.before != "#":
            found.append("! outside of single quotes: the history is expanded")
    return found


def effect(words: list[str]) -> str:
    """Tell whether a command does something, undoes something, or neither: "do", "undo" or ""."""
    call = read_call(words, "")
    if call:
        if call.method == "DELETE" or call.url.endswith("/stop"):
            return "undo"
        return "" if call.method == "GET" else "do"
    for word in words[1:]:
        if word in LOOKING:
            return ""
        if word in DOING:
            return "do"
        if word in UNDOING:
            return "undo"
    return "undo" if words[0] in UNDOING else ""


def effects(fence: Fence) -> set[str]:
    """List the effects of a block's commands."""
    language = "bash" if fence.language == "powershell" else fence.language
    code = fence.code.replace("`\n", "\\\n") if fence.language == "powershell" else fence.code
    return {effect(words) for words in commands(Fence(language, code, fence.place))} - {""}
