"""Files that pages show: found, measured, and named by the hash of their content."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import unicodedata
import zlib
from pathlib import Path

import pytest

from octavo.content import Asset, pictures_of
from octavo.diagnostics import Span
from octavo.site import AssetStore
from tests.support.sites import SVG, MakeSite, SiteFolder


def png(width: int, height: int) -> bytes:
    """Draw a black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\x00" * (width + 1) for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


PICTURE = png(30, 20)
HASH = hashlib.sha256(PICTURE).hexdigest()[:12]


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site(
        {
            "docs/guides/img/My picture.png": PICTURE,
            "docs/guides/größe.png": PICTURE,
            "static/img/logo.svg": SVG,
            "static/img/größe.svg": SVG,
        }
    )


ROUTE = "/guides/a"
"""Of the page, where only its file matters."""


def resolve(site: SiteFolder, href: str, *, has_size: bool = False, base_url: str = "/") -> tuple[str, str, bool]:
    store = AssetStore(site.root, "static")
    found = store.resolve(Asset(href, Span("docs/guides/a.md", 3, 1), has_size=has_size), base_url, ROUTE)
    return found.url, found.size_attributes, found.is_found


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("./img/My picture.png", f"/_octavo/files/My-picture.{HASH}.png"),
        ("img/My%20picture.png", f"/_octavo/files/My-picture.{HASH}.png"),
        ("../guides/img/My%20picture.png?x#y", f"/_octavo/files/My-picture.{HASH}.png?x#y"),
        ("gr%C3%B6%C3%9Fe.png", f"/_octavo/files/gr-e.{HASH}.png"),
        ("größe.png", f"/_octavo/files/gr-e.{HASH}.png"),
    ],
)
def test_picture_beside_its_document_is_named_by_its_content_and_measured(
    site: SiteFolder, href: str, url: str
) -> None:
    assert resolve(site, href) == (url, ' width="30" height="20"', True)


@pytest.mark.parametrize(
    ("href", "url"),
    [("/img/logo.svg", "/img/logo.svg"), ("/img/gr%C3%B6%C3%9Fe.svg", "/img/gr%C3%B6%C3%9Fe.svg")],
)
def test_picture_of_the_static_folder_keeps_its_address(site: SiteFolder, href: str, url: str) -> None:
    assert resolve(site, href) == (url, ' width="40" height="20"', True)


def test_base_url_stands_before_every_address(site: SiteFolder) -> None:
    assert resolve(site, "/img/logo.svg", base_url="/docs/")[0] == "/docs/img/logo.svg"
    assert resolve(site, "größe.png", base_url="/docs/")[0] == f"/docs/_octavo/files/gr-e.{HASH}.png"


def test_size_that_the_author_gave_is_kept(site: SiteFolder) -> None:
    assert resolve(site, "/img/logo.svg", has_size=True) == ("/img/logo.svg", "", True)


@pytest.mark.parametrize("href", ["https://example.org/x.png", "//example.org/x.png", "data:image/png;base64,AAAA"])
def test_picture_from_elsewhere_is_left_alone(site: SiteFolder, href: str) -> None:
    assert resolve(site, href) == (href, "", True)


@pytest.mark.parametrize("href", ["./nothing.png", "/nothing.png", "../../../secret.png", "/../../secret.png", "img"])
def test_picture_that_is_not_there_is_not_found(site: SiteFolder, href: str, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    assert resolve(site, href) == (href, "", False)


def test_link_out_of_the_site_is_not_followed(site: SiteFolder, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    (site.root / "docs/guides/link.png").symlink_to(tmp_path / "secret.png")
    assert resolve(site, "./link.png") == ("./link.png", "", False)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ('<svg viewBox="0 0 40 20"/>', ' width="40" height="20"'),
        ('<svg width="10" height="5" viewBox="0 0 40 20"/>', ' width="10" height="5"'),
        ("<?xml version='1.0'?>\n<svg fill='none'\n viewBox='-1 -1, 12.4 7.6'>", ' width="12" height="8"'),
        ("<svg/>", ""),
        ("no picture at all", ""),
        ("", ""),
    ],
)
def test_drawing_is_measured_by_its_view_box(make_site: MakeSite, text: str, size: str) -> None:
    assert resolve(make_site({"static/x.svg": text}), "/x.svg")[1] == size


