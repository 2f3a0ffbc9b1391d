import re

import pytest

from octavo.content import parse_info, render_fence
from octavo.content.code.console import mark_session
from tests.support.each import each


def copied(language: str, code: str) -> str:
    """What a reader gets who copies the block: no prompts, no output."""
    html, _ = render_fence(parse_info(language), code, {})
    html = re.sub(r'<span class="output">.*?</span>(\n|(?=</code>))', "", html)
    html = re.sub(r'<span class="prompt"[^>]*>.*?</span>', "", html)
    text = re.sub(r"<[^>]+>", "", html)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").rstrip("\n")


@each(
    ("language", "code", "commands"),
    [
        ("console", "$ a\nout\n$ b\n", "a\nb"),
        ("shell-session", "# a\nout", "a"),
        ("shellsession", "me@host:~/x$ a -b\nout", "a -b"),
        ("sh-session", "(venv) $ a", "a"),
        ("console", "$ a \\\n    --b\nout", "a \\\n    --b"),
        ("console", "$ cat <<E\n> x\n> E\nx", "cat <<E\nx\nE"),
        ("console", "out > of\n$ a\n> 1\nprice $ 5", "a\n1"),
        ("console", "a\nb", "a\nb"),
        ("powershell-session", "PS C:\\Users\\me> a\nout\nPS> b", "a\nb"),
        # Texts that a command opens are part of it, with and without what the shell writes before their lines.
        ("console", "$ a <<EOF\nkind: b\n$ c\n# d\nEOF\nout\n$ e", "a <<EOF\nkind: b\n$ c\n# d\nEOF\ne"),
        ("console", "$ a <<'X' <<-\"Y\"\nb\nX\n  Y\nout", "a <<'X' <<-\"Y\"\nb\nX\n  Y"),
        ("console", "$ a -d '{\n  \"b\": 1\n}' c\nout", "a -d '{\n  \"b\": 1\n}' c"),
        ("console", '$ a "b\n> c" d\nout', 'a "b\nc" d'),
        ("console", "$ a <<EOF\nnever ends", "a <<EOF"),
        ("console", "$ echo $((1<<b))\nb\nb", "echo $((1<<b))"),
        ("console", "$ a 'b\\'\nout 'c'", "a 'b\\'"),
        ("console", "$ a # it's\nit's out", "a # it's"),
        ("console", "$ a it's\nout\n$ b", "a it's\nb"),
        # A script that begins with a prompt is a session.
        ("bash", "$ a\nout\n$ b", "a\nb"),
        ("sh", "$ a \\\n  -b\nout", "a \\\n  -b"),
        ("powershell", "PS C:\\> a\nout", "a"),
        ("bash", "# a\n$ b", "# a\n$ b"),
        ("bash", "a $ b", "a $ b"),
        ("text", "$ a\nout", "$ a\nout"),
        ("powershell-session", "PS /home/me> a `\n  -b", "a `\n  -b"),
    ],
)
def test_copying_takes_the_commands(language: str, code: str, commands: str):
    assert commands == copied(language, code)


@pytest.mark.parametrize("code", ["PS C:\\> x", "$x"])
def test_other_languages_are_left_alone(code: str):
    assert "prompt" not in render_fence(parse_info("bash"), code, {})[0]


@pytest.mark.parametrize(
    ("language", "code", "words"),
    [
        ("console", '$ cat <<"E" | sudo tee x\n> hello\n> E\n$ ls', ["cat", "sudo", "tee", "ls"]),
        ("console", "$ docker run\n>   alpine sh\n>   -c x", ["docker"]),
        ("console", "$ a |\n> b\n$ c &&\n> d\n$ for x in y; do\n> e\n> done", ["a", "b", "c", "d", "e"]),
        ("powershell-session", "PS> docker run\n>>   alpine", ["docker"]),
        ("console", "$ echo 'a\n> b'\n> c", ["echo"]),
    ],
)
def test_only_what_is_run_looks_like_a_command(language: str, code: str, words: list[str]) -> None:
    html = "\n".join(mark_session(language, code))
    assert re.findall(r'<span class="nf">([^<]*)</span>', html) == words
    shown = re.sub(r"<[^>]*>", "", html).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert shown.replace("&quot;", '"').replace("&#x27;", "'") == code
