"""Compressed forms beside the published files, for hosts that send them as they are."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

import brotli

from octavo.manifest import ManifestFile
from octavo.publish.staging import Staging
from octavo.runtime import Report, map_chunks

_SUFFIXES = (".html", ".json", ".js", ".mjs", ".css", ".svg", ".xml", ".txt", ".md", ".webmanifest", ".ico", ".wasm")
_SMALLEST_BYTES = 256
"""Below this a compressed form saves nothing: headers cost as much."""


def precompress_files(staging: Staging, files: dict[str, ManifestFile], report: Report) -> dict[str, ManifestFile]:
    """Write `x.br` and `x.gz` beside every text file; those of files that have not changed are taken over.

    Returns:
        Address → file, of the compressed forms.
    """
    made: dict[str, ManifestFile] = {}
    addresses = []
    for address, file in files.items():
        if address.endswith(_SUFFIXES) and file.size >= _SMALLEST_BYTES:
            forms = {form: staging.reuse_form(form, address, file) for form in _forms(address)}
            kept = {form: found for form, found in forms.items() if found is not None}
            made |= kept
            if len(kept) < len(forms):
                addresses.append(address)

    def work(jobs: Sequence[str]) -> list[dict[str, ManifestFile]]:
        return [_compress(staging, address) for address in jobs]

    done = 0
    for jobs, outcomes in map_chunks(work, addresses, chunk=16, parallel_from=32):
        for outcome in outcomes:
            made |= outcome
        done += len(jobs)
        report("compress", done, len(addresses))
    return made


def _forms(address: str) -> tuple[str, str]:
    return f"{address}.br", f"{address}.gz"


def _compress(staging: Staging, address: str) -> dict[str, ManifestFile]:
    content = (staging.path / address).read_bytes()
    brotli_form, gzip_form = _forms(address)
    forms = {
        brotli_form: brotli.compress(content, quality=11, mode=brotli.MODE_TEXT),
        gzip_form: gzip.compress(content, 9, mtime=0),
    }
    return {name: staging.write(name, data) for name, data in forms.items()}
