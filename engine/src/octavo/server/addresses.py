"""What a request path means: a file, a move, or nothing. Pure: nothing here touches the disk."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import quote, unquote_to_bytes

import msgspec

from octavo.lazy import regex as re
from octavo.manifest import MANIFEST_PATH, Manifest
from octavo.site import Redirects

_WELL_FORMED = re.compile(rb"(?:[^%\\\x00-\x20\x7f]|%[0-9A-Fa-f]{2})*")
_AUTHORITY = re.compile(rb"https?://[^/?#]*", re.IGNORECASE)
_NEVER_IN_A_NAME = re.compile(r"[\x00-\x1f\x7f\\]")
_PATH_SAFE = "/!$&'()*+,;=:@~"
_QUERY_SAFE = _PATH_SAFE + "?%[]{}|^`"


class FoundFile(msgspec.Struct, frozen=True):
    """A file to be sent with status 200."""

    path: str
    """Path in the published folder."""


class Moved(msgspec.Struct, frozen=True):
    """The address is another one."""

    location: str
    """Path from the host's root (never `//…`), or the absolute address that the site's author wrote."""
    status: int
    """301, 307 or 308."""


class Unknown(msgspec.Struct, frozen=True):
    """There is nothing: status 404."""

    page: str
    """Path in the published folder of the page that says so; empty for a plain line."""


Answer = FoundFile | Moved | Unknown


class Addresses:
    """All addresses of one build.

    Order: route (or a folder of plain HTML), redirect, file, then the other spellings of routes and redirects, then
    the redirects of folders.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._base = manifest.base_url
        self._root = manifest.base_url.rstrip("/")
        self._not_found = manifest.not_found
        self._not_found_by_locale = manifest.not_found_by_locale
        self._redirects = {source: self._target(target) for source, target in manifest.redirects.items()}
        self._folders = Redirects({}, manifest.folder_redirects)
        self._files = _servable(manifest)
        taken = manifest.routes.keys() | manifest.redirects.keys()
        self._routes = manifest.routes | {
            route: path
            for route, path in _folder_indexes(self._files).items()
            if route not in taken and _other_form(route) not in taken
        }

    def resolve(self, raw_path: bytes, query: bytes = b"", *, kept: Container[str] = ()) -> Answer:
        """Find what a request asks for.

        Args:
            raw_path: Path as sent, percent-encoded.
            query: Query as sent, without the question mark; a move carries it along.
            kept: Paths of files that older builds have published and that can still be had.
        """
        path = decode_path(raw_path)
        if path is None:
            return Unknown(self._not_found)
        if not path.startswith(self._base):
            return self._outside(path, query)
        route = path[len(self._root) :]
        name = route[1:]
        if file := self._routes.get(route):
            return FoundFile(file)
        if target := self._redirects.get(route):
            return Moved(_with_query(target, query), 301)
        if name in self._files or name in kept:
            return FoundFile(name)
        for candidate in _other_spellings(route):
            if candidate in self._routes:
                return Moved(_with_query(self._address(candidate), query), 308)
            if target := self._redirects.get(candidate):
                return Moved(_with_query(target, query), 301)
        if not name.startswith("_octavo/") and (target := self._folders.find_folder(route)):
            return Moved(_with_query(self._target(target), query), 301)
        return self._unknown(name)

    def _outside(self, path: str, query: bytes) -> Answer:
        """Answer a path that does not begin with the base URL."""
        if path + "/" == self._base:
            return Moved(_with_query(self._address("/"), query), 308)
        if path == "/":
            # Temporary: another site may be served at this root tomorrow, and browsers remember a 308.
            return Moved(self._address("/"), 307)
        return Unknown(self._not_found)

    def _unknown(self, name: str) -> Unknown:
        if name.startswith("_octavo/"):
            return Unknown("")  # asked for by a script, which reads the status only
        locale = name.partition("/")[0]
        return Unknown(self._not_found_by_locale.get(locale, self._not_found))

    def _address(self, route: str) -> str:
        return quote(self._root + route, safe=_PATH_SAFE)

    def _target(self, target: str) -> str:
        return quote(self._root + target if target.startswith("/") else target, safe=_QUERY_SAFE + "#")


def decode_path(raw_path: bytes) -> str | None:
    """Decode the path of a request target; None for one that can name nothing here.

    A segment that holds a slash, a backslash or a control character after decoding names no file of ours, and
    bytes that are not UTF-8 name none either.

    Source:
        RFC 9112 section 3.2: a server accepts the absolute form (`http://host/path`) as well.
    """
    if not raw_path.startswith(b"/"):
        authority = _AUTHORITY.match(raw_path)
        if authority is None:
            return None
        raw_path = raw_path[authority.end() :] or b"/"
    if not _WELL_FORMED.fullmatch(raw_path) or b"%2f" in raw_path.lower():
        return None
    try:
        path = unquote_to_bytes(raw_path).decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _NEVER_IN_A_NAME.search(path) else path


def _servable(manifest: Manifest) -> frozenset[str]:
    """Files that can be asked for by name: not pages, which have a route, nor compressed forms.

    A build writes a page for each redirect too, for hosts that know no others; here the redirect itself answers.
    """
    hidden = {MANIFEST_PATH, manifest.not_found, *manifest.not_found_by_locale.values(), *manifest.routes.values()}
    hidden |= {f"{source.strip('/')}/index.html" for source in manifest.redirects}
    hidden |= {*manifest.redirect_pages, ".nojekyll", "_redirects", "_headers"}  # for other hosts
    return frozenset(
        path
        for path in manifest.files
        if path not in hidden and not (path.endswith((".br", ".gz")) and path[:-3] in manifest.files)
    )


def _folder_indexes(files: frozenset[str]) -> dict[str, str]:
    """Folders of plain HTML under `static/`: route with a slash at its end → their `index.html`."""
    return {"/" + path.removesuffix("index.html"): path for path in files if path.endswith("/index.html")}


def _other_form(route: str) -> str:
    return route[:-1] if route.endswith("/") else route + "/"


def _other_spellings(route: str) -> list[str]:
    """Routes that an address may have meant: without `index.html` or `.html`, with or without the slash."""
    if route.endswith("/index.html"):
        folder = route.removesuffix("index.html")
        return [folder, folder[:-1]]
    if route.endswith(".html"):
        stem = route.removesuffix(".html")
        return [stem, stem + "/"]
    return [_other_form(route)]


def _with_query(location: str, query: bytes) -> str:
    if not query:
        return location
    address, mark, fragment = location.partition("#")
    joint = "&" if "?" in address else "?"
    return address + joint + quote(query, safe=_QUERY_SAFE) + mark + fragment
