"""Content types, written out: the tables of the operating system differ from machine to machine."""

from __future__ import annotations

_TEXT = "; charset=utf-8"

_COMPRESSIBLE = {
    ".atom": "application/atom+xml" + _TEXT,
    ".css": "text/css" + _TEXT,
    ".csv": "text/csv" + _TEXT,
    ".geojson": "application/geo+json",
    ".htm": "text/html" + _TEXT,
    ".html": "text/html" + _TEXT,
    ".ico": "image/x-icon",
    ".js": "text/javascript" + _TEXT,
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".jsonld": "application/ld+json",
    ".map": "application/json",
    ".md": "text/markdown" + _TEXT,
    ".mjs": "text/javascript" + _TEXT,
    ".otf": "font/otf",
    ".rss": "application/rss+xml" + _TEXT,
    ".svg": "image/svg+xml" + _TEXT,
    ".toml": "application/toml" + _TEXT,
    ".ttf": "font/ttf",
    ".txt": "text/plain" + _TEXT,
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".xml": "application/xml" + _TEXT,
    ".yaml": "application/yaml" + _TEXT,
    ".yml": "application/yaml" + _TEXT,
}

_COMPRESSED_ALREADY = {
    ".avif": "image/avif",
    ".br": "application/octet-stream",
    ".gif": "image/gif",
    ".gz": "application/gzip",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4a": "audio/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".oga": "audio/ogg",
    ".ogg": "audio/ogg",
    ".ogv": "video/ogg",
    ".opus": "audio/ogg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}

_ALL = _COMPRESSIBLE | _COMPRESSED_ALREADY

_BY_NAME = {"opensearch.xml": "application/opensearchdescription+xml" + _TEXT}
"""Files that say more by their name than by their suffix: as mere XML, browsers would not add the search."""


def media_type(path: str) -> str:
    """Name the content type of a file by its name or suffix; unknown ones are `application/octet-stream`."""
    return _BY_NAME.get(path.rpartition("/")[2]) or _ALL.get(_suffix(path), "application/octet-stream")


def is_compressible(path: str) -> bool:
    """Return whether the content of a file gets smaller by compression."""
    return _suffix(path) in _COMPRESSIBLE


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return (dot + suffix).lower() if stem else ""
