"""Try components on the pages that use them: what fails to compile or to be drawn is not taken over."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from octavo.components import load_components
from octavo.config import Config
from octavo.content import COMPONENT_KIND, SLOT, ContentOptions
from octavo.diagnostics import Span
from octavo.documents import Compiler, Files
from octavo.importing.components.astro import NO_PAGE
from octavo.importing.components.programs import Program
from octavo.lazy import regex as re
from octavo.rendering import UNDRAWN, PageIslands, Use, draw_authored, is_authored, use_of
from octavo.runtime import Cache
from octavo.site import Source, find_sources

if TYPE_CHECKING:
    from octavo.components import SiteComponents

_ADDRESS = re.compile(f"{SLOT}[^I][0-9]+{SLOT}")
_UNSEEN = re.compile(r"<template\b.*?</template>|<script\b.*?</script>")
_SEEN = re.compile(r"<(?:img|svg|iframe|video|picture|input|canvas)\b")
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"[^\s<>]")
_MOST_PAGES = 12
"""Pages on which a component is tried."""


class Tried(NamedTuple):
    """What came of trying components."""

    failed: dict[str, str]
    """Name of a component that cannot be used → why."""
    html: dict[str, str]
    """Name of one that pages do not use → what it draws without properties."""


def try_programs(
    programs: Iterable[Program], pages: Mapping[str, list[str]], site_dir: Path, config: Config, compiler: Compiler
) -> Tried:
    """Compile components and draw their uses.

    Args:
        programs: The components.
        pages: Name of a component → pages that use it; one without pages is drawn without properties.
        site_dir: The site's folder.
        config: Its settings.
        compiler: Of its documents.
    """
    programs = list(programs)
    if not programs:
        return Tried({}, {})
    html: dict[str, str] = {}
    has_words: set[str] = set()
    with TemporaryDirectory() as work:
        root = Path(work)
        for path, text in {path: text for one in programs for path, text in one.files.items()}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        for path in {path for one in programs for path in one.pictures}:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(site_dir / path, root / path)
        components = load_components(root, config, Cache(root / ".cache"))
        if components is None:
            return Tried({}, {})
        try:
            failed = {
                one.name: _problem(components, one)
                for one in programs
                if one.name not in components.all or not components.all[one.name].is_usable
            }
            names = frozenset(one.name for one in programs if one.name not in failed)
            compiler = _with_react(compiler, names)
            files = Files(site_dir)
            tried = dict.fromkeys(path for name in sorted(names) for path in pages.get(name, ())[:_MOST_PAGES])
            by_path = {source.path: source for source in find_sources(site_dir, config)}
            shown = [_islands(compiler, files, by_path[path], names) for path in tried if path in by_path]
            alone = [one for one in programs if one.name in names and not pages.get(one.name)]
            lone = [Use(one.name, {}, has_children=False, is_inline=False, span=Span(one.path)) for one in alone]
            pairs = list(zip(lone, components.draw(lone), strict=True))
            for page, found in zip(shown, draw_authored(components, shown), strict=True):
                pairs += [
                    (use_of(page.islands[number], {}), drawn) for number, drawn in found.items() if drawn != UNDRAWN
                ]
            for use, drawn in pairs:
                is_failing = drawn.problem is not None and drawn.problem.level == "error"
                if drawn.problem is not None and is_failing and drawn.problem.code == "component":
                    failed.setdefault(
                        use.name, drawn.problem.message.partition(": ")[2].partition(" It is used")[0].rstrip(".")
                    )
                elif not is_failing and NO_PAGE in drawn.html:
                    failed.setdefault(use.name, "it writes the address of its page, which is not known")
                elif not is_failing and _shows(drawn.html):
                    has_words.add(use.name)
                    if not pages.get(use.name):
                        html[use.name] = drawn.html
            failed |= {one.name: "it draws nothing" for one in alone if one.name not in failed and one.name not in html}
            for one in programs:
                if one.packages and one.name in {use.name for use, _ in pairs} - has_words:
                    package = one.packages[0].rpartition(" of ")[2]
                    failed.setdefault(one.name, f'all that it shows is of the package "{package}"')
        finally:
            components.close()
    return Tried(failed, html)


def _shows(html: str) -> bool:
    """Whether readers see anything of what was drawn."""
    html = _UNSEEN.sub("", html)
    # Tags are taken out first: to ask of each letter whether it is in one takes time by the square of the length.
    return _SEEN.search(html) is not None or _WORD.search(_TAG.sub("", html)) is not None


def _problem(components: SiteComponents, one: Program) -> str:
    """Give the first thing that is wrong with the files of a component."""
    found = [
        problem.message
        for problem in components.problems
        if problem.span.path in one.files and problem.level == "error"
    ]
    return (found or ["its modules fail"])[0].rstrip(".")


def _with_react(compiler: Compiler, names: frozenset[str]) -> Compiler:
    options: ContentOptions = msgspec.structs.replace(
        compiler.options,
        components=compiler.options.components | names,
        react=compiler.options.react | names,
        stubs=compiler.options.stubs - names,
    )
    return msgspec.structs.replace(compiler, options=options)


def _islands(compiler: Compiler, files: Files, source: Source, names: frozenset[str]) -> PageIslands:
    """List the islands of a page; links in them stay as they are written."""
    document = compiler.compile(source, files, {})
    known = [
        island
        if not is_authored(island) or island.kind.removeprefix(COMPONENT_KIND) in names
        else msgspec.structs.replace(island, kind="other")
        for island in document.islands
    ]
    return PageIslands(known, lambda island: island.props["props"], lambda text: _ADDRESS.sub("", text))
