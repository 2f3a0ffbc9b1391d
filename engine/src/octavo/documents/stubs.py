"""Stubs: components that an import could not take over. Their files only say what they stand for."""

from __future__ import annotations

from pathlib import Path

from octavo.diagnostics import Diagnostic, Span

_MARK = "---\nstub: "


def stub_text(origin: str) -> str:
    """Write the file of a stub.

    Args:
        origin: The module that it stands for, or nothing where that is not known.
    """
    return f'{_MARK}"{origin}"\n---\n\n{{props.children}}\n'


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
    return [
        Diagnostic(
            "stub-component",
            "warn",
            Span(f"{folder.relative_to(site_dir).as_posix()}/{name}.mdx"),
            f'"<{name}>" is a stub{f" of {origin}" if origin else ""}: pages show its title and its content only.',
            "Write the component as Markdown in this file, and take its line `stub` out.",
        )
        for name, origin in find_stubs(folder).items()
    ]
