"""Stubs: components that an import could not take over. Their files only say what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re

_MARK = "---\nstub: "
TAKEN_OVER = "taken-over"
"""Folder, below that of the components, of the copies of what components of the old site import."""
_PACKAGES = f"{TAKEN_OVER}/shims/package-*.jsx"
_STANDS_FOR = re.compile(r"// Stands for (?P<what>.+) in (?P<copy>\S+)\n")


def stub_text(origin: str) -> str:
    """Write the file of a stub.

    Args:
        origin: The module that it stands for, or nothing where that is not known.
    """
    return f'{_MARK}"{origin}"\n---\n\n{{props.children}}\n'


def package_head(what: str, copy: str) -> str:
    """Write the first line of a module that stands for a package, by which a build finds it.

    Args:
        what: The components of which only the content is shown, and their package.
        copy: The module that imports them, from the folder of the components.
    """
    return f"// Stands for {what} in {copy}\n"


def find_stubs(folder: Path) -> dict[str, str]:
    """Find the stubs among the components of a folder: name → the module that each stands for."""
    found = {}
    for path in sorted(folder.glob("[A-Z]*.mdx")) if folder.is_dir() else []:
        with path.open(encoding="utf-8", errors="replace") as file:
            start = file.read(400)
        if start.startswith(_MARK):
            found[path.stem] = start[len(_MARK) :].partition("\n")[0].strip("\"' ")
    return found


def report_stubs(folder: Path, site_dir: Path) -> list[Diagnostic]:
    """Say once of each stub what readers miss; pages that use it are not named."""
    where = folder.relative_to(site_dir).as_posix()
    return [
        *(_stub_finding(name, origin, where) for name, origin in find_stubs(folder).items()),
        *_packages(folder, where),
    ]


def _stub_finding(name: str, origin: str, where: str) -> Diagnostic:
    return Diagnostic(
        "stub-component",
        "warn",
        Span(f"{where}/{name}.mdx"),
        f'"<{name}>" is a stub{f" of {origin}" if origin else ""}: pages show its title and its content only.',
        "Write the component as Markdown in this file, and take its line `stub` out.",
    )


def _packages(folder: Path, where: str) -> Iterator[Diagnostic]:
    """Find the packages whose components show nothing of their own, where modules of the site still import them."""
    for path in sorted(folder.glob(_PACKAGES)):
        with path.open(encoding="utf-8", errors="replace") as file:
            match = _STANDS_FOR.match(file.readline(2000))
        copy = folder / match["copy"] if match else folder
        if match is None or not copy.is_file():
            continue
        text = copy.read_text(encoding="utf-8", errors="replace")
        place = text.find(f"shims/{path.name}")
        if place >= 0:
            line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
            yield Diagnostic(
                "stub-component",
                "warn",
                Span(f"{where}/{match['copy']}", line, column),
                f"Of {match['what']}, pages show the content only: packages of npm are not taken over.",
                "Write what is missing in this file in place of the import.",
            )
