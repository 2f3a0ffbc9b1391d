"""Search on hosts that only send files, and where a search server goes away."""

from __future__ import annotations

import html
import http.server
import json
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from octavo.publish.build import build_site
from octavo.publish.offline import write_offline
from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .conftest import FIXTURES, OpenReader
from .searching import open_dialog


class _Files(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` answers with, without a line for each answer."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _Proxy(_Files):
    """The same, with searches handed on to a server, as a host of files with a search server behind it does."""

    search: ClassVar[str]

    def do_GET(self) -> None:
        if self.path.endswith("/_octavo/find.json"):
            self._hand_on(None)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self._hand_on(self.rfile.read(int(self.headers["content-length"])))

    def _hand_on(self, body: bytes | None) -> None:
        try:
            with urlopen(Request(self.search + self.path, body)) as answer:
                status, content = 200, answer.read()
        except OSError:  # as a server of ours answers whose search engine is down
            status, content = 503, b'{"message":"The search engine does not answer.","status":503}'
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def host_files(out: Path, handler: type[_Files] = _Files) -> Iterator[Served]:
    """Serve a folder as `python -m http.server` does."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(out)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield Served(out=out, origin=f"http://127.0.0.1:{server.server_port}", base_url="/")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("static")
    site = copy_site(FIXTURES / "editions", folder / "site")
    config = site / "octavo.toml"
    config.write_text(f'{config.read_text()}\n[search]\nkinds = {{ guide = "reference" }}\n')
    publish_site(site, folder / "out")
    return folder / "out"


@pytest.fixture
def hosts() -> Iterator[ExitStack]:
    """Hosts of files; requested before `open_reader`, for they must outlive the pages."""
    with ExitStack() as running:
        yield running


def test_host_of_files_has_the_whole_search(hosts: ExitStack, open_reader: OpenReader, published: Path) -> None:
    """Dialog, keys, filters and search page; the reader's watch fails at any error in the console."""
    site = hosts.enter_context(host_files(published))
    dialog = open_dialog(open_reader, site, "/")
    dialog.ask("instal")
    expect(dialog.root.locator(".search-frame")).to_have_attribute("data-answered-by", "static")
    expect(dialog.options.first).to_contain_text("Install")
    dialog.expect_at(0)
    dialog.ask("kiln")
    filters = dialog.filters.get_by_role("button")
    expect(filters.first).to_be_visible()
    before = dialog.options.count()
    filters.first.click()
    expect(dialog.root.locator(".search-box")).to_have_attribute("data-status", "idle")
    assert 0 < dialog.options.count() <= before
    filters.first.click()
    dialog.ask("install")
    dialog.reader.press("ArrowDown")
    dialog.reader.press("ArrowUp")
    dialog.reader.press("Enter")
    expect(dialog.reader.page).to_have_url(re.compile("install"))
    dialog.reader.page.goto(site.url("/search?q=instlal"))
    expect(dialog.reader.page.locator(".found-count")).to_contain_text("found")
    expect(dialog.reader.page.get_by_role("main").get_by_role("link", name="Install").first).to_be_visible()


def test_static_index_answers_when_the_server_goes(
    hosts: ExitStack, open_reader: OpenReader, published: Path, tmp_path: Path
) -> None:
    """The server stops while a reader types: the next answer comes from the files, and no error is shown."""
    with serve_folder(published, tmp_path / "server.log") as server:
        handler = type("_ProxyOfServer", (_Proxy,), {"search": server.origin})
        dialog = open_dialog(open_reader, hosts.enter_context(host_files(published, handler)), "/")
        dialog.ask("install")
        expect(dialog.root.locator(".search-frame")).to_have_attribute("data-answered-by", "server")
    dialog.reader.watch.forgive(r"503|1/indexes")
    dialog.ask("installation")
    expect(dialog.root.locator(".search-frame")).to_have_attribute("data-answered-by", "static")
    expect(dialog.options.first).to_contain_text("Install")


def test_reader_hears_that_the_search_engine_is_down(hosts: ExitStack, open_reader: OpenReader, tmp_path: Path) -> None:
    """Without files to search in: dialog and page say that the service is at fault, not the reader's connection, and how to go on."""
    site = copy_site(FIXTURES / "editions", tmp_path / "site")
    config = site / "octavo.toml"
    silent = hosts.enter_context(socket.socket())
    silent.bind(("127.0.0.1", 0))  # it never listens, so connections to it are refused
    engine = f'kind = "meilisearch"\nurl = "http://127.0.0.1:{silent.getsockname()[1]}"'
    config.write_text(f'{config.read_text()}\n[search]\nmode = "server"\n[search.engine]\n{engine}\n')
    publish_site(site, tmp_path / "out")
    (tmp_path / "server.home").mkdir()
    shutil.copy(config, tmp_path / "server.home")
    server = hosts.enter_context(serve_folder(tmp_path / "out", tmp_path / "server.log"))
    dialog = open_dialog(open_reader, server, "/")
    watch = dialog.reader.watch
    watch.forgive(r"503")
    dialog.reader.page.keyboard.type("install")
    message = dialog.root.locator(".search-message")
    expect(message).to_contain_text("status 503")
    expect(message).not_to_contain_text("connection")
    message.get_by_role("button", name="Retry").click()
    expect(message).to_contain_text("status 503")
    dialog.reader.page.goto(server.url("/search?q=install"))
    expect(dialog.reader.page.get_by_role("main")).to_contain_text("status 503")


def test_offline_copy_is_read_and_searched_from_disk(open_reader: OpenReader, published: Path) -> None:
    """No server at all: pages, links, tabs, dialog and search page; the reader's watch fails at any error in the console."""
    folder = write_offline(published, published.parent / "copy").folder
    for file in sorted(folder.rglob("*.html")):
        links = re.findall(r'<(?:a|link|img|script) [^>]*(?:href|src)="(?![a-z]+:)([^"#?]+)', file.read_text())
        missing = [link for link in links if not (file.parent / unquote(html.unescape(link))).is_file()]
        assert [link for link in missing if not link.startswith("/")] == [], file
    dialog = open_dialog(open_reader, Served(folder, folder.as_uri(), "/"), "/index.html")
    dialog.ask("instal")
    expect(dialog.root.locator(".search-frame")).to_have_attribute("data-answered-by", "static")
    expect(dialog.options.first).to_contain_text("Install")
    dialog.reader.press("Enter")
    page = dialog.reader.page
    expect(page).to_have_url((folder / "install/index.html").as_uri())
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")
    page.goto((folder / "search/index.html").as_uri() + "?q=instlal")
    expect(page.locator(".found-count")).to_contain_text("found")
    found = page.get_by_role("main").get_by_role("link", name="Install").first
    expect(found).to_be_visible()
    found.click()
    expect(page).to_have_url(re.compile("install/index.html"))
    page.goto((folder / "constructs/index.html").as_uri())
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")
    reader = dialog.reader
    reader.tabs(0).choose("Fish")
    reader.tabs(0).expect_chosen("Fish")
    # The second set is of the same group.
    reader.tabs(1).expect_chosen("Fish")
    expect(reader.article.locator(".diagram-drawing").first).to_be_visible()
    # One that the build cannot draw.
    box = reader.article.locator("[data-island=mermaid]")
    box.scroll_into_view_if_needed()
    page.mouse.move(300, 300)
    expect(box.locator("iframe").content_frame.locator("svg").first).to_contain_text("Shelf")


SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "Kiln API", "version": "1"},
    "servers": [{"url": "https://kiln.example.org"}],
    "paths": {
        "/firings/{id}": {
            "get": {
                "operationId": "get_firing",
                "summary": "Get a firing",
                "tags": ["firings"],
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {
                    "200": {
                        "description": "The firing.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Firing"}}},
                    }
                },
            }
        }
    },
    "components": {
        "schemas": {"Firing": {"type": "object", "properties": {"temperature": {"type": "integer", "maximum": 1300}}}}
    },
}
COMPONENT = """import { useState } from "react";
import { more } from "./more";
export const client = "load";
export default function Count() {
  const [count, set] = useState(0);
  return <button onClick={() => set(more(count))}>Pots {count}</button>;
}
"""


def test_api_reference_and_components_in_an_offline_copy(open_reader: OpenReader, tmp_path: Path) -> None:
    """From disk the reference is read, linked and searched, and a component is alive, with modules that import each other."""
    site = tmp_path / "site"
    files = {
        "octavo.toml": 'title = "Kiln"\nurl = "https://example.org"\n[[openapi]]\nid = "kiln"\ndoc = "api"\nspec = "kiln.json"\n',
        "kiln.json": json.dumps(SPEC),
        "components/Count.tsx": COMPONENT,
        "components/more.ts": 'import { twice } from "./twice";\nexport const one = 1;\nexport const more = (count: number) => count + twice(one);\n',
        "components/twice.ts": 'import { one } from "./more";\nexport const twice = (count: number) => count + one;\n',
        "docs/index.md": "# Home\n\nSee [the API](./api.md).\n\n<Count />\n",
    }
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    publish_site(site, tmp_path / "out")
    folder = write_offline(tmp_path / "out", tmp_path / "copy").folder
    reader = open_reader(Served(folder, folder.as_uri(), "/"), "/index.html")
    page = reader.page
    expect(page.locator("[data-source='components/Count.tsx'][data-live]")).to_have_count(1)
    page.get_by_role("button", name="Pots 0").click()
    expect(page.get_by_role("button", name="Pots 2")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="the API").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Kiln API")
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")
    page.get_by_role("main").get_by_role("link", name="Get a firing").first.click()
    expect(page.get_by_role("heading", name="Get a firing").first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-hydrated", "true")
    expect(page.get_by_role("main")).to_contain_text("temperature")


def test_site_without_search_offers_none(hosts: ExitStack, open_reader: OpenReader, tmp_path: Path) -> None:
    site_dir = copy_site(FIXTURES / "editions", tmp_path / "site")
    assert build_site(site_dir, tmp_path / "out", has_search=False).is_published
    reader = open_reader(hosts.enter_context(host_files(tmp_path / "out")), "/")
    expect(reader.page.get_by_role("button", name="Search")).to_have_count(0)
    reader.press("Control+k")
    expect(reader.page.get_by_role("dialog")).to_have_count(0)
