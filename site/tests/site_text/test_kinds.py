"""Each page keeps to its kind: tutorials lead step by step, how-to guides solve a task, explanations give no orders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from site_text.texts import FENCE, SITE, sources
from tests.support.each import each

DOCS = SITE / "docs"
TUTORIALS = re.compile(r"(?:codegate|toolhive)/(?:quickstart[\w-]*|tutorials/[\w-]+)\.mdx")
HOW_TO = re.compile(
    r"(?:codegate|toolhive)/how-to/(?!index|choose-)[\w-]+\.mdx|codegate/integrations/(?!index)[\w-]+\.mdx"
    r"|toolhive/kubernetes/(?!intro)[\w-]+\.mdx"
)
EXPLANATIONS = re.compile(
    r"toolhive/concepts/[\w-]+\.mdx|codegate/features/(?:dependency-risk|secrets-redaction)\.mdx"
    r"|codegate/development/architecture\.mdx"
)
DECISIONS = re.compile(r"(?:codegate|toolhive)/how-to/choose-[\w-]+\.mdx")
BY_SYMPTOM = {"codegate/how-to/troubleshooting.mdx"}
"""Its reader comes with something broken, so nothing has to be prepared."""
FEWEST_STEPS = 4
FEWEST_SYMPTOMS = 20
SHELLS = {"bash", "console", "powershell"}


def name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


def pages(kind: re.Pattern[str]) -> list[Path]:
    return [path for path in sources() if DOCS in path.parents and kind.fullmatch(name(path))]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def headings(path: Path) -> list[str]:
    return re.findall(r"^## (.+)$", FENCE.sub("", text_of(path)), re.MULTILINE)


def test_there_are_pages_of_each_kind() -> None:
    assert len(pages(TUTORIALS)) == 4
    assert len(pages(HOW_TO)) >= 20
    assert len(pages(EXPLANATIONS)) == 7
    assert len(pages(DECISIONS)) == 3


@pytest.mark.parametrize("path", pages(TUTORIALS), ids=name)
def test_tutorial_leads_from_what_is_needed_to_a_clean_machine(path: Path) -> None:
    found = headings(path)
    steps = [heading for heading in found if re.match(r"\d+\. ", heading)]
    assert found[0] == "Before you start"
    assert [int(step.partition(".")[0]) for step in steps] == list(range(1, len(steps) + 1))
    assert len(steps) >= FEWEST_STEPS
    assert any(heading.endswith("Clean up") for heading in found)
    assert found[-2:] == ["When something goes wrong", "What to read next"]


@pytest.mark.parametrize("path", pages(TUTORIALS), ids=name)
def test_tutorial_shows_what_comes_out(path: Path) -> None:
    """An output to compare, and a sentence that tells of one, in every tutorial."""
    languages = [match["info"].split(" ")[0] for match in FENCE.finditer(text_of(path))]
    assert "console" in languages or re.search(r"answers with|shows|opens", text_of(path))
    assert SHELLS & set(languages)


@each("path", pages(HOW_TO), ids=name)
def test_how_to_says_what_is_needed_and_what_goes_wrong(path: Path) -> None:
    if name(path) not in BY_SYMPTOM:
        assert "Before you start" in headings(path)
    text = text_of(path)
    if name(path) in BY_SYMPTOM:
        assert len(re.findall(r"^### ", FENCE.sub("", text), re.MULTILINE)) >= FEWEST_SYMPTOMS
        assert "<details>" not in text, "a symptom without an anchor can't be linked"
    else:
        assert re.search(r"<details>\s*<summary>[^<]+</summary>", text)


@pytest.mark.parametrize("path", pages(DECISIONS), ids=name)
def test_decision_starts_with_the_short_answer(path: Path) -> None:
    """A table of situations comes first; the reasons follow."""
    assert headings(path)[0] == "Short answer"
    first = text_of(path).partition("## Short answer\n")[2].partition("\n## ")[0]
    assert first.count("\n|") >= 5


@pytest.mark.parametrize("path", pages(EXPLANATIONS), ids=name)
def test_explanation_tells_a_problem_and_its_limits(path: Path) -> None:
    told = " ".join(headings(path))
    assert re.search(r"problem|required", told)
    assert re.search(r"ends|does not", told)


@each("path", [*pages(TUTORIALS), *pages(HOW_TO)], ids=name)
def test_symptoms_are_told_apart(path: Path) -> None:
    summaries = re.findall(r"<summary>(.*?)</summary>", text_of(path))
    assert len(summaries) == len(set(summaries))
