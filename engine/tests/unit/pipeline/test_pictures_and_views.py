"""Pictures that the settings of a site ask for, and what extensions learn of its pages."""

from __future__ import annotations

import gc
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from PIL import Image

from octavo.config import Config, parse_config
from octavo.errors import ConfigError
from octavo.pictures import CARD_SIZE, SocialCard
from octavo.pipeline import pictures
from octavo.pipeline.extension_views import describe_page
from octavo.pipeline.pictures import Pictures
from octavo.runtime import memory
from tests.support.each import each
from tests.support.sites import MakeSite, page, page_at


def config(settings: str = "", base: str = "/") -> Config:
    return parse_config(f'title = "Kilns"\nbase_url = "{base}"\n{settings}')


def png(size: int = 600) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (size, size), "red").save(data, "PNG")
    return data.getvalue()


# Which are made


@each(
    "settings, named",
    [
        ("", None),
        ('icon = "/a.png"\n', "icon"),
        ("[images]\nis_responsive = true\n", "images.is_responsive"),
        ("[social_cards]\nis_enabled = true\n", "social_cards.is_enabled"),
        ('icon = "/a.png"\n[images]\nis_responsive = true\n', "images.is_responsive, icon"),
    ],
)
def test_pictures_are_made_where_a_setting_asks_for_them(tmp_path: Path, settings: str, named: str | None) -> None:
    assert (Pictures.of(config(settings), tmp_path) is None) == (named is None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "is_installed", lambda: False)
        if named is None:
            assert Pictures.of(config(settings), tmp_path) is None
            return
        with pytest.raises(ConfigError, match=f"^{named}: pictures are made with Pillow, which is not installed"):
            Pictures.of(config(settings), tmp_path)


def test_smaller_forms_are_for_readers_only(tmp_path: Path) -> None:
    images = config("[images]\nis_responsive = true\n").images
    assert Pictures(tmp_path, is_preview=True).variants(images) is None
    assert Pictures(tmp_path).variants(config().images) is None
    assert Pictures(tmp_path).variants(images) is not None


# Icons


def test_icons_and_their_manifest_are_files_of_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static/logo.png").write_bytes(png())
    maker = Pictures(tmp_path / "work")
    icons = maker.icons(config('icon = "/logo.png"\n', "/docs/"), tmp_path)
    assert json.loads(icons.pop("site.webmanifest")) == {
        "name": "Kilns",
        "start_url": "/docs/",
        "scope": "/docs/",
        "display": "browser",
        "icons": [
            {"src": f"/docs/_octavo/icons/{width}.png", "sizes": f"{width}x{width}", "type": "image/png"}
            for width in (192, 512)
        ],
    }
    assert {"_octavo/icons/192.png", "_octavo/icons/512.png"} <= set(icons)
    monkeypatch.setattr(pictures, "make_icons", lambda _: pytest.fail("they are kept"))
    again = maker.icons(config('icon = "logo.png"\n'), tmp_path)
    assert {name: data for name, data in again.items() if name != "site.webmanifest"} == icons


def test_manifest_names_icons_that_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static/logo.svg").write_text("<svg/>")
    monkeypatch.setattr(pictures, "make_icons", lambda path: {"favicon.svg": path.read_bytes()})
    icons = Pictures(tmp_path / "work").icons(config('icon = "/logo.svg"\n'), tmp_path)
    assert icons["favicon.svg"] == b"<svg/>"
    assert json.loads(icons["site.webmanifest"])["icons"] == []


def test_icon_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r'^icon: "/gone\.png" is not a file in the folder "static"\.$'):
        Pictures(tmp_path / "work").icons(config('icon = "/gone.png"\n'), tmp_path)


# Cards


class Theme:
    """Has two fonts."""

    fonts = {"serif": "s.ttf", "sans": "t.ttf"}  # noqa: RUF012 - a test value that nothing changes

    def __init__(self, root: Path) -> None:
        self.files = {name: root / name for name in self.fonts.values()}


