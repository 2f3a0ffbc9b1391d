"""Documents that extensions of the site make."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from octavo.config import Config
from octavo.diagnostics import Diagnostic, Span
from octavo.site import MARKDOWN_SUFFIXES, Source, docs_root

if TYPE_CHECKING:
    from octavo.extending import SiteExtensions


def add_extension_pages(
    sources: Sequence[Source], config: Config, extensions: SiteExtensions | None
) -> tuple[list[Source], list[Diagnostic]]:
    """Add the documents that extensions make, behind all others. A file at the path of one takes its place.

    Returns:
        (sources, what is wrong with them).
    """
    if extensions is None:
        return list(sources), []
    root = docs_root(config, config.default_locale, config.last_version)
    documents, problems = extensions.make_documents(config.default_locale.id, root)
    taken = {posixpath.splitext(source.path)[0] for source in sources}
    made: list[Source] = []
    for one in documents:
        path = posixpath.normpath(one.path)
        stem = posixpath.splitext(f"{root}/{path}")[0]
        if path.startswith(("../", "/")) or not path.endswith(MARKDOWN_SUFFIXES):
            message = f'An extension made a document with the path "{one.path}", which is not used.'
            hint = f'Expected a path in the folder "{root}" that ends in .md or .mdx, such as "releases/1.2.md".'
            problems.append(Diagnostic("extension", "error", Span(one.made_from), message, hint))
        elif stem in taken and any(posixpath.splitext(source.path)[0] == stem for source in made):
            message = f'Two documents with the path "{one.path}" were made; the first one is used.'
            problems.append(Diagnostic("extension", "error", Span(one.made_from), message))
        elif stem not in taken:
            taken.add(stem)
            data = one.text.encode("utf-8", "replace")
            made.append(
                Source(
                    f"{root}/{path}",
                    root,
                    is_page=False,
                    made_from=one.made_from,
                    data=data,
                    maker="extension",
                    origins=one.origins,
                )
            )
    return [*sources, *made], problems
