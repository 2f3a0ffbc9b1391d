"""Twins: files of several versions that have the same text, so that one compiled document serves all of them.

A file is known by its path below the folder of its version. What is compiled of it is taken over for its twins once it
is sure that it would be the same there: every file it takes in has the same text below each version's own folder, and
nothing of the body names the folder.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping

import msgspec

from octavo.content import ContentOptions, Term
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.body import Body
from octavo.revisions import release_folder
from octavo.runtime import digest
from octavo.site import MARKDOWN_SUFFIXES, DocumentSummary, Source


def find_profiles(roots: Iterable[str], options: ContentOptions) -> dict[str, str]:
    """Hash what the settings say of each folder of a version: files of two folders can be twins where it is the same.

    Returns:
        Folder → hash; empty where fewer than two folders are given, or extensions may do as they like with a path.
    """
    folders = list(dict.fromkeys(roots))
    if len(folders) < 2 or options.extensions:
        return {}
    return {root: _profile(root, options) for root in folders}


def _profile(root: str, options: ContentOptions) -> str:
    inside = f"{root}/"
    dialects = {
        folder.removeprefix(root): dialect for folder, dialect in options.folders.items() if folder.startswith(inside)
    }
    terms = [
        _below(root, folder) for term in options.glossary.values() if isinstance(term, Term) for folder in term.folders
    ]
    posts = [(post.folder.removeprefix(root), post.authors) for post in options.posts if post.folder.startswith(inside)]
    words = options.words_of(f"{inside}a.md")
    around = [options.dialect_of(f"{inside}a{suffix}") for suffix in MARKDOWN_SUFFIXES]
    # Paths that lead out of the folder lead to the same file from folders beside each other only, or each to the file of its release.
    release = release_folder(root)
    place = "release" + posixpath.dirname(root)[len(release) :] if release else posixpath.dirname(root)
    # A name may mean another file where a release has others.
    names = sorted(
        path[len(release) :] for files in options.names_in_releases.get(release, {}).values() for path in files
    )
    parts = (place, dict(words), around, dialects, terms, posts, names)
    # Snippets of a release are in its own folder.
    named = msgspec.json.encode(parts, order="deterministic").replace(root.encode(), b".")
    return digest(named.replace(release.encode(), b".") if release else named)


def _below(root: str, folder: str) -> str:
    """Say where a folder lies as seen from a root: in it, around it, or elsewhere."""
    folder = folder.rstrip("/")
    if folder == root or folder.startswith(f"{root}/"):
        return folder.removeprefix(root) or "/"
    return "around" if root.startswith(f"{folder}/") else "elsewhere"


def twin_key(source: Source, content: bytes, profiles: Mapping[str, str]) -> str:
    """Name what twins share; the source's own path where it can have none."""
    profile = profiles.get(source.root)
    name = f"{posixpath.basename(base_of(source.root))}/".encode()
    if profile is None or name in content:
        return source.path
    return f"{profile} {source.relative} {source.suffix}".rstrip()


def base_of(root: str) -> str:
    """Name the folder that has everything that is a version's own: that of its release, or else that of its documents."""
    return release_folder(root) or root


def is_portable(body: Body, root: str) -> bool:
    """Return whether nothing of a body names the folder of its version."""
    return f"{base_of(root)}/".encode() not in msgspec.msgpack.encode(body)


def takes_from_original(dependencies: Iterable[str], root: str, original: str | None) -> bool:
    """Return whether a translation takes in files of its original's folder: its twins have other originals.

    Args:
        dependencies: Paths of the files that it takes in, or would.
        root: Folder of the translations.
        original: Folder of the originals; None where the folder has no translations.
    """
    if original is None:
        return False
    above = "" if original == "." else f"{original}/"
    return any(path.startswith(above) and not path.startswith(f"{root}/") for path in dependencies)


def move_dependencies(dependencies: Mapping[str, str], old: str, new: str) -> dict[str, str]:
    """Name the files that a twin takes in: path → hash."""
    move = _mover(old, new)
    return {move(path): noted for path, noted in dependencies.items()}


def move_summary(summary: DocumentSummary, source: Source, old: str) -> DocumentSummary:
    """Make the summary of a twin.

    Args:
        summary: That of the document that was compiled.
        source: The twin.
        old: Folder of the version of the compiled one.
    """
    move = _mover(old, source.root)

    def moved(span: Span) -> Span:
        return Span(move(span.path), span.line, span.column)

    replace = msgspec.structs.replace
    return replace(
        summary,
        source_path=source.path,
        links=[replace(link, span=moved(link.span)) for link in summary.links],
        assets=[replace(asset, span=moved(asset.span)) for asset in summary.assets],
        diagnostics=[_move_finding(one, moved(one.span), old, source.root) for one in summary.diagnostics],
    )


def _move_finding(finding: Diagnostic, span: Span, old: str, new: str) -> Diagnostic:
    message, suggestion = finding.message, finding.suggestion
    for before, after in ((old, new), (base_of(old), base_of(new))):
        message = message.replace(f"{before}/", f"{after}/")
        suggestion = suggestion.replace(f"{before}/", f"{after}/")
    return msgspec.structs.replace(finding, span=span, message=message, suggestion=suggestion)


def _mover(old: str, new: str) -> Callable[[str], str]:
    """Make what names a file of one version in another: of the documents, or of what else is a release's own."""
    steps = [(f"{old}/", f"{new}/"), (f"{base_of(old)}/", f"{base_of(new) or '/'}/")]
    known: dict[str, str] = {}

    def move(path: str) -> str:
        # Nearly all places of a page are in one file.
        if path not in known:
            known[path] = next((to + path[len(start) :] for start, to in steps if path.startswith(start)), path)
        return known[path]

    return move
