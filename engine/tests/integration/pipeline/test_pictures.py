"""Pictures that the build makes: smaller forms of images, social cards, icons; and the feed of changes."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from octavo.errors import ConfigError
from octavo.pictures import pillow
from octavo.publish.build import build_site
from tests.support.sites import HOME, SVG, MakeSite, page

URL = 'url = "https://docs.example.org"\n'
RESPONSIVE = "[images]\nis_responsive = true\nwidths = [480, 800, 1200]\n"
CARDS = "[social_cards]\nis_enabled = true\n"


def photo(width: int, height: int, kind: str = "PNG", *, frames: int = 1) -> bytes:
    """Draw a picture that no format stores in a few bytes."""
    pictures = []
    for frame in range(frames):
        image = Image.effect_mandelbrot((width, height), (-2 + frame / 9, -1.2, 0.8, 1.2), 60).convert("RGB")
        pictures.append(image)
    out = io.BytesIO()
    more = {"save_all": True, "append_images": pictures[1:]} if frames > 1 else {}
    pictures[0].save(out, kind, **more)
    return out.getvalue()


def sources(html: str) -> list[tuple[str, int]]:
    """Read the first `srcset` of a page: (address, width)."""
    found = re.search(r'srcset="([^"]*)"', html)
    entries = [entry.split() for entry in found[1].split(", ")] if found else []
    return [(address, int(width.rstrip("w"))) for address, width in entries]


@pytest.mark.parametrize(("name", "kind"), [("screen.png", "PNG"), ("photo.jpg", "JPEG")])
def test_picture_comes_in_smaller_forms_of_its_own_size_at_most(make_site: MakeSite, name: str, kind: str) -> None:
    files = {**HOME, "docs/a.md": page("A", f"![A view](./{name})"), f"docs/{name}": photo(1000, 500, kind)}
    site = make_site(files, RESPONSIVE)
    assert site.build().is_published
    html = site.html("/a")
    assert 'width="1000" height="500"' in html
    assert 'sizes="auto, (min-width: 996px) min(44rem, 1000px), min(100vw, 1000px)"' in html
    assert 'loading="lazy" decoding="async"' in html
    forms = sources(html)
    assert [width for _, width in forms] == [480, 800, 1000]
    original = len(files[f"docs/{name}"])
    for address, width in forms:
        content = (site.out / address.lstrip("/")).read_bytes()
        assert len(content) <= original
        with Image.open(io.BytesIO(content)) as image:
            assert image.size == (width, width // 2)
            assert image.format == ("WEBP" if address.endswith(".webp") else kind)
    assert re.search(rf'src="/_octavo/files/{name.partition(".")[0]}\.\w+\.{name.partition(".")[2]}"', html)


def test_forms_are_found_when_the_folder_of_the_site_is_named_from_the_current_one(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(
        {**HOME, "docs/a.md": page("A", "![A view](./a.png)"), "docs/a.png": photo(1000, 500, "PNG")}, RESPONSIVE
    )
    monkeypatch.chdir(site.root.parent)
    build = build_site(Path(site.root.name), site.out, has_search=False)
    assert build.is_published
    assert all((site.out / address.lstrip("/")).is_file() for address, _ in sources(site.html("/a")))


def test_drawings_animations_and_small_pictures_stay_as_they_are(make_site: MakeSite) -> None:
    body = (
        '![S](/s.svg)\n\n![G](/g.gif)\n\n![T](/t.png)\n\n![W](/w.webp)\n\n<img src="/p.png" srcset="/p.png 2x" alt="P">'
    )
    site = make_site(
        {
            **HOME,
            "docs/a.md": page("A", body),
            "static/s.svg": SVG,
            "static/g.gif": photo(900, 300, "GIF", frames=3),
            "static/w.webp": photo(900, 300, "WEBP", frames=3),
            "static/t.png": photo(40, 20),
            "static/p.png": photo(1000, 500),
        },
        RESPONSIVE,
    )
    assert site.build().is_published
    assert re.findall(r'srcset="([^"]*)"', site.html("/a")) == ["/p.png 2x"]
    assert not (site.out / "_octavo/images").exists()


def test_same_build_makes_no_picture_anew_and_another_picture_gets_other_names(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("A", "![A view](/view.png)"), "static/view.png": photo(1000, 500)}
    site = make_site(files, RESPONSIVE)
    site.build()
    first, forms = site.published(), sources(site.html("/a"))
    made = {path: path.stat().st_mtime_ns for path in (site.root / ".octavo/pictures").rglob("*.webp")}
    assert site.build().drawn == 0
    assert site.published() == first
    assert {path: path.stat().st_mtime_ns for path in (site.root / ".octavo/pictures").rglob("*.webp")} == made
    site.write({"static/view.png": photo(1004, 502)})
    site.build()
    assert {address for address, _ in sources(site.html("/a"))} & {address for address, _ in forms} <= {"/view.png"}


def test_hostile_pictures_stop_no_build(make_site: MakeSite) -> None:
    broken = photo(1000, 500)[:600]
    site = make_site({**HOME, "docs/a.md": page("A", "![A view](/v.png)"), "static/v.png": broken}, RESPONSIVE)
    assert site.build().is_published
    assert "srcset" not in site.html("/a")


def test_pages_have_social_cards_of_their_own(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/a.md": page("Ports", description="Which ports are used."),
            "docs/own.md": page("Own", image="/img/own.png"),
            "static/img/own.png": photo(300, 200),
        },
        f"{URL}{CARDS}",
    )
    assert site.build().is_published
    head = site.html("/a").partition("</head>")[0]
    card = re.search(r'"og:image" content="https://docs\.example\.org/(_octavo/cards/\w+\.png)"', head)
    assert card is not None
    with Image.open(site.out / card[1]) as image:
        assert image.size == (1200, 630)
        assert len(image.getcolors() or []) > 20
    for line in (
        '<meta property="og:image:width" content="1200">',
        '<meta property="og:image:height" content="630">',
        '<meta property="og:image:alt" content="Ports | Site">',
        '<meta name="twitter:image:alt" content="Ports | Site">',
    ):
        assert line in head
    own = site.html("/own")
    assert 'property="og:image" content="https://docs.example.org/img/own.png"' in own
    assert 'property="og:image:width" content="300"' in own
    assert len(list((site.out / "_octavo/cards").iterdir())) == 2  # of the home page too
    site.write({"docs/a.md": page("Ports", description="All of them.")})
    assert site.build().drawn == 1
    assert card[1] not in site.html("/a")
    assert not (site.out / card[1]).exists()


def test_title_that_the_font_cannot_show_has_no_card_and_is_reported(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("試験"), "static/all.png": photo(300, 200)}
    site = make_site(files, f'{URL}image = "/all.png"\n{CARDS}')
    (found,) = [line for line in site.check() if "social-card" in line]
    assert found.startswith('octavo.toml:4:1: warn: The font of the social cards lacks "試験", so 1 page has no card.')
    assert found.endswith("Name a font that has these characters in social_cards.font. [social-card]")
    head = site.html("/a").partition("</head>")[0]
    assert 'property="og:image" content="https://docs.example.org/all.png"' in head
    assert 'property="og:image:width" content="300"' in head


def test_without_an_address_for_readers_no_card_is_drawn(make_site: MakeSite) -> None:
    site = make_site(HOME, CARDS)
    assert site.build().is_published
    assert not (site.out / "_octavo/cards").exists()


def test_icons_of_all_sizes_come_from_one_picture(make_site: MakeSite) -> None:
    files = {**HOME, "static/icon.png": photo(512, 512), "static/mark.svg": SVG}
    site = make_site(files, 'icon = "/icon.png"\nfavicon = "/mark.svg"\nbase_url = "/docs/"\n')
    assert site.build().is_published
    head = site.html("/").partition("</head>")[0]
    assert '<link rel="icon" href="/docs/favicon.ico" sizes="32x32">' in head
    assert '<link rel="icon" href="/docs/mark.svg" type="image/svg+xml">' in head
    assert '<link rel="apple-touch-icon" href="/docs/apple-touch-icon.png">' in head
    assert '<link rel="manifest" href="/docs/site.webmanifest">' in head
    manifest = json.loads((site.out / "site.webmanifest").read_text())
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Site", "/docs/", "browser")
    for icon in manifest["icons"]:
        with Image.open(site.out / icon["src"].removeprefix("/docs/")) as image:
            assert f"{image.width}x{image.height}" == icon["sizes"]
    with Image.open(site.out / "favicon.ico") as image:
        assert image.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    site.write({"static/favicon.ico": b"mine"})
    site.build()
    assert (site.out / "favicon.ico").read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no picture", "is not a picture that can be read"),
        (photo(300, 200), "has 300 by 200 pixels; it must be square"),
        (photo(64, 64), "has 64 by 64 pixels; it must be square and at least 192"),
    ],
)
def test_icon_that_cannot_be_used_is_an_error_that_says_why(make_site: MakeSite, content: bytes, message: str) -> None:
    site = make_site({**HOME, "static/icon.png": content}, 'icon = "/icon.png"\n')
    with pytest.raises(ConfigError, match=message):
        site.build()


def test_settings_that_need_pillow_say_how_to_get_it(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pillow.importlib.util, "find_spec", lambda _: None)
    pillow.is_installed.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r'images\.is_responsive: .*`pip install "octavo\[images\]"'):
            make_site(HOME, RESPONSIVE).build()
        assert make_site(HOME, name="other").build().is_published
    finally:
        monkeypatch.undo()
        pillow.is_installed.cache_clear()


def test_feed_names_the_changes_newest_first(make_site: MakeSite) -> None:
    files = {
        **HOME,
        "docs/a.md": page("A & B", description="First.", last_update={"date": "2026-01-31", "author": "Ada"}),
        "docs/b.md": page("B", last_update={"date": "2026-02-01"}),
        "docs/c.md": page("No date"),
        "docs/d.md": page("Hidden", last_update={"date": "2026-02-02"}, unlisted=True),
    }
    site = make_site(files, f'{URL}has_feed = true\nbase_url = "/docs/"\n')
    assert site.build().is_published
    feed = ET.fromstring((site.out / "changes.xml").read_bytes())
    names = {"a": "http://www.w3.org/2005/Atom"}
    assert [entry.findtext("a:title", namespaces=names) for entry in feed.findall("a:entry", names)] == ["B", "A & B"]
    assert feed.findtext("a:updated", namespaces=names) == "2026-02-01T00:00:00Z"
    last = feed.findall("a:entry", names)[1]
    assert last.findtext("a:id", namespaces=names) == "https://docs.example.org/docs/a#changed-2026-01-31"
    assert last.findtext("a:author/a:name", namespaces=names) == "Ada"
    assert last.findtext("a:summary", namespaces=names) == "First."
    assert 'type="application/atom+xml" title="Site: changes" href="/docs/changes.xml"' in site.html("/a")


def test_site_without_these_settings_has_no_trace_of_them(make_site: MakeSite) -> None:
    files = {**HOME, "docs/a.md": page("A", "![A view](/view.png)"), "static/view.png": photo(1000, 500)}
    site = make_site(files, URL)
    assert site.build().is_published
    assert not (site.root / ".octavo/pictures").exists()
    assert {"changes.xml", "site.webmanifest", "favicon.ico"} & site.published().keys() == set()
    assert "srcset" not in site.html("/a")
