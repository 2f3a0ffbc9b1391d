"""Smaller forms of pictures, icons and social cards, as the functions make them."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from octavo.errors import ConfigError
from octavo.pictures import CARD_SIZE, CardStyle, SocialCard, VariantMaker, card_problem, draw_card, make_icons
from tests.support.each import each
from tests.support.paths import ENGINE

WIDTHS = (40, 20, 40)


def photo(width: int = 80, height: int = 40, mode: str = "RGB") -> Image.Image:
    """Make a picture whose smaller forms take less room than itself."""
    noise = Image.effect_noise((width, height), 90)
    return Image.merge("RGB", [noise, noise.rotate(180), noise.transpose(Image.Transpose.FLIP_TOP_BOTTOM)]).convert(
        mode
    )


def save(path: Path, image: Image.Image, **options: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, **options)  # type: ignore[arg-type]  # Pillow types each option of each format
    return path


def forms(
    folder: Path, source: Path, widths: tuple[int, ...] = WIDTHS
) -> tuple[str, list[tuple[str, tuple[int, int]]]]:
    """Give the value of `srcset`, and of each form its format and size, narrowest first."""
    value, files = VariantMaker(folder, widths, 70).srcset(source, "/docs/", "/docs/img/a,b.png")
    found = []
    for address, path in files.items():
        assert address == f"_octavo/images/{Path(path).name}"
        with Image.open(path) as image:
            found.append((str(image.format), image.size))
    return value, found


def test_photo_has_a_form_of_each_smaller_width_and_of_its_own(tmp_path: Path) -> None:
    source = save(tmp_path / "My photo (1).jpg", photo(), quality=100)
    value, found = forms(tmp_path / "made", source)
    assert found == [("WEBP", (20, 10)), ("WEBP", (40, 20)), ("WEBP", (80, 40))]
    written = [part.split(" ") for part in value.split(", ")]
    assert [width for _, width in written] == ["20w", "40w", "80w"]
    assert all(address.startswith("/docs/_octavo/images/My-photo-1.") for address, _ in written)
    assert sorted(path.suffix for path in (tmp_path / "made").iterdir()) == [".json", ".webp", ".webp", ".webp"]


def test_picture_that_is_small_already_is_its_own_largest_form(tmp_path: Path) -> None:
    source = save(tmp_path / "---.webp", photo(), quality=20)
    value, found = forms(tmp_path / "made", source)
    assert found == [("WEBP", (20, 10)), ("WEBP", (40, 20))]
    assert value.endswith("40w, /docs/img/a%2Cb.png 80w")
    assert "/image." in value


def test_form_of_a_flat_picture_has_at_least_one_line(tmp_path: Path) -> None:
    _, found = forms(tmp_path / "made", save(tmp_path / "a.jpg", photo(4000, 2), quality=100), (20,))
    assert found[0] == ("WEBP", (20, 1))


@pytest.mark.parametrize("mode", ["L", "P", "LA", "CMYK", "RGBA"])
def test_form_has_the_transparency_of_its_picture_and_no_other(tmp_path: Path, mode: str) -> None:
    image = photo(mode="RGB" if mode == "P" else mode)
    if mode == "P":
        image = image.quantize(8)
    if "A" in mode:
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    ending = "jpg" if mode == "CMYK" else "png"
    source = save(tmp_path / f"a.{ending}", image)
    VariantMaker(tmp_path / "made", (20,), 70).srcset(source, "/", "/a.png")
    modes = set()
    for path in (tmp_path / "made").glob("*.webp"):
        with Image.open(path) as made:
            modes.add(made.mode)
    assert modes == {"RGBA" if "A" in mode else "RGB"}


def test_color_that_is_transparent_in_a_palette_stays_so(tmp_path: Path) -> None:
    source = save(tmp_path / "a.png", photo(200, 100).quantize(8), transparency=0)
    VariantMaker(tmp_path / "made", (20,), 70).srcset(source, "/", "/a.png")
    first = next((tmp_path / "made").glob("*-20.webp"))
    with Image.open(first) as made:
        assert made.mode == "RGBA"


def test_drawing_is_kept_without_losses_where_that_takes_little_more(tmp_path: Path) -> None:
    drawing = Image.new("RGB", (100, 100), "#fff")
    marks = ImageDraw.Draw(drawing)
    for at in range(0, 100, 7):
        marks.line((at, 0, 99, at), fill="#c00")
    png = save(tmp_path / "a.png", drawing, compress_level=0)
    for source, is_exact in ((png, True), (save(tmp_path / "a.jpg", drawing, quality=100, subsampling=0), False)):
        _, files = VariantMaker(tmp_path / source.suffix, (50,), 30).srcset(source, "/", "/a")
        with Image.open(list(files.values())[-1]) as made:
            assert (len(made.getcolors(1 << 20) or ()) == 2) is is_exact


def test_picture_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    _, found = forms(tmp_path / "made", save(tmp_path / "a.jpg", photo(), quality=100, exif=exif))
    assert found == [("WEBP", (20, 40)), ("WEBP", (40, 80))]


def test_form_has_the_color_profile_of_its_picture(tmp_path: Path) -> None:
    source = save(tmp_path / "a.jpg", photo(), quality=100, icc_profile=b"profile")
    _, files = VariantMaker(tmp_path / "made", (20,), 70).srcset(source, "/", "/a")
    with Image.open(next(iter(files.values()))) as made:
        assert made.info["icc_profile"] == b"profile"


def test_what_has_no_smaller_forms_stays_as_it_is(tmp_path: Path) -> None:
    animated = tmp_path / "animated.webp"
    photo().save(animated, save_all=True, append_images=[photo().rotate(9)])
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    sources = [
        animated,
        broken,
        save(tmp_path / "narrow.png", photo(20, 20)),
        save(tmp_path / "other.gif", photo()),
        tmp_path / "gone.png",
    ]
    assert [forms(tmp_path / "made", source) for source in sources] == [("", [])] * len(sources)
    assert forms(tmp_path / "made", save(tmp_path / "wide.png", photo(21, 21)))[1] != []


def test_forms_are_kept_by_content_and_settings_and_made_again_when_one_is_gone(tmp_path: Path) -> None:
    source = save(tmp_path / "a.jpg", photo(), quality=100)
    folder = tmp_path / "made"

    def made(widths: tuple[int, ...] = (20,), quality: int = 70) -> dict[str, str]:
        return VariantMaker(folder, widths, quality).srcset(source, "/", "/a.jpg")[1]

    first = made()
    path = Path(next(iter(first.values())))
    path.write_bytes(b"kept")
    assert made() == first
    assert path.read_bytes() == b"kept"
    path.unlink()
    assert made() == first
    assert path.read_bytes() != b"kept"
    for note in folder.glob("*.json"):
        note.write_bytes(b"{")
    assert made() == first
    keys = [list(found) for found in (first, made((20, 30)), made(quality=60))]
    assert all(set(one).isdisjoint(other) for one, other in itertools.combinations(keys, 2))


def test_forms_are_read_once_by_one_maker(tmp_path: Path) -> None:
    source = save(tmp_path / "a.jpg", photo(), quality=100)
    maker = VariantMaker(tmp_path / "made", (20,), 70)
    first = maker.srcset(source, "/", "/a.jpg")
    source.unlink()
    assert maker.srcset(source, "/", "/a.jpg") == first


# Icons


@each("width, png", [(192, [180, 192]), (511, [180, 192]), (512, [180, 192, 512])])
def test_icons_are_no_larger_than_their_picture(tmp_path: Path, width: int, png: list[int]) -> None:
    icons = make_icons(save(tmp_path / "icon.png", Image.new("RGB", (width, width), "#c00")))
    names = {180: "apple-touch-icon.png", 192: "_octavo/icons/192.png", 512: "_octavo/icons/512.png"}
    assert list(icons) == ["favicon.ico", *(names[size] for size in png)]
    for size in png:
        with Image.open(io.BytesIO(icons[names[size]])) as made:
            assert (made.format, made.size) == ("PNG", (size, size))
    with Image.open(io.BytesIO(icons["favicon.ico"])) as ico:
        assert (ico.format, ico.info["sizes"]) == ("ICO", {(16, 16), (32, 32), (48, 48)})


@each("size", [(191, 191), (200, 201), (201, 200)])
def test_picture_that_makes_no_icon_is_refused_with_its_size(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(ConfigError, match=f"has {size[0]} by {size[1]} pixels; it must be square and at least 192"):
        make_icons(save(tmp_path / "icon.png", Image.new("RGB", size)))
    (tmp_path / "icon.png").write_bytes(b"no picture")
    with pytest.raises(ConfigError, match="is not a picture that can be read"):
        make_icons(tmp_path / "icon.png")


# Social cards

FONT = (ENGINE / "theme/src/fonts/sans.woff2").read_bytes()
STYLE = CardStyle("Site", "#102030", "#f0e0d0", "#ff0000", FONT, FONT)
MARGIN = 80


def drawn(card: SocialCard, style: CardStyle = STYLE) -> Image.Image:
    image = Image.open(io.BytesIO(draw_card(card, style)))
    assert (image.format, image.mode, image.size) == ("PNG", "P", CARD_SIZE)
    return image.convert("RGB")


def rows(image: Image.Image, top: int, bottom: int) -> list[tuple[int, int]]:
    """Find the lines of text between two heights: the first and the last row of each."""
    band = image.crop((0, top, CARD_SIZE[0], bottom))
    inked = [at for at in range(band.height) if len(band.crop((0, at, band.width, at + 1)).getcolors() or ()) > 1]
    found: list[list[int]] = []
    for at in inked:
        if found and found[-1][1] == at - 1:
            found[-1][1] = at
        else:
            found.append([at, at])
    return [(first + top, last + top) for first, last in found]


def ink(image: Image.Image) -> tuple[int, int, int, int]:
    """Give the box around all that is drawn."""
    shades = image.convert("L").point(lambda value: 255 if value != image.convert("L").getpixel((0, 0)) else 0)
    box = shades.getbbox()
    assert box is not None
    return box


TITLE_AREA = (150, 440)


def test_card_has_the_colors_of_its_style_and_a_mark_at_its_foot() -> None:
    image = drawn(SocialCard("MMM", "MMM", ""))
    colors = {color for _, color in image.getcolors(1 << 20) or ()}
    assert {(0x10, 0x20, 0x30), (0xF0, 0xE0, 0xD0), (0xFF, 0, 0)} <= colors
    assert image.getpixel((0, 0)) == (0x10, 0x20, 0x30)
    corners = [(MARGIN, 526), (MARGIN + 23, 549)]
    assert [image.getpixel(at) for at in corners] == [(0xFF, 0, 0)] * 2
    outside = [(MARGIN - 1, 530), (MARGIN + 24, 530), (MARGIN, 525), (MARGIN, 550)]
    assert [image.getpixel(at) for at in outside] == [(0x10, 0x20, 0x30)] * 4
    top = image.crop((0, MARGIN, CARD_SIZE[0], MARGIN + 40))
    assert (0xFF, 0, 0) in {color for _, color in top.getcolors(1 << 20) or ()}


def test_parts_of_a_card_are_where_they_are_looked_for() -> None:
    image = drawn(SocialCard("HH", "HH", "HH"))
    left, top, right, bottom = ink(image)
    assert abs(left - MARGIN) <= 4
    assert MARGIN <= top <= MARGIN + 12
    assert right < CARD_SIZE[0] - MARGIN
    assert bottom <= CARD_SIZE[1] - MARGIN + 10
    section, title, description, foot = rows(image, 0, CARD_SIZE[1])
    assert section[1] - section[0] < 30 < title[1] - title[0]
    assert title[0] > MARGIN + 34 + 48
    assert title[1] < description[0] < title[1] + 70
    assert foot[1] <= CARD_SIZE[1] - MARGIN + 10
    site = image.crop((MARGIN + 30, 480, CARD_SIZE[0], CARD_SIZE[1]))
    assert site.getbbox() is not None
    assert abs(ink(site)[0] - 10) <= 4


@each("words, lines", [("H", 1), ("Hotels " * 5, 2), ("Hotels " * 12, 3)])
def test_long_titles_are_smaller_and_have_three_lines_at_most(words: str, lines: int) -> None:
    card = SocialCard(words.strip(), "", "")
    found = rows(drawn(card), *TITLE_AREA)
    assert len(found) == lines
    assert ink(drawn(card))[2] <= CARD_SIZE[0] - MARGIN


def test_title_that_fits_in_no_size_is_shortened() -> None:
    image = drawn(SocialCard("Hotels " * 100, "", ""))
    found = rows(image, *TITLE_AREA)
    assert len(found) == 3
    assert ink(image)[2] <= CARD_SIZE[0] - MARGIN
    word = drawn(SocialCard("H" * 100, "", ""))
    assert len(rows(word, *TITLE_AREA)) == 1
    assert CARD_SIZE[0] - MARGIN - 50 < ink(word)[2] <= CARD_SIZE[0] - MARGIN


def test_description_has_two_lines_at_most_and_none_that_the_foot_would_cover() -> None:
    short, long = (rows(drawn(SocialCard("H", "", text)), 250, 500) for text in ("HH", "Hotels " * 100))
    assert (len(short), len(long)) == (1, 2)
    below = rows(drawn(SocialCard("Hotels " * 12, "", "Hotels " * 100)), 420, 500)
    assert len(below) == 1


def test_text_that_its_font_lacks_is_left_out_and_named_for_titles() -> None:
    assert draw_card(SocialCard("H", "あ", "あ"), STYLE) == draw_card(SocialCard("H", "", ""), STYLE)
    assert card_problem(SocialCard("Hあい\u3000あ", "う", "う"), STYLE) == "あい"
    assert card_problem(SocialCard("H H", "", ""), STYLE) == ""


def test_address_of_a_card_follows_its_text_and_style() -> None:
    card = SocialCard("A", "B", "C")
    others = [SocialCard("AB", "", "C"), SocialCard("A", "BC", "")]
    addresses = {one.address(style) for one in [card, *others] for style in (STYLE.key, "other")}
    assert len(addresses) == 6
    assert card.address(STYLE.key) == card.address(STYLE.key)
    assert all(len(one) == len("_octavo/cards/") + 16 + len(".png") for one in addresses)
