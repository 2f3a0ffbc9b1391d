"""`Manifest`: what a build has published. The build writes it last; the server serves nothing else."""

from __future__ import annotations

import hashlib

import msgspec

from octavo.errors import ServeError
from octavo.lazy import regex as re

MANIFEST_PATH = "_octavo/manifest.json"
"""Its path in the published folder. The server reads it and never serves it."""

PAGES_PATH = "_octavo/pages.json"
"""Path of the list of all pages, for other programs."""

FEEDBACK_ADDRESS = "_octavo/feedback"
"""Where a page's form posts whether it was helpful, below the base URL."""

MCP_PATH = "/mcp"
"""Path of the endpoint for the Model Context Protocol, from the host's root; it also answers below the base URL."""

HEALTH_PATH = "/healthz"
"""Where the server says whether it has something to serve, from the host's root."""

INDEXES_PATH = "/1/indexes"
"""The search protocol's own path, from the host's root and below the base URL."""

_ASSETS = "_octavo/"
_PAGE_DATA = "_octavo/pages/"
_BASE_URL = re.compile(r"/(?:[^/\\\s?#]+/)*")
_ADDRESS = re.compile(r"https?://[^\s\\\x00-\x1f]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")


class ManifestFile(msgspec.Struct, frozen=True):
    """One published file."""

    hash: str
    """First 16 hex digits of the sha256 of its content; the ETag is made of it."""
    size: int
    """In bytes."""


class Manifest(msgspec.Struct, frozen=True):
    """One build, as published."""

    build: str
    """Id of the build."""
    base_url: str
    """Path under which the site is published; begins and ends with a slash."""
    files: dict[str, ManifestFile]
    """Path in the folder, with forward slashes (`guides/quickstart/index.html`) → the file.
    `x.br` and `x.gz` beside `x` are its compressed forms."""
    routes: dict[str, str]
    """Canonical route without the base URL (`/guides/quickstart`, `/guides/`) → path in the folder."""
    redirects: dict[str, str]
    """Exact path without the base URL → route of this site, or an absolute address."""
    not_found: str
    """Path in the folder of the page for unknown addresses, `404.html`; empty where there is none."""
    not_found_by_locale: dict[str, str] = {}
    """`Locale.path` (`pt`) → path in the folder of that locale's page for unknown addresses."""
    folder_redirects: dict[str, str] = {}
    """Folder without the base URL (`/old/`) → what `redirects` lead to, for all paths below it at which nothing else
    stands; a target that ends in `/*` gets the rest of the path."""
    redirect_pages: list[str] = []
    """Paths of the pages that replace `folder_redirects` on hosts without redirects."""
    content_policy: str = ""
    """Content-Security-Policy of its pages; empty for none."""
    counts_answers: bool = False
    """Its pages ask readers whether they were helpful, and the server counts the answers."""
    search: str = ""
    """Path in the folder of the search index, a folder itself, none of whose files is served; empty where there is none."""


def html_file(route: str, *, is_flat: bool = False) -> str:
    """Name the HTML file of a route, in the published folder.

    Args:
        route: Route of a page; `/a/b` and `/a/b/` both become folders with an index.
        is_flat: `/a/b` becomes `a/b.html`; a route with a final slash is still a folder.
    """
    path = route.strip("/")
    if path.endswith(".html"):
        return path
    if is_flat and path and not route.endswith("/"):
        return f"{path}.html"
    return f"{path}/index.html" if path else "index.html"


def markdown_file(route: str) -> str:
    """Name the Markdown file of a route, in the published folder: `/a` and `/a/` have `a.md`, the home page `index.md`."""
    return f"{route.strip('/') or 'index'}.md"


def payload_file(route: str) -> str:
    """Name the payload file of a route; that of `/a.html` is that of `/a`, which links by file name lead to as well."""
    path = route[1:].removesuffix(".html")
    return f"_octavo/pages/{path}index.json" if route.endswith("/") else f"_octavo/pages/{path}.json"


def is_hashed(path: str) -> bool:
    """Return whether a published file has the hash of its content in its name, so that it never changes."""
    return path.startswith(_ASSETS) and not path.startswith(_PAGE_DATA) and path not in (MANIFEST_PATH, PAGES_PATH)


def parse_manifest(data: bytes) -> Manifest:
    """Read a manifest and check what later code relies on: no name leaves the folder, no target leaves the site unseen.

    Raises:
        ServeError: it is not a manifest, or it holds a name that cannot be served safely.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ServeError(f"{MANIFEST_PATH} cannot be read: {error}. Build the site again.") from error
    _check(manifest)
    return manifest


def _check(manifest: Manifest) -> None:
    if not _BASE_URL.fullmatch(manifest.base_url):
        raise _refusal("base URL", manifest.base_url)
    for path in manifest.files:
        if not _is_inside(path):
            raise _refusal("file", path)
    for route, path in manifest.routes.items():
        if not _is_local(route) or path not in manifest.files:
            raise _refusal("route", route)
    for source, target in (*manifest.redirects.items(), *manifest.folder_redirects.items()):
        if not _is_local(source) or not (_is_local(target) or _ADDRESS.fullmatch(target)):
            raise _refusal("redirect", f"{source} → {target}")
    if _CONTROL.search(manifest.content_policy):
        raise _refusal("content policy", manifest.content_policy)
    if manifest.search and not _is_inside(manifest.search):
        raise _refusal("search index", manifest.search)
    for path in (manifest.not_found, *manifest.not_found_by_locale.values()):
        if path and path not in manifest.files:
            raise _refusal("not-found page", path)


def _is_inside(path: str) -> bool:
    """A relative path of plain segments."""
    return not _CONTROL.search(path) and not {"", ".", ".."}.intersection(path.split("/"))


def _is_local(path: str) -> bool:
    """A path of this site: two slashes, or a slash and a backslash, would lead a browser to another host."""
    return path.startswith("/") and not path.startswith("//") and not _CONTROL.search(path)


def _refusal(what: str, value: str) -> ServeError:
    return ServeError(f'{MANIFEST_PATH}: the {what} "{value}" cannot be served. Build the site again.')


def hash_content(content: bytes) -> str:
    """Hash a published file, to 16 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:16]
