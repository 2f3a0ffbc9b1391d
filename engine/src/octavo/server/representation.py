"""Which form of a file one client gets, and the names of that form."""

from __future__ import annotations

import msgspec

from octavo.manifest import ManifestFile
from octavo.server.compression import LARGEST_COMPRESSED, SMALLEST_COMPRESSED, possible_forms
from octavo.server.media_types import is_compressible
from octavo.server.negotiation import Encoding, choose_encoding
from octavo.server.source import PublishedFiles

_SUFFIXES: dict[Encoding, str] = {"br": ".br", "gzip": ".gz"}


class Representation(msgspec.Struct, frozen=True):
    """A form of a file, as RFC 9110 section 3.2 means it."""

    path: str
    """Path in the published folder of what is read: the file, or its prepared form."""
    encoding: Encoding
    tags: list[str]
    """Entity tags under which a client may hold it, with their quotes; the first is the one to give out."""
    varies: bool
    """Another client may get another form."""
    is_stored: bool
    """It lies on disk as it is sent; else it is compressed first."""


def choose_representation(build: PublishedFiles, path: str, accept_encoding: str) -> Representation:
    """Choose the form of a file by its type, its size, and the Accept-Encoding of the client."""
    file = build.manifest.files[path]
    if not is_compressible(path) or not SMALLEST_COMPRESSED <= file.size <= LARGEST_COMPRESSED:
        return Representation(path, "identity", [entity_tag(file, "plain")], varies=False, is_stored=True)
    encoding = choose_encoding(accept_encoding)
    if encoding == "identity":
        return Representation(path, encoding, [entity_tag(file, "plain")], varies=True, is_stored=True)
    prepared = path + _SUFFIXES[encoding]
    if compressed := build.file(prepared):
        return Representation(prepared, encoding, [entity_tag(compressed, encoding)], varies=True, is_stored=True)
    tags = [entity_tag(file, form) for form in possible_forms(encoding)]
    return Representation(path, encoding, tags, varies=True, is_stored=False)


def entity_tag(file: ManifestFile, form: str) -> str:
    """Name a form of a content; strong, since the bytes of each form differ."""
    return f'"{file.hash}"' if form == "plain" else f'"{file.hash}-{form}"'