def test_broken_picture_is_shown_without_a_size(make_site: MakeSite) -> None:
    assert resolve(make_site({"static/x.png": b"\x89PNG\r\n"}), "/x.png") == ("/x.png", "", True)


def test_only_files_beside_documents_are_copied_and_each_once(site: SiteFolder) -> None:
    store = AssetStore(site.root, "static")
    for href in ("größe.png", "./größe.png", "/img/logo.svg"):
        store.resolve(Asset(href, Span("docs/guides/a.md")), "/", ROUTE)
    assert store.copies == {f"_octavo/files/gr-e.{HASH}.png": "docs/guides/größe.png"}


def test_candidates_are_the_files_of_the_folder_as_they_would_be_typed(site: SiteFolder) -> None:
    store = AssetStore(site.root, "static")
    assert store.candidates("./img/x.png", Span("docs/guides/a.md")) == ["./img/My picture.png"]
    assert sorted(store.candidates("/img/x.svg", Span("docs/guides/a.md"))) == ["/img/größe.svg", "/img/logo.svg"]
    assert store.candidates("./nothing/x.png", Span("docs/guides/a.md")) == []


def test_translation_shows_the_picture_of_the_original_where_it_has_none(make_site: MakeSite) -> None:
    site = make_site({"docs/a/flow.svg": SVG, "docs/b.svg": SVG, "i18n/fr/docs/b.svg": SVG.replace("40", "60")})
    store = AssetStore(site.root, "static", {"i18n/fr": ""})
    span = Span("i18n/fr/docs/a/x.md")
    for href, expected in {"./flow.svg": "docs/a/flow.svg", "../b.svg": "i18n/fr/docs/b.svg"}.items():
        assert store.resolve(Asset(href, span, has_size=False), "/", ROUTE).is_found
        assert store.is_found(Asset(href, span, has_size=False), ROUTE)
        assert expected in store.copies.values()
    assert not store.is_found(Asset("./none.svg", span, has_size=False), ROUTE)


def test_translation_in_a_folder_of_its_own_shows_the_picture_of_the_original(make_site: MakeSite) -> None:
    site = make_site({"docs/a/flow.svg": SVG, "notes/b.svg": SVG})
    store = AssetStore(site.root, "static", {"docs/fr": "docs", "fr": "."})
    for folder, href, expected in (
        ("docs/fr/a", "./flow.svg", "docs/a/flow.svg"),
        ("fr/notes", "b.svg", "notes/b.svg"),
    ):
        assert store.is_found(Asset(href, Span(f"{folder}/x.md"), has_size=False), ROUTE)
        assert store.resolve(Asset(href, Span(f"{folder}/x.md"), has_size=False), "/", ROUTE).is_found
        assert expected in store.copies.values()


def test_file_that_is_no_picture_is_told_from_one(make_site: MakeSite) -> None:
    files = {"docs/a.md": "# A", "static/a.png": b"no picture", "static/b.png": PICTURE, "static/c.svg": SVG}
    store = AssetStore(make_site(files).root, "static")
    names = ("/a.png", "/b.png", "/c.svg", "/missing.png", "https://example.org/a.png")
    assert [name for name in names if store.unreadable(Asset(name, Span("docs/a.md")), ROUTE)] == ["/a.png"]


