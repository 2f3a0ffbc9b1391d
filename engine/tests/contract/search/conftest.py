"""The real site, served by the real server, and the official clients, installed by name."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from octavo.publish.build import build_site
from tests.support import paths
from tests.support.browser import NOT_FOUND, find_browser, launch_browser
from tests.support.npm import environment, find_program, install_packages

HERE = Path(__file__).parent
REPOSITORY = paths.REPOSITORY
APP_ID, API_KEY, INDEX = "STACKLOKDOCS", "stacklok-docs-search-only", "stacklok-docs"
OTHER_ORIGIN = "https://www.example.org"
"""Pages of another site, which the settings of the served one let use its search."""
REPORT_SECRET = "kiln-glaze-and-bisque"

_START_S = 120
_SCENARIO_S = 60
_WAIT_MS = 30_000
"""For what a page will show: a busy machine needs more than the five seconds that the driver waits by itself."""
_START_LINE = re.compile(r" at (?P<origin>http://[^/\s]+)/")


class Served(msgspec.Struct, frozen=True):
    """The served site."""

    site: Path
    out: Path
    origin: str

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        """Send a request with the site's credentials, the way browsers do: as text."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        credentials = {"x-algolia-application-id": APP_ID, "x-algolia-api-key": API_KEY}
        return httpx.post(
            self.origin + path, content=content, params=credentials, headers={"content-type": "text/plain", **headers}
        )

    def search(self, query: str, **parameters: Any) -> dict[str, Any]:
        """Search, and give the one result."""
        request = {"indexName": INDEX, "query": query, **parameters}
        answer = self.post("/1/indexes/*/queries", {"requests": [request]})
        assert answer.status_code == 200, answer.text
        (result,) = answer.json()["results"]
        return dict(result)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a copy of the site, with insights on."""
    root = tmp_path_factory.mktemp("search")
    site, out = root / "site", root / "out"
    shutil.copytree(REPOSITORY / "site", site, ignore=shutil.ignore_patterns("build", ".octavo"))
    config = site / "octavo.toml"
    settings = re.sub(r"^\[search\.insights\]\n[^\[]*", "", config.read_text(), flags=re.MULTILINE)
    # All tests ask from one address: on a slow machine the searches of one would use up the processor time of the next.
    settings = re.sub(r"^\[search\]\n", "[search]\nmost_per_second = 0\n", settings, count=1, flags=re.MULTILINE)
    assert "most_per_second = 0" in settings
    insights = "[search.insights]\nis_enabled = true\nleast_count = 1\n"
    config.write_text(f'{settings}\n{insights}[server]\nsearch_origins = ["{OTHER_ORIGIN}"]\n')
    assert build_site(site, out).is_published
    with serve(site, out) as origin:
        yield Served(site, out, origin)


@contextmanager
def serve(site: Path, out: Path) -> Iterator[str]:
    """Run `octavo serve` on a free port; it must stop when told, and have nothing to complain about."""
    command = [sys.executable, "-m", "octavo", "serve", str(site), "--no-build", "--out", str(out), "--port", "0"]
    log = out.with_suffix(".log")
    env = os.environ | {"OCTAVO_REPORT_SECRET": REPORT_SECRET}
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=env) as server,
    ):
        try:
            assert server.stdout is not None
            is_ready, _, _ = select.select([server.stdout], [], [], _START_S)
            match = _START_LINE.search(server.stdout.readline()) if is_ready else None
            assert match, log.read_text()
            yield match["origin"]
        finally:
            server.terminate()
            code = server.wait(_START_S)
    assert code == 0, log.read_text()
    assert not log.read_text()


@pytest.fixture(scope="session")
def packages() -> Path:
    """Install the official JavaScript clients, once for each lock file; give their folder."""
    return install_packages(HERE, "the official search clients")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for the widgets that need one, ended with the tests of this folder: see `playwright` of the browser tests."""
    expect.set_options(timeout=_WAIT_MS)
    with sync_playwright() as playwright:
        executable = find_browser(playwright)
        assert executable, NOT_FOUND
        with launch_browser(playwright, executable) as opened:
            yield opened


RunClient = Callable[..., Any]


@pytest.fixture
def run_client(packages: Path, served: Served) -> RunClient:
    """Run a scenario of `clients.mjs` against the server, and give what it prints."""
    assert packages.is_dir()

    def run(scenario: str, **values: Any) -> Any:
        given = {"origin": served.origin, "appId": APP_ID, "apiKey": API_KEY, "index": INDEX, **values}
        done = subprocess.run(
            [find_program("node"), "clients.mjs", scenario, json.dumps(given)],
            cwd=HERE,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=_SCENARIO_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
