"""The rules of plain English: the site keeps them, and each of them finds what it is for."""

from __future__ import annotations

import pytest

from site_text.check_prose import texts
from site_text.prose_rules import findings, grade, load_rules, running_text, sentences, syllables

RULES = load_rules()
FEWEST_TEXTS = 80
LONG = "The server reads the file and the client writes the file and the proxy sends the file to the model " * 3


def found(text: str) -> list[str]:
    return [finding.text for finding in findings(text, RULES)]


def test_site_keeps_the_rules() -> None:
    checked = list(texts())
    assert len(checked) >= FEWEST_TEXTS
    assert [f"{name}:{item.line}: {item.text}" for name, text in checked for item in findings(text, RULES)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Beside the patterns stands one rule for the rest.",
        "This guide shows how to find out what ails them.",
        "Then `--host` counts for nothing.",
        "A talkative log is useful.",
        "The list renews itself.",
        "The server goes on in the background.",
        "It prints the value in clear on your screen.",
        "The name holds a sign that is not allowed.",
        "Nobody looks after the servers.",
        "A profile says what a server may touch.",
        "Run it from a program of your own.",
        "Any text will do.",
        "The row that fits wins.",
        "Make a server in the cluster.",
        "This is simply done.",
        "Do this in order to start.",
        "The filename is wrong.",
        "Install the plugin.",
        f"{LONG}.",
    ],
)
def test_slip_is_noticed(sentence: str) -> None:
    assert found(f"{sentence}\n")


@pytest.mark.parametrize("heading", ["Check it", "5. Talk to it", "Where it ends", "Undo it"])
def test_heading_that_says_nothing_is_noticed(heading: str) -> None:
    assert found(f"## {heading} {{#old-id}}\n") == [heading]


@pytest.mark.parametrize(
    "text",
    [
        'Run `make it stand` in **Hold** mode, as in "what it holds".\n',
        "```text\nWhat ails the server?\n```\n",
        "### Does it work with an assistant that has no guide?\n",
        "See [the guide](./what-stands-here.mdx).\n",
        "A list of names stands for a group.\n",
    ],
)
def test_code_labels_and_addresses_are_passed_by(text: str) -> None:
    assert found(text) == []


def test_finding_names_the_line() -> None:
    [finding] = findings("---\ntitle: A\n---\n\n```bash\nthv list\n```\n\nThe log is talkative.\n", RULES)
    assert (finding.line, finding.text) == (9, "talkative")


def test_sentences_end_before_code_and_list_items() -> None:
    text = running_text("It ends. `thv` starts another.\n\n- One item\n- Two items\n\n| a | table |\n")
    assert len(sentences(text)) == 4


def test_grade_rises_with_words_and_sentences() -> None:
    plain = "You start the server. The list shows it. Then you stop it. " * 10
    heavy = "Configuration of authentication necessitates comprehensive administrative deliberation. " * 20
    easy, hard = grade(plain), grade(heavy)
    assert easy is not None
    assert hard is not None
    assert easy < 3 < RULES.maximum_grade < hard
    assert grade("Too short to tell.") is None
    assert [syllables(word) for word in ("the", "server", "file", "table", "configuration")] == [1, 2, 1, 2, 5]
