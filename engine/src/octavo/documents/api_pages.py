"""Pages of API descriptions: read them, check them, and put a source for each page among those of the site."""

from __future__ import annotations

import contextlib
import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.config import CONFIG_NAME, ApiReference, Config, line_of_text
from octavo.content import ContentOptions, Document, Extender, PartialLoader
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.files import hash_text
from octavo.runtime import digest, documents_key, open_cache
from octavo.site import Source, docs_root, is_inside
from octavo.text_files import read_plain

if TYPE_CHECKING:
    from octavo.documents.change_pages import ChangeReader
    from octavo.reference.openapi import Description, Keep, Origins, PlacedGuide, Problem

KEPT = "openapi"
"""Folder of the last good copies, under the working folder of the build."""

Descriptions = Mapping[str, "Description"]
"""`ApiPage.api` → what its pages are made of."""


def add_api_pages(
    sources: Sequence[Source], site_dir: Path, config: Config, work_dir: Path, reader: ChangeReader
) -> tuple[list[Source], Descriptions, list[Diagnostic]]:
    """Add the pages of the API descriptions that `octavo.toml` names, and of their changes, behind all others.

    Returns:
        (sources, what the added ones are made of, what is wrong with the descriptions).
    """
    root = docs_root(config, config.default_locale, config.last_version)
    taken = {posixpath.splitext(source.path)[0] for source in sources}
    added: list[Source] = []
    descriptions: dict[str, Description] = {}
    problems: list[Diagnostic] = []
    for api in config.openapi:
        description, found = _describe(api, site_dir, work_dir)
        problems += found
        if description is not None:
            if api.changes:
                changes = reader.of_api(description)
                description = description.with_since(
                    changes.since, digest(description.digest, msgspec.json.encode(changes.since))
                )
                added += [changes.source] if changes.source is not None else []
            descriptions[api.id] = description
            added += _sources(description, root, taken, problems)
    return [*sources, *added], descriptions, problems


def console_servers(descriptions: Descriptions) -> list[str]:
    """List the servers that the consoles of a site offer: those that its descriptions name."""
    from octavo.reference.openapi import fill_server

    described = [one.root for one in descriptions.values() if one.config.console]
    holders = [*described, *(item for root in described for item in _mappings(root.get("paths")))]
    holders += [
        operation for root in described for item in _mappings(root.get("paths")) for operation in _mappings(item)
    ]
    servers = (server for holder in holders for server in holder.get("servers") or [])
    return [fill_server(server) for server in servers if isinstance(server, dict)]


def _mappings(value: object) -> list[dict[str, Any]]:
    return [item for item in value.values() if isinstance(item, dict)] if isinstance(value, dict) else []


def compile_api_page(
    source: Source,
    descriptions: Descriptions,
    load: PartialLoader,
    options: ContentOptions,
    extender: Extender | None = None,
) -> Document:
    """Make the document of a source that `add_api_pages` has added.

    Args:
        source: Which page it is.
        descriptions: What to make it of.
        load: Reads the introduction and its partials.
        options: What the site settles about content.
        extender: Calls extensions, for the introduction.
    """
    from octavo.reference.openapi import ApiPage, has_introduction, make_document

    page = msgspec.msgpack.decode(source.data or b"", type=ApiPage)
    description = descriptions[page.api]
    path = description.config.introduction
    introduction = _introduce(path, load, options, extender) if path and has_introduction(page) else None
    return make_document(
        description,
        page,
        source_path=source.path,
        introduction=introduction,
        words=options.words_of(source.path),
    )


def _introduce(path: str, load: PartialLoader, options: ContentOptions, extender: Extender | None) -> Document:
    """Compile an introduction; where its file is missing, an empty one that is made again when there is one."""
    from octavo.content.compile import compile_document

    text = load(path)
    document = compile_document(text or "", source_path=path, load=load, options=options, extender=extender)
    return msgspec.structs.replace(document, dependencies=document.dependencies | {path: hash_text(text)})


def _sources(description: Description, root: str, taken: set[str], problems: list[Diagnostic]) -> list[Source]:
    from octavo.reference.openapi import plan_pages

    made = []
    for page in plan_pages(description):
        path = f"{root}/{page.relative}"
        stem = posixpath.splitext(path)[0]
        if stem in taken or (page.kind == "overview" and stem.removesuffix("/index") in taken):
            message = f'The page "{path}" of the description has the address of a Markdown file, which keeps its place.'
            problems.append(Diagnostic("openapi", "warn", Span(description.config.spec), message))
            continue
        made.append(
            Source(
                path=path,
                root=root,
                is_page=False,
                made_from=description.config.spec,
                data=msgspec.msgpack.encode(page),
                maker="openapi",
                doc_id=description.config.doc if page.kind in ("page", "overview") else "",
            )
        )
    return made


