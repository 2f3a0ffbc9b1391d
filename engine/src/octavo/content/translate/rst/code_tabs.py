"""Tabs with code of sphinx-tabs: `code-tab`, which names a language and, if its author likes, a title."""

from __future__ import annotations

from docutils import nodes

from octavo.content.translate.directives import Directive
from octavo.content.translate.rst.directives import OwnDirective
from octavo.content.translate.rst.nodes import DirectiveNode


class CodeTabDirective(OwnDirective):
    """A tab whose content is a block of code."""

    def run(self) -> list[nodes.Node]:
        language, _, title = self.argument.partition(" ")
        code, tab = DirectiveNode(), DirectiveNode()
        code.one = Directive("code-block", language, dict(self.options), "\n".join(self.content))
        tab.one = Directive("code-tab", title.strip() or language, {}, "code")
        tab += code
        return self.placed(tab)
