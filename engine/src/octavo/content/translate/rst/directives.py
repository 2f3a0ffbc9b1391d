"""Directives of Sphinx, of its most used extensions, and of docutils where its own would read files or call addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive as RstDirective
from docutils.parsers.rst.directives import tables
from docutils.statemachine import StringList

from octavo.content.translate.options import UNDERSTOOD, autodoc_attributes
from octavo.content.translate.output import fenced, looks_like_code
from octavo.content.translate.rst.machine import parse_sections, sections_within
from octavo.content.translate.rst.nodes import BlockMarkdown, DirectiveNode, Frame, Highlight, Title
from octavo.content.translate.rst.outline import holds, terms_of
from octavo.content.translate.rst.page import GivenOptions, RstPage
from octavo.content.translate.rst.toctree import toctree_lines
from octavo.content.translate.sphinx import CARDS, PART_OF_CARD, Directive, Options, cut_lines, info_of
from octavo.lazy import regex as re

_LINES = re.compile(r"\r\n?|\n")
_PICTURES = {"img-top", "img-bottom", "img-background"}


class AnyOptions(dict[str, Callable[[Any], str]]):
    """Takes every option, as text: which ones mean something is known where the directive is drawn."""

    def __init__(self) -> None:
        super().__init__(name=_text)

    def __missing__(self, key: str) -> Callable[[Any], str]:
        return _text


def _text(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split("\n"))


class OwnDirective(RstDirective):
    """A directive that takes any argument and any options."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[AnyOptions | None] = AnyOptions()
    has_sections = False
    options: Options

    def __init__(self, name: str, arguments: list[str], options: dict[str, str], *others: Any) -> None:
        super().__init__(name, arguments, options, *others)
        self.options = Options.of_block(options, self.block_text)
        if options:
            is_own = self.page.is_own(self.state_machine.get_source_and_line(self.lineno)[0])
            self.page.watched.append(GivenOptions(name, self.options, self.place, self.block_text if is_own else ""))

    @property
    def page(self) -> RstPage:
        """The page that is parsed."""
        found: RstPage = self.state.document.settings.octavo_page
        return found

    @property
    def argument(self) -> str:
        """The argument on one line."""
        return " ".join(" ".join(self.arguments).split())

    @property
    def place(self) -> int:
        """Line of the directive in the file of the page."""
        return self.page.place(*self.state_machine.get_source_and_line(self.lineno))

    def placed(self, node: nodes.Element) -> list[nodes.Node]:
        """Give a node its place, and the id that a `:name:` says."""
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        if self.options.get("name"):
            self.add_name(node)
        return [node]

    def body(self, node: nodes.Element) -> None:
        """Parse the content into a node."""
        if self.has_sections:
            parse_sections(self, node)
        else:
            self.state.nested_parse(self.content, self.content_offset, node)

    def shown_options(self) -> Options:
        """Give the options, with a caption as readers see it: it may have roles and marks, and a title has none here."""
        caption = self.options.copy().get("caption", "")
        if not re.search(r"[`*|_:<\\]", caption):
            return self.options
        texts, _ = self.state.inline_text(caption, self.lineno)
        return self.options.changed({"caption": "".join(one.astext() for one in texts)})

    def report(self, message: str) -> None:
        """Report a problem at the place of the directive."""
        self.page.report(message, self.place)


class DrawnDirective(OwnDirective):
    """A directive with a body in reStructuredText; its argument has roles and marks."""

    has_marks = True
    has_sections = True

    def run(self) -> list[nodes.Node]:
        one = Directive(self.name.lower(), self.argument, self.options)
        one.body = "\n".join(self.content)
        for name in _PICTURES & one.options.keys():
            one.options[name] = self.page.file_address(one.options[name])
        if one.name in CARDS:
            self._separate()
        node = DirectiveNode()
        node.one = one
        if self.has_marks and self.arguments and re.search(r"[`*|_:<\\]", self.argument):
            texts, messages = self.state.inline_text(self.argument, self.lineno)
            node += Title(self.argument, "", *texts)
            node += messages
        self.body(node)
        return self.placed(node)

    def _separate(self) -> None:
        """Part the head and the foot of a card from its text: lines of `^^^` and `+++` do so."""
        for number, line in enumerate(self.content):
            if PART_OF_CARD.fullmatch(line):
                self.content[number] = ""


class PlainDirective(DrawnDirective):
    """One whose argument is an address or a name."""

    has_marks = False


class ProgramTextDirective(PlainDirective):
    """One whose text is a program, or what one has printed: read as prose, it would have findings."""

    def body(self, node: nodes.Element) -> None: ...


