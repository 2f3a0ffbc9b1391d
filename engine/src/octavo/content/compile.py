"""A Markdown file → `Document`: the one way into this room."""

from __future__ import annotations

from collections.abc import Mapping

from octavo.content.document import Document, DrawnCode, PartialLoader
from octavo.content.front_matter import has_own_image, key_offset, parse_front_matter
from octavo.content.page import ContentOptions, Page
from octavo.content.plain import excerpt, resolve_markdown, tidy_markdown
from octavo.content.render import Renderer
from octavo.content.scan import scan
from octavo.content.scope import Scope
from octavo.content.source import Fragment, Source

__all__ = ["ContentOptions", "compile_document"]


_NO_CODE: Mapping[str, DrawnCode] = {}


def compile_document(
    source: str,
    *,
    source_path: str,
    load: PartialLoader,
    options: ContentOptions,
    drawn_code: Mapping[str, DrawnCode] = _NO_CODE,
) -> Document:
    """Compile one source file.

    Bad content never raises: what is wrong stands in `Document.diagnostics`, and the rest of the page is there.

    Args:
        source: The file's text.
        source_path: Path from the site's folder, with forward slashes; `.mdx` switches expressions on.
        load: Reads partials and components.
        options: What the site settles.
        drawn_code: `Document.code` of an earlier version, compiled with the same options: most blocks stay as they
            are, and highlighting is most of the work.
    """
    file = Source(source_path, source)
    page = Page(options, load, drawn_code)
    front_matter, start = parse_front_matter(file, page)
    if has_own_image(front_matter):
        page.asset(front_matter.image or "", file.span(key_offset("image", file)), has_size=True)
    scope = Scope(file)
    fragment = scan(Fragment.whole(file, start), scope, page)
    renderer = Renderer(page, scope, fragment, "paragraph", 0)
    body = renderer.render() + page.footnotes.render()
    page.anchors.extend(page.footnotes.anchors())
    page.chunks.extend(page.footnotes.chunks())
    return Document(
        source_path=source_path,
        front_matter=front_matter,
        body=body,
        headings=page.headings,
        links=page.links,
        assets=page.assets,
        islands=page.islands,
        anchors=page.anchors,
        text=page.chunks,
        has_title=page.has_title,
        excerpt=excerpt(page.chunks),
        dependencies=page.dependencies,
        diagnostics=page.diagnostics,
        code=page.code,
        markdown=tidy_markdown(resolve_markdown(fragment.text, renderer.markdown_of)),
    )
