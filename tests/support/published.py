"""A published folder of known files, and clients that send a path exactly as it is written."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from octavo.manifest import MANIFEST_PATH, Manifest, ManifestFile

PAGE = b"<!doctype html><html><head><title>Page</title></head><body>" + b"<p>Some text.</p>" * 40 + b"</body></html>"
SCRIPT = b"export const answer = 42; // " + b"words that compress well " * 60

FILES: dict[str, bytes] = {
    "index.html": PAGE.replace(b"Page", b"Home"),
    "404.html": PAGE.replace(b"Page", b"Page Not Found"),
    "pt/404.html": PAGE.replace(b"Page", b"Nada aqui"),
    "codegate/index.html": PAGE.replace(b"Page", b"CodeGate"),
    "codegate/quickstart/index.html": PAGE.replace(b"Page", b"Quickstart"),
    "caf\u00e9/index.html": PAGE.replace(b"Page", b"Coffee"),
    "search/index.html": PAGE.replace(b"Page", b"Search"),
    "old/index.html": b'<meta http-equiv="refresh" content="0; url=/codegate/quickstart">',
    "standalone.html": b"<h1>A page of plain HTML</h1>",
    "demo/index.html": b"<h1>A folder of plain HTML</h1>",
    "img/logo.svg": b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<path d='M0 0'/>" * 40 + b"</svg>",
    "img/photo.png": bytes(range(256)) * 8,
    "video.mp4": bytes(range(250)) * 6000,
    "robots.txt": b"User-agent: *\n",
    "_octavo/app.0123abcd.js": SCRIPT,
    "_octavo/pages/codegate/quickstart.json": b'{"title":"Quickstart"}' + b" " * 400,
}
ROUTES = {
    "/": "index.html",
    "/codegate/": "codegate/index.html",
    "/codegate/quickstart": "codegate/quickstart/index.html",
    "/caf\u00e9": "caf\u00e9/index.html",
    "/search": "search/index.html",
}
REDIRECTS = {
    "/old": "/codegate/quickstart",
    "/away": "https://example.org/there#part",
}


def describe(content: bytes) -> ManifestFile:
    return ManifestFile(hash=hashlib.sha256(content).hexdigest()[:16], size=len(content))


def make_manifest(files: Mapping[str, bytes] = FILES, **changes: Any) -> Manifest:
    fields: dict[str, Any] = {
        "build": "build-1",
        "base_url": "/",
        "files": {path: describe(content) for path, content in files.items()},
        "routes": ROUTES,
        "redirects": REDIRECTS,
        "not_found": "404.html",
        "not_found_by_locale": {"pt": "pt/404.html"},
    }
    return Manifest(**(fields | changes))


def publish(out: Path, files: Mapping[str, bytes] = FILES, **changes: Any) -> Path:
    """Write a folder beside the published one and put it in its place, as a build does."""
    staging = out.with_name(out.name + ".staging")
    for path, content in files.items():
        (staging / path).parent.mkdir(parents=True, exist_ok=True)
        (staging / path).write_bytes(content)
    (staging / MANIFEST_PATH).parent.mkdir(parents=True, exist_ok=True)
    (staging / MANIFEST_PATH).write_bytes(msgspec.json.encode(make_manifest(files, **changes)))
    if out.exists():
        out.rename(out.with_name(out.name + ".old"))
    staging.rename(out)
    shutil.rmtree(out.with_name(out.name + ".old"), ignore_errors=True)
    return out


class Reply(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


async def ask(app: Any, path: str | bytes, method: str = "GET", **headers: str) -> Reply:
    """Send one request to an application; `if_none_match="…"` becomes the header `if-none-match`."""
    raw_path, _, query = (path.encode() if isinstance(path, str) else path).partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": raw_path.decode("latin-1"),
        "raw_path": raw_path,
        "root_path": "",
        "query_string": query,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(dict(message))

    await app(scope, receive, send)
    fields = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], fields, b"".join(message.get("body", b"") for message in sent[1:]))


def get(app: Any, path: str | bytes, method: str = "GET", **headers: str) -> Reply:
    return asyncio.run(ask(app, path, method, **headers))
