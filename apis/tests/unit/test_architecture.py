"""The structure of the servers: independent of each other and of the engine, without import cycles."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import octavo_sandbox
from tests.support.imports import SourceTree, unit_of

SOURCES = Path(octavo_sandbox.__file__).parents[1]
PACKAGES = sorted(path for path in SOURCES.iterdir() if (path / "__init__.py").is_file())
SERVERS = {"gateway_api", "tool_api"}
TREE = SourceTree(*PACKAGES)

ALLOWED_IMPORTS: dict[str, set[str]] = {
    # package: packages that it imports; exactly those
    "gateway_api": {"service_guard"},
    "octavo_sandbox": set(),
    "service_guard": set(),
    "tool_api": {"octavo_sandbox", "service_guard"},
}


@pytest.mark.costly
def test_packages_import_exactly_what_is_allowed() -> None:
    assert {unit: set(imported) for unit, imported in TREE.units(depth=0).items()} == ALLOWED_IMPORTS


@pytest.mark.parametrize("server", sorted(SERVERS))
def test_server_imports_neither_the_other_one_nor_the_command(server: str) -> None:
    assert ALLOWED_IMPORTS[server] & (SERVERS | {"octavo_sandbox.cli"}) == set()


def test_shared_packages_import_no_server() -> None:
    shared = {name: imported for name, imported in ALLOWED_IMPORTS.items() if name not in SERVERS}
    assert [name for name, imported in shared.items() if imported & SERVERS] == []


def test_engine_is_not_imported() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in TREE.files.items()}
    wrong = [name for name, text in texts.items() if "import octavo\n" in text or "from octavo." in text]
    assert wrong == []


def test_modules_import_each_other_in_no_cycle() -> None:
    assert TREE.cycles() == []


def test_packages_are_small() -> None:
    large = {name: size for name, size in TREE.package_sizes().items() if size > 15}
    assert large == {}


def test_modules_are_short() -> None:
    assert TREE.long_modules(500) == {}


@pytest.mark.costly
@pytest.mark.parametrize("server", sorted(SERVERS))
def test_names_of_classes_have_one_meaning(server: str) -> None:
    """The two servers do not know each other, so each has its settings, errors and counters."""
    reached = SourceTree(*(SOURCES / name for name in {server, *ALLOWED_IMPORTS[server]}))
    assert reached.repeated_class_names() == {}


def test_every_package_is_listed() -> None:
    assert {unit_of(name, 0) for name in TREE.files} == set(ALLOWED_IMPORTS)


def test_every_module_can_be_imported() -> None:
    """Also those that are imported only when they are used: a dependency that is too old shows here."""
    for name in TREE.files:
        if not name.endswith("__main__") and ".migrations." not in name:  # migrations run inside alembic only
            import_module(name)
