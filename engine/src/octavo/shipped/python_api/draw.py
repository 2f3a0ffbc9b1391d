"""Objects as Markdown: heading, signature, docstring, members."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import griffe

from octavo.shipped.python_api.docstrings import draw_docstring, drawn_type
from octavo.shipped.python_api.library import class_members, inherited_members, public_members
from octavo.shipped.python_api.members import hidden_members, named_member, overridden
from octavo.shipped.python_api.prose import Prose, summary_of
from octavo.shipped.python_api.signatures import signature
from octavo.shipped.python_api.words import word

if TYPE_CHECKING:
    from octavo.extensions import Inputs
    from octavo.shipped.python_api.choices import Choices
    from octavo.shipped.python_api.library import ModuleLibrary, Object

_DEEPEST = 6
_MOST_INHERITED = 20
"""Members that are listed of a base: a page with forty widgets had 1 MB of names that all widgets have."""
_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ESCAPES = {"\0": "\\0", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\r": "\\r"}


class ObjectDrawing:
    """Draws objects of a library."""

    def __init__(self, library: ModuleLibrary, choices: Choices, inputs: Inputs) -> None:
        self._library = library
        self._choices = choices
        self._inputs = inputs

    def draw_page(self, module: griffe.Module) -> str:
        """Write the document of a module."""
        front = {
            "title": module.path,
            "sidebar_label": module.path if module.parent is None else module.name,
            "slug": self._library.slug_of(module),
            "description": re.sub(r"[`*\[\]]", "", summary_of(module.docstring.value)) if module.docstring else "",
        }
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items() if value]
        parts = [f'<a id="{module.path}"></a>', self._described(module), self._submodules(module)]
        parts += self._members(module, 2)
        return with_escapes("\n".join(["---", *lines, "---", ""]) + "\n" + _together(parts))

    def draw_root(self, found: Object) -> str:
        """Write an object that a page asks for."""
        level = self._choices.heading_level
        has_heading = self._choices.show_root_heading
        if has_heading is None:
            has_heading = not found.is_module
        if has_heading:
            return with_escapes(self._drawn(found, level))
        place = f'<a id="{found.path}"></a>'
        if self._library.settings.markup == "rst":
            place += f'<a id="module-{found.path}"></a>'  # as Sphinx names it
        return with_escapes(_together([place, *self._content(found, level)]))

    def _drawn(self, found: Object, level: int) -> str:
        parent = found.parent
        name = f"{parent.name}.{found.name}" if parent is not None and parent.is_class else found.name
        shown = found.path if found.is_module else name
        anchor = self._library.shown.get(found.canonical_path, found.path)
        anchor = anchor if anchor == found.path else found.path
        heading = f"{'#' * min(level, _DEEPEST)} `{shown}` {{#{anchor}}}"
        other = found.canonical_path
        alias = f'<a id="{other}"></a>' if other != anchor and self._library.shown.get(other) == anchor else ""
        others = "".join(f'<a id="{path}"></a>' for path in self._library.others.get(anchor, ()))
        return _together([others, heading, alias, *self._content(found, level + 1)])

    def _content(self, found: Object, level: int) -> list[str]:
        """Everything below the heading of an object."""
        parts = [] if found.is_module else [signature(found)]
        if found.is_class and self._choices.show_bases:
            parts.append(self._bases(found))
        parts += [self._described(found), self._source(found)]
        if found.is_module and self._choices.show_submodules:
            parts += [self._drawn(one, level) for one in self._library.modules_in(found)]
        if found.is_module or found.is_class:
            parts += self._members(found, level)
        if found.is_class:
            parts.append(self._inherited(found))
        return parts

    def _described(self, found: Object) -> str:
        described = self._describing(found)
        prose = Prose(self._library, described, self._inputs)
        return draw_docstring(described, prose, self._library, self._inputs)

    def _describing(self, found: Object) -> Object:
        """Give the object whose docstring describes another: itself, or the member that it overrides."""
        if not self._choices.inherit_docstrings or found.docstring is not None:
            return found
        return overridden(found) or found

    def _members(self, found: Object, level: int) -> list[str]:
        return [self._drawn(one, level) for one in self._chosen(found)]

    def _chosen(self, found: Object) -> list[Object]:
        choices = self._choices
        if choices.members is False:
            return []
        members = [one for one in self._wanted(found) if one.name not in choices.exclude_members]
        return sorted(members, key=lambda one: one.name) if choices.members_order == "alphabetical" else members

    def _wanted(self, found: Object) -> list[Object]:
        """List the members that are shown, in the order of the source or of the choice."""
        choices = self._choices
        if isinstance(choices.members, list):
            named = [member for name in choices.members if (member := named_member(found, name)) is not None]
            # The list is about the object that is asked for; below it everything public is shown.
            if named or found.is_module:
                return [one for one in named if not one.is_module]
        if choices.filters not in (None, "public"):
            members = [one for one in found.members.values() if not one.is_alias and not one.is_module]
            members = [one for one in members if one.name != "__init__" and _passes(one.name, choices.filters or ())]
        else:
            members = class_members(found, self._library) if found.is_class else list(public_members(found))
            members = [one for one in members if found.is_class or self._is_shown_here(one)]
            members += hidden_members(found, choices, {one.name for one in members})
        if found.is_class and choices.inherited_members:
            wanted = choices.inherited_members
            inherited = inherited_members(found, self._library, has_private=bool(choices.private_members))
            members += [one for one in inherited if wanted is True or one.name in (wanted or ())]
        if not choices.show_if_no_docstring:
            members = [one for one in members if self._describing(one).docstring is not None or _has_described(one)]
        return members

    def _is_shown_here(self, member: Object) -> bool:
        """Return whether a member of a module is shown there, and not in the module that defines it."""
        if self._choices.reexported and member.parent is not None and member.name in (member.parent.exports or ()):
            return True
        return self._library.shown.get(member.canonical_path, member.path) == member.path

    def _bases(self, found: Object) -> str:
        public = [base for base in found.bases if not str(base).rpartition(".")[2].startswith("_")]  # type: ignore[union-attr]
        bases = [drawn_type(base, self._library) for base in public]
        return f"{word('bases')}: {', '.join(bases)}" if bases else ""

    def _inherited(self, found: Object) -> str:
        """List what a class has from bases that are shown themselves."""
        if self._choices.inherited_members is True:
            return ""
        by_base: dict[str, list[str]] = {}
        for member in inherited_members(found, self._library):
            base = member.canonical_path.rpartition(".")[0]
            link = f"[`{member.name}`](ref:?{self._library.shown[member.canonical_path]})"
            if not member.is_module:
                by_base.setdefault(base, []).append(link)
        lines = []
        for base, links in by_base.items():
            place = self._library.shown.get(base, base)
            shown = f"[`{base.rpartition('.')[2]}`](ref:?{place})"
            left = len(links) - _MOST_INHERITED
            more = f", [{word('more', count=left)}](ref:?{place})" if left > 1 else ""
            listed = links[:_MOST_INHERITED] if more else links
            lines.append(f"**{word('inherited')}** {shown}: {', '.join(listed)}{more}")
        return "\n\n".join(lines)

    def _submodules(self, module: griffe.Module) -> str:
        """List the public modules of a package, and what it offers that other modules define."""
        lines = [f"- [`{one.path}`](ref:{one.path}){self._summary(one)}" for one in self._library.modules_in(module)]
        parts = [f"**{word('modules')}**\n\n" + "\n".join(lines)] if lines else []
        elsewhere = [
            f"- [`{one.name}`](ref:{self._library.shown[one.canonical_path]}){self._summary(one)}"
            for one in public_members(module)
            if not self._is_shown_here(one)
        ]
        return "\n\n".join([*parts, *([f"**{word('also-here')}**\n\n" + "\n".join(elsewhere)] if elsewhere else [])])

    def _summary(self, found: Object) -> str:
        if found.docstring is None:
            return ""
        line = Prose(self._library, found, self._inputs).line(found.docstring.value)
        return f": {line}" if line else ""

    def _source(self, found: Object) -> str:
        """Link the source, and show it where that is asked for."""
        url = self._library.source_url(found)
        link = f"[{word('source')}]({url})" if url and not found.is_attribute else ""
        if not self._choices.show_source or found.is_module or found.is_attribute or not found.source:
            return link
        longest = max((len(run) for run in re.findall(r"`+", found.source)), default=0)
        marks = "`" * max(3, longest + 1)
        code = f"{marks}python\n{found.source}\n{marks}"
        return f"{link}\n\n<details>\n<summary>{word('source-code')}</summary>\n\n{code}\n\n</details>"


def with_escapes(text: str) -> str:
    """Write characters that no page can show as Python writes them; docstrings have them where the prefix `r` is missing."""
    return _UNSHOWN.sub(lambda match: _ESCAPES.get(match[0]) or ascii(match[0])[1:-1], text)


def _together(parts: list[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _passes(name: str, filters: Any) -> bool:
    """Return whether a name passes patterns as mkdocstrings has them: one that begins with `!` keeps names out."""
    keep = True
    for pattern in filters:
        if re.search(pattern.removeprefix("!"), name):
            keep = not pattern.startswith("!")
    return keep


def _has_described(found: Object) -> bool:
    """Return whether anything in an object has a docstring."""
    return any(one.docstring is not None for one in found.members.values() if not one.is_alias)
