"""Assemble the `Site`: editions, pages, routes, sidebars and what follows from them."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from octavo.config import (
    CONFIG_NAME,
    Config,
    Locale,
    Sidebar,
    SidebarEntry,
    Version,
    label_texts,
    line_of_key,
    missing_words,
)
from octavo.content import COMPONENT_KIND, FrontMatter
from octavo.diagnostics import Diagnostic, Span
from octavo.site.draft import EditionDraft
from octavo.site.history import LastCommit
from octavo.site.links import PLACE
from octavo.site.model import DocumentSummary, Edition, EditionInfo, Page, Site, Source, TranslationState
from octavo.site.naming import RouteTable
from octavo.site.navigation import link_up
from octavo.site.routes import document_id, document_route, with_slash
from octavo.site.sidebar import SidebarBuilder, fit_sidebars
from octavo.site.sources import collect_sources, docs_root, is_released, mount_root, pages_root, path_today
from octavo.translations import is_revision

_DEEPEST = 128
"""Folders around a document: each is a category within others, in the sidebar and in all that goes through it."""


class Root(NamedTuple):
    """A folder that an edition takes documents or pages from."""

    path: str
    is_page: bool = False
    mount: str | None = None
    suffix: str = ""
    """See `Source.suffix`."""

    def file_of(self, relative: str) -> str:
        """Name the file of a document, whose original is at `relative` below its own root, from the site's folder."""
        stem, ending = posixpath.splitext(relative)
        name = f"{stem}.{self.suffix}{ending}" if self.suffix else relative
        return name if self.path == "." else f"{self.path}/{name}"


def edition_roots(config: Config) -> Iterator[tuple[Locale, Version, list[Root]]]:
    """List the editions with the folders they take files from, each translated one before that of the first locale."""
    for version in config.versions:
        for locale in config.locales:
            roots: list[Root] = []
            first = config.default_locale
            for one in [first] if locale is first else [locale, first]:
                suffix = "" if one is first else one.suffix
                roots.append(Root(docs_root(config, one, version), suffix=suffix))
                if not version.path:
                    roots.append(Root(pages_root(config, one), is_page=True, suffix=suffix))
                    roots += [
                        Root(mount_root(config, one, folder), mount=folder, suffix=suffix) for folder in config.mounts
                    ]
            yield locale, version, list(dict.fromkeys(roots))


def find_sources(site_dir: Path, config: Config) -> list[Source]:
    """Find all Markdown files of a site, each once."""
    found: dict[str, Source] = {}
    for root in dict.fromkeys(root._replace(suffix="") for _, _, roots in edition_roots(config) for root in roots):
        sources = collect_sources(site_dir, config, root.path, is_page=root.is_page, mount=root.mount)
        for source in sources:
            found.setdefault(source.path, source)
    return list(found.values())


def assemble_site(
    config: Config,
    sources: list[Source],
    summaries: Mapping[str, DocumentSummary],
    *,
    site_dir: Path,
    history: Mapping[str, LastCommit],
    inventories: Mapping[str, str] | None = None,
    includes_drafts: bool = False,
) -> Site:
    """Assemble a site from its compiled documents.

    Args:
        config: The site's configuration.
        sources: All Markdown files.
        summaries: Source path → what its document says.
        site_dir: The site's folder; category files are read from it.
        history: Source path → last change, where it is known.
        inventories: Name in another project → its address.
        includes_drafts: Keep drafts (in development).
    """
    diagnostics = [*_missing_words(config), *_missing_switches(config, site_dir)]
    by_root: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        by_root.setdefault((source.root, source.suffix), []).append(source)
    drafts: list[tuple[EditionDraft, list[Root]]] = []
    for locale, version, roots in edition_roots(config):
        edition = EditionDraft(
            EditionInfo(
                locale=locale,
                version=version,
                prefix=_join_parts(locale.path, version.path),
                docs_prefix=_join_parts(locale.path, config.routing.docs, version.path),
            )
        )
        originals = _originals(roots, by_root) if locale is not config.default_locale else {}
        for root in roots:
            for source in by_root.get((root.path, root.suffix), ()):
                original = originals.get(posixpath.splitext(source.key)[0])
                summary = summaries[source.path]
                _add_page(
                    config,
                    edition,
                    source,
                    summary if original is None else _completed(summary, summaries[original.path]),
                    history.get(source.origin),
                    diagnostics,
                    includes_drafts,
                    _translation_state(source, summary, edition.info, config, roots, site_dir),
                    original or source,
                )
        drafts.append((edition, roots))
    shared = {edition.info.locale.id: _shared_pages(edition) for edition, _ in drafts if not edition.info.version.path}
    editions: list[Edition] = []
    labels = label_texts(config)
    first = {one.info.version.name: one for one, _ in drafts if one.info.locale is config.default_locale}
    for edition, roots in drafts:
        info = edition.info
        labels |= _build_sidebars(
            config,
            edition,
            site_dir,
            roots,
            diagnostics,
            shared[info.locale.id] if info.version.path else {},
            first[info.version.name].pages if info.locale is not config.default_locale else {},
        )
        editions.append(edition.finish())
    diagnostics += _unused_labels(config, labels, site_dir)
    table = RouteTable(config, site_dir)
    table.add_all(editions)
    diagnostics += table.diagnostics
    return Site(
        config=config,
        editions=tuple(editions),
        by_route=table.routes,
        # Editions that share a file share its problems.
        diagnostics=tuple(dict.fromkeys(diagnostics)),
        inventories=inventories or {},
        left_out=frozenset(table.left_out),
    )


