import re

import pytest

from octavo.content import parse_info, render_fence


def copied(language: str, code: str) -> str:
    """What a reader gets who copies the block: no prompts, no output."""
    html, _ = render_fence(parse_info(language), code, {})
    html = re.sub(r'<span class="output">.*?</span>(\n|(?=</code>))', "", html)
    html = re.sub(r'<span class="prompt"[^>]*>.*?</span>', "", html)
    text = re.sub(r"<[^>]+>", "", html)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").rstrip("\n")


@pytest.mark.parametrize(
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
        ("powershell-session", "PS /home/me> a `\n  -b", "a `\n  -b"),
    ],
)
def test_copying_takes_the_commands(language: str, code: str, commands: str):
    assert commands == copied(language, code)


@pytest.mark.parametrize("code", ["PS C:\\> x", "$ x"])
def test_other_languages_are_left_alone(code: str):
    assert "prompt" not in render_fence(parse_info("bash"), code, {})[0]
