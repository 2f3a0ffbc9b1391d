"""The name of a site of Next.js: what its layout or its theme calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.lazy import regex as re

_LAYOUTS = (
    *(f"{folder}layout.{end}" for folder in ("app/", "src/app/") for end in ("tsx", "jsx", "ts", "js")),
    *(f"{folder}[[]lang]/layout.{end}" for folder in ("app/", "src/app/") for end in ("tsx", "jsx")),
)
_SHARED = tuple(
    f"{folder}{name}.tsx"
    for folder in ("lib/", "src/lib/", "app/", "src/app/")
    for name in ("layout.shared", "layout.config")
)
_THEMES = tuple(f"theme.config.{end}" for end in ("tsx", "jsx", "ts", "js", "mjs"))
_TEMPLATE = re.compile(r"""(?:template|titleTemplate):\s*["'`]%s\s*[-–—|·•:]\s*(?P<name>[^"'`\n%$]{1,80})["'`]""")
_METADATA = re.compile(
    r"""\bmetadata\b[^={]*=\s*(?:[\w.]+\(\s*)?\{[^{}]*?\btitle:\s*(?:\{[^{}]*?\bdefault:\s*)?["'](?P<name>[^"'\n]{1,80})["']"""
)
_NAV = re.compile(r"""\bnav:\s*\{\s*title:\s*["'](?P<name>[^"'\n]{1,80})["']""")
_ELEMENT = re.compile(
    r"\b(?:nav:\s*\{\s*title|logo):\s*\(?\s*(?P<name><.{1,4000}?</[\w.]*>)\s*\)?\s*,?\s*[\n}]", re.DOTALL
)
_DRAWN = re.compile(r"<(svg|style)\b.*?</\1>|\{[^{}]*\}|<[^<>]*>", re.DOTALL)
_NO_NAMES = frozenset(["create next app", "my app", "my project", "documentation", "docs", "next.js"])
"""What templates of projects say."""


def title_of_site(home: Path) -> str:
    """Find the name of a site; empty where only a program knows it."""
    places = (
        (_TEMPLATE, (*_LAYOUTS, *_THEMES)),
        (_NAV, (*_SHARED, *_LAYOUTS)),
        (_METADATA, _LAYOUTS),
        (_ELEMENT, (*_SHARED, *_THEMES)),
    )
    for pattern, names in places:
        for text in _texts(home, names):
            for match in pattern.finditer(text):
                name = " ".join(_DRAWN.sub(" ", match["name"]).split())
                if name and len(name) <= 60 and name.lower() not in _NO_NAMES:
                    return name
    return ""


def _texts(home: Path, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for path in sorted(home.glob(name)):
            if path.is_file() and path.resolve().is_relative_to(home.resolve()):
                yield path.read_text(encoding="utf-8", errors="replace")[:100_000]
