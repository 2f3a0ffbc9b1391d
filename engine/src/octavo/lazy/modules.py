"""Interfaces of packages whose parts are imported when they are first used.

A command that serves a site must not wait for the import of what only another command needs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def export_lazily(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Make the `__getattr__` of a package (PEP 562).

    Args:
        package: Its full name.
        modules: Module, named from the package → names of it that the package exports.
    """
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        # The next time it is found without this function: imports within functions run thousands of times.
        vars(sys.modules[package])[name] = found
        return found

    return get
