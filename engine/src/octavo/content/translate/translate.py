"""`translate`: all translators of a dialect, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.source import Fragment, MadeText
from octavo.content.translate.docsify import translate_docsify
from octavo.content.translate.folders.docfx import translate_docfx
from octavo.content.translate.folders.mdc import translate_mdc
from octavo.content.translate.folders.obsidian import translate_obsidian
from octavo.content.translate.folders.retype import translate_retype
from octavo.content.translate.folders.vocs import translate_vocs
from octavo.content.translate.folders.zola import translate_zola
from octavo.content.translate.gitbook import take_in_files as take_in_files_of_book
from octavo.content.translate.gitbook import translate_gitbook
from octavo.content.translate.hugo import translate_hugo
from octavo.content.translate.jekyll import translate_eleventy, translate_jekyll
from octavo.content.translate.loose import translate_loose
from octavo.content.translate.mdbook import translate_mdbook
from octavo.content.translate.mkdocs import (
    is_template,
    take_in_files,
    translate_macros,
    translate_tables,
    translate_versions,
)
from octavo.content.translate.myst import translate_myst
from octavo.content.translate.output import Output
from octavo.content.translate.vue import translate_vue, translate_vuepress
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText


def translate(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite what a fragment has of other engines' syntax, by the extensions of its dialect."""
    extensions = fragment.source.dialect.extensions
    context.readers = _READERS
    if "rst" in extensions and fragment.source.path.endswith(".rst"):
        if isinstance(fragment.source, MadeText):
            return translate_myst(fragment, context)  # extensions write Markdown
        from octavo.content.translate.rst.translate import translate_rst

        return translate_rst(fragment, context)
    if "notebooks" in extensions and fragment.source.path.endswith(".ipynb"):
        from octavo.content.notebooks.translate import translate_notebook

        if not isinstance(fragment.source, MadeText):
            fragment = translate_notebook(fragment, context)
        extensions -= _TEMPLATES
    is_book = "gitbook" in extensions
    has_macros = "macros" in extensions and (is_book or is_template(fragment, context))
    if has_macros:
        fragment = take_in_files_of_book(fragment, context) if is_book else take_in_files(fragment, context)
    if "table_reader" in extensions:
        fragment = translate_tables(fragment, context)
    if has_macros:
        fragment = translate_macros(fragment, context)
    if "version_notes" in extensions:
        fragment = translate_versions(fragment)
    if "jekyll" in extensions:
        fragment = translate_jekyll(fragment, context)
    if "eleventy" in extensions:
        fragment = translate_eleventy(fragment, context)
    if "loose" in extensions:
        fragment = translate_loose(fragment)
    if "hugo" in extensions:
        fragment = translate_hugo(fragment, context)
    if "mdbook_preprocessors" in extensions:
        fragment = translate_mdbook(fragment, context)
    if "myst" in extensions:
        fragment = translate_myst(fragment, context)
    if "zola" in extensions:
        fragment = translate_zola(fragment, context)
    if "mdc" in extensions:
        fragment = translate_mdc(fragment, context)
    if not extensions.isdisjoint(("obsidian", "callouts", "hugo", "vitepress")):
        fragment = translate_obsidian(fragment, context)
    if "gitbook" in extensions:
        fragment = translate_gitbook(fragment, context)
    if "retype" in extensions:
        fragment = translate_retype(fragment, context)
    if "docfx" in extensions:
        fragment = translate_docfx(fragment, context)
    if "docsify" in extensions:
        fragment = translate_docsify(fragment, context)
    if "vuepress" in extensions:
        fragment = translate_vuepress(fragment, context)
    if "vocs" in extensions:
        fragment = translate_vocs(fragment, context)
    if "vitepress" in extensions:
        fragment = translate_vue(fragment, context)
    return _with_appended(fragment, context) if fragment.source.dialect.appended else fragment


def _from_rst(text: str, source: DocumentText, context: CompileContext, line: int) -> str | None:
    from octavo.content.translate.rst.translate import markdown_of

    return markdown_of(text, source, context, line)


def _from_myst(text: str, source: DocumentText, context: CompileContext, line: int) -> str | None:
    del line
    text = _FRONT_MATTER.sub("", text)
    return translate_myst(Fragment(source, text, [0], [0]), context).text.strip("\n")


_TEMPLATES = frozenset({"eleventy", "gitbook", "hugo", "jekyll", "macros", "table_reader"})
"""Extensions that take braces for their own, which code in notebooks is full of."""
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_READERS = {"rst": _from_rst, "myst": _from_myst}


def _with_appended(fragment: Fragment, context: CompileContext) -> Fragment:
    """Add the files that belong to the end of each page."""
    texts = [text for path in fragment.source.dialect.appended if (text := context.read(path))]
    if not texts:
        return fragment
    output = Output(fragment)
    output.copy(0, len(fragment.text))
    output.write("\n\n" + "\n\n".join(texts), len(fragment.text))
    return output.fragment()