def _missing_words(config: Config) -> Iterator[Diagnostic]:
    for locale in config.locales:
        if missing := missing_words(config, locale.id):
            message = f'The theme has no words in "{locale.id}": {len(missing)} of them are shown in English.'
            hint = f'Write them as [words.{locale.id}], such as {missing[0]} = "…"; `octavo explain words` lists them.'
            yield Diagnostic("untranslated-words", "warn", Span(CONFIG_NAME), message, hint)


def _unused_labels(config: Config, known: Collection[str], site_dir: Path) -> Iterator[Diagnostic]:
    """Find translations of labels that do not exist, perhaps no longer."""
    for locale, labels in config.labels.items():
        for text in (one for one in labels if one not in known):
            near = next(iter(difflib.get_close_matches(text, sorted(known), n=1)), None)
            try:
                line = line_of_key((site_dir / CONFIG_NAME).read_text(encoding="utf-8"), text, ["labels", locale])
            except (OSError, UnicodeDecodeError):
                line = 1
            message = f'labels.{locale}: no label, title or other text of the settings or of a folder is "{text}".'
            hint = (
                f'Did you mean "{near}"?'
                if near
                else "Write it exactly as it is in the default language, or remove it."
            )
            yield Diagnostic("unused-label", "warn", Span(CONFIG_NAME, line), message, hint)


def _missing_switches(config: Config, site_dir: Path) -> Iterator[Diagnostic]:
    """Find languages and versions that readers cannot choose: the top bar has no switch, and no slot may hold one."""
    own = site_dir / "slots"
    if any(own.glob("top-bar*")) or any(own.glob("layout.*")):
        return
    shown = {item.type for item in config.navbar.items}
    for kind, count, what in (
        ("locale", len(config.locales), "languages"),
        ("version", len(config.versions), "versions"),
    ):
        if count > 1 and kind not in shown:
            message = f"The site has {count} {what}, and the top bar has no switch between them."
            hint = f'Add {{ type = "{kind}", position = "right" }} to the items of [navbar].'
            yield Diagnostic("missing-switch", "warn", Span(CONFIG_NAME), message, hint)


def _join_parts(*parts: str) -> str:
    return "".join(f"/{part}" for part in parts if part)


def _route(config: Config, edition: EditionInfo, source: Source, front: FrontMatter, original: Source) -> str:
    """Make the route of a file, as the settings say."""
    route = _natural_route(config, edition, source, front, original)
    return with_slash(route, f"{edition.prefix}/", config.trailing_slash)


def _natural_route(config: Config, edition: EditionInfo, source: Source, front: FrontMatter, original: Source) -> str:
    exact = config.routing.exact.get(path_today(source, config), config.routing.exact.get(path_today(original, config)))
    if exact is not None:
        return edition.prefix + exact
    if source.mount is not None:
        prefix = edition.prefix + config.mounts[source.mount]
    else:
        prefix = edition.prefix if source.is_page else edition.docs_prefix
    return document_route(source.relative, front, prefix, config.routing)


