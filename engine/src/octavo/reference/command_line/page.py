"""A command → `Document`, by way of Markdown: so a generated page is one like all others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from octavo.content import ContentOptions, Document, TextChunk
from octavo.content.compile import compile_document
from octavo.diagnostics import Span
from octavo.reference.command_line.model import Argument, Command, CommandTree, Option
from octavo.reference.command_line.read import name_in
from octavo.reference.command_line.text import block, cell, code, markdown, plain, without_code_marks
from octavo.words import fill_word

_NOTHING = "–"


class CommandPage(msgspec.Struct, frozen=True):
    """All that the page of a command is made of."""

    command: Command
    span: Span
    """Place of the command in its data file."""
    folder: str
    """Folder of the program's pages, from the site's folder."""
    parent: str | None
    parent_synopsis: str
    children: dict[str, str]
    """Name → synopsis."""
    related: dict[str, str]
    """Other commands that it names and that have pages: name → synopsis."""
    since: str = ""
    """Label of the version that brought the command; empty where it is older than all that are known."""
    option_since: dict[str, str] = {}
    """Option, with dashes, or argument → label of the version that brought it, where that is a later one."""
    changed: str = ""
    """Label of the last version that has added, changed or removed an option or an argument; empty for none."""
    option_changed: dict[str, str] = {}
    """Option or argument → label of the last version that has changed its type or default."""
    removed: dict[str, str] = {}
    """Option or argument that there is no longer → label of the version that has removed it."""

    @property
    def path(self) -> str:
        """Path that the page would have as a file, from the site's folder."""
        return f"{self.folder}/{self.command.file_name}.md"


def make_command_page(command: Command, span: Span, program: CommandTree, folder: str) -> CommandPage:
    """Gather what the page of a command is made of."""
    parent = program.parent(command.name)
    return CommandPage(
        command=command,
        span=span,
        folder=folder,
        parent=parent,
        parent_synopsis=program.synopses.get(parent, "") if parent else "",
        children={name: program.synopses[name] for name in program.children(command.name)},
        related={name: program.synopses[name] for name in map(name_in, command.see_also) if name in program.synopses},
    )


def compile_command(page: CommandPage, *, source_path: str, options: ContentOptions) -> Document:
    """Compile the page of a command. Places of links and problems are those of the command in its data file."""
    words = options.words_of(source_path)
    document, plain_document = (
        compile_document(
            write_markdown(page, words, has_anchors=has_anchors),
            source_path=source_path,
            load=lambda _: None,
            options=options,
        )
        for has_anchors in (True, False)
    )
    return msgspec.structs.replace(
        document,
        links=[msgspec.structs.replace(link, span=page.span) for link in document.links],
        assets=[msgspec.structs.replace(asset, span=page.span) for asset in document.assets],
        diagnostics=[
            msgspec.structs.replace(one, span=page.span, excerpt="")
            for one in document.diagnostics
            if one.code != "duplicate-anchor"  # our headings give way to those of descriptions
        ],
        text=list(_with_options(document, page.command)),
        markdown=plain_document.markdown,
    )


def _with_options(document: Document, command: Command) -> Iterator[TextChunk]:
    """Put texts with anchors of their own in the place of the rows of the option tables."""
    inherited = _inherited(command)
    tables = {"options": command.options, "inherited-options": inherited}
    for chunk in document.text:
        anchor = document.headings[chunk.heading].anchor if chunk.heading >= 0 else ""
        if chunk.kind != "row" or anchor not in ("options", "inherited-options"):
            yield chunk
            continue
        for option in tables.pop(anchor, ()):
            text = f"{' '.join(option.names)} {without_code_marks(option.usage)}".strip()
            yield TextChunk("option", chunk.heading, text, option.anchor)


def write_markdown(page: CommandPage, words: Mapping[str, str], *, has_anchors: bool) -> str:
    """Write the page as Markdown.

    Args:
        page: What it is made of.
        words: Those of its language.
        has_anchors: Give each option an anchor and a link to itself, which takes HTML.
    """
    return _Writer(page, words, has_anchors=has_anchors).write()


