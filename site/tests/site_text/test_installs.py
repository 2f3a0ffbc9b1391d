"""Readers install what the pages mean: names that were looked up, and the versions that the pages describe."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from site_text.calls import commands
from site_text.installs import Install, installs, read
from site_text.shells import shell_fences
from site_text.texts import FENCE, SITE, sources
from tests.support.each import each

LIST = tomllib.loads(Path(__file__).with_name("third_parties.toml").read_text(encoding="utf-8"))
INSTALLS = installs()
FEWEST = 40
CODEGATE = "v0.1.32"
TOOLHIVE = "v0.0.42"
CHARTS = {"toolhive-operator": "0.0.10", "toolhive-operator-crds": "0.0.6"}
OUR_NAMES = re.compile(r"\b(?:pip3?|pipx|uv|uvx)\b[^`\n]*\boctavo\b")
NEWEST = re.compile(r"`?brew install thv`?|`?brew upgrade thv`?")
LABELS = {"codegate": "<CodeGateVersion />", "toolhive": "<ToolHiveVersion />"}
WITHOUT_LABEL = {"docs/theme-preview.mdx"}


def name(path: Path) -> str:
    return path.relative_to(SITE).as_posix()


def test_everything_to_install_was_looked_up() -> None:
    assert len(INSTALLS) >= FEWEST
    assert [item for item in INSTALLS if item.name not in LIST.get(item.way, [])] == []


def test_nothing_is_listed_that_no_page_installs() -> None:
    named = {(item.way, item.name) for item in INSTALLS}
    assert [(way, entry) for way, entries in LIST.items() for entry in entries if (way, entry) not in named] == []


@pytest.mark.parametrize(
    ("command", "way", "thing"),
    [
        ("pip install 'left-pad[extra]'", "pip", "left-pad[extra]"),
        ("python -m pip install -q octavo", "pip", "octavo"),
        ("sudo apt-get install -y left-pad", "apt", "left-pad"),
        ("docker run -d -p 1:1 ghcr.io/stacklok/codegate:latest", "image", "ghcr.io/stacklok/codegate:latest"),
        ("thv run --name a npx://left-pad", "npx", "left-pad"),
        ("helm upgrade -i a oci://ghcr.io/b/c --version 1", "chart", "oci://ghcr.io/b/c"),
    ],
)
def test_stranger_is_noticed(command: str, way: str, thing: str) -> None:
    found = list(read(command.replace("'", "").split(), "sample"))
    assert found == [Install(way, thing, "sample")]
    assert thing not in LIST[way]


def test_no_index_is_asked_for_what_this_repository_builds() -> None:
    texts = [*sources(), SITE / "commands" / "thv.yaml", SITE / "openapi" / "tool.yaml", SITE / "openapi/gateway.json"]
    assert [(name(path), found) for path in texts for found in OUR_NAMES.findall(path.read_text("utf-8"))] == []


def test_images_of_the_gateway_have_the_version_that_is_described() -> None:
    texts = {name(path): path.read_text(encoding="utf-8") for path in sources() if name(path) not in WITHOUT_LABEL}
    found = {(page, tag) for page, text in texts.items() for tag in re.findall(r"stacklok/codegate(:[\w.]+)", text)}
    assert [(page, tag) for page, tag in found if tag != f":{CODEGATE}"] == []


def test_archives_and_clones_have_the_version_that_is_described() -> None:
    downloads = [item.name for item in INSTALLS if item.way == "download" and "stacklok/toolhive" in item.name]
    assert len(downloads) >= 6
    assert [item for item in downloads if f"/{TOOLHIVE}/" not in item] == []
    clones = [
        words
        for fence in shell_fences()
        for words in commands(fence)
        if words[:2] == ["git", "clone"] and words[-1].endswith(("toolhive.git", "codegate.git"))
    ]
    wanted = {"toolhive.git": TOOLHIVE, "codegate.git": CODEGATE}
    assert clones
    assert [words for words in clones if wanted[words[-1].rpartition("/")[2]] not in words] == []


def test_charts_have_the_version_that_is_described() -> None:
    unpinned = []
    for fence in shell_fences():
        for words in commands(fence):
            chart = next((word.rpartition("/")[2] for word in words if word.startswith("oci://")), None)
            if words[0] == "helm" and chart and ("--version" not in words or CHARTS[chart] not in words):
                unpinned.append(f"{fence.place}: {words}")
    assert unpinned == []


def test_downloads_are_compared_with_the_checksums_of_the_release() -> None:
    """No hash is typed in: a page that lets you download an archive lets you check it against the release's own file."""
    for page in ("toolhive/quickstart.mdx", "toolhive/how-to/install.mdx"):
        text = (SITE / "docs" / page).read_text(encoding="utf-8")
        assert f"toolhive_{TOOLHIVE[1:]}_checksums.txt" in text
        assert not re.search(r"\b[0-9a-f]{64}\b", text)


def test_installer_of_the_newest_is_shown_with_its_warning_only() -> None:
    """Homebrew has no old versions: where it is named, the same paragraph says what it installs."""
    silent = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        fenced = "\n".join(match["code"] for match in FENCE.finditer(text))
        silent += [f"{name(path)}: in a block"] if NEWEST.search(fenced) else []
        parts = FENCE.sub("", text).split("\n\n")
        silent += [f"{name(path)}: {part}" for part in parts if NEWEST.search(part) and "newest" not in part]
    assert silent == []


@each("path", [path for path in sources() if not path.name.startswith("_") and "docs" in path.parts[-4:]], ids=name)
def test_page_has_the_version_of_its_product(path: Path) -> None:
    if name(path) not in WITHOUT_LABEL:
        product = path.relative_to(SITE / "docs").parts[0]
        assert path.read_text(encoding="utf-8").count(LABELS[product]) == 1


def test_versions_of_the_labels_are_those_of_the_install_steps() -> None:
    for component, version in (("CodeGateVersion", CODEGATE), ("ToolHiveVersion", TOOLHIVE)):
        assert version in (SITE / "components" / f"{component}.mdx").read_text(encoding="utf-8")
