"""The house: imports point one way, products are no part of the engine, and nothing is left half done."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo

PACKAGE = Path(octavo.__file__).parent
SHARED = {"errors", "diagnostics", "_version", "manifest"}
ARROWS: dict[str, set[str]] = {
    # room: what it may import
    "errors": set(),
    "_version": set(),
    "diagnostics": set(),
    "config": set(),
    "manifest": set(),
    "content": set(),
    "reference": {"content", "config"},
    "site": {"content", "reference", "config"},
    "search": {"content", "reference", "site", "config"},
    "runtime": set(),
    "contract": {"reference"},
    "documents": {"runtime", "content", "reference", "site", "config"},
    "rendering": {"runtime", "contract", "documents", "content", "site", "search", "config"},
    "checks": {"rendering", "content", "site", "config"},
    "pipeline": {"runtime", "contract", "documents", "rendering", "checks", "site", "search"},
    "publish": {"runtime", "documents", "rendering", "checks", "pipeline", "search", "site", "config"},
    "server": {"search", "site", "content", "config"},
    "dev": {
        "server",
        "runtime",
        "contract",
        "documents",
        "rendering",
        "checks",
        "pipeline",
        "publish",
        "search",
        "site",
        "content",
        "config",
    },
    "cli": {
        "dev",
        "server",
        "search",
        "runtime",
        "checks",
        "publish",
        "site",
        "content",
        "reference",
        "config",
    },
    "__main__": {"cli"},
    "__init__": set(),
}
PRODUCTS = re.compile(r"codegate|toolhive|\bthv\b", re.IGNORECASE)
SOURCES = sorted(
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".toml", ".md", ".json") and "_theme" not in path.parts
)


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        yield (relative.parts[0] if len(relative.parts) > 1 else relative.stem), path


def imports_of(path: Path) -> Iterator[str]:
    """List what a module imports of our own package, without `octavo.`, imports inside functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name the whole path"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.removeprefix("octavo.") for name in names if name.startswith("octavo."))


def test_every_room_has_its_arrows() -> None:
    assert sorted({room for room, _ in modules()} - ARROWS.keys()) == []


@pytest.mark.parametrize("room", ARROWS)
def test_imports_point_one_way(room: str) -> None:
    allowed = ARROWS[room] | SHARED | {room}
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for own, path in modules()
        if own == room
        for name in imports_of(path)
        if not any(name == door or name.startswith(f"{door}.") for door in allowed)
    ]
    assert wrong == []


def test_arrows_make_no_circle_but_the_manifest() -> None:
    """`build` writes the manifest that `server` reads; it imports nothing else of the server's."""

    def reached(room: str, on_the_way: tuple[str, ...]) -> None:
        assert room not in on_the_way, " → ".join([*on_the_way, room])
        for door in ARROWS[room]:
            reached(door, (*on_the_way, room))

    for room in ARROWS:
        reached(room, ())


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_products_are_no_part_of_the_engine(path: Path) -> None:
    assert PRODUCTS.findall(path.read_text(encoding="utf-8")) == []


def test_nothing_is_left_to_be_done_later() -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
    assert [str(path) for _, path in modules() if marks.search(path.read_text(encoding="utf-8"))] == []
