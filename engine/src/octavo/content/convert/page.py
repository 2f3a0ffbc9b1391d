"""`convert_page`: a page of another engine, written in our own syntax."""

from __future__ import annotations

import json
from posixpath import dirname, join

import msgspec

from octavo.content.compile import compile_document
from octavo.content.context import CompileContext, ContentOptions
from octavo.content.convert.edits import Edits
from octavo.content.convert.front_matter import convert_front_matter
from octavo.content.convert.scanner import ConvertingScanner
from octavo.content.dialect import Dialect
from octavo.content.document import Document, Extender, PartialLoader
from octavo.content.front_matter import body_start
from octavo.content.render.nodes.admonitions import KINDS_OF_MKDOCS
from octavo.content.scan.scanner import REWRITTEN, TRANSLATED
from octavo.content.scan.scope import Scope
from octavo.content.source import DocumentText, Fragment
from octavo.content.translate.hero import HERO_ENGINES
from octavo.content.translate.translate import translate
from octavo.diagnostics import Diagnostic
from octavo.lazy import regex as re

_HERO = re.compile(r"^(?:hero|features|banner|home):", re.MULTILINE)
CONVERTED = frozenset(
    ["admonitions", "attr_list", "blocks", "caret", "critic", "details", "emoji", "keys", "mark", "md_in_html", "mdbook",
     "mintlify", "nextra", "snippets", "starlight", "tabs", "tilde", "vitepress", "abbr"]
)  # fmt: skip
"""Extensions of which the converter knows whether a page still needs them; of others it is assumed."""
_OF_TRANSLATION = {"hugo": "starlight", "myst": "starlight", "rst": "starlight"}
"""Extension → the one that knows the components which its translation writes."""


_NAMES = frozenset(kind.capitalize() for kind in KINDS_OF_MKDOCS)
"""Titles that an admonition of another engine has by itself, and one of ours is given."""


class Converted(msgspec.Struct, frozen=True):
    """A page that was converted."""

    text: str
    kept: frozenset[str]
    """Extensions that it still needs."""
    is_same: bool
    """It says the same as before: text, headings and their ids, links and pictures."""
    problems: list[Diagnostic]
    """What was found in it; a syntax that was not understood is text from now on."""
    path: str
    """Of its file, from the site's folder; another one where the ending says how it is written."""
    files: list[str]
    """Paths, from the site's folder, of other files that it is made of or shows."""


def convert_page(
    text: str, path: str, load: PartialLoader, options: ContentOptions, extender: Extender | None = None
) -> Converted:
    """Write a page in our own syntax; what has no own form stays as it is, byte by byte.

    Args:
        text: The page.
        path: Of its file, from the site's folder.
        load: Reads other files of the site as they were.
        options: Those with which the page is read now.
        extender: Calls the extensions of the site.
    """
    dialect = options.dialect_of(path)
    is_rst = path.endswith(".rst") and "rst" in dialect.extensions
    target = f"{path.removesuffix('.rst')}.md" if is_rst else path
    given = DocumentText(path, text, dialect)
    if text[:1].isspace() and body_start(given):
        text = text.lstrip()  # front matter of Hugo below empty lines, which only Hugo takes
        given = DocumentText(path, text, dialect)
    before = compile_document(text, source_path=path, load=load, options=options, extender=extender)
    files = [*before.dependencies, *(join(dirname(path), one.href) for one in before.assets if ":" not in one.href)]
    if path.endswith(".ipynb"):  # programs write notebooks, and read them
        return Converted(text, dialect.extensions, True, [], path, [one for one in files if ".ipynb/" not in one])
    context = CompileContext(options, load, {}, dialect, extender)
    kept = set(dialect.extensions - CONVERTED - TRANSLATED)
    head = body_start(given)
    if head and _HERO.search(given.text, 0, head):
        kept |= dialect.extensions & HERO_ENGINES
    written = given.text
    now = dialect
    if dialect.extensions & REWRITTEN:
        now = _after_translation(dialect)
        whole = Fragment.whole(DocumentText(path, text, msgspec.structs.replace(dialect, appended=())), head)
        written = given.text[:head] + translate(whole, context).text
        if is_rst:
            written = _front_matter_of(before) + written.strip("\n") + "\n"
            path, head = target, body_start(DocumentText(target, written, now))
    edits = Edits()
    source = DocumentText(path, written, now)
    ConvertingScanner(Fragment.whole(source, head), Scope(source), context, edits).run()
    convert_front_matter(source, edits)
    converted = edits.apply(written)
    if converted is None:
        return Converted(text, dialect.extensions, False, [], path, files)
    kept |= edits.kept
    if dialect.appended:  # abbreviations, most of them
        kept |= dialect.extensions & {"abbr"}
    is_same = True
    if converted != given.text or not dialect.extensions <= kept:
        own = {target: msgspec.structs.replace(now, extensions=frozenset(kept))}
        after = msgspec.structs.replace(options, files=own)
        is_same = _says(before) == _says(
            compile_document(converted, source_path=target, load=load, options=after, extender=extender)
        )
    if converted == given.text:
        converted = text
    else:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        converted = mark + (converted.replace("\n", "\r\n") if "\r\n" in text else converted)
    return Converted(converted, frozenset(kept), is_same, context.diagnostics, target, files)


def _front_matter_of(document: Document) -> str:
    """Write what a file in reStructuredText says about itself as settings."""
    description = document.front_matter.description
    return f"---\ndescription: {json.dumps(description, ensure_ascii=False)}\n---\n\n" if description else ""


def _after_translation(dialect: Dialect) -> Dialect:
    more = {other for name, other in _OF_TRANSLATION.items() if name in dialect.extensions}
    return msgspec.structs.replace(dialect, extensions=dialect.extensions - TRANSLATED | more)


def _says(document: Document) -> object:
    """Give what must not change when a page is converted."""
    return (
        [
            (chunk.kind, chunk.heading, text)
            for chunk in document.text
            if (text := " ".join(chunk.text.split())) not in _NAMES
        ],
        [(heading.level, heading.anchor, heading.text) for heading in document.headings],
        [link.href for link in document.links],
        [asset.href for asset in document.assets],
        sorted(document.anchors),
        document.front_matter,
    )