def test_cards_have_the_colours_and_fonts_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "read_theme_file", lambda path: path.name.encode())
    theme: Any = Theme(tmp_path)
    given = config('[social_cards]\nis_enabled = true\nbackground = "#123456"\ncolor = "#fedcba"\naccent = "#abcdef"\n')
    style = Pictures(tmp_path / "work").card_style(given, tmp_path, theme)
    assert style is not None
    assert (style.site, style.title_font, style.text_font) == ("Kilns", b"s.ttf", b"t.ttf")
    assert (style.background, style.color, style.accent) == ("#123456", "#fedcba", "#abcdef")
    assert Pictures(tmp_path / "work", is_preview=True).card_style(given, tmp_path, theme) is None
    own = config('[social_cards]\nis_enabled = true\nfont = "own.ttf"\n')
    (tmp_path / "own.ttf").write_bytes(b"no font")
    with pytest.raises(
        ConfigError, match=r'^social_cards\.font: ".*own\.ttf" is not a font that can be read: give a TTF'
    ):
        Pictures(tmp_path / "work").card_style(own, tmp_path, theme)
    monkeypatch.setattr("PIL.ImageFont.truetype", lambda path, size: (path, size))
    changed = Pictures(tmp_path / "work").card_style(own, tmp_path, theme)
    assert changed is not None
    assert (changed.title_font, changed.text_font) == (b"no font", b"t.ttf")


def test_card_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []

    def draw(*given: object) -> bytes:
        drawn.append(given)
        return b"card"

    monkeypatch.setattr(pictures, "draw_card", draw)
    style: Any = SimpleNamespace(key="k")
    first, second = (SocialCard(title, "S", "") for title in ("A", "B"))
    maker = Pictures(tmp_path / "work")
    assert [maker.card(one, style) for one in (first, first, second)] == [b"card"] * 3
    assert drawn == [(first, style), (second, style)]
    assert CARD_SIZE == (1200, 630)


def test_folder_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "draw_card", lambda *_: b"card")
    (tmp_path / "work").write_text("a file")
    assert Pictures(tmp_path / "work").card(SocialCard("A", "S", ""), SimpleNamespace(key="k")) == b"card"  # type: ignore[arg-type]  # what it uses of one


# What extensions learn of pages


def test_extension_learns_all_of_a_page(make_site: MakeSite) -> None:
    files = {
        "docs/index.md": page("Home"),
        "docs/a.md": page("A", "## Part *one*\n\nSee [link](./index.md)\n", description="About", tags=["t"]),
    }
    site = make_site(files).assemble()
    described = describe_page(page_at(site, "/a"))
    assert described | {"links": []} == {
        "route": "/a", "path": "docs/a.md", "title": "A", "description": "About", "locale": "en", "version": "current",
        "tags": ["t"], "headings": [{"level": 2, "text": "Part one", "anchor": "part-one"}], "links": [], "fields": {},
    }  # fmt: skip
    (link,) = described["links"]
    assert (link["href"], link["path"], link["column"]) == ("./index.md", "docs/a.md", 5)
    bare = msgspec.structs.replace(page_at(site, "/a"), summary=None, source=None)
    assert {name: value for name, value in describe_page(bare).items() if not value} == {
        "tags": [], "headings": [], "links": [], "fields": {},
    }  # fmt: skip


# Memory


def test_collector_rests_during_a_piece_of_work() -> None:
    assert gc.isenabled()
    with memory.paused_collector():
        assert not gc.isenabled()
        with memory.paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_there_is_stays_shared_with_children(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    frozen = [0]
    monkeypatch.setattr(gc, "freeze", lambda: said.append("freeze"))
    monkeypatch.setattr(gc, "unfreeze", lambda: said.append("unfreeze"))
    monkeypatch.setattr(gc, "get_freeze_count", lambda: frozen[0])
    with memory.shared_with_children():
        assert said == ["freeze"]
    assert said == ["freeze", "unfreeze"]
    frozen[0] = 9
    with memory.shared_with_children():
        pass
    assert said == ["freeze", "unfreeze", "freeze"]


@each(
    "name, calls",
    [
        ("begin_child", ["enable", "set_threshold 100000 20 20"]),
        ("begin_start", ["disable"]),
        ("end_start", ["enable", "freeze"]),
        ("settle_memory", ["unfreeze", "collect", "freeze", "set_threshold 10000 20 20"]),
        ("before_exit", ["freeze"]),
    ],
)
def test_collector_is_switched_as_each_stage_needs_it(name: str, calls: list[str]) -> None:
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for call in ("enable", "disable", "freeze", "unfreeze", "collect", "set_threshold"):
            patch.setattr(gc, call, lambda *given, call=call: said.append(" ".join(map(str, (call, *given)))))
        getattr(memory, name)()
    assert said == calls
