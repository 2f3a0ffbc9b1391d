"""Reference pages from Python source: modules, classes, functions and attributes, read by griffe without importing them.

    extensions = ["octavo.shipped.python_api"]

    [extension_options.python_api]
    packages = ["acme"]
    paths = ["../src"]

makes a page of each module in the folder `api`. `::autodoc[acme.Client]`, or the form of mkdocstrings `::: acme.Client` with
options indented below it, puts one object into any page. Needs `octavo[python-api]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.extensions import Directive, Documents, Extension, Markdown, NewDocument, options
from octavo.shipped.python_api.choices import read_choices, read_settings
from octavo.shipped.python_api.docstrings import take_origins
from octavo.shipped.python_api.draw import ObjectDrawing
from octavo.shipped.python_api.library import ModuleLibrary
from octavo.shipped.python_api.restructured import report_other_markup

_SETTINGS = read_settings(options("python_api"))
extension = Extension("python_api", inputs=_SETTINGS.patterns)


@extension.directive("autodoc")
def autodoc(block: Directive[dict[str, str]]) -> Markdown:
    """Put the reference of one object into a page; its content is YAML, as that of mkdocstrings."""
    library = ModuleLibrary.of(_SETTINGS, block.inputs, block.label.strip())
    found = library.find(block.label.strip())
    if found is None:
        close = library.nearest(block.label.strip())
        message = f'There is no "{block.label.strip()}" in the packages {", ".join(_SETTINGS.packages) or "(none)"}.'
        block.warn(message, suggestion=f'Did you mean "{close}"?' if close else "Name its package in `packages`.")
        return Markdown("")
    choices, problems = read_choices(_SETTINGS.options, block.text, block.attributes)
    for problem in problems:
        block.warn(problem)
    return Markdown(take_origins(ObjectDrawing(library, choices, block.inputs).draw_root(found))[0])


@extension.documents
def modules(call: Documents) -> Iterator[NewDocument]:
    """Make a page of each public module."""
    if not _SETTINGS.docs:
        return
    library = ModuleLibrary.of(_SETTINGS, call.inputs)
    drawing = ObjectDrawing(library, _SETTINGS.options, call.inputs)
    report_other_markup(library, call.inputs)
    for module, path in library.pages():
        made_from = library.path_of(module)
        text, origins = take_origins(drawing.draw_page(module))
        yield NewDocument(f"{_SETTINGS.docs.strip('/')}/{path}", text, made_from=made_from, origins=origins)
