"""Files that pages show or offer: found, measured, and given an address that changes with their content."""

from __future__ import annotations

import contextlib
import hashlib
import html
import os
import posixpath
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote

import msgspec

from octavo.content import Asset, pictures_of, split_picture
from octavo.diagnostics import Span
from octavo.lazy import regex as re
from octavo.revisions import ReleaseReader, release_folder
from octavo.site.routes import join_route, other_slash_form
from octavo.site.sources import is_inside

_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_SAFE = "/:@!$&'()*+,;=~-._"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif", ".ico", ".bmp", ".tif", ".tiff")

_RASTER = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
"""Pictures whose size can always be read from their head."""


class ResolvedAsset(msgspec.Struct, frozen=True):
    """An asset as a page refers to it."""

    url: str
    """Address without the base URL; absolute for files elsewhere."""
    size_attributes: str
    """` width="…" height="…"`, or empty where it is unknown or the author gave one; behind it the smaller forms."""
    is_found: bool
    forms: list[str] = []
    """Addresses of the smaller forms, without the base URL and without a leading slash."""


class Variants(Protocol):
    """Makes smaller forms of pictures."""

    def srcset(self, source: Path, base_url: str, original: str) -> tuple[str, dict[str, str]]:
        """Write the value of `srcset`, or "" where there are none; and give address → file of the forms."""


