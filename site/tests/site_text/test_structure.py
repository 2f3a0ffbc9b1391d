"""What each kind of page is made of: indexes, choices in tabs, the landing page, the end of life."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from octavo.config import load_config
from site_text.texts import FENCE, FRONT_MATTER, SITE, WORD, sources
from tests.support.each import each

PAGES = [path for path in sources() if not path.name.startswith("_")]
INDEXES = [path for path in PAGES if path.name == "index.mdx" and (path.parent / "_category_.yaml").is_file()]
WITHOUT_CARDS = {
    "docs/codegate/development/index.mdx",  # a reference
    "docs/codegate/sandbox/index.mdx",  # the only page of its category, like the next
    "docs/toolhive/sandbox/index.mdx",
    "docs/toolhive/how-to/index.mdx",  # chooses by a table of tasks; the cards of its category have their own page
}
FEWEST_INTRODUCTION_WORDS = 15
TABS = re.compile(r"<Tabs(?P<attributes>[^>]*)>(?P<body>(?:(?!<Tabs).)*?)</Tabs>", re.DOTALL)
VALUE = re.compile(r'<TabItem[^>]*\bvalue="([^"]+)"')
GROUP = re.compile(r'groupId="([^"]+)"')
ORDERS = {
    "os": ["macos", "linux", "windows", "source"],
    "runtime": ["docker", "podman", "docker-windows"],
    "editor": ["vscode", "jetbrains"],
    "assistant": ["vscode", "cursor", "claude-code"],
    "client": ["vscode", "claude-code", "other", "continue"],
    "ecosystem": ["python", "node", "go"],
    "route": ["mux", "anthropic", "llamacpp", "lm-studio", "ollama", "openai", "openrouter", "vllm"],
    "profile": ["read", "write", "host", "both"],
    "pod": ["root", "write", "limits"],
}
"""Values of each choice, in the order that all pages keep; one choice follows the reader from page to page."""
FEWEST_SESSIONS = 8
FEWEST_MARKED_FILES = 10
SAMPLES = "theme-preview.mdx"


def name(path: Path) -> str:
    return path.relative_to(SITE).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_there_are_indexes() -> None:
    assert len(INDEXES) >= 5


@pytest.mark.parametrize("path", INDEXES, ids=name)
def test_index_introduces_before_it_lists(path: Path) -> None:
    text = FRONT_MATTER.sub("", text_of(path))
    if name(path) not in WITHOUT_CARDS:
        assert "<DocCardList />" in text
    before = re.split(r"<DocCardList />|^\||^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    assert len(WORD.findall(before.lower())) >= FEWEST_INTRODUCTION_WORDS


def test_generated_indexes_have_an_introduction() -> None:
    files = sorted((SITE / "docs").rglob("_category_.yaml"))
    generated = [yaml.safe_load(text_of(path)) for path in files]
    links = [entry["link"] for entry in generated if (entry.get("link") or {}).get("type") == "generated-index"]
    assert {link["slug"] for link in links} == {"/category/using-the-toolhive-cli", "/toolhive/kubernetes"}
    for link in links:
        assert 50 <= len(link["description"]) <= 160


@each("path", [path for path in sources() if "<Tabs" in text_of(path) and path.name != SAMPLES], ids=name)
def test_same_choice_is_the_same_on_every_page(path: Path) -> None:
    text = FENCE.sub("", text_of(path))
    while match := TABS.search(text):  # inner ones first: they are taken out before those around them are read
        group = GROUP.search(match["attributes"])
        assert group, f"{name(path)}: tabs without a groupId"
        values = VALUE.findall(match["body"])
        order = ORDERS[group[1]]
        assert values == [value for value in order if value in values]
        text = text[: match.start()] + text[match.end() :]


def test_landing_page_shows_products_tasks_and_search() -> None:
    text = text_of(SITE / "pages" / "index.mdx")
    config = load_config(SITE)
    assert re.search(rf'<Hero [^>]*tagline="{re.escape(config.tagline)}', text)
    products = re.findall(r'<ProductCard title="(\w+)"[^>]*href="([^"]+)"', text)
    assert products == [("CodeGate", "/codegate/"), ("ToolHive", "/toolhive/")]
    assert len(re.findall(r"<TaskCard ", text)) == 4
    assert "<kbd>Ctrl</kbd>+<kbd>K</kbd>" in text
    assert "(/search)" in text


def test_end_of_life_is_announced() -> None:
    [announcement] = load_config(SITE).announcements
    assert announcement.id == "codegate-end-of-life"
    assert announcement.is_enabled
    assert announcement.is_closeable
    assert "v0.1.32" in announcement.content
    assert 'href="/codegate/about/"' in announcement.content
    # Readers of the other product's pages are not told.
    assert announcement.routes == ["/", "/codegate/*"]


@pytest.mark.parametrize(
    "page", ["index", "about/index", "about/changelog", "about/faq", "about/contributing", "how-to/install"]
)
def test_page_where_readers_start_says_that_the_product_has_ended(page: str) -> None:
    text = text_of(SITE / "docs" / "codegate" / f"{page}.mdx")
    assert re.search(r"end of life|ended in June 2025", text)


def test_landing_page_does_not_lead_to_the_ended_product_first() -> None:
    text = text_of(SITE / "pages" / "index.mdx")
    assert 'primaryHref="/toolhive/quickstart"' in text
    assert "end of life" in text


@pytest.mark.parametrize(
    ("page", "version"),
    [
        ("codegate/index.mdx", "v0.1.32"),
        ("codegate/about/index.mdx", "v0.1.32"),
        ("toolhive/index.mdx", "v0.0.42"),
        ("toolhive/quickstart.mdx", "v0.0.42"),
        ("toolhive/kubernetes/intro.mdx", "v0.0.42"),
    ],
)
def test_page_says_which_version_it_describes(page: str, version: str) -> None:
    assert version in text_of(SITE / "docs" / page)


def test_difference_of_a_released_program_is_marked_in_one_way() -> None:
    """Some note says which program, and which version of it."""
    texts = [text_of(path) for path in [*sources(), SITE / "commands" / "thv.yaml"]]
    titles = [title for text in texts for title in re.findall(r":::info\[([^\]]*)\]", text)]
    marked = [title for title in titles if "difference" in title.lower() or "released" in title.lower()]
    bold = [title for text in texts for title in re.findall(r"\*\*(Known [^*]*):\*\*", text)]
    assert len(marked) >= 8
    known = re.compile(r"Known difference in (?:CodeGate|thv|the operator) v\d+\.\d+\.\d+(?: and v[\d.]+)?")
    assert [title for title in marked + bold if not known.fullmatch(title)] == []


def test_sessions_and_files_are_shown_as_they_are() -> None:
    infos = [match["info"] for path in sources() if path.name != SAMPLES for match in FENCE.finditer(text_of(path))]
    assert sum(info.startswith("console") for info in infos) >= FEWEST_SESSIONS
    assert sum("title=" in info and "{" in info for info in infos) >= FEWEST_MARKED_FILES