def _add_page(
    config: Config,
    edition: EditionDraft,
    source: Source,
    summary: DocumentSummary,
    change: LastCommit | None,
    diagnostics: list[Diagnostic],
    includes_drafts: bool,
    translation: TranslationState,
    original: Source,
) -> None:
    if source.key in edition.by_file:
        return  # a translation of this file has been added already
    front = summary.front_matter
    doc_id = source.key_prefix + (source.doc_id or document_id(source.relative, front, config.routing))
    if front.draft and not includes_drafts:
        edition.drafts.append(doc_id)
        return
    if _is_translated(source, edition.pages.get(doc_id)):
        edition.by_file[source.key] = doc_id
        return
    if (depth := source.relative.count("/")) > _DEEPEST:
        message = (
            f"This file lies in {depth} folders within each other, and pages may lie in {_DEEPEST}; it is left out."
        )
        hint = "Move it to a folder that is less deep."
        diagnostics.append(Diagnostic("long-address", "error", Span(source.origin), message, hint))
        return
    if doc_id in edition.pages:
        message = f'The id "{doc_id}" is already that of {edition.pages[doc_id].origin}.'
        hint = "Give one of the two another id in its front matter."
        problem = Diagnostic("duplicate-id", "error", Span(source.origin), message, hint)
        diagnostics.append(problem)
        return
    if source.maker == "blog" and source.data is not None:
        change = None  # that of the settings says nothing about the posts
    page = Page(
        edition=edition.info,
        kind="page" if source.is_page else "doc",
        doc_id=doc_id,
        route=_route(config, edition.info, source, front, original),
        title=_title(summary, doc_id, config.routing.titles.get(path_today(source, config), "")),
        description=_description(summary),
        summary=summary,
        source=source,
        last_updated=(front.last_update.date if front.last_update else None) or (change.date if change else None),
        last_author=(front.last_update.author if front.last_update else None) or (change.author if change else None),
        translation=translation,
    )
    edition.add(page)
    edition.by_file[source.key] = doc_id


def _original_of(relative: str, root: Root, config: Config, site_dir: Path) -> str:
    """Name the file of an original, which may have the suffix of the default language."""
    tagged = root._replace(suffix=config.default_locale.suffix).file_of(relative)
    return tagged if tagged != relative and (site_dir / tagged).is_file() else root.file_of(relative)


def _is_translated(source: Source, known: Page | None) -> bool:
    """Return whether a page is the translation of a file, though its name ends otherwise: `.mdx` in the place of `.md`."""
    if known is None or known.source is None:
        return False
    kinds = {(one.is_page, one.mount) for one in (source, known.source)}
    return len(kinds) == 1 and (source.root, source.suffix) != (known.source.root, known.source.suffix)


_INHERITED = (
    ("id",),
    ("slug",),
    ("sidebar_position",),
    ("sidebar_class_name",),
    ("sidebar_group",),
    ("pagination_prev", "removes_prev"),
    ("pagination_next", "removes_next"),
    ("displayed_sidebar", "removes_sidebar"),
    ("date",),
    ("draft",),
    ("unlisted",),
    ("hides_from_search",),
)
"""Fields of the front matter that say where a page is and who sees it. Those of a group exclude each other: a translation that
gives one of them takes none of the group from its original."""


def _originals(roots: list[Root], by_root: Mapping[tuple[str, str], list[Source]]) -> dict[str, Source]:
    """Find what the pages of another language are translations of: key without the extension → file of the first language."""
    last = {(root.is_page, root.mount): root for root in roots}
    sources = (source for root in last.values() for source in by_root.get((root.path, root.suffix), ()))
    return {posixpath.splitext(source.key)[0]: source for source in sources}


def _completed(summary: DocumentSummary, original: DocumentSummary) -> DocumentSummary:
    """Give a translation the place of its original in what its own front matter leaves out."""
    front, first = summary.front_matter, original.front_matter
    fields = {
        name: getattr(first, name)
        for group in _INHERITED
        if all(getattr(front, name) is None or getattr(front, name) is False for name in group)
        for name in group
    }
    completed = msgspec.structs.replace(front, **fields)
    return summary if completed == front else msgspec.structs.replace(summary, front_matter=completed)


def _translation_state(
    source: Source, summary: DocumentSummary, edition: EditionInfo, config: Config, roots: list[Root], site_dir: Path
) -> TranslationState:
    """Compare a page of another language with its original."""
    # References of APIs are drawn in the words of each language, and only descriptions are those of the document.
    if edition.locale is config.default_locale or (source.data is not None and source.maker == "openapi"):
        return ""
    # Each translated folder is in front of that of the first language.
    same = [root for root in roots if (root.is_page, root.mount) == (source.is_page, source.mount)]
    if (source.root, source.suffix) == (same[-1].path, same[-1].suffix):
        return "missing"
    given = summary.front_matter.translated_from
    if given is None:
        return ""
    try:
        original = (site_dir / _original_of(source.relative, same[-1], config, site_dir)).read_bytes()
    except OSError:
        return ""
    return "" if is_revision(given, original) else "outdated"