def _describe(api: ApiReference, site_dir: Path, work_dir: Path) -> tuple[Description | None, list[Diagnostic]]:
    # Not at the top: a site without descriptions does without all of this.
    from octavo.reference.openapi import Description

    data, problems, url = _read(api, site_dir, work_dir)
    if data is None:
        return None, problems
    cache, table = open_cache(work_dir), f"openapi-{digest(api.id)}.msgpack"
    key = digest(documents_key(), data, msgspec.json.encode(api))
    sound = cache.load_table(table, _Sound, _Sound())
    if sound.key != key or not sound.has_parts_of_now(site_dir):
        made, found = _check(api, site_dir, data)
        problems += found
        if made is None:
            return None, problems
        sound = msgspec.structs.replace(made, key=key)
        if not found:
            # A number of more than 64 bits, or half of a surrogate pair, cannot be kept: such a description is read each time.
            with contextlib.suppress(OverflowError, UnicodeEncodeError):
                cache.save_table(table, sound)
    if url:
        _keep(work_dir).save(api.id, url, data)
    guides = _place_guides(api, site_dir)
    key = digest(sound.digest, msgspec.json.encode(guides))
    description = Description(api, sound.root, key, guides, sound.large_tags)
    return description, problems + list(_check_additions(description, site_dir))


class _Sound(msgspec.Struct, frozen=True):
    """A description in which nothing is wrong: to read and check it, and to import what does so, takes half a second."""

    key: str = ""
    """Hash of its file, and of the code and settings with which it was read."""
    digest: str = ""
    """Hash of all that it is made of."""
    parts: dict[str, str] = {}
    """Path of each further file → hash of its content."""
    root: dict[str, Any] = {}
    large_tags: list[str] = []
    """What `Description.large_tags` says: weighing them takes tens of milliseconds."""

    def has_parts_of_now(self, site_dir: Path) -> bool:
        return all(digest(_read_file(site_dir, path) or b"") == known for path, known in self.parts.items())


def _check(api: ApiReference, site_dir: Path, data: bytes) -> tuple[_Sound | None, list[Diagnostic]]:
    """Read a description with the files to which it refers: (what it says, what is wrong with it)."""
    from octavo.reference.openapi import (
        Description,
        DescriptionText,
        Problem,
        as_openapi_3,
        as_openapi_31,
        bundle,
        check_description,
        in_terms_of_swagger,
        internal_problem,
        is_swagger,
        parse_description,
        read_what_is_right,
        without_internal,
    )

    text = ""
    root: dict[str, Any] = {}
    found: list[Problem] = []
    unfound: list[Problem] = []
    can_be_drawn = True
    read: dict[str, bytes] = {}
    origins: Origins = {}

    def load(path: str) -> bytes | None:
        content = _read_file(site_dir, path)
        if content is not None:
            read[path] = content
        return content

    try:
        text, root = parse_description(data)
        given = bundle(root, api.spec, load, unfound, origins)
        root, found = as_openapi_3(given)
        if not _has_error(found):
            checked = check_description(root)
            found += map(in_terms_of_swagger, checked) if is_swagger(given) else checked
        if unfound or _has_error(found):
            # Readers get what is right where the site is published in spite of the errors.
            root, found = read_what_is_right(given)
            places = {problem.pointer for problem in unfound}
            found = [*unfound, *(problem for problem in found if problem.pointer not in places)]
        if api.internal != "show":
            root, hidden = without_internal(root)
            found = [*found, internal_problem(hidden)] if hidden and api.internal == "report" else found
    except Problem as problem:
        found = [*unfound, *(found if _has_error(found) else [*found, problem])]
        can_be_drawn = False
    written = text or data.decode("utf-8", "replace")
    problems = DescriptionText(api.spec, written, origins, read).diagnostics(found) if found else []
    if not can_be_drawn:
        return None, problems
    root = as_openapi_31(root)
    key = digest(data, msgspec.json.encode(api), *(part for path in sorted(read) for part in (path, read[path])))
    large_tags = Description(api, root, key, {}).large_tags
    return _Sound("", key, {path: digest(content) for path, content in read.items()}, root, large_tags), problems


def _has_error(problems: Iterable[Problem]) -> bool:
    return any(problem.level == "error" for problem in problems)


