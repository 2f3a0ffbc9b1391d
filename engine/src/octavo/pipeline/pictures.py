"""The pictures that a site's settings ask for: what makes them, and the folder that keeps them between builds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from octavo.config import Config, Images
from octavo.errors import ConfigError
from octavo.pictures import CardStyle, SocialCard, VariantMaker, draw_card, is_installed, make_icons
from octavo.rendering import Theme, read_theme_file
from octavo.runtime import write_whole
from octavo.text_files import read_plain


class Pictures:
    """Makes pictures, each once."""

    def __init__(self, folder: Path, *, is_preview: bool = False) -> None:
        """Initialize.

        Args:
            folder: Keeps what was made.
            is_preview: The author looks at pages while they write: smaller forms would only take time.
        """
        self._folder = folder
        self._is_preview = is_preview

    @staticmethod
    def of(config: Config, work_dir: Path, *, is_preview: bool = False) -> Pictures | None:
        """Give what makes the pictures of a site; None where it asks for none.

        Raises:
            ConfigError: it asks for some, and Pillow is not installed.
        """
        wanted = {
            "images.is_responsive": config.images.is_responsive,
            "social_cards.is_enabled": config.social_cards.is_enabled,
            "icon": config.icon is not None,
        }
        asking = [name for name, is_wanted in wanted.items() if is_wanted]
        if not asking:
            return None
        if not is_installed():
            raise ConfigError(
                f"{', '.join(asking)}: pictures are made with Pillow, which is not installed. "
                'Run `pip install "octavo[images]"`, or take the setting away.'
            )
        return Pictures(work_dir / "pictures", is_preview=is_preview)

    def variants(self, images: Images) -> VariantMaker | None:
        """Give what makes smaller forms of pictures."""
        if self._is_preview or not images.is_responsive:
            return None
        return VariantMaker(self._folder / "images", images.widths, images.quality)

    def icons(self, config: Config, site_dir: Path) -> dict[str, bytes]:
        """Make the icons and the web manifest, as address in the published folder → content.

        Raises:
            ConfigError: the picture cannot be used.
        """
        source = site_dir / config.static / (config.icon or "").lstrip("/")
        try:
            content = read_plain(source)
        except OSError:
            raise ConfigError(f'icon: "{config.icon}" is not a file in the folder "{config.static}".') from None
        packed = self._kept("icons", content, lambda: msgspec.msgpack.encode(make_icons(source)))
        icons = msgspec.msgpack.decode(packed, type=dict[str, bytes])
        sizes = [
            {"src": f"{config.base_url}{address}", "sizes": f"{width}x{width}", "type": "image/png"}
            for address, width in (("_octavo/icons/192.png", 192), ("_octavo/icons/512.png", 512))
            if address in icons
        ]
        manifest = {
            "name": config.title,
            "start_url": config.base_url,
            "scope": config.base_url,
            "display": "browser",
            "icons": sizes,
        }
        return icons | {"site.webmanifest": msgspec.json.encode(manifest)}

    def card_style(self, config: Config, site_dir: Path, theme: Theme) -> CardStyle | None:
        """Give what all social cards of the site have in common; None in a preview, which nobody links to.

        Raises:
            ConfigError: the font cannot be used.
        """
        if self._is_preview:
            return None
        cards = config.social_cards
        faces = {name: _face(theme, name) for name in ("serif", "sans")}
        if cards.font is not None:
            faces["serif"] = _own_font(site_dir / cards.font)
        return CardStyle(
            site=config.title,
            background=cards.background,
            color=cards.color,
            accent=cards.accent,
            title_font=faces["serif"],
            text_font=faces["sans"],
        )

    def card(self, card: SocialCard, style: CardStyle) -> bytes:
        """Give the picture of a social card."""
        return self._kept("cards", card.address(style.key).encode(), lambda: draw_card(card, style))

    def _kept(self, kind: str, key: bytes, make: Callable[[], bytes]) -> bytes:
        path = self._folder / kind / hashlib.sha256(key).hexdigest()[:24]
        try:
            return path.read_bytes()
        except OSError:
            content = make()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError:
            pass  # made again next time
        return content


def _face(theme: Theme, name: str) -> bytes:
    return read_theme_file(theme.files[theme.fonts[name]])


def _own_font(path: Path) -> bytes:
    from PIL import ImageFont

    try:
        content = read_plain(path)
        ImageFont.truetype(str(path), 24)
    except OSError:
        raise ConfigError(
            f'social_cards.font: "{path}" is not a font that can be read: give a TTF or OTF file.'
        ) from None
    return content
