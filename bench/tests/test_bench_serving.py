from __future__ import annotations

import contextlib
import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import pytest

from bench.serving import resolve_file, serve_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "public" / "guide").mkdir(parents=True)
    (tmp_path / "public" / "guide" / "index.html").write_text("<p>guide</p>")
    (tmp_path / "public" / "logo.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path / "public"


@contextlib.contextmanager
def get(address: str, path: str) -> Iterator[http.client.HTTPResponse]:
    with contextlib.closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)) as connection:
        connection.request("GET", path, headers={"Accept-Encoding": "br"})
        yield connection.getresponse()


def test_folder_answers_with_its_index_page_compressed(folder: Path) -> None:
    with serve_folder(folder) as address, get(address, "/guide/?q=1") as response:
        assert response.headers["Content-Encoding"] == "br"
        assert brotli.decompress(response.read()) == b"<p>guide</p>"


def test_pictures_are_not_compressed_again(folder: Path) -> None:
    with serve_folder(folder) as address, get(address, "/logo.png") as response:
        assert response.headers["Content-Encoding"] is None
        assert response.read() == b"\x89PNG"


def test_unknown_address_is_not_found(folder: Path) -> None:
    with serve_folder(folder) as address, get(address, "/nothing") as response:
        assert response.status == 404


def test_no_address_leads_out_of_the_folder(folder: Path) -> None:
    assert resolve_file(folder, "/../secret.txt") is None
