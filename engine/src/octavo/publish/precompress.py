"""Compressed forms beside the published files, for hosts that send them as they are."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

import brotli

from octavo.manifest import ManifestFile, is_hashed
from octavo.publish.staging import Staging
from octavo.runtime import Report, map_chunks

_SUFFIXES = (".html", ".json", ".js", ".mjs", ".css", ".svg", ".xml", ".txt", ".md", ".webmanifest", ".ico", ".wasm")
_SMALLEST_BYTES = 256
"""Below this a compressed form saves nothing: headers cost as much."""


def precompress_files(staging: Staging, files: dict[str, ManifestFile], report: Report) -> dict[str, ManifestFile]:
    """Write `x.br` and `x.gz` beside every text file.

    Returns:
        Address → file, of the compressed forms.
    """
    addresses = [
        address for address, file in files.items() if address.endswith(_SUFFIXES) and file.size >= _SMALLEST_BYTES
    ]

    def work(jobs: Sequence[str]) -> list[dict[str, ManifestFile]]:
        return [_compress(staging, address) for address in jobs]

    made: dict[str, ManifestFile] = {}
    done = 0
    for jobs, outcomes in map_chunks(work, addresses, chunk=16, parallel_from=32):
        for outcome in outcomes:
            made |= outcome
        done += len(jobs)
        report("compress", done, len(addresses))
    return made


def _compress(staging: Staging, address: str) -> dict[str, ManifestFile]:
    known = {form: staging.known(form) for form in (f"{address}.br", f"{address}.gz")}
    if is_hashed(address) and all(known.values()):
        return {form: file for form, file in known.items() if file}  # named by its content, so it is the same
    content = (staging.path / address).read_bytes()
    forms = {
        f"{address}.br": brotli.compress(content, quality=11, mode=brotli.MODE_TEXT),
        f"{address}.gz": gzip.compress(content, 9, mtime=0),
    }
    return {name: staging.write(name, data) for name, data in forms.items()}
