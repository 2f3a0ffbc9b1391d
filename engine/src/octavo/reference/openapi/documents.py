"""Interface of this package: turn a description into `Document`s, one page or a page for each part."""

from __future__ import annotations

import html as html_module
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from octavo.content import (
    Document,
    FrontMatter,
    Heading,
    TextChunk,
    escape_text,
)
from octavo.diagnostics import Span
from octavo.reference.api_views import (
    NamedLink,
    OperationLink,
    OperationView,
    SchemaCard,
    SchemaLink,
    SchemaNames,
    TagView,
)
from octavo.reference.openapi.anchors import find_anchors
from octavo.reference.openapi.description import Description
from octavo.reference.openapi.facts import extension_facts
from octavo.reference.openapi.guides import PlacedGuide, guides_of
from octavo.reference.openapi.layout import Group
from octavo.reference.openapi.names import schema_anchor
from octavo.reference.openapi.operation import Operation
from octavo.reference.openapi.operation_view import OperationSettings, OperationViewer
from octavo.reference.openapi.overview import overview_view
from octavo.reference.openapi.pages import INDEX, ApiPage, has_introduction
from octavo.reference.openapi.schema_cards import SchemaCards
from octavo.reference.openapi.source.problems import write_pointer
from octavo.reference.openapi.text import SectionedText, plain_text, render_sections, render_text
from octavo.reference.openapi.write.chunks import operation_chunks, overview_chunks, schema_chunks
from octavo.reference.openapi.write.field_marks import FieldMarks
from octavo.reference.openapi.write.markdown import text_of, write_group, write_operation, write_overview, write_schema
from octavo.reference.openapi.write.page_content import PageContent
from octavo.words import fill_word

_LISTED_OPERATIONS = 2_000
"""Most operations that the first page lists. Of more, it leads to the pages of their tags, which do."""
_LISTED_SCHEMAS = 300
"""Most schemas that the first page of a large description names one by one."""
_MOST_MOVED = 60
_MOST_MOVED_SCHEMAS = 120
"""Operations and schemas of descriptions whose overview has an id for every parameter, field and status. Of larger ones
it has those of operations only: all were never on one page."""
LAYOUT = "reference"
"""Layout of these pages, in their front matter."""


def make_document(
    description: Description,
    page: ApiPage,
    *,
    source_path: str,
    introduction: Document | None,
    words: Mapping[str, str],
) -> Document:
    """Make the document of a page.

    Args:
        description: What it is made of.
        page: One of `plan_pages`.
        source_path: Path that its file would have, relative to the site's folder.
        introduction: Text before the reference; pages for its parts have none.
        words: Those of its language that are compiled.
    """
    return _Maker(description, page, source_path, introduction if has_introduction(page) else None, words).make()