class _Writer:
    """Writes one page."""

    def __init__(self, page: CommandPage, words: Mapping[str, str], *, has_anchors: bool) -> None:
        self._page = page
        self._command = page.command
        self._words = words
        self._has_anchors = has_anchors

    def write(self) -> str:
        command = self._command
        front = {"title": command.name, "description": without_code_marks(command.synopsis)}
        # JSON is YAML: no text can end its line.
        parts = [f"---\n{json.dumps(front, ensure_ascii=False)}\n---"]
        parts.append(markdown(command.description) or plain(command.synopsis))
        if self._page.since:
            parts.append(self._since(self._page.since))
        if self._page.changed:
            parts.append(self._mark("changed", self._page.changed))
        parts += self._usage()
        if command.arguments:
            rows = map(self._argument_row, command.arguments)
            parts += [self._heading("arguments"), self._table(("argument", "meaning"), rows)]
        if command.options:
            parts += [self._heading("options"), self._options(command.options)]
        parts += [self._mark("removed", label, name) for name, label in self._page.removed.items()]
        if inherited := _inherited(command):
            parts += [self._heading("options.inherited", "inherited-options"), self._options(inherited)]
        if command.notes:
            parts += [self._heading("notes"), *_notes(command.notes)]
        if command.example.strip():
            parts += [self._heading("examples"), block("bash", command.example)]
        if command.output.strip():
            parts += [self._heading("output", "sample-output"), self._word("output.differs")]
            parts.append(block("console", command.output))
        parts += self._relatives()
        return "\n\n".join(part for part in parts if part) + "\n"

    def _word(self, key: str, **values: str) -> str:
        """Give a sentence, which may have Markdown in it."""
        return fill_word(self._words[f"commands.{key}"], **values)

    def _heading(self, key: str, anchor: str = "") -> str:
        """Head a part. Its anchor is the same in all languages: links and search lead to it."""
        return f"## {plain(self._words[f'commands.{key}'])} {{#{anchor or key}}}"

    def _table(self, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        titles = [cell(plain(self._words[f"commands.{key}"])) for key in head]
        lines = [" | ".join(titles), " | ".join("---" for _ in head), *(" | ".join(map(cell, row)) for row in rows)]
        return "\n".join(f"| {line} |" for line in lines)

    def _since(self, version: str) -> str:
        return f"*{plain(fill_word(self._words['changes.since'], version=version))}*"

    def _mark(self, kind: str, version: str, name: str = "") -> str:
        text = f"*{plain(fill_word(self._words[f'mark.{kind}'], version=version))}*"
        return f"{code(name)} {text}" if name else text

    def _usage(self) -> Iterator[str]:
        command = self._command
        if command.usage:
            yield self._heading("usage")
            yield block("text", command.usage)
        if command.aliases:
            above = command.name.rpartition(" ")[0]
            names = ", ".join(code(f"{above} {alias}".strip()) for alias in command.aliases)
            yield self._word("alias" if len(command.aliases) == 1 else "aliases", names=names)

    def _argument_row(self, argument: Argument) -> tuple[str, str]:
        since, changed = (dates.get(argument.name) for dates in (self._page.option_since, self._page.option_changed))
        marks = [self._since(since)] if since else []
        marks += [self._mark("changed", changed)] if changed else []
        usage = plain(argument.usage)
        meaning = " ".join(filter(None, [_sentence(usage) if marks else usage, *marks])) or _NOTHING
        return code(argument.name), meaning if argument.required else f"{self._word('optional')} {meaning}"

    def _options(self, options: Iterable[Option]) -> str:
        return self._table(("option", "meaning"), ((self._names(one), self._meaning(one)) for one in options))

    def _names(self, option: Option) -> str:
        names = ", ".join(map(code, option.names))
        if self._has_anchors:
            names = f'<a class="option" id="{option.anchor}" href="#{option.anchor}">{names}</a>'
        return f"{names} *{plain(option.type)}*" if option.type and option.type != "bool" else names

    def _meaning(self, option: Option) -> str:
        parts = [_sentence(plain(option.usage))]
        if option.allowed:
            parts.append(self._word("one-of", values=", ".join(map(code, option.allowed))))
        if option.default not in ("", "false"):  # what is not switched on is off
            parts.append(self._word("default", value=code(option.default)))
        if since := self._page.option_since.get(option.names[0]):
            parts.append(self._since(since))
        if changed := self._page.option_changed.get(option.names[0]):
            parts.append(self._mark("changed", changed))
        if option.required:
            parts.append(self._word("required"))
        if option.deprecated:
            parts.append(f"**{self._word('deprecated')}** {plain(option.deprecated)}")
        return " ".join(part for part in parts if part) or _NOTHING

    def _relatives(self) -> Iterator[str]:
        page = self._page
        if page.children:
            rows = ((_link(page, name), plain(synopsis) or _NOTHING) for name, synopsis in page.children.items())
            yield self._heading("subcommands")
            yield self._table(("command", "purpose"), rows)
        lines = [_line(page, page.parent, page.parent_synopsis)] if page.parent else []
        shown = {page.command.name, page.parent, *page.children}
        for entry in page.command.see_also:
            name = name_in(entry)
            if name not in shown:
                lines.append(_line(page, name, page.related[name]) if name in page.related else markdown(entry))
        if lines:
            yield self._heading("see-also")
            yield "\n".join(map(_item, lines))


def _sentence(text: str) -> str:
    """End a text with a full stop, so that another sentence may follow."""
    return f"{text}." if text and text[-1] not in ".!?…" else text


def _notes(notes: Iterable[str]) -> Iterator[str]:
    """List the notes; an admonition among them follows the list as a block of its own."""
    texts = [markdown(note) for note in notes]
    yield "\n".join(_item(text) for text in texts if not text.startswith(":::"))
    yield from (text for text in texts if text.startswith(":::"))


def _inherited(command: Command) -> list[Option]:
    """List the options from above that the command has not declared anew."""
    own = {option.name for option in command.options}
    return [option for option in command.inherited_options if option.name not in own]


def _line(page: CommandPage, name: str, synopsis: str) -> str:
    return f"{_link(page, name)}: {plain(synopsis)}" if synopsis else _link(page, name)


def _link(page: CommandPage, name: str) -> str:
    return f"[{code(name)}](/{page.folder}/{name.replace(' ', '_')}.md)"


def _item(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")
