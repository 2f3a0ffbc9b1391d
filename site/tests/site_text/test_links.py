"""Where the pages lead: first mentions to their own places, guides and reference to each other, nothing to nowhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from bench.relevance.site import load_site_pages
from octavo.config import load_config
from octavo.publish.build import build_site
from site_text.counting import Count
from site_text.mentions import COMMANDS, DOCS, LINK, all_mentions, blank, unlinked
from site_text.texts import SITE, sources
from tests.support.each import each

PAGES = [path for path in sources() if DOCS in path.parents and not path.name.startswith("_")]
GUIDES = [path for path in PAGES if path.name not in {"theme-preview.mdx", "glossary.mdx"}]
"""The preview shows constructs; its words are samples. A glossary links each term in a column of its own."""
FEWEST_LINKS = 800
NEXT = "## What to read next\n"
WITHOUT_NEXT = {"theme-preview.mdx"}
WITHOUT_GUIDE = {"System", "system", "Personas"}
"""Health checks have a guide of their own; no guide tells of personas."""


def name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def hrefs(path: Path) -> list[str]:
    return [match["href"].partition("#")[0] for match in LINK.finditer(blank(text_of(path)))]


@each("path", GUIDES, ids=name)
def test_first_mention_is_a_link(path: Path, count: Count) -> None:
    """Commands, calls of the APIs, settings and concepts lead to their own place where a page first names them."""
    text = text_of(path)
    count("mentions looked at", len(list(all_mentions(name(path), text))))
    assert [f"{text[found.start : found.end]} → {found.target}" for found in unlinked(name(path), text)] == []


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("`thv run` starts it.", "toolhive/reference/cli/thv_run.md"),
        ("Read [Run servers](./run.mdx) before `thv logs prune`.", "toolhive/reference/cli/thv_logs_prune.md"),
        ("Call `POST /api/v1beta/servers`.", "toolhive/reference/api.md#operation/create-server"),
        ("It takes `--port 8080`.", "toolhive/reference/cli/*.md#option-port"),
        ("Set `TOOLHIVE_SECRETS_PASSWORD`.", "toolhive/how-to/secrets-management.mdx"),
        ("A permission profile limits it.", "toolhive/how-to/custom-permissions.mdx"),
    ],
)
def test_unlinked_first_mention_is_noticed(text: str, target: str) -> None:
    assert [mention.target for mention in unlinked("toolhive/sample.mdx", text)] == [target]


def test_mention_that_is_linked_or_no_prose_is_passed_by() -> None:
    text = (
        "# `thv run`\n\n```bash\nthv run fetch\n```\n\n[`thv run`](./cli/thv_run.md) starts it; `thv run` is quick.\n"
    )
    assert unlinked("toolhive/sample.mdx", text) == []


def test_guides_lead_to_every_command() -> None:
    linked = {href.rpartition("/")[2] for path in GUIDES for href in hrefs(path)}
    groups = {"thv_config.md", "thv_registry.md", "thv_secret.md"}
    pages = {f"{command.replace(' ', '_')}.md" for command in COMMANDS}
    assert pages - linked - groups == set()


def test_every_command_leads_to_a_guide() -> None:
    entries = yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8"))
    guide = re.compile(r"\]\(\.\./docs/toolhive/(?:how-to|concepts|kubernetes|quickstart)")
    assert [entry["name"] for entry in entries if not guide.search(str(entry))] == []


def test_guides_that_a_reference_names_lead_back_to_it() -> None:
    for api in load_config(SITE).openapi:
        named = {guide.href.partition("#")[0] for guides in api.guides.values() for guide in guides}
        leading = {route(path) for path in GUIDES if any(href.endswith("reference/api.md") for href in hrefs(path))}
        assert len(named) >= 5
        assert sorted(named - leading) == []


def test_every_tag_of_an_api_leads_to_a_guide() -> None:
    for api in load_config(SITE).openapi:
        document = yaml.safe_load((SITE / api.spec).read_text(encoding="utf-8"))
        operations = [operation for item in document["paths"].values() for operation in item.values()]
        firsts = {operation["tags"][0] for operation in operations} - WITHOUT_GUIDE
        assert sorted(firsts - set(api.guides)) == []


def route(path: Path) -> str:
    return f"/{name(path).removesuffix('.mdx').removesuffix('index')}"


@each("path", PAGES, ids=name)
def test_page_ends_with_what_to_read_next(path: Path) -> None:
    if name(path) in WITHOUT_NEXT:
        return
    items = re.findall(r"^- \[", text_of(path).partition(NEXT)[2], re.MULTILINE)
    assert 2 <= len(items) <= 5


def test_no_link_of_the_site_leads_to_nowhere(tmp_path: Path, count: Count) -> None:
    site = tmp_path / "site"
    shutil.copytree(SITE, site, ignore=shutil.ignore_patterns("build", ".octavo"))
    assert build_site(site, None, has_search=False).diagnostics == []
    links = sum(len(page.document.links) for page in load_site_pages(SITE))
    count("links checked", links)
    assert links >= FEWEST_LINKS