def test_weight_is_that_of_pictures_of_the_site_alone(make_site: MakeSite) -> None:
    files = {"docs/a.md": "# A", "docs/Map (1).PNG": PICTURE, "static/c.svg": SVG, "static/d.pdf": b"12345"}
    store = AssetStore(make_site(files).root, "static")
    weights = {
        "./Map%20(1).PNG?x#y": len(PICTURE),
        "/c.svg": len(SVG),
        "/d.pdf": 0,
        "/none.png": 0,
        "https://example.org/c.svg": 0,
    }
    assert {href: store.weight(Asset(href, Span("docs/a.md")), ROUTE) for href in weights} == weights


@pytest.mark.parametrize(
    ("href", "url", "is_found"),
    [
        ("/kite/img/logo.svg", "/kite/img/logo.svg", True),
        ("/img/logo.svg", "/kite/img/logo.svg", True),
        ("/kite/kite/own.svg", "/kite/kite/own.svg", True),
        ("/kites/img/logo.svg", "/kites/img/logo.svg", False),
    ],
)
def test_path_of_a_static_file_may_begin_with_the_base_url(
    make_site: MakeSite, href: str, url: str, is_found: bool
) -> None:
    site = make_site({"static/img/logo.svg": SVG, "static/kite/own.svg": SVG})
    store = AssetStore(site.root, "static", base_url="/kite/")
    asset = Asset(href, Span("docs/guides/a.md"))
    assert (store.resolve(asset, "/kite/", ROUTE).url, store.is_found(asset, ROUTE)) == (url, is_found)


def test_pictures_of_a_notebook_are_files_of_their_own(make_site: MakeSite, tmp_path: Path) -> None:
    output = {"output_type": "display_data", "data": {"image/png": base64.b64encode(PICTURE).decode()}}
    cell = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [output]}
    folder = make_site({"docs/kite.ipynb": json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4})})
    store = AssetStore(folder.root, "static", made_dir=tmp_path / "made")
    found = store.resolve(Asset("kite.ipynb/kite-1-1.png", Span("docs/kite.ipynb", 1, 1)), "/base/", ROUTE)
    address = f"_octavo/files/kite-1-1.{HASH}.png"
    assert (found.url, found.size_attributes) == (f"/base/{address}", ' width="30" height="20"')
    assert Path(store.copies[address]).read_bytes() == PICTURE
    assert not store.is_found(Asset("kite.ipynb/kite-2-1.png", Span("docs/kite.ipynb", 1, 1)), ROUTE)
    assert not store.is_found(Asset("gone.ipynb/kite-1-1.png", Span("docs/kite.ipynb", 1, 1)), ROUTE)


@pytest.mark.parametrize(
    ("href", "route", "url"),
    [
        ("../img/logo.svg", "/deep/a", "/kite/img/logo.svg"),
        ("../../img/logo.svg?x#y", "/deep/a/", "/kite/img/logo.svg?x#y"),
        ("../../img/logo.svg", "/deep/a", "/kite/img/logo.svg"),
        ("img/logo.svg", "/", "/kite/img/logo.svg"),
        ("../own.svg", "/deep/a/", "/kite/_octavo/files/own.88fb9ade6ae0.svg"),
        ("../../../../octavo.toml", "/deep/a/", None),
        ("../img/none.svg", "/deep/a/", None),
    ],
)
def test_relative_path_may_start_at_the_address_of_the_page(
    make_site: MakeSite, href: str, route: str, url: str | None
) -> None:
    """As in the raw HTML of MkDocs, Hugo and Jekyll, which leave it to the browser; the file of the document goes first."""
    site = make_site({"static/img/logo.svg": SVG, "static/deep/own.svg": SVG.replace("40", "60"), "docs/own.svg": SVG})
    store = AssetStore(site.root, "static")
    asset = Asset(href, Span("docs/deep/a.md"))
    found = store.resolve(asset, "/kite/", route)
    assert (found.url, found.is_found, store.is_found(asset, route)) == (url or href, url is not None, url is not None)


