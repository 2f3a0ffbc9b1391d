"""Shell code: what is run, its options, and what is neither."""

from __future__ import annotations

import re

import pytest

from octavo.content.code.highlight import highlight_lines

COMMAND, OPTION, VARIABLE, STRING = "nf", "nt", "nv", "s2"

CASES = {
    "options and numbers in words": (
        "bash",
        "docker run -d -p 8989:8989 thv:v0.0.6",
        [(COMMAND, "docker"), (OPTION, "-d"), (OPTION, "-p")],
    ),
    "a value behind an option": ("bash", "thv run --port=80 fetch", [(COMMAND, "thv"), (OPTION, "--port")]),
    "an argument that looks like an assignment": (
        "bash",
        "docker run --mount type=volume,src=x",
        [(COMMAND, "docker"), (OPTION, "--mount")],
    ),
    "an assignment before a command": ("bash", "KEY=a thv list", [(VARIABLE, "KEY"), (COMMAND, "thv")]),
    "lines that go on": ("bash", "thv run \\\n  --name x \\\n  fetch", [(COMMAND, "thv"), (OPTION, "--name")]),
    "pipes, lists and substitutions": (
        "bash",
        "cat a | grep -v b && x=$(git log); sudo ls",
        [
            *[(COMMAND, "cat"), (COMMAND, "grep"), (OPTION, "-v"), (VARIABLE, "x"), (COMMAND, "git")],
            *[(COMMAND, "sudo"), (COMMAND, "ls")],
        ],
    ),
    "a redirection is not a command": ("bash", "thv list 2>&1 > out.txt", [(COMMAND, "thv")]),
    "strings and variables": (
        "bash",
        'echo "hi $HOME" $USER',
        [(COMMAND, "echo"), (STRING, '"hi '), (VARIABLE, "$HOME"), (STRING, '"'), (VARIABLE, "$USER")],
    ),
    "a text after a command": (
        "bash",
        'cat <<"EOF" > x | sort\nkind: a\nthe EOFs\nEOF\nls -l',
        [(COMMAND, "cat"), (COMMAND, "sort"), (COMMAND, "ls"), (OPTION, "-l")],
    ),
    "PowerShell": (
        "powershell",
        "Get-ChildItem -Path C:\\x `\n  -Recurse\nwinget install thv --version 0.0.6",
        [
            *[(COMMAND, "Get-ChildItem"), (OPTION, "-Path"), (OPTION, "-Recurse")],
            *[(COMMAND, "winget"), (OPTION, "--version")],
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_parts_of_shell_code_are_told_apart(case: str) -> None:
    language, code, expected = CASES[case]
    html = "\n".join(highlight_lines(language, code)).replace("&quot;", '"')
    shown = re.findall(rf'<span class="({COMMAND}|{OPTION}|{VARIABLE}|{STRING})">([^<]*)</span>', html)
    assert shown == expected


@pytest.mark.parametrize(
    "code",
    [
        "a\n\n  b -x",
        "",
        "#c",
        "cat <<E\nx -y\nE\nls",
        "cat <<E\nx",
        "cat <<A <<-'B'\na\nA\n b\n B\n\nls",
        "if [ -f x ]; then ls; fi",
        "((1+2))",
    ],
)
def test_no_character_is_lost(code: str) -> None:
    html = "\n".join(highlight_lines("bash", code))
    assert re.sub(r"<[^>]*>", "", html).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == code