def with_summaries(site: Site, summaries: Mapping[str, DocumentSummary]) -> Site | None:
    """Give pages of a site other summaries.

    Args:
        site: The site.
        summaries: Source path → summary.

    Returns:
        The site with these summaries, everything else shared with the one given; None where more than these pages and
        the cards that show them depends on what has changed.
    """
    # Links that name a place by its id may lead elsewhere when a page has other ids.
    has_places = any(link.href.startswith(PLACE) for page in site.pages if page.summary for link in page.summary.links)
    shown: set[str] = set()
    by_route = dict(site.by_route)
    editions = []
    for edition in site.editions:
        fresh: dict[str, Page] = {}
        for page in edition.pages.values():
            path = page.source.path if page.source is not None else ""
            if path not in summaries:
                continue
            summary = summaries[path]
            if edition.locale is not site.config.default_locale:
                first = _edition_of(site, site.config.default_locale, edition.version).pages.get(page.doc_id)
                summary = _completed(summary, first.summary) if first is not None and first.summary else summary
            if not _takes_summary(page, summary, site.config, has_places=has_places):
                return None
            shown.add(path)
            changed = msgspec.structs.replace(page, summary=summary, description=_description(summary))
            fresh[page.doc_id] = changed
            if by_route.get(page.route) is page:
                by_route[page.route] = changed
        editions.append(msgspec.structs.replace(edition, pages={**edition.pages, **fresh}) if fresh else edition)
    if shown != summaries.keys():
        return None
    return msgspec.structs.replace(site, editions=tuple(editions), by_route=by_route)


def _edition_of(site: Site, locale: Locale, version: Version) -> Edition:
    return next(one for one in site.editions if one.locale is locale and one.version is version)


def _ids(summary: DocumentSummary) -> list[str]:
    return [*(heading.anchor for heading in summary.headings), *summary.names]


def _takes_summary(page: Page, summary: DocumentSummary, config: Config, *, has_places: bool) -> bool:
    old = page.summary
    given = config.routing.titles.get(path_today(page.source, config), "") if page.source is not None else ""
    if old is None or old.front_matter != summary.front_matter or _title(summary, page.doc_id, given) != page.title:
        return False
    if old.icon != summary.icon or (has_places and _ids(old) != _ids(summary)):
        return False
    # With the first diagram of a site come files of the theme, and with the first use of a component its files.
    return _with_files(old) == _with_files(summary)


def _with_files(summary: DocumentSummary) -> list[str]:
    return [kind for kind in summary.island_kinds if kind == "mermaid" or kind.startswith(COMPONENT_KIND)]


def _description(summary: DocumentSummary) -> str:
    front = summary.front_matter
    return front.description if front.description is not None else summary.excerpt


def _title(summary: DocumentSummary, doc_id: str, given: str) -> str:
    """Title of a page; `given` is what the settings call one without a heading."""
    front = summary.front_matter
    if given and not (summary.has_title and summary.headings):
        return given
    if front.title is not None:
        # Generators write an empty title for pages that menus name by a label.
        return front.title if front.title.strip() else front.sidebar_label or front.title
    if summary.has_title and summary.headings:
        return summary.headings[0].text
    return posixpath.basename(doc_id.removeprefix("page:"))


def _shared_pages(edition: EditionDraft) -> dict[str, Page]:
    """List the pages that exist once for all versions, made from data or in mounted folders, as doc id → page."""
    return {
        doc_id: page
        for doc_id, page in edition.pages.items()
        if page.source and (page.source.data is not None or page.source.mount is not None)
    }


def _build_sidebars(
    config: Config,
    edition: EditionDraft,
    site_dir: Path,
    roots: list[Root],
    diagnostics: list[Diagnostic],
    elsewhere: Mapping[str, Page],
    originals: Mapping[str, Page],
) -> set[str]:
    """Build the sidebars of an edition, and return the texts in them that `[labels]` can translate."""
    version = edition.info.version
    sidebars = config.sidebars if version.sidebars is None else version.sidebars
    if version.sidebars is None and is_released(version):
        sidebars = fit_sidebars(sidebars, edition, {**_shared_pages(edition), **elsewhere}, site_dir / config.docs)
    if not sidebars:
        sidebars = [Sidebar(id="docs", items=[SidebarEntry(autogenerated=".")])]
    docs = list(dict.fromkeys(root.path for root in roots if not root.is_page and root.mount is None))
    mounts = {
        root.mount: list(dict.fromkeys(one.path for one in roots if one.mount == root.mount))
        for root in roots
        if root.mount
    }
    builder = SidebarBuilder(
        edition,
        site_dir=site_dir,
        docs_roots=docs,
        mounts=mounts,
        config=config,
        elsewhere=elsewhere,
        originals=originals,
    )
    for sidebar in sidebars:
        edition.sidebars[sidebar.id] = builder.build(sidebar)
    diagnostics += builder.diagnostics
    diagnostics += link_up(edition, membership=config.diagnostics.sidebar_membership, elsewhere=elsewhere)
    return builder.labels