class AssetStore:
    """Resolves asset references, and remembers which files must be copied."""

    def __init__(
        self,
        site_dir: Path,
        static_root: str,
        translations: Mapping[str, str] | None = None,
        variants: Variants | None = None,
        base_url: str = "/",
        made_dir: Path | None = None,
        docs_root: str | None = None,
    ) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            static_root: The static folder, from the site's folder.
            translations: Folder of translated documents → that of their originals, whose files they show where they have none.
            variants: Makes smaller forms of pictures; None leaves them as they are.
            base_url: Where the site lies on its host; authors may write it before the path of a static file.
            made_dir: Takes the pictures of notebooks, which are not files by themselves.
            docs_root: Folder of documents in which a path from the root is looked up after the static folder, as MyST does it;
                None where such a path means the static folder only.
        """
        self._variants = variants
        self._translations = {
            f"{folder}/": "" if original in ("", ".") else f"{original}/"
            for folder, original in (translations or {}).items()
        }
        self._site_dir = site_dir
        self._root = str(site_dir)
        self._static_root = static_root
        self._base = base_url.rstrip("/")
        self._made_dir = made_dir
        self._docs_root = docs_root
        self._releases = ReleaseReader(site_dir)
        self._notebooks: dict[str, dict[str, str]] = {}
        """Path of a notebook → name of a picture in it → the file that it was written to."""
        self._files: dict[str, tuple[str, str] | None] = {}
        self._sizes: dict[str, tuple[int, int] | None] = {}
        self.copies: dict[str, str] = {}
        """Address in the published folder (without a leading slash) → path from the site's folder; absolute for what was
        made of a picture."""

    def resolve(self, asset: Asset, base_url: str, route: str) -> ResolvedAsset:
        """Resolve an asset of a page; relative paths start at the document's file, or else at the page's address."""
        href = asset.href
        if _EXTERNAL.match(href):
            return ResolvedAsset(href, "", is_found=True)
        path, ending = _split_ending(href)
        path = unquote(path)
        found = self._find(path, posixpath.dirname(asset.span.path))
        if found is None:
            found = next(filter(None, (self._find(address, None) for address in _from_page(route, path))), None)
        if found is None:
            return ResolvedAsset(href, "", is_found=False)
        url, file = found
        size = "" if asset.has_size else self._size_attributes(file)
        address = base_url.rstrip("/") + url + ending
        sources, forms = ("", {}) if asset.has_sources or not size else self._sources(file, base_url, address)
        self.copies |= forms
        return ResolvedAsset(address, size + sources, is_found=True, forms=list(forms))

    def read_text(self, path: str) -> str | None:
        """Read a file, named from the site's folder; None where it is none of text."""
        try:
            return (self._site_dir / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def file_url(self, path: str, folder: str | None) -> str | None:
        """Give the encoded address of a file that a link leads to, or None where there is none.

        Args:
            path: As typed, decoded, without query and fragment.
            folder: Folder of the file with the link, or None to look in the static folder only.
        """
        found = self._find(path, folder)
        return found[0] if found else None

    def copied_for(self, urls: Iterable[str], base_url: str) -> dict[str, str]:
        """Pick the files of `copies` that some addresses in pages lead to."""
        addresses = (_split_ending(url.removeprefix(base_url))[0] for url in urls)
        return {address: self.copies[address] for address in addresses if address in self.copies}

    def _file_of(self, path: str, asset: Asset, route: str) -> str | None:
        """Name the file that `resolve` finds, from the site's folder."""
        files = (self._path(address, "") for address in _from_page(route, path))
        return self._present(self._path(path, posixpath.dirname(asset.span.path))) or next(
            filter(None, map(self._spelled, files)), None
        )

    def is_found(self, asset: Asset, route: str) -> bool:
        """Return whether an asset's file exists; files elsewhere are taken to."""
        if _EXTERNAL.match(asset.href):
            return True
        return self._file_of(unquote(_split_ending(asset.href)[0]), asset, route) is not None

    def weight(self, asset: Asset, route: str) -> int:
        """Bytes of a picture that readers of its page load; 0 for other files, and for those that are elsewhere."""
        path = unquote(_split_ending(asset.href)[0])
        if _EXTERNAL.match(asset.href) or not path.lower().endswith((*_RASTER, ".svg")):
            return 0
        file = self._file_of(path, asset, route)
        return (self._site_dir / file).stat().st_size if file is not None else 0

    def unreadable(self, asset: Asset, route: str) -> bool:
        """Return whether an asset is named as a picture, but holds none, or one of another format."""
        if _EXTERNAL.match(asset.href):
            return False
        path = unquote(_split_ending(asset.href)[0])
        if not path.lower().endswith(_RASTER):
            return False
        file = self._file_of(path, asset, route)
        return file is not None and (self._size(file) is None or not self._is_as_named(file))

    def _is_as_named(self, file: str) -> bool:
        """Return whether a picture begins as the format of its name does."""
        signatures = _SIGNATURES.get(posixpath.splitext(file)[1].lower())
        if signatures is None:
            return True
        with contextlib.suppress(OSError), (self._site_dir / file).open("rb") as opened:
            return opened.read(8).startswith(signatures)
        return True

    def static_size(self, address: str) -> tuple[int, int] | None:
        """Measure a picture by its address under the static folder; None where it is missing or doesn't tell."""
        found = self._find(address, None)
        return self._size(found[1]) if found else None

    def candidates(self, href: str, span: Span) -> list[str]:
        """List files that the author of a broken reference may have meant, as they would be typed there."""
        if href.startswith("/"):
            folder = posixpath.dirname(self._static_root + posixpath.normpath(href))
        else:
            folder = posixpath.normpath(posixpath.join(posixpath.dirname(span.path), posixpath.dirname(href)))
        if folder.startswith(".."):
            return []  # what lies outside the site is none of its files
        stem = href.rpartition("/")
        try:
            names = [entry.name for entry in (self._site_dir / folder).iterdir() if entry.is_file()]
        except OSError:
            return []
        return [f"{stem[0]}{stem[1]}{name}" for name in names]

    def _path(self, path: str, folder: str) -> str:
        """Name the file that a path means, from the site's folder."""
        if path.startswith("/"):
            file = f"{self._static_root}{posixpath.normpath(path)}"
            if self._base and path.startswith(f"{self._base}/") and not self._is_file(file):
                return f"{self._static_root}{posixpath.normpath(path[len(self._base) :])}"
            if self._docs_root is not None and self._spelled(file) is None:
                document = posixpath.normpath(posixpath.join(self._docs_root, path.lstrip("/")))
                return document if self._spelled(document) is not None else file
            return file
        return posixpath.normpath(posixpath.join(folder, path))

    def _find(self, path: str, folder: str | None) -> tuple[str, str] | None:
        if path.startswith("/"):
            file = self._path(path, "")
            if file.startswith(f"{self._static_root}/"):
                static = self._spelled(file)
                return (
                    (quote(static.removeprefix(self._static_root), safe=_SAFE), static) if static is not None else None
                )
        elif folder is None:
            return None
        else:
            file = self._path(path, folder)
        if file not in self._files:
            shown = self._present(file)
            self._files[file] = self._add(shown) if shown is not None else None
        return self._files[file]

    def _present(self, file: str) -> str | None:
        """Name the file that is there for a path: itself, or that of the default locale; None where there is none."""
        return self._spelled(file) or self._spelled(self._original(file)) or self._in_notebook(file)

    def _in_notebook(self, file: str) -> str | None:
        """Name the file that holds a picture of a notebook; None for other paths."""
        found = split_picture(file) if self._made_dir is not None else None
        notebook = self._spelled(found[0]) or self._spelled(self._original(found[0])) if found else None
        if found is None or notebook is None:
            return None
        if notebook not in self._notebooks:
            pictures = pictures_of(notebook, self.read_text(notebook) or "")
            self._notebooks[notebook] = {name: self._written(name, content) for name, content in pictures.items()}
        return self._notebooks[notebook].get(found[1])

    def _written(self, name: str, content: bytes) -> str:
        """Write a picture that was taken out of a notebook, once for the same content."""
        folder = (self._made_dir or Path()).absolute() / hashlib.sha256(content).hexdigest()[:16]
        file = folder / name
        if not file.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f"{name}.{os.getpid()}")
            part.write_bytes(content)
            part.replace(file)  # other processes may be writing the same
        return str(file)

    def _spelled(self, file: str) -> str | None:
        """Name a file as its folder does: editors and file systems write é as one character or as two."""
        if self._is_file(file):
            return file
        if file.isascii() or file.startswith(("../", "/")):
            return None
        folder = ""
        for part in file.split("/"):
            try:
                names = os.listdir(f"{self._root}/{folder}")  # noqa: PTH208 - strings, as in `_is_file`
            except (OSError, ValueError):
                return None
            composed = unicodedata.normalize("NFC", part)
            name = (
                part if part in names else next((n for n in names if unicodedata.normalize("NFC", n) == composed), "")
            )
            if not name:
                return None
            folder = f"{folder}{name}/"
        found = folder.removesuffix("/")
        return found if self._is_file(found) else None

    def _original(self, file: str) -> str:
        """Name the file of the default locale that matches a file of a translation."""
        folder = next((folder for folder in self._translations if file.startswith(folder)), "")
        return self._translations.get(folder, "") + file.removeprefix(folder)

    def _add(self, file: str) -> tuple[str, str]:
        digest = hashlib.sha256((self._site_dir / file).read_bytes()).hexdigest()[:12]
        stem, suffix = posixpath.splitext(posixpath.basename(file))
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "file"
        address = f"_octavo/files/{name}.{digest}{suffix.lower()}"
        self.copies[address] = file
        return f"/{address}", file

    def _is_file(self, file: str) -> bool:
        if file.startswith(("../", "/")):
            return False
        try:
            is_file = os.path.isfile(f"{self._root}/{file}")  # noqa: PTH113 - strings: this runs for every page of the site
            if not is_file and release_folder(file):
                is_file = self._releases.fetch(file)
            return is_file and is_inside(self._site_dir, file)
        except OSError:
            return False  # a name that no file system takes

    def _sources(self, file: str, base_url: str, address: str) -> tuple[str, dict[str, str]]:
        """Give the attributes that name the smaller forms of a picture, and the forms as address → file."""
        size = self._size(file)
        if self._variants is None or size is None or file.lower().endswith(".svg"):
            return "", {}
        srcset, forms = self._variants.srcset(self._site_dir / file, base_url, address)
        if not srcset:
            return "", {}
        # `auto` is the width that the layout gives, for pictures that are loaded late; other browsers take the column's.
        sizes = f"auto, (min-width: 996px) min(44rem, {size[0]}px), min(100vw, {size[0]}px)"
        return f' srcset="{html.escape(srcset)}" sizes="{sizes}"', forms

    def _size_attributes(self, file: str) -> str:
        size = self._size(file)
        return f' width="{size[0]}" height="{size[1]}"' if size else ""

    def _size(self, file: str) -> tuple[int, int] | None:
        if not file.lower().endswith(_IMAGES):
            return None
        if file not in self._sizes:
            self._sizes[file] = measure_image(self._site_dir / file)
        return self._sizes[file]


