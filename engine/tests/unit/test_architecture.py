"""The structure of the engine: allowed imports, interfaces, no cycles, no product in the engine, nothing unfinished."""

from __future__ import annotations

import gc
import re
from importlib import import_module
from pathlib import Path

import pytest

import octavo
from octavo.lazy import regex
from tests.support.each import each
from tests.support.imports import SourceTree, components, unit_of

PACKAGE = Path(octavo.__file__).parent
TREE = SourceTree(PACKAGE)
LEAVES = {
    "extensions",
    "errors",
    "addresses",
    "colors",
    "diagnostics",
    "_version",
    "manifest",
    "lazy",
    "host_headers",
    "page_list",
    "small_database",
    "text_files",
    "unfit",
    "variable_uses",
}
"""Modules that every package may import; they import nothing but each other."""

ALLOWED_IMPORTS: dict[str, set[str]] = {
    # package: packages that it imports; exactly those, so an entry that is no longer used must go
    "config": {"revisions", "words"},
    "content": {"diagrams", "runtime", "words"},
    "diagrams": {"runtime"},
    "reference": {"config", "content", "words"},
    "contract": {"reference", "search"},
    "revisions": {"runtime"},
    "translations": set(),
    "words": set(),
    "runtime": set(),
    "last_build": {"runtime", "site"},
    "site": {"config", "content", "revisions", "translations"},
    "documents": {"config", "content", "reference", "revisions", "runtime", "site", "words"},
    "extending": {"config", "content", "extension_host", "runtime"},
    "extension_host": {"revisions"},
    "bundling": set(),
    "component_host": set(),
    "components": {"config", "content", "contract", "documents", "look", "rendering", "runtime", "stylesheets"},
    "shipped": set(),
    "search": {"config", "content", "runtime", "site"},
    "look": {"config", "runtime", "stylesheets"},
    "stylesheets": set(),
    "pictures": set(),
    "rendering": {
        "config",
        "content",
        "contract",
        "documents",
        "look",
        "pictures",
        "runtime",
        "search",
        "site",
        "words",
    },
    "checks": {"config", "content", "rendering", "revisions", "search", "site"},
    "pipeline": {
        "checks",
        "components",
        "config",
        "content",
        "documents",
        "extending",
        "look",
        "pictures",
        "rendering",
        "runtime",
        "search",
        "site",
    },
    "publish": {
        "checks",
        "components",
        "config",
        "content",
        "documents",
        "last_build",
        "pictures",
        "pipeline",
        "rendering",
        "runtime",
        "search",
        "site",
    },
    "feedback": {"search"},
    "manual": {"config"},
    "mcp": {"search"},
    "server": {"config", "feedback", "mcp", "search", "site"},
    "background": set(),
    "live_search": {"content", "documents", "pipeline", "runtime", "search", "site"},
    "preview": {"checks", "contract", "documents", "pipeline", "publish", "rendering", "server", "site"},
    "dev": {
        "background",
        "checks",
        "config",
        "contract",
        "documents",
        "last_build",
        "live_search",
        "pipeline",
        "preview",
        "rendering",
        "revisions",
        "runtime",
        "server",
        "site",
    },
    "external_links": set(),
    "hosting": set(),
    "importing": {
        "components",
        "config",
        "content",
        "documents",
        "extending",
        "hosting",
        "look",
        "publish",
        "rendering",
        "runtime",
        "site",
        "translations",
        "words",
    },
    "cli": {
        "bundling",
        "checks",
        "components",
        "config",
        "content",
        "dev",
        "extension_host",
        "external_links",
        "feedback",
        "hosting",
        "importing",
        "last_build",
        "manual",
        "mcp",
        "publish",
        "reference",
        "revisions",
        "runtime",
        "search",
        "server",
        "site",
        "translations",
    },
    "__main__": {"cli"},
}

INTERFACES: dict[str, str] = {
    # package: the one module that others import instead of the package itself, with the reason
    "octavo.cli": "octavo.cli.main",  # what `octavo` starts; a package that imports its commands would slow each start
    "octavo.lazy": "octavo.lazy.regex",  # imported in the place of `re`, so it is a module
}

KNOWN_DEEP_IMPORTS = Path(__file__).with_name("known_deep_imports.txt")
"""Imports past an interface that are still there, as `importing package -> imported module`. The list only shrinks."""