class BodyDirective(PlainDirective):
    """One that takes no argument: text on the line of its name, or right below it, is the beginning of its text."""

    optional_arguments = 0


class NoteDirective(DrawnDirective):
    """An admonition; text on the line of its name is the beginning of its text."""

    optional_arguments = 0


class UnknownDirective(DrawnDirective):
    """One that nobody knows: its text is kept, with a finding."""

    def run(self) -> list[nodes.Node]:
        options = f" Its options are not: {', '.join(self.options)}." if self.options else ""
        self.options.all_asked()
        count = len(self.page.watched)
        self.report(f'The directive "{self.name}" is not known; its text is kept.{options}')
        node = Frame(opening="", closing="")
        before = self.page.held
        self.page.held = []
        self.body(node)
        found, self.page.held = self.page.held, before
        is_code = looks_like_code("\n".join(self.content))
        if is_code or any(int(one.get("level", 0)) > 1 for one in node.findall(nodes.system_message)):
            # It is not text: programs and their output, most of all.
            node.clear()
            del self.page.watched[count:]
            node += nodes.literal_block("", "\n".join(self.content))
        else:
            for message, line, suggestion in found:
                self.page.report(message, line, suggestion)
        if self.argument:
            node.insert(0, nodes.paragraph("", "", nodes.literal("", self.argument)))
        return self.placed(node)


class DroppedDirective(OwnDirective):
    """One that says nothing to readers of a page here."""

    def run(self) -> list[nodes.Node]:
        self.options.all_asked()
        return []


class VersionDirective(OwnDirective):
    """`versionadded` and its relatives: a version, and a text that may have marks."""

    def run(self) -> list[nodes.Node]:
        version, _, text = self.argument.partition(" ")
        node = DirectiveNode()
        node.one = Directive(self.name.lower(), version, self.options)
        if text:
            texts, messages = self.state.inline_text(text, self.lineno)
            node += nodes.paragraph(text, "", *texts)
            node += messages
        self.body(node)
        return self.placed(node)


class CodeDirective(OwnDirective):
    """A block of code."""

    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        if name == "ipython" and "suppress" in self.options:
            return []  # it is run, and not shown
        given = self.arguments[0] if self.arguments else ""
        # Without an empty line below the head, the first lines of the code are taken for a part of it.
        head, _, rest = ("", "", given) if name == "productionlist" else given.partition("\n")
        body = "\n".join([*([rest] if rest else []), *self.content])
        one = Directive("code-block", head.strip(), self.shown_options(), body)
        if not one.argument and "language" not in one.options:
            one.argument = _LANGUAGES.get(name, "") or self.page.highlight
        if name in _LANGUAGES and name not in ("code", "code-block", "sourcecode", "highlight-block"):
            one.argument = _LANGUAGES[name]
        if one.argument in ("none", "text", "default"):
            one.argument = ""
        if name == "prompt":
            one = _prompt(one, head.split())
        node = DirectiveNode()
        node.one = one
        return self.placed(node)


def _prompt(one: Directive, arguments: list[str]) -> Directive:
    """Write what is typed at a prompt, with the prompt before each line."""
    language, _, mark = " ".join(arguments).partition(" ")
    mark = mark.partition(" ")[0] or {"python": ">>>"}.get(language, "$")
    if "auto" not in mark:
        one.body = "\n".join(f"{mark} {line}" if line.strip() else line for line in one.body.split("\n"))
    one.argument = "pycon" if language == "python" else "console"
    return one


class FileDirective(OwnDirective):
    """Code that lies in a file of the site."""

    def run(self) -> list[nodes.Node]:
        node = DirectiveNode()
        node.one = Directive("literalinclude", self.argument, self.shown_options())
        return self.placed(node)


class IncludeDirective(OwnDirective):
    """Text that lies in another file of the site."""

    def run(self) -> list[nodes.Node]:
        path = self.argument.strip("<>") if self.argument.startswith("<") else self.argument
        if self.argument.startswith("<"):
            return (
                []
                if re.fullmatch(
                    r"isonum|isopub|isoamsa|isoamsb|isotech|isolat\d|xhtml1-\w+|s5defs|mm\w+", path.partition(".")[0]
                )
                else self._missing(path)
            )
        found = self.page.around.read(path)
        if found is None:
            return self._missing(path)
        if not self.page.may_include():
            self.report(f'The file "{path}" is not taken in: files take each other in without an end.')
            return []
        one = Directive("include", path, self.options)
        text = cut_lines(found[1].replace("\r\n", "\n").replace("\t", "        "), one, self.report)
        if "literal" in self.options or "code" in self.options:
            return self.placed(BlockMarkdown(markdown=fenced(text, info_of(one.option("code"), one))))
        if "parser" in self.options or path.endswith((".md", ".markdown")):
            read = self.page.context.readers.get("myst")
            written = read(text, self.page.source, self.page.context, self.place) if read else text
            return self.placed(BlockMarkdown(markdown=written or ""))
        self.page.register_names(text)
        self.state_machine.insert_input(text.split("\n"), found[0])
        return []

    def _missing(self, path: str) -> list[nodes.Node]:
        self.options.all_asked()
        self.report(self.page.around.missing(path))
        return []


