"""The offline copy of a build: a folder that opens from disk, and a zip of it.

Browsers load no modules from disk and read no files there, so the client is one classic script, what it would fetch is
wrapped into scripts, and links lead to files by relative paths.
"""

from __future__ import annotations

import base64
import html
import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from octavo.content import split_sources
from octavo.errors import PublishError
from octavo.lazy import regex as re
from octavo.manifest import MANIFEST_PATH, Manifest, parse_manifest
from octavo.rendering import PAGE_SHEETS, OfflineTheme, Theme, load_offline_theme, load_theme

MARK = "_octavo/offline.js"
"""Path in a copy of its script; a folder without it was made by somebody else, and is not replaced."""

_STYLE = "_octavo/offline.css"
_LEFT_OUT = re.compile(
    r"_octavo/(?:pages/|components/[^/]*\.js\.map$|assets/(?!diagram-frame|look-).*\.(?:js|css)$|files/find/all-|manifest\.json)|offline-worker\.js$|(?:.*/)?(?:_headers|_redirects|\.nojekyll|robots\.txt|sitemap[^/]*\.xml)$"
)
"""What only a host or a module needs."""

_TAG = re.compile(r"""<[a-zA-Z][^\s/>]*(?:\s+[^\s=>"']+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*\s*/?>""")
_SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)
_ADDRESS = re.compile(r"""(\s(?:href|src|action|poster|data-src))="([^"]*)\"""")
_REFRESH = re.compile(r"""(<meta http-equiv="refresh" content="0; url=)([^"]*)""")
"""Of a redirect that is a page."""
_SRCSET = re.compile(r"""(\ssrcset)="([^"]*)\"""")
_ONLINE_LINK = re.compile(
    r"<link (?=[^>]*rel=\"(?:preload|modulepreload|canonical|alternate|search|manifest|prefetch)\")[^>]*>\n?"
)
_PAGE_STYLE = re.compile(
    rf"<link rel=\"stylesheet\" href=\"[^\"]*/?_octavo/assets/(?:{'|'.join(PAGE_SHEETS)})-[^\"]*\">\n?"
)
"""A style sheet of some pages, which is part of the one that copies have."""
_STYLE_SHEET = re.compile(r"<link rel=\"stylesheet\" href=\"[^\"]*/?_octavo/assets/client-[^\"]*\">")
_BOOT = re.compile(r"(<script type=\"application/json\" id=\"octavo-boot\">)(.*?)(</script>)", re.DOTALL)
_ROOT = re.compile(r"<html\b")
_COMPONENT = re.compile(r"_octavo/components/[^/]*\.js$")
"""A module of an author's component."""
_FRAME = re.compile(r"_octavo/assets/diagram-frame-[^/]*\.(?:html|js)$")
"""The document in which Mermaid draws, and its script."""
_FRAME_SCRIPT = re.compile(rb'<script src="([^"]+)"></script>')
_EPOCH = (1980, 1, 1, 0, 0, 0)


class OfflineCopy(NamedTuple):
    """What was written."""

    folder: Path
    archive: Path
    files: int
    size: int
    """Of the archive, in bytes."""
    has_search: bool


def write_offline(published: Path, folder: Path) -> OfflineCopy:
    """Write the offline copy of a published folder, and a zip beside it.

    Args:
        published: The output folder of a build.
        folder: Is replaced as a whole.

    Raises:
        PublishError: there is no build, the folder holds something else, or it cannot be written.
    """
    try:
        manifest = parse_manifest((published / MANIFEST_PATH).read_bytes())
    except OSError as error:
        raise PublishError(f"There is no build in {published} to make an offline copy of: {error}.") from error
    if folder.exists() and not (folder / MARK).is_file() and any(folder.iterdir()):
        raise PublishError(
            f"{folder} is not an offline copy, and would be replaced by one. Move it away, or build to another folder."
        )
    made = folder.with_name(f".{folder.name}.new")
    archive = folder.with_name(f"{folder.name}.zip")
    try:
        shutil.rmtree(made, ignore_errors=True)
        _Copy(published, made, manifest, load_theme(), load_offline_theme()).write()
        count = _zip(made, archive, folder.name)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    except OSError as error:
        raise PublishError(f"The offline copy cannot be written: {error}.") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return OfflineCopy(folder, archive, count, archive.stat().st_size, (folder / "_octavo/find.json.js").is_file())