def read_api(
    api: ApiReference, site_dir: Path, data: bytes | None = None
) -> tuple[Description | None, list[Diagnostic]]:
    """Read a description from its file; nothing is kept, and no address is asked.

    Args:
        api: Which one.
        site_dir: Folder of the site.
        data: What the file will hold, where it is not written yet.

    Returns:
        (what it says, None where it cannot be drawn; what is wrong with it).
    """
    from octavo.reference.openapi import Description

    data = _read_file(site_dir, api.spec) if data is None else data
    if data is None:
        return None, []
    sound, problems = _check(api, site_dir, data)
    return (Description(api, sound.root, sound.digest, {}, sound.large_tags) if sound else None), problems


def mend_api(spec: str, site_dir: Path, data: bytes | None = None) -> tuple[str, list[str]]:
    """Make a copy of a description without what is wrong with it.

    Args:
        spec: Its file, from the site's folder.
        site_dir: Folder of the site.
        data: What the file will hold, where it is not written yet.

    Returns:
        (its text as JSON with the files to which it refers, empty where it cannot be mended; pointers to what was wrong).
    """
    from octavo.reference.openapi import Problem, bundle, parse_description, read_what_is_right, write_pointer

    data = _read_file(site_dir, spec) if data is None else data
    try:
        wrong: list[Problem] = []
        given = bundle(parse_description(data or b"")[1], spec, lambda path: _read_file(site_dir, path), wrong)
        root, found = read_what_is_right(given, is_strict=True)
    except Problem:
        return "", []
    wrong += [problem for problem in found if problem.level == "error"]
    places = [write_pointer(place) for problem in wrong for place in problem.places]
    return (msgspec.json.format(msgspec.json.encode(root), indent=1).decode(), places) if places else ("", [])


def _place_guides(api: ApiReference, site_dir: Path) -> dict[str, list[PlacedGuide]]:
    """Find the lines on which the settings name the guides."""
    from octavo.reference.openapi import PlacedGuide

    text = _settings(site_dir)
    return {
        key: [PlacedGuide(one.label, one.href, Span(CONFIG_NAME, line_of_text(text, one.href))) for one in guides]
        for key, guides in api.guides.items()
    }


def _check_additions(description: Description, site_dir: Path) -> Iterator[Diagnostic]:
    """Find an introduction that is missing, and guides to what the description doesn't hold."""
    from octavo.reference.openapi import unknown_keys

    api = description.config
    text = _settings(site_dir)
    if api.introduction and _read_file(site_dir, api.introduction) is None:
        message = f'openapi "{api.id}": "{api.introduction}" is not a file of this site that can be read.'
        yield Diagnostic("openapi", "error", Span(CONFIG_NAME, line_of_text(text, api.introduction)), message)
    for key, close in unknown_keys(description.guides, description.groups, description.operations):
        message = f'openapi "{api.id}": guides are given for "{key}", which is neither a tag nor an operation of "{api.spec}".'
        hint = f'Did you mean "{close}"?' if close else ""
        yield Diagnostic("openapi", "warn", Span(CONFIG_NAME, line_of_text(text, key)), message, hint)


def _settings(site_dir: Path) -> str:
    return (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")


def _read(api: ApiReference, site_dir: Path, work_dir: Path) -> tuple[bytes | None, list[Diagnostic], str]:
    """Read a description from its address, or from the copy on record where that is away.

    Returns:
        (content or None, what went wrong, address that it was fetched from or nothing).
    """
    url = (os.environ.get(api.url_env, "") if api.url_env else "") or api.url or ""
    problems: list[Diagnostic] = []
    if url:
        # Not at the top: what asks a server is not needed for a copy on record.
        from octavo.reference.openapi import FetchError, fetch_description

        try:
            return fetch_description(url, timeout_s=api.timeout_s), [], url
        except FetchError as error:
            kept = _keep(work_dir).load(api.id, url)
            used = "The last good copy of an earlier build" if kept is not None else f'The recorded copy "{api.spec}"'
            message = f'The description of "{api.id}" cannot be fetched: {error}. {used} is used.'
            problems.append(Diagnostic("openapi-unreachable", "warn", Span(api.spec), message))
            if kept is not None:
                return kept, problems, ""
    data = _read_file(site_dir, api.spec)
    if data is None:
        message = f'openapi "{api.id}": "{api.spec}" is not a file of this site that can be read.'
        problems.append(Diagnostic("openapi", "error", Span("octavo.toml"), message))
    return data, problems, ""


def _read_file(site_dir: Path, path: str) -> bytes | None:
    from octavo.reference.openapi import MAX_BYTES

    if not is_inside(site_dir, path):
        return None
    try:
        return read_plain(site_dir / path, most=MAX_BYTES + 1)
    except OSError:
        return None


def _keep(work_dir: Path) -> Keep:
    from octavo.reference.openapi import Keep

    return Keep(work_dir / KEPT)
