"""docutils, set up so that it reads no file and calls no address by itself, with our directives and roles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, directives, languages, roles
from docutils.transforms import misc, references, universal

from octavo.content.icons.short_codes import emoji
from octavo.content.translate.rst.descriptions import DESCRIPTIONS, ObjectDirective
from octavo.content.translate.rst.directives import DIRECTIVES, UnknownDirective, directive_of
from octavo.content.translate.rst.formulas import MathDirective
from octavo.content.translate.rst.machine import make_parser
from octavo.content.translate.rst.of_extensions import OF_EXTENSIONS
from octavo.content.translate.rst.page import RstPage
from octavo.content.translate.rst.roles import ROLES, make_role, write_role
from octavo.lazy import regex as re

_DIRECTIVE = re.compile(
    r"^[ \t>*-]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([A-Za-z][\w:.+-]*)[ \t]?::(?:[ \t]|$)", re.MULTILINE
)
_ROLE = re.compile(r"(?<!\w):([A-Za-z][\w:.+-]*):`|`:([A-Za-z][\w:.+-]*):(?!\w)")
_SEEN_ROLE = re.compile(r"(?<!\w):[a-z][\w:.+-]*:`[^`]*`?")
_DEFAULT_ROLE = re.compile(r"^[ \t]*\.\.[ \t]+default-role::[ \t]*([\w:.+-]+)", re.MULTILINE)
_OWN_ROLE = re.compile(r"^[ \t]*\.\.[ \t]+role::[ \t]*([\w.+-]+)", re.MULTILINE)
_TRANSFORMS: tuple[tuple[Any, tuple[type[nodes.Node], ...]], ...] = (
    (references.PropagateTargets, (nodes.target,)),
    (references.AnonymousHyperlinks, (nodes.target, nodes.reference)),
    (references.IndirectHyperlinks, (nodes.target,)),
    (references.Footnotes, (nodes.footnote, nodes.citation, nodes.footnote_reference, nodes.citation_reference)),
    (references.ExternalTargets, (nodes.target,)),
    (references.InternalTargets, (nodes.target,)),
    (references.Substitutions, (nodes.substitution_definition, nodes.substitution_reference)),
    (references.DanglingReferences, (nodes.document,)),
    (misc.Transitions, (nodes.transition,)),
    (universal.StripComments, (nodes.comment,)),
)
"""Each looks through the whole page, with the kinds of nodes that it is for."""
_LEVEL = 2
"""Warnings of docutils are findings, its remarks are not."""
_UNTOLD = re.compile(
    r"Duplicate (?:implicit|explicit) target name|Title (?:under|over)line too short|Hyperlink target .* is not referenced|No role entry|"
    r"Using English fallback|Trying \".*\" as canonical|Possible title underline|Unexpected possible title|is not referenced|"
    r"Duplicate target name, cannot be used as a unique reference|(?:Transition at the end of the document|Document may not end with a transition)"
)
"""Messages about what readers do not see."""


@lru_cache(maxsize=1)
def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    settings.file_insertion_enabled = False
    settings.raw_enabled = True  # as in Markdown, HTML is a part of pages and is written by the same rules
    settings.report_level = 5
    settings.halt_level = 5
    settings.auto_id_prefix = "id"
    settings.syntax_highlight = "none"
    settings.doctitle_xform = False
    settings.sectsubtitle_xform = False
    settings.docinfo_xform = False
    settings.smart_quotes = False
    settings.trim_footnote_reference_space = False
    settings.tab_width = 8
    settings.warning_stream = False
    settings.line_length_limit = 200_000
    return settings


_registered: set[str] = set()


def register_names(text: str) -> None:
    """Make docutils know the directives and roles that a text names: what is not known is text, and a finding."""
    _register_ours()
    for name in {found.lower() for found in _DIRECTIVE.findall(text)}:
        if name not in _registered and not _is_of_docutils(name):
            _register_directive(name, directive_of(name))
    own = set(_OWN_ROLE.findall(text))
    used = {one or other for one, other in _ROLE.findall(text)} | set(_DEFAULT_ROLE.findall(text))
    for name in map(str.lower, used):
        if f":{name}:" not in _registered and name not in own and not _has_role(name):
            roles.register_local_role(name, make_role(name, is_known=False))
            _registered.add(f":{name}:")


@lru_cache(maxsize=1)
def _register_ours() -> None:
    """Make docutils know our directives and roles, once in a process."""
    for name, made in [*DIRECTIVES.items(), *DESCRIPTIONS.items(), *OF_EXTENSIONS.items()]:
        _register_directive(name, made)
    _register_directive("math", MathDirective)
    for name in ROLES:
        roles.register_local_role(name, make_role(name))
        _registered.add(f":{name}:")
    for name in ("code", "math", "raw", "literal", "emphasis", "strong", "title-reference", "title", "t", "i", "b"):
        _registered.add(f":{name}:")


def is_known_directive(name: str) -> bool:
    """Whether a directive of a name has a meaning of its own."""
    if name in DIRECTIVES or name in DESCRIPTIONS or name in OF_EXTENSIONS:
        return True
    made = directives.directive(name, _english(), _silent())[0]
    # What pages have named in vain is registered too, as unknown.
    return made is not None and not issubclass(made, UnknownDirective)


@lru_cache(maxsize=64)
def _like(name: str) -> Any:
    """Make a directive that does what another one does, whatever its own name; None where that one is not known."""
    known = DIRECTIVES.get(name) or directives.directive(name, _english(), _silent())[0]
    if known is None:
        return None

    def initialize(self: Any, own: str, *arguments: Any) -> None:
        del own
        known.__init__(self, name, *arguments)

    return type(f"Like{known.__name__}", (known,), {"__init__": initialize})


def _register_directive(name: str, made: Any) -> None:
    directives.register_directive(name, made)
    _registered.add(name)


@lru_cache(maxsize=1)
def _silent() -> nodes.document:
    """Make a document for questions to docutils; nobody reads what it says."""
    return utils.new_document("", _settings())


def _english() -> Any:
    return languages.get_language("en")


def _is_of_docutils(name: str) -> bool:
    return directives.directive(name, _english(), _silent())[0] is not None


def _has_role(name: str) -> bool:
    return roles.role(name, _english(), 0, _silent().reporter)[0] is not None


def forget_roles(text: str) -> None:
    """Take the roles back that a text has made: docutils would know them in the pages that come after."""
    for name in set(_OWN_ROLE.findall(text)):
        roles.register_local_role(name.lower(), make_role(name.lower(), is_known=False))
        _registered.discard(f":{name.lower()}:")


def parse(text: str, page: RstPage) -> nodes.document:
    """Parse a text; problems are findings of the page."""
    _register_ours()
    # Each time, and taken back at the end: another site of this process may not know them.
    kinds = [name for name in page.settings.objects if name not in DIRECTIVES and name not in DESCRIPTIONS]
    for name in kinds:
        _register_directive(name, ObjectDirective)
    alike = {name: made for name, like in page.settings.directives.items() if (made := _like(like)) is not None}
    for name, made in alike.items():
        _register_directive(name, made)
    register_names(text)
    page.register_names = register_names
    settings = _settings().copy()
    settings.octavo_page = page
    document = utils.new_document(page.source.path, settings)

    def tell(message: nodes.system_message) -> None:
        if int(message.get("level", 0)) >= _LEVEL:
            said = message.children[0].astext() if message.children else ""
            if not _UNTOLD.search(said):
                path, line = message.get("source"), int(message.get("line") or 1)
                is_own = page.is_own(path)
                where = "" if is_own else f'In "{path}", line {line}, which this page takes in: '
                page.report(where + " ".join(said.split()), page.line(line) if is_own else page.line(1))

    document.reporter.attach_observer(tell)
    make_parser().parse(text, document)
    _take_out_undefined(document, page)
    present = {type(node) for node in document.findall()}
    document.transformer.add_transforms(
        [transform for transform, kinds in _TRANSFORMS if not present.isdisjoint(kinds)]
    )
    document.transformer.apply_transforms()
    forget_roles(text)
    for name in (*kinds, *alike):
        _register_directive(name, directive_of(name))
    _report_marks(document, page)
    return document


def _take_out_undefined(document: nodes.document, page: RstPage) -> None:
    """Put text into substitutions for others that are not defined: docutils fails at them. Emojis (`|:heart:|`) are defined."""
    references = list(document.findall(nodes.substitution_reference))
    unknown: list[tuple[nodes.Element, nodes.substitution_definition]] = []
    for reference in references:
        name = str(reference["refname"])
        if name.lower() in document.substitution_names:
            continue
        if name.startswith(":") and (shown := emoji(name.strip(":"))):
            reference.replace_self(nodes.Text(shown))
        elif (holder := _definition_around(reference)) is not None:
            unknown.append((reference, holder))
    seen = _seen_substitutions(references) if unknown else set()
    for inner, holder in unknown:
        if any(str(name).lower() in seen for name in holder["names"]):
            document.reporter.error(
                f'Undefined substitution referenced: "{inner["refname"]}".',
                line=holder.line,
                source=holder.source or page.source.path,
            )
        inner.replace_self(nodes.Text(inner.astext()))


def _definition_around(node: nodes.Node) -> nodes.substitution_definition | None:
    """Give the definition of a substitution that a node is in."""
    holder = node.parent
    while holder is not None and not isinstance(holder, nodes.substitution_definition):
        holder = holder.parent
    return holder


def _seen_substitutions(references: Iterable[nodes.Element]) -> set[str]:
    """Name the substitutions that readers see, in the text or in others that they see; in small letters."""
    inner: dict[str, set[str]] = {}
    seen: set[str] = set()
    for reference in references:
        holder = _definition_around(reference)
        name = str(reference["refname"]).lower()
        if holder is None:
            seen.add(name)
        for own in holder["names"] if holder is not None else ():
            inner.setdefault(str(own).lower(), set()).add(name)
    left = list(seen)
    while left:
        new = inner.get(left.pop(), set()) - seen
        seen |= new
        left += new
    return seen


def _report_marks(document: nodes.document, page: RstPage) -> None:
    """Report roles within bold or other marked text: docutils reads no marks within others, and readers see them."""
    for node in document.findall(nodes.Text):
        found = _SEEN_ROLE.search(node.astext()) if ":" in node else None
        holder = node.parent
        if found is None or isinstance(
            holder, (nodes.literal, nodes.FixedTextElement, nodes.raw, nodes.comment, nodes.math)
        ):
            continue
        while holder is not None and not holder.line:
            holder = holder.parent
        line = page.line(holder.line) if holder is not None and holder.line and page.is_own(holder.source) else 1
        page.report(f'"{found[0]}" is within other marks, or lacks a backtick; readers see it as it is written.', line)


__all__ = ["Iterable", "ObjectDirective", "parse", "write_role"]
