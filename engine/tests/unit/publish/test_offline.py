"""The offline copy of a published folder: what its pages lead to, and what it must not replace."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path

import msgspec
import pytest

from octavo.errors import PublishError
from octavo.manifest import MANIFEST_PATH, Manifest, ManifestFile
from octavo.publish.offline import MARK, OfflineCopy, offline_folder, write_offline
from octavo.rendering import load_theme
from tests.support.sites import read_folder

BOOT = '<script type="application/json" id="octavo-boot">{"client":"/kiln/_octavo/assets/client-1.js"}</script>'
PAGE = """<!doctype html>
<html lang="en">
<head><link rel="canonical" href="https://docs.example.org/kiln/">
<link rel="stylesheet" href="/kiln/_octavo/assets/client-Bc1.css">
<link rel="stylesheet" href="/kiln/_octavo/assets/reference-D2.css">
<link rel="stylesheet" href="/kiln/own.css">
%s<script>%s</script></head>
<body>%s<pre>a href="/kiln/clay/firing"</pre>
<script type="application/json" id="octavo-page">{"html":"\\u003ca href=\\"/kiln/clay\\">"}</script></body>
</html>
"""


def publish(folder: Path, pages: dict[str, str], files: dict[str, str] | None = None, **settings: object) -> Path:
    """Publish pages: route → HTML of the body."""
    inline = load_theme().inline_script
    routes = {route: (route.strip("/") + "/index.html").lstrip("/") for route in pages}
    contents = {routes[route]: PAGE % (BOOT, inline, body) for route, body in pages.items()}
    contents |= {"_octavo/site.1.json": '{"title":"Kiln"}', "own.css": "", "_octavo/pages/clay.json": "{}"} | (
        files or {}
    )
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    plain = Manifest("1", "/kiln/", {path: ManifestFile("0" * 16, 1) for path in contents}, routes, {}, "")
    manifest = msgspec.structs.replace(plain, **settings)
    (folder / MANIFEST_PATH).write_bytes(msgspec.json.encode(manifest))
    return folder


def copy(folder: Path) -> OfflineCopy:
    return write_offline(folder, offline_folder(folder))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('<a href="/kiln/clay/firing">', '<a href="../clay/firing/index.html">'),
        ('<a href="/kiln/clay/firing/?a=1&amp;b=2#hot">', '<a href="../clay/firing/index.html?a=1&amp;b=2#hot">'),
        ('<a href="/kiln/">', '<a href="../index.html">'),
        ('<a href="/kiln/old#part">', '<a href="../clay/firing/index.html#part">'),
        ('<a title="a > b" href="/kiln/">', '<a title="a > b" href="../index.html">'),
        ('<img src="/kiln/pot%20one.png" alt="">', '<img src="../pot one.png" alt="">'),
        ('<img srcset="/kiln/pot%20one.png 1x, /kiln/own.css 2x">', '<img srcset="../pot one.png 1x, ../own.css 2x">'),
        (
            '<meta http-equiv="refresh" content="0; url=/kiln/clay/firing/#hot">',
            '<meta http-equiv="refresh" content="0; url=../clay/firing/index.html#hot">',
        ),
        ('<a href="/kiln/nothing">', '<a href="/kiln/nothing">'),
        ('<a href="https://example.org/kiln/">', '<a href="https://example.org/kiln/">'),
        ('<a href="#here">', '<a href="#here">'),
    ],
)
def test_links_lead_to_files(tmp_path: Path, written: str, expected: str) -> None:
    pages = {"/": "", "/clay": written, "/clay/firing": ""}
    published = publish(tmp_path / "out", pages, {"pot one.png": ""}, redirects={"/old": "/clay/firing"})
    text = (copy(published).folder / "clay/index.html").read_text()
    assert expected in text


def test_page_loads_what_opens_from_disk(tmp_path: Path) -> None:
    text = (copy(publish(tmp_path / "out", {"/clay": "", "/": ""})).folder / "clay/index.html").read_text()
    assert '<html data-offline="../" data-base="/kiln/" data-pages="folders" lang="en">' in text
    assert '"client":"../_octavo/offline.js"' in text
    assert '<link rel="stylesheet" href="../_octavo/offline.css">' in text
    assert "reference-D2" not in text  # part of that one
    assert '<link rel="stylesheet" href="../own.css">' in text
    assert "canonical" not in text
    assert load_theme().inline_script not in text
    # Text of the page, and its data, are as they were.
    assert '<pre>a href="/kiln/clay/firing"</pre>' in text
    assert '{"html":"\\u003ca href=\\"/kiln/clay\\">"}' in text


def test_style_sheet_of_the_look_is_in_the_copy(tmp_path: Path) -> None:
    sheets = {"_octavo/assets/look-a1.css": "a{}", "_octavo/assets/client-Bc1.css": "b{}"}
    folder = copy(publish(tmp_path / "out", {"/": ""}, sheets)).folder
    assert (folder / "_octavo/assets/look-a1.css").is_file()
    assert not (folder / "_octavo/assets/client-Bc1.css").exists()


def test_json_is_a_script(tmp_path: Path) -> None:
    folder = copy(publish(tmp_path / "out", {"/": ""})).folder
    name, _, content = (folder / "_octavo/site.1.json.js").read_text().removeprefix("octavoFile(").partition(",")
    assert (json.loads(name), json.loads(content[:-1])) == ("_octavo/site.1.json", {"title": "Kiln"})
    assert not (folder / "_octavo/pages").exists()


def test_copy_is_replaced_and_its_zip_is_the_same_for_the_same_site(tmp_path: Path) -> None:
    published = publish(tmp_path / "out", {"/": ""})
    first = copy(published)
    before = first.archive.read_bytes()
    (first.folder / "left-over.html").write_text("")
    assert copy(published).archive.read_bytes() == before
    assert not (first.folder / "left-over.html").exists()


def test_zip_holds_the_files_of_the_copy(tmp_path: Path) -> None:
    made = copy(publish(tmp_path / "out", {"/": "é", "/clay": ""}))
    with zipfile.ZipFile(made.archive) as archive:
        content = {name.removeprefix("out-offline/"): archive.read(name) for name in archive.namelist()}
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o644}
        # The first day that a zip can name: the same site gives the same file on every day.
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert content == read_folder(made.folder)
    assert (made.files, made.size, made.has_search) == (len(content), made.archive.stat().st_size, False)


def test_folder_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    published = publish(tmp_path / "out", {"/": ""})
    folder = offline_folder(published)
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(PublishError, match="is not an offline copy"):
        copy(published)
    assert (folder / "notes.txt").read_text() == "mine"
    (folder / "notes.txt").unlink()
    assert (copy(published).folder / MARK).is_file()


def test_no_build_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="There is no build"):
        copy(tmp_path)


def test_frame_of_diagrams_holds_its_script(tmp_path: Path) -> None:
    """It has no origin: from disk, browsers let it load no file."""
    frame = '<meta charset="utf-8"><body></body><script src="diagram-frame-b.js"></script></html>'
    files = {"_octavo/assets/diagram-frame-a.html": frame, "_octavo/assets/diagram-frame-b.js": "draw('é')"}
    folder = copy(publish(tmp_path / "out", {"/": ""}, files)).folder
    written = (folder / "_octavo/assets/diagram-frame-a.html").read_text()
    script = base64.b64encode("draw('é')".encode()).decode()
    assert f'<script src="data:text/javascript;charset=utf-8;base64,{script}"></script>' in written
    assert not (folder / "_octavo/assets/diagram-frame-b.js").exists()