def test_files_at_the_address_of_the_page_are_looked_into(make_site: MakeSite) -> None:
    store = AssetStore(make_site({"static/a.png": b"no picture", "static/b.png": PICTURE}).root, "static")
    bad, good = (Asset(f"../../{name}.png", Span("docs/deep/a.md")) for name in "ab")
    assert [store.unreadable(one, "/deep/a/") for one in (bad, good)] == [True, False]
    assert store.weight(good, "/deep/a/") == len(PICTURE)


def test_copies_are_found_by_their_addresses_in_pages(site: SiteFolder) -> None:
    store = AssetStore(site.root, "static")
    address = f"_octavo/files/gr-e.{HASH}.png"
    store.resolve(Asset("größe.png", Span("docs/guides/a.md")), "/docs/", ROUTE)
    store.resolve(Asset("img/My picture.png", Span("docs/guides/a.md")), "/docs/", ROUTE)
    urls = [f"/docs/{address}?x#y", "/docs/img/logo.svg", "https://example.org/x.png"]
    assert store.copied_for(urls, "/docs/") == {address: "docs/guides/größe.png"}


def test_picture_of_the_static_folder_is_measured_by_its_address(site: SiteFolder) -> None:
    store = AssetStore(site.root, "static")
    assert store.static_size("/img/logo.svg") == (40, 20)
    assert store.static_size("/img/gone.svg") is None
    assert store.static_size("img/logo.svg") is None


def test_candidates_are_files_of_the_site_alone(site: SiteFolder, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    store = AssetStore(site.root, "static")
    assert store.candidates("../../../secre.png", Span("docs/guides/a.md")) == []
    assert store.candidates("gröse.png", Span("docs/guides/a.md")) == ["größe.png"]


def test_picture_that_begins_as_another_format_is_told_from_its_own(make_site: MakeSite) -> None:
    files: dict[str, str | bytes] = {
        "static/a.jpg": PICTURE,
        "static/b.png": PICTURE,
        "static/c.png": b"",
        "docs/d.webp": PICTURE,
    }
    store = AssetStore(make_site(files).root, "static")
    names = ("/a.jpg", "/b.png", "/c.png", "d.webp", "https://example.org/a.jpg", "/gone.jpg")
    found = [name for name in names if store.unreadable(Asset(name, Span("docs/a.md")), "/a")]
    assert found == ["/a.jpg", "/c.png", "d.webp"]


def test_pictures_of_a_translated_notebook_are_those_of_the_original(make_site: MakeSite, tmp_path: Path) -> None:
    output = {"output_type": "display_data", "data": {"image/png": base64.b64encode(PICTURE).decode()}, "metadata": {}}
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": [output], "execution_count": 1}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    folder = make_site({"docs/n.ipynb": notebook})
    picture = next(iter(pictures_of("docs/n.ipynb", notebook)))

    def found(path: str, made: Path | None) -> bool:
        store = AssetStore(folder.root, "static", {"i18n/fr/docs": "docs"}, made_dir=made)
        return store.is_found(Asset(f"n.ipynb/{picture}", Span(f"{path}/n.ipynb")), "/n")

    assert [found(path, tmp_path / "made") for path in ("docs", "i18n/fr/docs", "i18n/de/docs")] == [True, True, False]
    assert not found("docs", None)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_name_may_be_typed_in_another_unicode_form_than_that_of_its_file(make_site: MakeSite, form: str) -> None:
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    folder, name = (unicodedata.normalize(form, part) for part in ("öfen", "größe.png"))
    site = make_site({f"docs/guides/{folder}/{name}": PICTURE, f"docs/guides/{folder}/a.png": SVG})
    typed = unicodedata.normalize(other, "öfen/größe.png")
    assert resolve(site, typed)[1:] == (' width="30" height="20"', True)
    assert resolve(site, unicodedata.normalize(other, "öfen/grösse.png"))[2] is False
    assert resolve(site, unicodedata.normalize(other, "öfen"))[2] is False