class HighlightDirective(OwnDirective):
    """The language of the blocks of code below."""

    def run(self) -> list[nodes.Node]:
        self.page.highlight = "" if self.argument in ("none", "default", "text", "guess") else self.argument
        return self.placed(Highlight(language=self.page.highlight))


class ModuleDirective(OwnDirective):
    """The module that the names below belong to; `module` also marks its place."""

    def run(self) -> list[nodes.Node]:
        self.page.module = "" if self.argument == "None" else self.argument
        if "current" in self.name or not self.argument:
            return []
        node = Frame(opening=f'<a id="module-{self.argument}"></a>', closing="")
        self.body(node)
        return self.placed(node)


class ProgramDirective(OwnDirective):
    """The program that the options below belong to."""

    def run(self) -> list[nodes.Node]:
        self.page.program = "" if self.argument == "None" else self.argument
        return []


class OnlyDirective(OwnDirective):
    """Text that belongs to some forms of the documentation only."""

    def run(self) -> list[nodes.Node]:
        return sections_within(self) if holds(self.argument) else []


class ToctreeDirective(OwnDirective):
    """A table of contents: the pages that it names are listed where it is shown."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        if "hidden" in self.options:
            return []
        text = "\n".join(toctree_lines(list(self.content), self.options, self.page))
        return self.placed(BlockMarkdown(markdown=text)) if text else []


class CsvDirective(tables.CSVTable):
    """A table of values; its file is one of the site's."""

    def run(self) -> list[nodes.table | nodes.system_message]:
        page: RstPage = self.state.document.settings.octavo_page
        place = page.place(*self.state_machine.get_source_and_line(self.lineno))
        path = self.options.pop("file", None)
        if self.options.pop("url", None):
            page.report("The address of this table is not called; the table is left out.", place)
            return []
        if path:
            found = page.around.read(str(path))
            if found is None:
                page.report(page.around.missing(str(path)), place)
                return []
            page.register_names(found[1])
            self.content = StringList(_LINES.split(found[1].rstrip("\n")), source=found[0])
        return list(super().run())


class RawDirective(OwnDirective):
    """Text in the language of an output; only HTML is a part of pages."""

    def run(self) -> list[nodes.Node]:
        if "html" not in self.argument.lower().split():
            return []
        text = "\n".join(self.content)
        if "url" in self.options:
            self.report("The address of this directive is not called; its text is left out.")
            return []
        if path := self.options.get("file"):
            found = self.page.around.read(path)
            if found is None:
                self.report(self.page.around.missing(path))
                return []
            text = found[1]
        return self.placed(nodes.raw("", text, format="html"))


