"""Directives of extensions of Sphinx: tabs with code, changelogs as several projects have them, what is made elsewhere, and metadata."""

from __future__ import annotations

from docutils import nodes

from octavo.content.front_matter import RST_METAS
from octavo.content.html_names import refresh_address, refresh_finding
from octavo.content.translate.rst.directives import DroppedDirective, OwnDirective
from octavo.content.translate.rst.inline import escape
from octavo.content.translate.rst.nodes import BlockMarkdown, DirectiveNode
from octavo.content.translate.rst.roles import write_role
from octavo.content.translate.sphinx import Directive
from octavo.lazy import regex as re

_SENDS_ON = re.compile(r"^[ \t]+:http-equiv=refresh:[ \t]+(?P<content>.*)$", re.MULTILINE | re.IGNORECASE)
_FIELD = re.compile(r"^[ \t]+:([^\n]+?):(?:[ \t]|$)", re.MULTILINE)
_FACTS = ("type", "tags", "breaking", "pr", "issue", "tickets", "versions")


class ChangelogDirective(OwnDirective):
    """A release: its version, its date, and the changes below."""

    has_sections = True

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        version = self.argument or self.options.get("version", "")
        date = self.options.get("date") or self.options.get("released", "")
        if version or date:
            head = [nodes.strong("", version)] if version else []
            node += nodes.paragraph("", "", *head, *([nodes.Text(f" ({date})")] if date else []))
        self.body(node)
        return self.placed(node)


class ChangeDirective(OwnDirective):
    """A change: its title, what it belongs to, and its description."""

    has_sections = True

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        facts = ", ".join(
            f"{name} {value}".strip() if name not in ("type", "tags") else value
            for name in _FACTS
            if (value := self.options.get(name)) is not None
        )
        head: list[nodes.Node] = []
        if self.argument:
            texts, messages = self.state.inline_text(self.argument, self.lineno)
            head.append(nodes.strong("", "", *texts))
            node += messages
        if facts:
            head.append(nodes.Text(f" ({facts})" if head else facts))
        if head:
            node += nodes.paragraph("", "", *head)
        self.body(node)
        return self.placed(node)


class CodeTabDirective(OwnDirective):
    """`code-tab` of sphinx-tabs and sphinx-code-tabs: a tab whose content is a block of code.

    It names a language and, if its author likes, a title: behind it in the one, as the option `caption` or `title` in the other.
    """

    def run(self) -> list[nodes.Node]:
        language, _, title = self.argument.partition(" ")
        title = title.strip() or self.options.pop("title", "") or self.options.pop("caption", "")
        code, tab = DirectiveNode(), DirectiveNode()
        code.one = Directive("code-block", language, self.options, "\n".join(self.content))
        tab.one = Directive("code-tab", title or language, body="code")
        tab += code
        return self.placed(tab)


class LeftOutDirective(OwnDirective):
    """One whose text is made by a program of Sphinx that has no counterpart here."""

    def run(self) -> list[nodes.Node]:
        self.options.all_asked()
        self.report(f'What "{self.name}" writes is made by an extension of Sphinx, which is not run; it is left out.')
        return []


class MetaDirective(DroppedDirective):
    """What programs read in the head of a page; names of its fields may have several words."""

    option_spec = None

    def run(self) -> list[nodes.Node]:
        # Without options, docutils takes lines of fields for the argument.
        names = [match[1].strip() for match in _FIELD.finditer(self.block_text)]
        others = [name for name in names if name.partition(" ")[0] not in RST_METAS]
        shown: list[nodes.Node] = []
        sent = _SENDS_ON.search(self.block_text)
        if sent is not None and (href := refresh_address(sent["content"])):
            message, hint = refresh_finding('"meta"', href)
            self.page.report(message, self.place, hint)
            others = [name for name in others if name.lower() != "http-equiv=refresh"]
            shown = self.placed(BlockMarkdown(markdown=f"[{escape(href)}](<{href}>)"))
        if others:
            self.report(f"Pages take their description and keywords from meta; left out: {', '.join(others)}.")
        return shown


class CenteredDirective(OwnDirective):
    """A line of its own in bold."""

    def run(self) -> list[nodes.Node]:
        texts, messages = self.state.inline_text(self.argument, self.lineno)
        return [*self.placed(nodes.paragraph("", "", nodes.strong("", "", *texts))), *messages]


class SummaryDirective(OwnDirective):
    """A list of names that are described elsewhere."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        listed = []
        for line in self.content:
            name = line.strip().lstrip("~")
            if name and not name.startswith(".."):
                written = write_role("py:obj", line.strip(), self.page)
                listed.append(f"- {written[0] if written else name}")
        return self.placed(BlockMarkdown(markdown="\n".join(listed))) if listed else []


OF_EXTENSIONS: dict[str, type[OwnDirective]] = {
    "autosummary": SummaryDirective,
    "bibliography": LeftOutDirective,
    "centered": CenteredDirective,
    "change": ChangeDirective,
    "changelog": ChangelogDirective,
    "code-tab": CodeTabDirective,
    "meta": MetaDirective,
}
