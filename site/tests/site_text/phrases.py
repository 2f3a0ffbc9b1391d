"""Phrases of the documents that the pages take their facts from, as hashes: wording may not be taken along.

`python -m site_text.phrases FOLDER` writes `phrases.bin` anew from a folder of such documents.
"""

from __future__ import annotations

import re
import sys
from hashlib import blake2b
from pathlib import Path

from site_text.texts import prose, runs

FILE = Path(__file__).with_name("phrases.bin")
LENGTH = 8
"""Words in a phrase."""
HASH_BYTES = 6
YAML_KEY = re.compile(r"^\s*(?:- )?[\w.-]+:", re.MULTILINE)


def hash_phrase(phrase: str) -> bytes:
    """Hash a phrase; at this size, one false alarm in ten thousand runs of the test."""
    return blake2b(phrase.encode(), digest_size=HASH_BYTES).digest()


def load() -> frozenset[bytes]:
    """Read the hashes."""
    content = FILE.read_bytes()
    return frozenset(content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES))


def collect(folder: Path) -> set[bytes]:
    """Hash every phrase of a folder's Markdown and YAML files."""
    found: set[bytes] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".md", ".yaml"}:
            text = path.read_text(encoding="utf-8")
            text = YAML_KEY.sub("\n\n", text) if path.suffix == ".yaml" else prose(text)
            found.update(map(hash_phrase, runs(text, LENGTH)))
    return found


if __name__ == "__main__":
    FILE.write_bytes(b"".join(sorted(collect(Path(sys.argv[1])))))