class _Copy:
    def __init__(self, published: Path, folder: Path, manifest: Manifest, theme: Theme, offline: OfflineTheme) -> None:
        self._published = published
        self._folder = folder
        self._manifest = manifest
        self._theme = theme
        self._offline = offline
        pages = [path for route, path in manifest.routes.items() if not route.endswith("/")]
        self._is_flat = any(not path.endswith("/index.html") and path != "index.html" for path in pages)

    def write(self) -> None:
        """Write all files."""
        for path in self._manifest.files:
            if path.endswith((".br", ".gz")) or _LEFT_OUT.match(path):
                continue
            if _FRAME.match(path) and path.endswith(".js"):
                continue
            content = (self._published / path).read_bytes()
            if _FRAME.match(path):
                content = self._frame(path, content)
            if _COMPONENT.match(path):
                from octavo.components import offline_script  # not at the top: other copies do without it

                self._put(f"{path}.js", offline_script(path, content.decode()).encode())
            elif path.endswith(".html") and not path.startswith("_octavo/"):
                self._put(path, self._page(path, content.decode()).encode())
            elif path.startswith("_octavo/") and path.endswith(".json"):
                name = json.dumps(path)
                self._put(f"{path}.js", f"octavoFile({name},".encode() + content + b")")
            else:
                self._put(path, content)
        self._put(MARK, self._offline.client.encode())
        self._put(_STYLE, self._offline.style.encode())

    def _put(self, path: str, content: bytes) -> None:
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def _frame(self, path: str, content: bytes) -> bytes:
        """Put the script into the document: its frame has no origin, and from disk such a frame may load nothing."""

        def inline(found: re.Match[bytes]) -> bytes:
            script = (self._published / path).with_name(found[1].decode()).read_bytes()
            return b'<script src="data:text/javascript;charset=utf-8;base64,%s"></script>' % base64.b64encode(script)

        return _FRAME_SCRIPT.sub(inline, content)

    def _page(self, path: str, text: str) -> str:
        root = "../" * path.count("/")
        text = text.replace(
            f"<script>{self._theme.inline_script}</script>", f"<script>{self._offline.inline_script}</script>"
        )
        text = text.replace(f"<script>{self._theme.base_url_script}</script>\n", "")
        text = _ONLINE_LINK.sub("", text)
        text = _PAGE_STYLE.sub("", text)
        text = _STYLE_SHEET.sub(f'<link rel="stylesheet" href="{root}{_STYLE}">', text)
        text = _REFRESH.sub(lambda found: found[1] + self._address(found[2], root), text)
        text = _BOOT.sub(lambda found: found[1] + _boot(found[2], root + MARK) + found[3], text)
        pieces: list[str] = []
        end = 0
        for script in _SCRIPT.finditer(text):
            pieces += [self._links(text[end : script.start()], root), self._script(script[0], root)]
            end = script.end()
        text = "".join(pieces) + self._links(text[end:], root)
        pages = "flat" if self._is_flat else "folders"
        marks = f'data-offline="{root}" data-base="{html.escape(self._manifest.base_url)}" data-pages="{pages}"'
        return _ROOT.sub(f"<html {marks}", text, count=1)

    def _script(self, script: str, root: str) -> str:
        """Keep the content of a script, and mend the address of its file."""
        head, mark, rest = script.partition(">")
        return self._links(head + mark, root) + rest

    def _links(self, text: str, root: str) -> str:
        def address(found: re.Match[str]) -> str:
            return f'{found[1]}="{self._address(found[2], root)}"'

        def addresses(found: re.Match[str]) -> str:
            mended = [f"{self._address(one, root)} {screens}".rstrip() for one, screens in split_sources(found[2])]
            return f'{found[1]}="{", ".join(mended)}"'

        return _TAG.sub(lambda tag: _SRCSET.sub(addresses, _ADDRESS.sub(address, tag[0])), text)

    def _address(self, written: str, root: str) -> str:
        """Give a path of the site as a path from a page to a file; leave everything else."""
        base = self._manifest.base_url
        address = html.unescape(written)
        if not address.startswith(base) or address.startswith("//"):
            return written
        below = address[len(base) :]
        path = re.split("[?#]", below, maxsplit=1)[0]
        rest = below[len(path) :]
        file = self._file(f"/{unquote(path)}")
        return written if file is None else html.escape(root + _quoted(file) + rest)

    def _file(self, route: str) -> str | None:
        manifest = self._manifest
        for _ in range(4):  # redirects lead to each other
            other = route.rstrip("/") if route.endswith("/") else f"{route}/"
            file = manifest.routes.get(route) or manifest.routes.get(other)
            if file is not None:
                return file
            if route[1:] in manifest.files:
                return route[1:]
            target = manifest.redirects.get(route)
            if target is None or not target.startswith("/"):
                return None
            route = target.partition("#")[0]
        return None


def _boot(content: str, client: str) -> str:
    boot = json.loads(content)
    boot["client"] = client
    return json.dumps(boot, separators=(",", ":")).replace("<", "\\u003c")


def _quoted(path: str) -> str:
    return re.sub(r"[%?#]", lambda sign: f"%{ord(sign[0]):02X}", path)


def _zip(folder: Path, archive: Path, name: str) -> int:
    """Write a zip with the same bytes for the same files; give their number."""
    import zipfile  # not at the top: builds without a copy need none

    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    part = archive.with_name(f".{archive.name}.new")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as written:
        for path in paths:
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            written.writestr(entry, path.read_bytes())
    part.replace(archive)
    return len(paths)


def offline_folder(out: Path) -> Path:
    """Name the folder of the offline copy of an output folder, beside it."""
    return Path(f"{os.fspath(out)}-offline")
