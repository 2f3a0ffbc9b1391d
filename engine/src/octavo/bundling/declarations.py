"""The types of packages: their declarations in TypeScript, copied beside their scripts for the build and for editors."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from octavo.bundling.project import PROJECT, package_of
from octavo.lazy import regex as re

_FOLDER: Final = "_types"
"""Folder of the declarations, from that of the copies."""
_CONDITIONS: Final = ("types", "import", "module", "browser", "default", "require")
"""Keys of `exports` in package.json, in the order in which they are looked at."""
_RELATIVE = re.compile(
    r"""(?:\bfrom|\bimport|\brequire|<reference\s+path=)\s*\(?\s*["'](\.{1,2}/[^"'\n]*|[^"'\n./][^"'\n]*\.d\.ts)["']"""
)
_ENDINGS: Final = (".d.ts", ".d.mts", ".d.cts", "/index.d.ts")
_SCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
_DEFAULT = re.compile(r"\bexport\s+default\b|\bas\s+default\b|\bexport\s*\{\s*default\b")
_WHOLE = re.compile(r"^\s*export\s*=", re.MULTILINE)
_MOST: Final = 1_000
"""Files of one package."""
_LARGEST: Final = 4_000_000
"""Bytes of all declarations of one package."""


def read_declarations(work: Path, names: Sequence[str]) -> dict[str, str]:
    """Read the declarations of packages that npm has installed; those without any have none here.

    Args:
        work: Folder with `node_modules`.
        names: What components import.

    Returns:
        File, from the folder of the copies → text. `NAME.d.ts` hands on what the files of the package declare.
    """
    files: dict[str, str] = {}
    for name in names:
        package = package_of(name)
        folder = (work / "node_modules" / package).resolve()
        entry = _entry(folder, name.removeprefix(package).strip("/"))
        declared = dict(_closure(folder, entry)) if entry else {}
        if entry is None or not declared or sum(map(len, declared.values())) > _LARGEST:
            continue
        files |= {f"{_FOLDER}/{package}/{path}": text for path, text in declared.items()}
        files[f"{name}.d.ts"] = _hand_on(name, f"{_FOLDER}/{package}/{entry}", declared[entry])
    return files


def _entry(folder: Path, part: str) -> str | None:
    """Find the file that declares what a package, or a part of it, exports; as a path from the package's folder."""
    try:
        project = json.loads((folder / PROJECT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    exports = project.get("exports")
    inside = exports.get(f"./{part}" if part else ".") if isinstance(exports, dict) else exports
    if not part and isinstance(exports, dict) and not any(key.startswith(".") for key in exports):
        inside = exports
    main = part or project.get("types") or project.get("typings") or project.get("main") or "index.js"
    for one in (*_targets(inside), main):
        if isinstance(one, str) and (found := _find(folder, one)) is not None:
            return found
    return None


def _targets(exports: Any) -> Iterator[str]:
    """List the files that an entry of `exports` may mean, that of the types first."""
    if isinstance(exports, str):
        yield exports
    elif isinstance(exports, dict):
        for condition in _CONDITIONS:
            yield from _targets(exports.get(condition))


def _find(folder: Path, written: str) -> str | None:
    base = posixpath.normpath(written)
    stem = _SCRIPT.sub("", base)
    for one in (base, *(f"{stem}{ending}" for ending in _ENDINGS)):
        path = folder / one
        if one.endswith((".d.ts", ".d.mts", ".d.cts")) and path.is_file() and path.resolve().is_relative_to(folder):
            return one
    return None


def _closure(folder: Path, entry: str) -> Iterator[tuple[str, str]]:
    """Read a file of declarations, and those of the package that it names."""
    waiting, seen = [entry], {entry}
    while waiting:
        path = waiting.pop()
        text = (folder / path).read_text(encoding="utf-8", errors="replace")
        yield path, text
        for written in _RELATIVE.findall(text):
            other = _find(folder, posixpath.join(posixpath.dirname(path), written))
            if other is not None and other not in seen and len(seen) < _MOST:
                seen.add(other)
                waiting.append(other)


def _hand_on(name: str, file: str, text: str) -> str:
    target = json.dumps(f"./{posixpath.relpath(file, posixpath.dirname(name) or '.')}".replace("./../", "../"))
    target = re.sub(r"\.d\.([cm]?)ts\"$", r'.\1js"', target)
    if _WHOLE.search(text):
        return f"import whole = require({target});\nexport = whole;\n"
    default = f"export {{ default }} from {target};\n" if _DEFAULT.search(text) else ""
    return f"export * from {target};\n{default}"