def _from_page(route: str, path: str) -> list[str]:
    """Give the addresses that a browser makes of a relative path, on a page with a final slash or without."""
    return [] if path.startswith("/") else [join_route(form, path) for form in (route, other_slash_form(route)) if form]


def _split_ending(href: str) -> tuple[str, str]:
    match = re.search(r"[?#]", href)
    return (href[: match.start()], href[match.start() :]) if match else (href, "")


_SIGNATURES = {
    ".png": (b"\x89PNG\r\n\x1a\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".jpeg": (b"\xff\xd8\xff",),
    ".gif": (b"GIF87a", b"GIF89a"),
    ".webp": (b"RIFF",),
}
"""Extension → how a file of that format begins (WHATWG MIME Sniffing, section 6.1)."""
_SVG_SIZE = re.compile(
    r"<svg\b[^>]*?\bviewBox\s*=\s*[\"'][\d.eE+-]+[\s,]+[\d.eE+-]+[\s,]+([\d.]+)[\s,]+([\d.]+)", re.DOTALL
)


def measure_image(path: Path) -> tuple[int, int] | None:
    """Read the size of an image in CSS pixels, or None where its format doesn't tell."""
    import imagesize

    try:
        width, height = imagesize.get(str(path))
        if width <= 0 and path.suffix.lower() == ".svg":
            # The library reads width and height only; drawings mostly have just a viewBox.
            match = _SVG_SIZE.search(path.read_text(encoding="utf-8", errors="replace")[:4096])
            width, height = (float(match[1]), float(match[2])) if match else (-1, -1)
    except (ValueError, OSError):
        return None
    return (round(width), round(height)) if width > 0 and height > 0 else None
