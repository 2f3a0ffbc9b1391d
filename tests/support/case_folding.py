"""A file system that knows no case, as those of macOS and Windows, simulated for this process."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_ONE_PATH = ("open", "unlink", "stat", "lstat", "mkdir", "rmdir", "scandir", "listdir")
_TWO_PATHS = ("link", "rename", "replace")


def fold_names(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """Let each name below a folder find what is there under the same name in another case.

    As such a file system does, it keeps the spelling under which a file or folder was made.

    Args:
        monkeypatch: Undoes it.
        root: The folder; it is never removed.
    """
    list_names = os.listdir

    def resolve(path: Any) -> Any:
        if isinstance(path, int) or not str(path).startswith(f"{root}/"):
            return path
        found = str(root)
        for part in str(path)[len(found) + 1 :].split("/"):
            try:
                names = list_names(found)
            except OSError:
                names = []
            same = part if part in names else next((name for name in names if name.lower() == part.lower()), part)
            found = f"{found}/{same}"
        return type(path)(found) if isinstance(path, Path) else found

    def with_one(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path=".", *rest, **named: real(path if "dir_fd" in named else resolve(path), *rest, **named)

    def with_two(real: Callable[..., Any]) -> Callable[..., Any]:
        # A file that is renamed to its own name in another case gets that spelling.
        return lambda first, second, **named: real(resolve(first), resolve(second), **named)

    for name in _ONE_PATH:
        monkeypatch.setattr(os, name, with_one(getattr(os, name)))
    for name in _TWO_PATHS:
        monkeypatch.setattr(os, name, with_two(getattr(os, name)))
    for module in (builtins, io):
        monkeypatch.setattr(module, "open", with_one(module.open))