class _Maker:
    def __init__(
        self,
        description: Description,
        page: ApiPage,
        source_path: str,
        introduction: Document | None,
        words: Mapping[str, str],
    ) -> None:
        self._d = description
        self._words = words
        self._page = page
        self._content = PageContent(
            source_path, Span(description.config.spec), description.places, description.aliases, introduction
        )

    def make(self) -> Document:
        d = self._d
        match self._page.kind:
            case "page":
                self._content.route = d.route
                self._all_on_one()
                return self._document(d.title, description=self._about())
            case "overview":
                self._content.route = d.route
                self._overview(has_pages=True)
                return self._document(d.title, description=self._about(), label=d.config.sidebar_label)
            case "group":
                return self._group_page(self._group())
            case "operation":
                group = self._group()
                operation = group.operations[self._page.index]
                self._content.route = d.operation_route(group, operation)
                self._operation(operation, level=1, has_heading=False)
                about = plain_text(str(operation.data.get("description") or ""))[:200]
                return self._document(
                    operation.title,
                    description=about or f"{operation.method} {operation.path}",
                    position=self._page.index + 1,
                    class_name=f"api-item api-item-{operation.method.lower()}",
                )
            case "schemas":
                return self._schemas_page()
            case "field":
                return self._field_page()

    # Pages

    def _group_page(self, group: Group) -> Document:
        d = self._d
        self._content.route = d.group_route(group)
        # Readers look for these words, which no description of a tag holds.
        self._content.chunks.append(TextChunk("paragraph", -1, f"Endpoints of the {d.title}"))
        self._tag(group, has_heading=False)
        if not group.has_pages:
            for operation in group.operations:
                self._operation(operation, level=2, has_heading=True)
        titles = ", ".join(operation.title for operation in group.operations)
        about = plain_text(group.description) or f"{d.title}: {titles}"
        return self._part(
            group.title, description=about[:200], position=d.groups.index(group) + 1, section=group.section or None
        )

    def _schemas_page(self) -> Document:
        d, key = self._d, self._page.key
        names = list(d.schemas) if key == INDEX else d.schema_groups[key]
        self._content.route = d.schemas_route("" if key == INDEX else key)
        about = fill_word(self._words["api.about.schemas"], title=d.title, names=_span_of(names))
        title = self._words["api.schemas"]
        if key == INDEX:
            links = [SchemaLink(label=name, href=self._cards().address(name), moved=[]) for name in names]
            self._content.island("api-names", SchemaNames(schemas=links))
            return self._part(title, description=about, position=len(d.groups) + 1)
        for name in names:
            self._schema(name, level=2)
        if not key:
            return self._part(title, description=about, position=len(d.groups) + 1)
        return self._part(
            f"{title} {_span_of(names)}", description=about, position=list(d.schema_groups).index(key) + 1
        )

    def _field_page(self) -> Document:
        d, anchor = self._d, self._page.key
        self._content.route = d.schema_parts[anchor]
        card = self._cards().field(d.schema_of_part[anchor], anchor, level=2)
        self._card(card)
        about = fill_word(self._words["api.about.schemas"], title=d.title, names=card.name)
        return self._part(card.name, description=about, position=list(d.schema_parts).index(anchor) + 1)

    def _all_on_one(self) -> None:
        self._overview(has_pages=False)
        for group in self._d.groups:
            if group.section and group.section != group.title:
                self._content.body.append(
                    f'<p class="api-section">{html_module.escape(group.section, quote=False)}</p>'
                )
                self._content.markdown.append(f"**{escape_text(group.section)}**\n")
            self._content.body.append('<section class="api-group">')
            self._tag(group, has_heading=True)
            for operation in group.operations:
                self._operation(operation, level=3, has_heading=True)
            self._content.body.append("</section>")
        if self._d.schemas:
            self._content.body.append('<section class="api-group">')
            self._content.heading(2, "schemas", self._words["api.schemas"], draws=True)
            for name in self._d.schemas:
                self._schema(name, level=3)
            self._content.body.append("</section>")

    def _overview(self, *, has_pages: bool) -> None:
        d = self._d
        view = overview_view(
            d,
            download=self._content.file(self._download()),
            pages=[self._group_view(group, has_heading=False) for group in d.groups] if has_pages else [],
            schemas=self._schema_links() if has_pages else [],
        )
        self._content.files[self._download()] = msgspec.json.format(msgspec.json.encode(d.root), indent=2).decode()
        self._content.island("api-overview", view)
        self._text(d.about)
        self._content.chunks.append(
            TextChunk("paragraph", -1, fill_word(self._words["api.about.reference"], title=d.title))
        )
        self._content.chunks += overview_chunks(view)
        said = write_overview(view)
        own = self._content.introduction.markdown
        # A title of the introduction's own is the page's, and goes first.
        self._content.markdown += [own, said] if self._content.introduction.has_title else [said, own]
        if has_pages:
            self._toc_of_groups()

    def _schema_links(self) -> list[SchemaLink]:
        """Link the schemas, or the pages that share them where the list would be longer than the rest of the page."""
        d = self._d
        if len(d.schemas) <= _LISTED_SCHEMAS:
            return [
                SchemaLink(label=name, href=self._cards().address(name), moved=self._moved_of_schema(name))
                for name in d.schemas
            ]
        return [
            SchemaLink(label=_span_of(names), href=self._content.href(d.schemas_route(group)), moved=[])
            for group, names in d.schema_groups.items()
        ]

    def _toc_of_groups(self) -> None:
        section = ""
        for group in self._d.groups:
            if group.section not in ("", section):
                self._content.heading(2, group.section_anchor, group.section)
                self._content.markdown.append(f"## {escape_text(group.section)}\n")
            section = group.section
            level = 3 if group.section else 2
            self._content.heading(level, f"tag-{group.slug}", group.title)
            self._content.markdown.append(
                write_group(group, render_text(group.description), level) + self._listed(group.operations)
            )
        if self._d.schemas:
            title = self._words["api.schemas"]
            self._content.heading(2, "schemas", title)
            listed = [
                f"- [{escape_text(name)}]({self._d.schema_address(name, self._content.route)})\n"
                for name in self._d.schemas
            ]
            self._content.markdown.append(f"## {title}\n\n" + "".join(listed))

    # Ids of the one-page layout

    def _is_small(self) -> bool:
        return len(self._d.operations) <= _MOST_MOVED and len(self._d.schemas) <= _MOST_MOVED_SCHEMAS

    def _moved_of_operation(self, operation: Operation) -> list[str]:
        d = self._d
        if not self._is_small():
            return [operation.anchor]
        anchors = [operation.anchor, *self._tag_anchors(operation)]
        view = self._operation_view(operation, level=3, has_heading=True)
        parts = [f"{operation.anchor}/{part}" for part in ("parameters", "responses")]
        inner = [anchor for anchor in find_anchors(view) if d.moved.get(anchor) is None]
        return list(dict.fromkeys([*anchors, *parts, *inner]))

    def _moved_of_schema(self, name: str) -> list[str]:
        anchor = schema_anchor(name)
        if not self._is_small():
            return [anchor]
        view = self._cards().viewer().view(self._d.schemas[name], anchor)
        return list(dict.fromkeys([anchor, *find_anchors(view)]))

    # Parts of pages

    def _tag(self, group: Group, *, has_heading: bool) -> None:
        view = self._group_view(group, has_heading=has_heading)
        if has_heading:
            self._content.heading(2, group.anchor, group.title)
        about = render_sections(group.description, group.anchor, 3 if has_heading else 2)
        html = about.lead + "".join(section.html for section in about.sections)
        self._content.island("api-tag", msgspec.structs.replace(view, html=html))
        self._text(about)
        listed = self._listed(group.operations) + "\n" if group.has_pages and group.operations else ""
        others = f"{self._words['api.others']}:\n\n{self._listed(group.others)}\n" if group.others else ""
        self._content.markdown.append(write_group(group, html, has_heading=has_heading) + listed + others)

    def _text(self, about: SectionedText) -> None:
        """Make the headings and texts of a description known to the table of contents and to search."""
        self._add_text(text_of(about.lead))
        for section in about.sections:
            self._content.heading(section.level, section.anchor, section.title)
            self._add_text(text_of(section.html).removeprefix(section.title).strip())

    def _add_text(self, text: str) -> None:
        if text:
            self._content.chunks.append(TextChunk("paragraph", len(self._content.headings) - 1, text))

    def _listed(self, operations: Iterable[Operation]) -> str:
        """List operations in Markdown that have their details elsewhere."""
        return "".join(
            [
                f"- [{one.method} {escape_text(one.path)}]({self._d.operation_address(one, self._content.route)}) {escape_text(one.title)}\n"
                for one in operations
            ]
        )

    def _operation(self, operation: Operation, *, level: int, has_heading: bool) -> None:
        view = self._operation_view(operation, level=level, has_heading=has_heading)
        if has_heading:
            badge = f'<span class="api-method" data-method="{view.method.lower()}">{view.method}</span>'
            title = html_module.escape(view.title, quote=False)
            anchor = view.heading_anchor or view.anchor
            self._content.headings.append(Heading(level, anchor, f"{badge} {title}", view.title))
        heading = len(self._content.headings) - 1
        self._content.island("api-operation", view)
        self._content.chunks += operation_chunks(view, "" if operation.name == view.title else operation.name, heading)
        if not has_heading:
            self._operation_toc(view)
        guides = guides_of(operation, self._d.guides)
        self._content.files[self._markdown_file(operation)] = write_operation(self._d.examples, operation, view, guides)
        self._content.markdown.append(
            write_operation(self._d.examples, operation, view, guides, level, has_heading=has_heading)
        )

    def _operation_toc(self, view: OperationView) -> None:
        parts = {"parameters": bool(view.parameters), "body": view.body is not None, "responses": bool(view.responses)}
        for name, is_there in parts.items():
            if is_there:
                self._content.heading(2, f"{view.anchor}/{name}", self._words[f"api.{name}"])

    def _cards(self) -> SchemaCards:
        return SchemaCards(self._d, self._content.route, self._content.href)

    def _schema(self, name: str, *, level: int) -> None:
        self._card(self._cards().schema(name, level))

    def _card(self, card: SchemaCard) -> None:
        self._content.heading(card.level, card.anchor, card.name)
        self._content.island("api-schema", card)
        self._content.chunks += schema_chunks(card, len(self._content.headings) - 1)
        self._content.markdown.append(write_schema(card, card.level))

    # Views

    def _operation_view(self, operation: Operation, *, level: int, has_heading: bool) -> OperationView:
        config = self._d.config
        settings = OperationSettings(
            samples=list(config.samples),
            console=self._content.file(self._download()) if config.console else "",
            command=config.command,
            address_of=self._operation_href,
            markdown=self._content.file(self._markdown_file(operation)),
            since=self._d.since_of(operation),
            marks=FieldMarks(self._d.since),
        )
        viewer = OperationViewer(self._d.examples, self._cards().viewer(), settings)
        view = viewer.view(
            operation,
            self._tag_anchors(operation),
            level=level,
            has_heading=has_heading,
            pointer=write_pointer(operation.pointer),
        )
        return msgspec.structs.replace(view, guides=self._guides(guides_of(operation, self._d.guides)))

    def _markdown_file(self, operation: Operation) -> str:
        return f"{self._d.config.doc}/{self._d.markdown_names[operation.id]}"

    def _tag_anchors(self, operation: Operation) -> list[str]:
        return [self._d.tag_anchor(operation, self._d.groups_by_name[tag]) for tag in operation.tags]

    def _operation_href(self, name: str) -> str:
        operation = next((one for one in self._d.operations if one.id == name), None)
        return (
            self._content.href(self._d.operation_address(operation, self._content.route))
            if operation is not None
            else ""
        )

    def _operation_link(self, operation: Operation, *, is_moved: bool = False) -> OperationLink:
        return OperationLink(
            method=operation.method,
            path=operation.path,
            title=operation.title,
            href=self._content.href(self._d.operation_address(operation, self._content.route)),
            moved=self._moved_of_operation(operation) if is_moved else [],
            is_deprecated=operation.data.get("deprecated") is True,
        )

    def _group_view(self, group: Group, *, has_heading: bool) -> TagView:
        d = self._d
        on_overview, is_short = self._page.kind == "overview", len(d.operations) <= _LISTED_OPERATIONS
        lists = is_short or not on_overview
        # What the overview does not list has moved twice: to the page of its tag, and on to its own.
        has_moved = on_overview or (group.has_pages and not is_short)
        docs = group.docs if isinstance(group.docs, dict) else {}
        return TagView(
            section=group.section,
            section_anchor=group.section_anchor,
            anchor=f"tag-{group.slug}" if on_overview else group.anchor,
            title=group.title,
            has_heading=has_heading,
            html=render_text(group.description),
            facts=[
                *extension_facts({key: value for key, value in group.data.items() if key != "x-displayName"}),
                *extension_facts(docs, "documentation"),
            ],
            links=[NamedLink(label=str(docs.get("description") or docs["url"]), href=docs["url"])]
            if str(docs.get("url", "")).startswith(("https://", "http://"))
            else [],
            guides=self._guides(d.guides.get(group.name, ())),
            operations=[self._operation_link(one, is_moved=has_moved) for one in group.operations] if lists else [],
            others=[self._operation_link(operation) for operation in group.others] if lists else [],
            count=len(group.operations) + len(group.others),
            page=self._content.href(d.group_route(group)) if on_overview else "",
            moved=[group.anchor, *([] if lists else (one.anchor for one in group.operations))] if on_overview else [],
        )

    def _guides(self, guides: Iterable[PlacedGuide]) -> list[NamedLink]:
        return [NamedLink(label=guide.label, href=self._content.slot(guide.href, guide.span)) for guide in guides]

    # Parts of the document

    def _group(self) -> Group:
        return next(group for group in self._d.groups if group.name == self._page.key)

    def _download(self) -> str:
        return f"{self._d.config.doc}/openapi.json"

    def _about(self) -> str:
        info: dict[str, Any] = self._d.root.get("info") or {}
        return self._d.config.description or plain_text(str(info.get("summary") or info.get("description") or ""))[:200]

    def _part(self, name: str, *, description: str, position: float, section: str | None = None) -> Document:
        """Make the page of a part: "Schemas" alone would name a page of each description, and "Users" a guide besides."""
        title = f"{self._d.title}: {name}"
        return self._document(title, description=description, label=name, position=position, section=section)

    def _document(
        self,
        title: str,
        *,
        description: str,
        label: str | None = None,
        position: float | None = None,
        class_name: str | None = None,
        section: str | None = None,
    ) -> Document:
        config, is_main = self._d.config, self._content.route == self._d.route
        front = FrontMatter(
            title=title,
            description=description,
            slug=self._content.route,
            layout=LAYOUT,
            sidebar_label=label or (config.sidebar_label if is_main else None),
            sidebar_position=config.sidebar_position if is_main else position,
            sidebar_class_name=class_name,
            sidebar_group=section,
        )
        return self._content.document(front, moved=self._moved(is_main=is_main))

    def _moved(self, *, is_main: bool) -> dict[str, str]:
        """Map anchors that this page has had to the pages that have them now."""
        is_shared = self._page.kind == "schemas" and self._page.key != INDEX
        return self._d.moved if is_main else self._d.moved_from(self._page.key) if is_shared else {}


def _span_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