class GlossaryDirective(OwnDirective):
    """Terms, and below each its meaning; several terms may share one."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        made = nodes.definition_list()
        for terms, start, lines in terms_of(list(self.content)):
            item = nodes.definition_list_item()
            item.source, item.line = self.state_machine.get_source_and_line(self.content_offset + start + 1)
            for text in terms:
                texts, messages = self.state.inline_text(text.partition(" : ")[0], self.content_offset + start + 1)
                term = nodes.term(text, "", *texts)
                term["ids"] = [f"term-{nodes.make_id(term.astext())}"]
                item += term
                item += messages
            body = nodes.definition()
            given = self.content[start + len(terms) : start + len(terms) + lines]
            given.trim_left(min((len(one) - len(one.lstrip()) for one in given if one.strip()), default=0))
            self.state.nested_parse(given, self.content_offset + start + len(terms), body)
            item += body
            made += item
        if "sorted" in self.options:
            made.children.sort(key=lambda item: item.children[0].astext().lower())
        return self.placed(made)


class AutodocDirective(OwnDirective):
    """What is read from source code: written by the extension for Python, where the site has it."""

    has_sections = True

    def run(self) -> list[nodes.Node]:
        page = self.page
        name = re.sub(r"\(.*", "", self.argument).replace("::", ".").strip()
        kind = self.name.lower().rpartition(":")[2]
        around = next((one for one in reversed(page.objects) if one), "")
        if kind in ("automethod", "autoattribute", "autoproperty") and around and "." not in name:
            name = f"{around}.{name}"
        elif kind != "automodule" and page.module and not self._is_whole(name):
            name = f"{page.module}.{name}"
        if kind == "automodule":
            page.module = name
        node = Frame(opening="", closing="")
        if page.around.has_python_api and (
            not page.settings.packages or name.partition(".")[0] in page.settings.packages
        ):
            attributes = autodoc_attributes(kind, self.options, page.settings.autodoc)
            self.options.asked |= UNDERSTOOD
            node += BlockMarkdown(markdown=f"::autodoc[{name}]{attributes}")
        else:
            self.options.all_asked()
            self.report(f'"{name}" is described in source code, which is not read here; its description is missing.')
            node += nodes.paragraph("", "", nodes.literal("", self.argument))
        page.objects.append("" if kind == "automodule" else name)
        self.body(node)
        page.objects.pop()
        return self.placed(node)

    def _is_whole(self, name: str) -> bool:
        """Whether a name begins with its package: Sphinx adds the module of the page only to names without one."""
        top, dot, _ = name.partition(".")
        return name.startswith(f"{self.page.module}.") or bool(dot and top in self.page.settings.packages)


_LANGUAGES = {
    "code": "", "code-block": "", "sourcecode": "", "highlight-block": "", "prompt": "",
    "ipython": "python", "jupyter-execute": "python", "plot": "python", "doctest": "pycon", "testcode": "python", "testoutput": "text",
    "console": "console", "graphviz": "dot", "uml": "plantuml", "plantuml": "plantuml",
    "productionlist": "text", "code-cell": "python",
}  # fmt: skip
_NOTES = ["note", "warning", "tip", "hint", "important", "caution", "attention", "danger", "error", "todo", "seealso", "nbinfo", "nbwarning"]  # fmt: skip
_WITH_TITLE = ["admonition", "topic", "sidebar", "margin", "dropdown", "toggle", "collapse", "spoiler", "details", "tab-item", "tab", "group-tab",
               "grid-item-card", "card", "button-link", "button-ref", "card-header", "example", "exercise", "solution", "question"]  # fmt: skip
_FRAMES = ["grid", "grid-item", "card-carousel", "div", "ifconfig", "container", "rst-class", "cssclass", "nonumber"]  # fmt: skip
_BODIES = ["tab-set", "tabs", "card-footer", "hlist", "tab-set-code", "compound", "acks"]
_PLAIN = ["youtube", "video", "iframe", "article-info", "vimeo", "tags"]
_DROPPED = ["contents", "tableofcontents", "index", "default-domain", "moduleauthor", "sectionauthor", "codeauthor", "sectnum", "section-numbering", "header", "footer",
            "default_role", "tabularcolumns", "acks-settings", "testsetup", "testcleanup", "list-of-figures", "title", "skip", "currentlibrary",
            "py:currentlibrary", "target-notes", "restructuredtext-test-directive", "versionhidden", "no-search"]  # fmt: skip
DIRECTIVES: dict[str, type[RstDirective]] = {
    **dict.fromkeys(_NOTES, NoteDirective),
    **dict.fromkeys(_WITH_TITLE, DrawnDirective),
    **dict.fromkeys(_FRAMES, PlainDirective),
    **dict.fromkeys(_BODIES, BodyDirective),
    **dict.fromkeys(_PLAIN, PlainDirective),
    **dict.fromkeys(["mermaid", "terminal", "digraph", "graph"], ProgramTextDirective),
    **dict.fromkeys(_DROPPED, DroppedDirective),
    **dict.fromkeys(("versionadded", "versionchanged", "deprecated", "versionremoved", "version-added", "version-changed",
                     "version-deprecated", "version-removed"), VersionDirective),
    **dict.fromkeys(_LANGUAGES, CodeDirective),
    **dict.fromkeys(("module", "py:module", "currentmodule", "py:currentmodule", "js:module"), ModuleDirective),
    **dict.fromkeys(("automodule", "autoclass", "autofunction", "autoexception", "automethod", "autoattribute", "autodata",
                     "autoproperty", "autodecorator", "autopydantic_model", "autoenum", "autotypevar"), AutodocDirective),
    "literalinclude": FileDirective,
    "include": IncludeDirective,
    "highlight": HighlightDirective,
    "program": ProgramDirective,
    "only": OnlyDirective,
    **dict.fromkeys(("toctree", "nbgallery", "nblinkgallery"), ToctreeDirective),
    "csv-table": CsvDirective,
    "raw": RawDirective,
    "glossary": GlossaryDirective,
}  # fmt: skip


def directive_of(name: str) -> type[RstDirective]:
    """Give the directive for a name that is not known; those of domains describe objects."""
    if name.startswith("auto") or ":auto" in name:
        return AutodocDirective
    return UnknownDirective
