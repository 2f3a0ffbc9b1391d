"""Smaller forms of pictures, so that readers load what their screen shows.

WebP alone: all browsers that the theme is made for show it, and AVIF takes ten to fifty times as long to make.
"""

from __future__ import annotations

import hashlib
import io
import os
import posixpath
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.lazy import regex as re

if TYPE_CHECKING:
    from PIL import Image

_VERSION = "1"
"""To be raised when the way in which variants are made changes, so that stored ones are not used again."""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
_MOST_PIXELS = 80_000_000
"""Of a picture that is opened at all; a file of a few kilobytes can unfold to gigabytes."""
_LOSSLESS_ADVANTAGE = 1.5
"""How much larger a lossless form may be: screens and drawings show the traces of the other one."""


class Variant(msgspec.Struct, frozen=True):
    """One form of a picture."""

    address: str
    """Of its file in the published folder."""
    width: int
    """In pixels."""
    path: str
    """Of the file that holds it."""


class _Known(msgspec.Struct, frozen=True):
    variants: list[Variant]
    width: int


class VariantMaker:
    """Makes variants, and keeps them by content: a second build and other processes find them made."""

    def __init__(self, folder: Path, widths: Sequence[int], quality: int) -> None:
        """Initialize.

        Args:
            folder: Where they are kept.
            widths: In pixels; a picture gets those below its own width.
            quality: Of WebP with losses, 1 to 100.
        """
        # Its files are named in lists that are read from the folder of the site.
        self._folder = folder.absolute()
        self._widths = sorted(set(widths))
        self._quality = quality
        self._seen: dict[str, _Known] = {}

    def srcset(self, source: Path, base_url: str, original: str) -> tuple[str, dict[str, str]]:
        """Write the value of `srcset` for a picture.

        Args:
            source: Its file.
            base_url: Base URL of the site.
            original: Address of the picture itself, which is the largest form where WebP does not make it smaller.

        Returns:
            (the value, or "" where the picture has no smaller forms; address → file of the forms).
        """
        if source.suffix.lower() not in _SUFFIXES:
            return "", {}
        known = self._variants(source)
        forms = [(f"{base_url}{one.address}", one.width) for one in known.variants]
        if not forms:
            return "", {}
        if forms[-1][1] < known.width:
            forms.append((original, known.width))
        value = ", ".join(f"{address.replace(',', '%2C')} {width}w" for address, width in forms)
        return value, {one.address: one.path for one in known.variants}

    def _variants(self, source: Path) -> _Known:
        name = str(source)
        if name not in self._seen:
            self._seen[name] = self._load_or_make(source)
        return self._seen[name]

    def _load_or_make(self, source: Path) -> _Known:
        try:
            found = source.stat()
            state = f"{source}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ino}\0{self._settings}"
            note = self._folder / f"{hashlib.sha256(os.fsencode(state)).hexdigest()[:24]}.json"
            known = self._load(note)
            if known is None:
                known = self._make(source)
                _write(note, msgspec.json.encode(known))
        except OSError:
            return _Known([], 0)
        return known

    @property
    def _settings(self) -> str:
        return f"{_VERSION} {self._quality} {self._widths}"

    def _load(self, note: Path) -> _Known | None:
        with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
            known = msgspec.json.decode(note.read_bytes(), type=_Known)
            if all(Path(one.path).is_file() for one in known.variants):
                return known
        return None

    def _make(self, source: Path) -> _Known:
        from PIL import Image, ImageOps, UnidentifiedImageError

        try:
            content = source.read_bytes()
            with Image.open(io.BytesIO(content)) as opened:
                is_small = opened.width <= self._widths[0]
                if is_small or getattr(opened, "is_animated", False) or opened.width * opened.height > _MOST_PIXELS:
                    return _Known([], 0)
                is_drawn = opened.format == "PNG"
                image = ImageOps.exif_transpose(opened)
                profile = opened.info.get("icc_profile")
                image = _in_color(image)
                return _Known(list(self._forms(source, content, image, profile, is_drawn=is_drawn)), image.width)
        except (UnidentifiedImageError, Image.DecompressionBombError, ValueError, SyntaxError):
            return _Known([], 0)  # the check of images reports it

    def _forms(
        self, source: Path, content: bytes, image: Image.Image, profile: bytes | None, *, is_drawn: bool
    ) -> list[Variant]:
        from PIL import Image

        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", posixpath.splitext(source.name)[0]).strip("-") or "image"
        key = hashlib.sha256(content + self._settings.encode()).hexdigest()[:12]
        forms: list[Variant] = []
        for width in (*(one for one in self._widths if one < image.width), image.width):
            height = max(1, round(image.height * width / image.width))
            small = image if width == image.width else image.resize((width, height), Image.Resampling.LANCZOS)
            data = self._encode(small, profile, is_drawn=is_drawn)
            if len(data) >= len(content):
                break  # nothing that is wider will be smaller
            path = self._folder / f"{stem}.{key}-{width}.webp"
            _write(path, data)
            forms.append(Variant(f"_octavo/images/{path.name}", width, str(path)))
        return forms

    def _encode(self, image: Image.Image, profile: bytes | None, *, is_drawn: bool) -> bytes:
        lossy = _webp(image, profile, quality=self._quality)
        if not is_drawn:
            return lossy
        lossless = _webp(image, profile, lossless=True, quality=60)
        return lossless if len(lossless) <= len(lossy) * _LOSSLESS_ADVANTAGE else lossy


def _in_color(image: Image.Image) -> Image.Image:
    """Give a picture the form that WebP takes, transparency included."""
    if image.mode in ("RGB", "RGBA"):
        return image
    has_alpha = image.mode in ("LA", "PA") or "transparency" in image.info
    return image.convert("RGBA" if has_alpha else "RGB")


def _webp(image: Image.Image, profile: bytes | None, *, quality: int, lossless: bool = False) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, lossless=lossless, method=4, icc_profile=profile or b"")
    return out.getvalue()


def _write(path: Path, content: bytes) -> None:
    """Write a file whole: other processes may be writing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)
