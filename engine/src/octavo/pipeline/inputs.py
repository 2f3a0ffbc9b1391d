"""From a site's folder to a complete site, the same way for a build and for the author's preview.

read_inputs  ->  Library.build or Library.update  ->  assemble
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.config import CONFIG_NAME, Config
from octavo.diagnostics import Diagnostic, Span
from octavo.documents import Compiler, Library, SiteSources, gather_sources, is_in_blog
from octavo.look import Look, make_look
from octavo.pipeline.inventories import load_inventories
from octavo.pipeline.pictures import Pictures
from octavo.pipeline.site_files import SiteFiles
from octavo.rendering import Theme
from octavo.runtime import Cache, open_cache
from octavo.site import (
    LastCommit,
    Site,
    assemble_site,
    edition_roots,
    excluded_paths,
    explain_suffix,
    find_head,
    find_left_out,
    find_sources,
    load_history,
    page_suffixes,
)

if TYPE_CHECKING:
    from octavo.components import SiteComponents
    from octavo.extending import SiteExtensions


class SiteInputs(msgspec.Struct, frozen=True, eq=False):
    """What a site is assembled from, apart from its documents."""

    site_dir: Path
    config: Config
    settings_text: str
    """Text of `octavo.toml`."""
    sources: SiteSources
    changes: Mapping[str, LastCommit]
    """Source path → last commit."""
    theme: Theme
    look: Look
    pictures: Pictures | None = None
    """Makes the pictures that the settings ask for."""
    extensions: SiteExtensions | None = None
    """Extensions of the site; None where it has none."""
    components: SiteComponents | None = None
    """Components of the site in React; None where it has none."""
    made_dir: Path | None = None
    """Keeps files that are taken out of others: the pictures of notebooks."""
    inventories: Mapping[str, str] = {}
    """Name in another project → its address."""
    inventory_problems: Sequence[Diagnostic] = ()

    @property
    def compiler(self) -> Compiler:
        """What compiles the documents, with the components that there are now."""
        react = self.components.names if self.components else frozenset()
        slots = self.components.content_slots if self.components else frozenset()
        return Compiler.of(self.site_dir, self.config, self.sources.descriptions, self.extensions, react, slots)

    def with_files_of_now(self) -> SiteInputs:
        """Look for the Markdown files again, and share all the rest."""
        written = find_sources(self.site_dir, self.config)
        return msgspec.structs.replace(self, sources=msgspec.structs.replace(self.sources, written=written))

    def with_blogs_of_now(self, changed: Collection[str]) -> SiteInputs:
        """Make the pages of blogs again where one of the changed files is a post, and share all the rest; itself where none of them differs."""
        if not any(is_in_blog(path, self.config) for path in changed):
            return self
        sources = self.sources.with_blogs_of_now(self.site_dir, self.config)
        if (sources.made, sources.blog_problems) == (self.sources.made, self.sources.blog_problems):
            return self
        return msgspec.structs.replace(self, sources=sources)

    def with_look_of(self, config: Config, work_dir: Path) -> SiteInputs | None:
        """Use other settings and share all the rest; None where they differ in more than the look of pages."""
        theme, other = self.config.theme, config.theme
        if msgspec.structs.replace(config, theme=theme) != self.config:
            return None
        # The first is part of the data of the site, the second of each page beside its style sheets.
        if theme.has_transitions != other.has_transitions or theme.fonts != other.fonts:
            return None
        # The rest stays the very same: a site knows its versions and languages by their identity.
        config = msgspec.structs.replace(self.config, theme=other)
        text = _read_settings(self.site_dir)
        look = make_look(config, text, self.site_dir, open_cache(work_dir))
        return msgspec.structs.replace(self, config=config, settings_text=text, look=look)

    def with_components_of_now(self, work_dir: Path, patience: float | None) -> SiteInputs:
        """Read the components again, and share all the rest; for the parameters see `read_inputs`."""
        components = _load_components(self.site_dir, self.config, work_dir, patience, self.components)
        return msgspec.structs.replace(self, components=components)


def read_inputs(
    site_dir: Path,
    config: Config,
    work_dir: Path,
    theme: Theme,
    *,
    is_preview: bool = False,
    audits_extensions: bool = False,
    extension_times: Path | None = None,
    patience: float | None = None,
    before: SiteInputs | None = None,
) -> SiteInputs:
    """Read everything but the documents.

    Args:
        site_dir: The site's folder.
        config: Its configuration.
        work_dir: See `work_folder`.
        theme: The theme.
        is_preview: See `Pictures`.
        audits_extensions: Find what extensions depend on and do not declare.
        extension_times: File that takes what calls of extensions cost; none by default.
        patience: Seconds to wait for each component of the site; None waits for it as long as it may take.
        before: Those of an earlier state of the site, whose spare process for components is taken over.

    Raises:
        ConfigError: the settings ask for pictures, and what makes them is not installed.
    """
    settings_text = _read_settings(site_dir)
    extensions = _load_extensions(site_dir, config, work_dir, is_audited=audits_extensions)
    if extensions is not None:
        extensions.timings.file = extension_times
    components = _load_components(site_dir, config, work_dir, patience, before.components if before else None)
    inventories, inventory_problems = load_inventories(site_dir, config, settings_text)
    return SiteInputs(
        site_dir=site_dir,
        config=config,
        settings_text=settings_text,
        sources=gather_sources(site_dir, config, work_dir, extensions),
        changes=_load_changes(site_dir, open_cache(work_dir)),
        theme=theme,
        look=make_look(config, settings_text, site_dir, open_cache(work_dir)),
        pictures=Pictures.of(config, work_dir, is_preview=is_preview),
        extensions=extensions,
        components=components,
        made_dir=work_dir / "notebooks",
        inventories=inventories,
        inventory_problems=inventory_problems,
    )


def _read_settings(site_dir: Path) -> str:
    return (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")


def _has_scripts(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith((".tsx", ".jsx")) for entry in entries)
    except OSError:
        return False


def _load_components(
    site_dir: Path, config: Config, work_dir: Path, patience: float | None, before: SiteComponents | None
) -> SiteComponents | None:
    if not any(_has_scripts(site_dir / folder) for folder in (config.components, "slots")):
        return None
    # Not at the top: sites without components do without what compiles and draws them.
    from octavo.components import load_components

    return load_components(site_dir, config, open_cache(work_dir), patience, before)


def _load_extensions(site_dir: Path, config: Config, work_dir: Path, *, is_audited: bool) -> SiteExtensions | None:
    if not config.extensions:
        return None
    # Not at the top: sites without extensions do without what runs them.
    from octavo.extending import SiteExtensions

    return SiteExtensions(site_dir, config, open_cache(work_dir), is_audited=is_audited)


def assemble(inputs: SiteInputs, library: Library) -> tuple[SiteFiles, list[Diagnostic]]:
    """Assemble the site of the documents that a library has compiled from these inputs.

    Returns:
        (the site about to be published, what is wrong apart from what lies between pages).
    """
    summaries = library.summaries
    sources = [source for source in inputs.sources.all if source.path in summaries]
    site = assemble_site(
        inputs.config,
        sources,
        summaries,
        site_dir=inputs.site_dir,
        history=inputs.changes,
        inventories=inputs.inventories,
    )
    site_files = SiteFiles(
        site,
        inputs.site_dir,
        inputs.theme,
        inputs.sources.console_servers,
        inputs.look,
        inputs.pictures,
        inputs.extensions,
        inputs.components,
        inputs.made_dir,
    )
    return site_files, [*list_problems(inputs, library, site), *_unused(inputs, library)]


def list_problems(inputs: SiteInputs, library: Library, site: Site) -> Iterator[Diagnostic]:
    """List what is wrong with the inputs of a site, with each document by itself, and with how they fit together."""
    yield from inputs.sources.problems
    yield from inputs.sources.blog_problems
    yield from inputs.look.problems
    yield from inputs.inventory_problems
    if inputs.extensions is not None:
        yield from inputs.extensions.problems
    if inputs.components is not None:
        yield from inputs.components.problems
    yield from library.problems
    yield from site.diagnostics
    paths = {source.path for source in inputs.sources.written}
    for path in sorted(paths):
        if path.count(".") > 1 and (problem := explain_suffix(path, paths, inputs.config)) is not None:
            yield problem


def _unused(inputs: SiteInputs, library: Library) -> Iterator[Diagnostic]:
    """Find what lies among the documents and is neither a page nor part of one: other engines give an underscore to indexes, too."""
    roots = dict.fromkeys(root.path for _, _, roots in edition_roots(inputs.config) for root in roots)
    known = {source.path for source in inputs.sources.all} | library.taken_in
    yield from _outside_languages(inputs)
    left_out = find_left_out(inputs.site_dir, roots)
    yield from left_out.problems
    is_excluded = excluded_paths(inputs.config)
    pages = page_suffixes(inputs.config)
    for path in left_out.others:
        if path in known or (is_excluded and is_excluded(path)) or path.endswith(pages):
            continue
        if "category" in posixpath.basename(path):
            message = "This file is read by nobody: the settings of a folder are in _category_.yaml, .yml or .json."
            yield Diagnostic("unused-file", "warn", Span(path), message, "Rename it.")
        else:
            message = "This file is not a page: pages end in .md or .mdx, in small letters."
            hint = "Rename or convert it, or name it in `exclude`; .rst files need the extension rst in [markdown], notebooks need notebooks."
            yield Diagnostic("unused-file", "warn", Span(path), message, hint)
    for path in left_out.files:
        if path in known or (is_excluded and is_excluded(path)):
            continue
        name = posixpath.splitext(posixpath.basename(path))[0]
        hint = (
            f'If it is the page of its folder, write index_names = ["index", "readme", "{name}"] in [routing].'
            if name in ("_index", "_readme")
            else "Import it, or take the underscore away."
        )
        message = "This file is not a page, because its name begins with an underscore, and no page takes it in."
        yield Diagnostic("unused-file", "warn", Span(path), message, hint)


def _outside_languages(inputs: SiteInputs) -> Iterator[Diagnostic]:
    """Find Markdown in the folders of translations that belongs to no language, or lies beside the folders of one."""
    config, site_dir = inputs.config, inputs.site_dir
    given = {posixpath.normpath(one.docs): one for one in config.locales if one.docs and not one.folders}
    roots = tuple(f"{root.path}/" for _, _, found in edition_roots(config) for root in found)
    is_excluded = excluded_paths(config)
    folders = dict.fromkeys(posixpath.dirname(one) for one in given)
    for parent in filter(None, folders):
        for path in sorted((site_dir / parent).rglob("*.md*")):
            own = path.relative_to(site_dir).as_posix()
            if not own.endswith((".md", ".mdx")) or own.startswith(roots) or (is_excluded and is_excluded(own)):
                continue
            folder = next((one for one in given if own.startswith(f"{one}/")), "")
            if folder:
                message = f'This file is not a page: the pages of "{given[folder].id}" lie in "{folder}/docs" and "{folder}/pages".'
                yield Diagnostic("unused-file", "warn", Span(own), message, "Move it into one of them.")
            elif own.count("/") > parent.count("/") + 1:
                message = "This file is not a page: no language of [[locales]] has this folder."
                yield Diagnostic(
                    "unused-file", "warn", Span(own), message, "Name the language, or put the folder into `exclude`."
                )


class _History(msgspec.Struct, frozen=True):
    head: str
    changes: dict[str, LastCommit]


def _load_changes(site_dir: Path, cache: Cache) -> Mapping[str, LastCommit]:
    """Load the last change of every file, as source path → change; from the cache where nothing was committed since."""
    head = find_head(site_dir)
    if head is None:
        return {}
    table = cache.load_table("history.msgpack", _History, _History("", {}))
    if table.head != head:
        table = _History(head, dict(load_history(site_dir)))
        cache.save_table("history.msgpack", table)
    return table.changes
