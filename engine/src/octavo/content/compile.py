"""Compile a Markdown file into a `Document`: the interface of this package."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.content.context import CompileContext, ContentOptions, report_encoding
from octavo.content.document import SLOT, Document, DrawnCode, Extender, FrontMatter, Island, PartialLoader, Term
from octavo.content.extended.words import with_words
from octavo.content.front_matter import body_start, has_own_image, key_offset, parse_front_matter, raw_front_matter
from octavo.content.plain import excerpt, tidy_markdown
from octavo.content.posts import PostFolder, add_byline, date_in_name
from octavo.content.posts.addresses import report_addresses
from octavo.content.render.headings import settle_ids, settle_second_ids
from octavo.content.render.nodes.components import plain_addresses
from octavo.content.render.nodes.contents import fill_contents
from octavo.content.render.renderer import Renderer
from octavo.content.scan.jsx import IMPORTED
from octavo.content.scan.scanner import scan
from octavo.content.scan.scope import Scope
from octavo.content.source import DocumentText, Fragment
from octavo.content.translate.hero import HERO_ENGINES, add_hero
from octavo.content.translate.vue.values import take_script_values
from octavo.content.variables import fill_front_matter
from octavo.diagnostics import Span
from octavo.lazy import regex as re

__all__ = ["ContentOptions", "compile_document"]


_MDBOOK_TITLE = re.compile(r"^[ \t]*\{\{[ \t]*#title[ \t]+(?P<title>[^{}\n]+?)[ \t]*\}\}[ \t]*$", re.MULTILINE)
"""What mdBook takes for the title of a page in browsers."""
_HERO = re.compile(r"^(?:hero|features|banner|home):", re.MULTILINE)
_FRONT_MATTER = ("frontMatter", "frontmatter", "metadata")
"""The names under which a page finds its front matter: that of Docusaurus, of Astro, and of both Docusaurus and Nextra."""
_NO_CODE: Mapping[str, DrawnCode] = {}


def compile_document(
    source: str,
    *,
    source_path: str,
    load: PartialLoader,
    options: ContentOptions,
    drawn_code: Mapping[str, DrawnCode] = _NO_CODE,
    extender: Extender | None = None,
) -> Document:
    """Compile one source file.

    Bad content never raises: problems are listed in `Document.diagnostics`, and the rest of the page is there.

    Args:
        source: The file's text.
        source_path: Path from the site's folder, with forward slashes; `.mdx` switches expressions on.
        load: Reads partials and components.
        options: What the site settles.
        drawn_code: `Document.code` of an earlier version, compiled with the same options: most blocks stay as they
            are, and highlighting is most of the work.
        extender: Calls the extensions whose names the options have.
    """
    try:
        return _compile(source, source_path, load, options, drawn_code, extender)
    except RecursionError:
        # What nests is bounded where it is read; a page for which a bound is missing must not end the build.
        return _as_code(source, source_path, options)


def _as_code(source: str, source_path: str, options: ContentOptions) -> Document:
    """Show a page that cannot be compiled as its source, with a finding."""
    plain = ContentOptions(words=options.words, suffix_words=options.suffix_words)
    file = DocumentText(source_path, source, plain.dialect_of(source_path))
    start = body_start(file)
    mark = "`" * (3 + max(map(len, re.findall(r"`+", source)), default=0))
    text = f"{source[:start]}\n{mark}text\n{source[start:]}\n{mark}\n"
    document = _compile(text, source_path, lambda _: None, plain, _NO_CODE, None)
    context = CompileContext(plain, lambda _: None, _NO_CODE, file.dialect, None, plain.words_of(source_path))
    message = "What this page holds is nested too deeply to be read; the page shows its source."
    context.report("error", "too-deep", message, file, start, suggestion="Take the innermost parts out of the others.")
    return msgspec.structs.replace(document, diagnostics=[*context.diagnostics, *document.diagnostics])


def _compile(
    source: str,
    source_path: str,
    load: PartialLoader,
    options: ContentOptions,
    drawn_code: Mapping[str, DrawnCode],
    extender: Extender | None,
) -> Document:
    words = options.words_of(source_path)
    file = DocumentText(source_path, with_words(source, words), options.dialect_of(source_path))
    context = CompileContext(options, load, drawn_code, file.dialect, extender, words, source_path)
    report_encoding(file, source, context)
    front_matter, start = parse_front_matter(file, context)
    front_matter = fill_front_matter(front_matter, file, context)
    if has_own_image(front_matter):
        context.asset(front_matter.image or "", file.span(key_offset("image", file)), has_size=True)
    scope = Scope(file, props=_page_values(file))
    take_script_values(scope, context)
    whole = Fragment.whole(file, start)
    plain = whole
    if start and not file.dialect.extensions.isdisjoint(HERO_ENGINES) and _HERO.search(file.text, 0, start):
        whole = add_hero(whole, raw_front_matter(file))
    has_hero = whole is not plain
    if options.has_transforms:
        whole = _transformed(whole, context)
    fragment = scan(whole, scope, context)
    renderer = Renderer(context, scope, fragment, "paragraph", 0)
    body = renderer.render() + context.footnotes.render()
    body = settle_ids(body, context) if context.html_ids else body
    body = settle_second_ids(body, context) if context.second_ids else body
    context.name_tabs()
    # The title of a hero replaces that of the page.
    context.has_title = context.has_title or (has_hero and any(one.level == 1 for one in context.headings[:1]))
    for label, place, offset in context.footnotes.unused():
        if place.path not in file.dialect.appended:
            message = f'The footnote "[^{label}]" is not referred to, so nobody sees it.'
            context.report(
                "warn", "unused-footnote", message, place, offset, suggestion=f'Write "[^{label}]" where it belongs.'
            )
    if terms := _terms(options, front_matter):
        body = _explain_terms(body, terms, context, file)
    if (posts := options.posts_of(source_path)) is not None and not source_path.startswith(_lists(posts)):
        front_matter = msgspec.structs.replace(front_matter, date=front_matter.date or date_in_name(source_path))
        body = add_byline(body, front_matter, posts, file, context)
        if front_matter.authors:
            report_addresses(posts, file, context)
    if f"{SLOT}C" in body or context.islands:
        body = _list_headings(body, context)
    if "mdbook" in file.dialect.extensions and (found := _MDBOOK_TITLE.search(file.text)):
        context.metas.setdefault("title", found["title"])
    front_matter = _with_head(front_matter, context.metas)
    context.report_icons()
    context.anchors.extend(context.footnotes.anchors())
    context.chunks.extend(context.footnotes.chunks())
    return Document(
        source_path=source_path,
        front_matter=front_matter,
        body=body,
        headings=context.headings,
        links=context.links,
        assets=context.assets,
        islands=[_with_plain_text(one) for one in context.islands] if file.is_mdx else context.islands,
        anchors=context.anchors,
        text=context.chunks,
        has_title=context.has_title,
        excerpt=excerpt(context.chunks),
        dependencies=context.dependencies,
        diagnostics=context.diagnostics,
        code=context.code,
        icon=_icon(front_matter, file, context),
        names=context.anchors,
        markdown=tidy_markdown(renderer.markdown()),
    )


def _with_head(front: FrontMatter, metas: dict[str, str]) -> FrontMatter:
    """Give front matter with what the head of the page says; where both say something, the head has the last word, as in Docusaurus."""
    if not metas:
        return front
    left = dict(metas)
    canonical = left.pop("canonical", front.canonical_url)
    description = left.pop("description", front.description)
    keywords = front.keywords
    if "keywords" in left:
        keywords = [word for one in left.pop("keywords").split(",") if (word := one.strip())]
    return msgspec.structs.replace(
        front, canonical_url=canonical, description=description, keywords=keywords, metas={**front.metas, **left}
    )


def _lists(posts: PostFolder) -> tuple[str, ...]:
    """Name the folders of the pages that are made of posts."""
    return tuple(f"{posts.folder}/{name}/" for name in ("tags", "authors", "page"))


def _icon(front_matter: FrontMatter, file: DocumentText, context: CompileContext) -> str:
    """Draw the icon of a page; one of a set that other engines have, and nobody here, is left out as other keys of theirs."""
    if not front_matter.icon:
        if front_matter.icon is not None:
            message = "The icon has no name; the page has none."
            context.report(
                "warn", "icon", message, file, key_offset("icon", file), suggestion="Name one, or remove the key."
            )
        return ""
    from octavo.content.icons import draw_icon, find_icon, local_name

    offset = key_offset("icon", file)
    name = local_name(front_matter.icon)
    if "/" in front_matter.icon and find_icon(name, context, file, offset) is None:
        message = f'The icon "{front_matter.icon}" is of a set that is not here; it is left out.'
        context.report("warn", "front-matter-key", message, file, offset)
        return ""
    return draw_icon(name, context, file, offset)


def _page_values(file: DocumentText) -> dict[str, Any]:
    """Give the values that other engines offer to each page: its front matter, and its headings, which are listed later."""
    if not file.is_mdx or not any(name in file.text for name in (*_FRONT_MATTER, "toc")):
        return {}
    front = raw_front_matter(file)
    # Values that hold themselves, or of types that JSON lacks, stay as they are: no page can show them.
    with contextlib.suppress(RecursionError, TypeError):
        # Dates as text: components get their properties as JSON.
        front = msgspec.to_builtins(front, str_keys=True)
    return {f"{IMPORTED}toc": []} | {f"{IMPORTED}{name}": front for name in _FRONT_MATTER}


def _with_plain_text(island: Island) -> Island:
    """Make plain text of addresses of imported files, which a component may be given as any of its properties."""
    props = plain_addresses(island.props)
    return island if props is island.props else msgspec.structs.replace(island, props=props)


def _list_headings(body: str, context: CompileContext) -> str:
    """Put the headings of the page where its text lists them."""
    context.islands = [
        msgspec.structs.replace(island, children=[fill_contents(child, context.headings) for child in island.children])
        if any(f"{SLOT}C" in child for child in island.children)
        else island
        for island in context.islands
    ]
    return fill_contents(body, context.headings)


def _transformed(fragment: Fragment, context: CompileContext) -> Fragment:
    """Let extensions change the text; loaded only for sites that have one that does."""
    from octavo.content.extended.transform import transform

    return transform(fragment, context)


def _terms(options: ContentOptions, front_matter: FrontMatter) -> Mapping[str, str | Term]:
    """Give the terms that a page may explain, as term → what it means."""
    own = front_matter.glossary
    if isinstance(own, dict):
        return {**options.glossary, **own}
    return options.glossary if own else {}


def _explain_terms(body: str, terms: Mapping[str, str | Term], context: CompileContext, file: DocumentText) -> str:
    """Mark the first use of each term: in the text of the page, and then in its islands."""
    from octavo.content.render.glossary import Glossary, terms_of

    span = Span(context.options.glossary_file) if context.options.glossary_file else file.span(0)
    glossary = Glossary(terms_of(file.path, terms), lambda href: context.link(href, span, is_markup=True))
    body = glossary.mark(body)
    context.islands = [
        msgspec.structs.replace(island, children=[glossary.mark(child) for child in island.children])
        for island in context.islands
    ]
    return body
