"""Pages in reStructuredText, compiled with the settings of a site of Sphinx."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from octavo.content import ContentOptions, Dialect, Document, RstSettings
from octavo.content.compile import compile_document
from octavo.content.context import CompileContext
from octavo.content.source import DocumentText, Fragment
from octavo.content.translate.translate import translate

EXTENSIONS = frozenset(["attr_list", "def_list", "math", "rst"])


SETTINGS = RstSettings(
    root="docs",
    extlinks={"issue": ["https://kite.example/issues/%s", "#%s"]},
    projects={"python": "https://docs.python.org/3"},
)


REFERENCES = {"wind": "docs/wind.rst#wind", "strong wind": "docs/wind.rst#strong-wind"}


FILES = {
    "docs/wind.rst": ".. _wind:\n\n====\nWind\n====\n\n.. _strong wind:\n\nStrong *wind*\n-------------\n\nBlows.\n",
    "docs/code.py": "import os\n\n\ndef fly():\n    return 1\n",
    "docs/part.txt": "Part of *it*.\n",
    "docs/rows.csv": "a,b\n1,2\n",
    "docs/more.md": "More **of** it.\n",
    "docs/linked.md": "See [kites](https://x.example).\n",
}


def dialect(settings: RstSettings = SETTINGS) -> Dialect:
    return Dialect(
        extensions=EXTENSIONS,
        slugs="docutils",
        rst=settings,
        references=REFERENCES,
        variables={"version": "1.2"},
    )


def written(text: str, settings: RstSettings = SETTINGS, files: Mapping[str, str] = FILES) -> tuple[str, list[str]]:
    """Give the Markdown of a page, and its findings."""
    own = dialect(settings)
    context = CompileContext(ContentOptions(folders={"": own}), files.get, {}, own)
    source = DocumentText("docs/a.rst", dedent(text).lstrip("\n"), own)
    markdown = translate(Fragment.whole(source, 0), context).text
    return markdown.strip("\n"), [f"{one.span.line}: {one.message}" for one in context.diagnostics]


def compiled(text: str, settings: RstSettings = SETTINGS) -> Document:
    options = ContentOptions(folders={"": dialect(settings)})
    return compile_document(dedent(text).lstrip("\n"), source_path="docs/a.rst", load=FILES.get, options=options)
