"""What the pages show: data that parses, diagrams that are told in words, pictures with a text."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
import yaml

from site_text.counting import Count
from site_text.texts import FENCE, SITE, Fence, fences, sources
from tests.support.each import each

FENCES = [fence for path in sources() for fence in fences(path)]
DATA = [fence for fence in FENCES if fence.language in {"json", "yaml", "toml"}]
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(|<img\b(?P<tag>[^>]*)>")
FEWEST_DIAGRAMS = 12
SUBJECTS = {
    "the way of a request": ("codegate/index.mdx", "restore values"),
    "redaction, there and back": ("codegate/features/secrets-redaction.mdx", "restore the key"),
    "the choice of a model": ("codegate/features/muxing.mdx", "catch-all"),
    "the life of a workspace": ("codegate/features/workspaces.mdx", "Archived --> Live"),
    "parts and ports": ("codegate/development/architecture.mdx", "Package vectors"),
    "transports and the proxy": ("toolhive/index.mdx", "|stdio| S1"),
    "a permission profile": ("toolhive/how-to/custom-permissions.mdx", "in the lists?"),
    "the way of a secret": ("toolhive/how-to/secrets-management.mdx", "variable in the container"),
    "what the operator makes": ("toolhive/kubernetes/intro.mdx", "|makes| P"),
    "where an image comes from": ("toolhive/how-to/verify-images.mdx", "Mismatch"),
    "how clients are set up": ("toolhive/how-to/client-configuration.mdx", "registered clients"),
    "a conversation by MCP": ("toolhive/concepts/mcp-primer.mdx", "tools/call"),
}
"""What is shown → the page, and words of its diagram."""


def parse(fence: Fence) -> object:
    if fence.language == "toml":
        return tomllib.loads(fence.code)
    if fence.language == "yaml":
        return list(yaml.safe_load_all(fence.code))
    # Settings to be added to a file that has its braces already.
    return json.loads(f"{{{fence.code}}}" if fence.code.startswith('"') else fence.code)


@each("fence", DATA, ids=lambda fence: fence.place)
def test_data_parses(fence: Fence, count: Count) -> None:
    assert parse(fence)
    count("blocks parsed", 1)


def test_people_who_would_rather_look_get_diagrams() -> None:
    assert sum(fence.language == "mermaid" for fence in FENCES) >= FEWEST_DIAGRAMS


@pytest.mark.parametrize("subject", SUBJECTS)
def test_subject_is_drawn(subject: str) -> None:
    page, words = SUBJECTS[subject]
    drawn = [fence.code for fence in fences(SITE / "docs" / page) if fence.language == "mermaid"]
    assert any(words in code for code in drawn)


def test_every_diagram_is_told_in_words_beside_it() -> None:
    untold = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match["info"].startswith("mermaid"):
                around = [part.strip().split("\n\n") for part in (text[: match.start()], text[match.end() :])]
                beside = max(len(around[0][-1].split()), len(around[1][0].split()))
                if beside < 8:
                    untold.append(f"{path.relative_to(SITE).as_posix()}:{text.count(chr(10), 0, match.start()) + 1}")
    assert untold == []


def test_every_picture_has_a_text() -> None:
    silent = []
    for path in sources():
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        for match in IMAGE.finditer(text):
            alt = match["alt"] if match["tag"] is None else re.search(r'alt="([^"]+)"', match["tag"])
            if not alt:
                silent.append(f"{path.relative_to(SITE).as_posix()}: {match[0]}")
    assert silent == []
