"""Check the text of the site against `prose.toml`: `python -m site_text.check_prose`; exit code 1 with findings.

Checked are the pages, the command reference, the descriptions of both APIs, and the labels of generated indexes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from site_text.prose_rules import findings, load_rules
from site_text.texts import SITE, sources

SAMPLES = "theme-preview.mdx"
"""Its words are samples of constructs."""
SEEN = {"synopsis", "description", "summary", "usage", "notes", "see_also"}
"""Keys of data files whose texts readers see."""


def texts() -> Iterator[tuple[str, str]]:
    """List what is checked, each text with its name."""
    for path in [*sources(), SITE / "STYLE.md"]:
        if path.name not in {SAMPLES, "_sample.mdx", "STYLE.md"}:
            yield path.relative_to(SITE).as_posix(), path.read_text(encoding="utf-8")
    for entry in yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8")):
        yield f"commands/thv.yaml ({entry['name']})", "\n\n".join(told(entry))
    for path in [*sorted((SITE / "openapi").iterdir()), *sorted((SITE / "docs").rglob("_category_.yaml"))]:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield path.relative_to(SITE).as_posix(), "\n\n".join(told(data))


def told(part: object, key: str = "") -> Iterator[str]:
    """List the sentences of a data file."""
    if isinstance(part, str):
        if key in SEEN and not part.startswith("thv"):
            yield part
    elif isinstance(part, list):
        for item in part:
            yield from told(item, key)
    elif isinstance(part, dict):
        for name, value in part.items():
            yield from told(value, str(name))


def check(folder: Path = SITE) -> int:
    """Print the findings; return how many there are."""
    rules, number = load_rules(), 0
    for name, text in texts():
        for found in findings(text, rules):
            number += 1
            sys.stdout.write(f"{folder.name}/{name}:{found.line}: “{found.text}”: use {found.advice}\n")
    return number


if __name__ == "__main__":
    sys.exit(bool(check()))
