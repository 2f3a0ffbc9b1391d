"""The pages' text: written new, complete, described, and in the terms of `site/STYLE.md`."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml
from proselint import checks
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from site_text.phrases import LENGTH, hash_phrase, load
from site_text.texts import FRONT_MATTER, SITE, WORD, prose, runs, sources
from tests.support.each import each

PAGES = [path for path in sources() if not path.name.startswith("_")]
FEWEST_WORDS = 150
LINTER = {
    **DEFAULT,
    # Quotes are set by the engine; a heading repeats the word before it by chance.
    "checks": {**DEFAULT["checks"], "typography": False, "lexical_illusions": False},
}
CheckRegistry().register_many(checks.__register__)
EXEMPT_FROM_LENGTH = {"reference/api.mdx", "pages/index.mdx", "pages/search.mdx"}
"""Made from a description, of cards, or from what the reader asks."""
SEEN = {"description", "summary", "title", "label", "content"}
FEWEST_SEEN = 600
FILLER = re.compile(r"\bTODO\b|\bFIXME\b|coming soon|lorem ipsum|to be written", re.IGNORECASE)
UNWANTED = re.compile(
    r"\b(simply|just|easy|easily|please|powerful|leverage|utilize)\b|(?<=[a-z])!(?=\s)", re.IGNORECASE
)


def name(path: Path) -> str:
    return path.relative_to(SITE).as_posix()


def front_matter(path: Path) -> dict[str, object]:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\n"), f"{name(path)} has no front matter"
    return dict(yaml.safe_load(text.split("---\n")[1]))


@each("path", sources(), ids=name)
def test_wording_is_our_own(path: Path) -> None:
    known = load()
    taken = [run for run in runs(prose(path.read_text(encoding="utf-8")), LENGTH) if hash_phrase(run) in known]
    assert taken == []


def test_wording_of_the_command_pages_is_our_own() -> None:
    known = load()
    entries = list(yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8")))
    texts = [text for entry in entries for text in told(entry)]
    assert len(texts) >= len(entries) * 2
    taken = [run for text in texts for run in runs(prose(text), LENGTH) if hash_phrase(run) in known]
    assert taken == []


def test_wording_of_api_pages_menus_and_settings_is_our_own() -> None:
    """Descriptions of the two APIs, of generated indexes, of the announcement: what readers see and no page holds."""
    known = load()
    files = [*(SITE / "openapi").iterdir(), *(SITE / "docs").rglob("_category_.yaml")]
    parts = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in files]
    texts = [text for part in (*parts, tomllib.loads((SITE / "octavo.toml").read_text())) for text in seen(part)]
    assert len(texts) >= FEWEST_SEEN
    assert [run for text in texts for run in runs(prose(text), LENGTH) if hash_phrase(run) in known] == []


def seen(part: object, key: str = "") -> Iterator[str]:
    """List the sentences of a description or of settings."""
    if isinstance(part, str):
        if key in SEEN:
            yield part
    elif isinstance(part, list):
        for item in part:
            yield from seen(item, key)
    elif isinstance(part, dict):
        for name, value in part.items():
            yield from seen(value, str(name))


def told(part: object) -> Iterator[str]:
    """List the sentences of a command's data: no command lines, which may be the same everywhere."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for item in part:
            yield from told(item)
    elif isinstance(part, dict):
        is_command = "synopsis" in part
        for key, value in part.items():
            if key not in {"example", "output"} and not (is_command and key == "usage"):
                yield from told(value)


@each("path", sources(), ids=name)
def test_terms_and_tone_are_those_of_the_style(path: Path) -> None:
    text = prose(path.read_text(encoding="utf-8"))
    assert [match[0] for match in UNWANTED.finditer(text)] == []
    assert FILLER.findall(text) == []


@each("path", PAGES, ids=name)
def test_description_stands_alone_in_search_results(path: Path) -> None:
    description = front_matter(path).get("description")
    assert isinstance(description, str)
    assert 50 <= len(description) <= 160


@each("path", PAGES, ids=name)
def test_page_says_enough(path: Path) -> None:
    if not name(path).endswith(tuple(EXEMPT_FROM_LENGTH)):
        assert len(WORD.findall(FRONT_MATTER.sub("", path.read_text(encoding="utf-8")).lower())) >= FEWEST_WORDS


def test_titles_are_unique() -> None:
    titles = Counter(str(front_matter(path)["title"]) for path in PAGES)
    assert [title for title, number in titles.items() if number > 1] == []


@each("path", sources(), ids=name)
def test_prose_linter_finds_nothing(path: Path) -> None:
    text = prose(path.read_text(encoding="utf-8"))
    found = [result.check_result for result in LintFile(name(path), text).lint(LINTER)] if text.strip() else []
    assert [f"{problem.check_path}: {problem.message}" for problem in found] == []


def test_prose_linter_is_at_work() -> None:
    assert LintFile("sample", "At the end of the day, it is very unique.").lint(LINTER)
