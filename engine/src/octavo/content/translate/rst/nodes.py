"""Nodes of our own in the tree of docutils."""

from __future__ import annotations

from docutils import nodes

from octavo.content.translate.sphinx import Directive


class BlockMarkdown(nodes.General, nodes.Element):
    """A block that is Markdown already, in the attribute `markdown`."""

    tagname = "markdown"


class Highlight(nodes.Invisible, nodes.Element):
    """From here on, blocks of code without a language of their own have the one in the attribute `language`."""


class Frame(nodes.General, nodes.Element):
    """Children between the lines of the attributes `opening` and `closing`."""


class DirectiveNode(nodes.General, nodes.Element):
    """A directive that is drawn as those of MyST are; an argument with marks is its first child, a `Title`."""

    tagname = "directive"
    one: Directive


class Title(nodes.General, nodes.TextElement):
    """The argument of a directive."""


class InlineMarkdown(nodes.Inline, nodes.TextElement):
    """Text in a line that is Markdown already, in the attribute `markdown`; `plain` is what readers see of it."""

    def astext(self) -> str:
        """Give its text without marks."""
        return str(self.get("plain", ""))
