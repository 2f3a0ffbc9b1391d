"""Each shell block can be copied as a whole: it parses, breaks in no shell, and takes nothing back that it did."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
import tree_sitter
import tree_sitter_powershell

from site_text.counting import Count
from site_text.shells import effects, problems, shell_fences, typed
from site_text.texts import Fence
from tests.support.each import each

FENCES = shell_fences()
FEWEST = 120
UNIX = [fence for fence in FENCES if fence.language != "powershell"]
WINDOWS = [fence for fence in FENCES if fence.language == "powershell"]
POWERSHELL = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
ZSH = pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed; bash parses the same blocks")


def place(fence: Fence) -> str:
    return fence.place


def fence_of(code: str, language: str = "bash") -> Fence:
    return Fence(language, code, "sample:1")


def refusal(shell: str, fence: Fence) -> str:
    """Have a shell parse a block without running it; nothing when it accepts the block."""
    done = subprocess.run([shell, "-n"], input=typed(fence), capture_output=True, text=True, check=False)
    return done.stderr


def test_there_are_blocks_to_look_at() -> None:
    assert len(FENCES) >= FEWEST
    assert len(WINDOWS) >= 5


@each("fence", FENCES, ids=place)
def test_block_survives_an_interactive_shell(fence: Fence, count: Count) -> None:
    assert problems(fence) == []
    count("shell blocks looked at", 1)


@each("fence", FENCES, ids=place)
def test_block_does_one_action(fence: Fence) -> None:
    assert effects(fence) != {"do", "undo"}, fence.code


@each("fence", UNIX, ids=place)
def test_block_parses_in_bash(fence: Fence) -> None:
    assert refusal("bash", fence) == ""


@ZSH
@each("fence", UNIX, ids=place)
def test_block_parses_in_zsh(fence: Fence) -> None:
    assert refusal("zsh", fence) == ""


@pytest.mark.parametrize("fence", WINDOWS, ids=place)
def test_block_parses_in_powershell(fence: Fence) -> None:
    assert not POWERSHELL.parse(fence.code.encode()).root_node.has_error
    assert "\\\n" not in fence.code
    assert not re.search(r"^\s*(?:export |curl )", fence.code, re.MULTILINE), "curl is an alias there: curl.exe"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("thv secret set gh   # asks", "bash"),
        ("$ thv list # all\nNo servers", "console"),
        ("# first\nthv list", "bash"),
        ("curl http://localhost:8080/api/v1beta/servers?all=true", "bash"),
        ('echo "stop!"', "bash"),
    ],
)
def test_breaking_block_is_noticed(code: str, language: str) -> None:
    assert problems(fence_of(code, language))


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("curl 'http://localhost:8080/a?b=c'", "bash"),
        ("claude mcp add fetch http://127.0.0.1:1/sse#fetch", "bash"),
        ("$ thv list\n# of the output", "console"),
        ("printf %s 'a # b'", "bash"),
    ],
)
def test_harmless_block_is_passed_by(code: str, language: str) -> None:
    assert problems(fence_of(code, language)) == []


@pytest.mark.parametrize(
    "code",
    [
        "thv secret set gh\nthv secret delete gh",
        "thv config register-client cursor\nthv config remove-client cursor",
        "curl -X POST http://localhost:8080/api/v1beta/servers -d '{}'\ncurl -X DELETE http://localhost:8080/x",
        "thv stop fetch\nthv restart fetch",
        "docker rm -f codegate\ndocker run codegate",
    ],
)
def test_block_that_undoes_itself_is_noticed(code: str) -> None:
    assert effects(fence_of(code)) == {"do", "undo"}


def test_broken_powershell_is_noticed() -> None:
    assert POWERSHELL.parse(b'docker run "a').root_node.has_error