KNOWN_CYCLES: list[set[str]] = []
"""Import cycles that are still there. The list only shrinks."""

MOST_MODULES = 15
"""Modules of a package, those of its sub-packages not counted."""

MOST_LINES = 500
"""Lines of a module."""

SAME_NAMES = {
    "RstSettings": ["octavo.config.markdown", "octavo.content.dialect"],  # one of settings, one of what compiles them
}
"""Classes of one name and one meaning in two packages, of which neither may import the other."""

PRODUCTS = re.compile(r"codegate|toolhive|\bthv\b", re.IGNORECASE)
SOURCES = sorted(
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".toml", ".md", ".json") and "_theme" not in path.parts
)


def short(unit: str) -> str:
    return unit.removeprefix("octavo.")


def used_imports() -> dict[str, set[str]]:
    return {
        short(unit): {short(other) for other in imported} - LEAVES
        for unit, imported in TREE.units().items()
        if unit != "octavo" and short(unit) not in LEAVES
    }


def deep_imports() -> set[str]:
    return {f"{short(unit_of(one.importer))} -> {one.imported}" for one in TREE.deep_imports(INTERFACES)}


def known_deep_imports() -> set[str]:
    lines = KNOWN_DEEP_IMPORTS.read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.costly
def test_every_package_is_listed() -> None:
    assert sorted(used_imports()) == sorted(ALLOWED_IMPORTS)


@each("package", ALLOWED_IMPORTS)
def test_package_imports_exactly_what_is_allowed(package: str) -> None:
    assert sorted(used_imports()[package]) == sorted(ALLOWED_IMPORTS[package])


def test_leaves_import_only_leaves() -> None:
    imported = {short(other) for leaf in LEAVES for other in TREE.units()[f"octavo.{leaf}"]}
    assert imported <= LEAVES


def test_allowed_imports_have_no_cycle() -> None:
    assert [sorted(group) for group in components(ALLOWED_IMPORTS) if len(group) > 1] == []


def test_server_of_a_published_build_imports_nothing_that_renders() -> None:
    """Production servers carry no V8, so nothing that leads to it may be reached from there."""
    reached, waiting = set(), ["server"]
    while waiting:
        for package in ALLOWED_IMPORTS[waiting.pop()] - reached:
            reached.add(package)
            waiting.append(package)
    assert reached & {"rendering", "pipeline", "publish", "dev", "cli"} == set()


def test_packages_are_imported_through_their_interface() -> None:
    new = sorted(deep_imports() - known_deep_imports())
    assert new == [], "Import the package, or the module that INTERFACES names, instead of a module inside it."


def test_list_of_deep_imports_holds_only_those_that_are_there() -> None:
    gone = sorted(known_deep_imports() - deep_imports())
    assert gone == [], f"These are gone: remove their lines from {KNOWN_DEEP_IMPORTS.name}."


def test_modules_import_each_other_in_no_cycle() -> None:
    found = [set(group) for group in TREE.cycles()]
    assert [sorted(group) for group in found if group not in KNOWN_CYCLES] == []
    assert [sorted(group) for group in KNOWN_CYCLES if group not in found] == [], "Gone: remove it from KNOWN_CYCLES."


def test_packages_are_small() -> None:
    assert {name: size for name, size in TREE.package_sizes().items() if size > MOST_MODULES} == {}


def test_modules_are_short() -> None:
    assert TREE.long_modules(MOST_LINES) == {}


def test_names_of_classes_have_one_meaning() -> None:
    """What extensions of sites see of a page or a link is called as what it shows of."""
    assert TREE.repeated_class_names(unlike={"octavo.extensions"}) == SAME_NAMES


@pytest.mark.costly
@each("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_products_are_no_part_of_the_engine(path: Path) -> None:
    assert PRODUCTS.findall(path.read_text(encoding="utf-8")) == []


def test_nothing_is_left_to_be_done_later() -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
    assert [name for name, path in TREE.files.items() if marks.search(path.read_text(encoding="utf-8"))] == []


def test_every_module_can_be_imported() -> None:
    """Also those that are imported only when they are used, and patterns that are compiled then: a mistake shows here."""
    for name in TREE.files:
        if not name.endswith("__main__"):
            import_module(name)
    for pattern in [found for found in gc.get_objects() if isinstance(found, regex.LazyPattern)]:
        assert pattern.flags is not None, pattern.pattern
