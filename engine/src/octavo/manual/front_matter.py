"""Every key of front matter: for the reference, and as a JSON Schema for editors."""

from __future__ import annotations

from typing import Any

import msgspec

TEXT = {"type": "string"}
DATE = {"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}"}
FLAG = {"type": "boolean"}
TEXTS = {"type": "array", "items": TEXT}


class FrontMatterKey(msgspec.Struct, frozen=True):
    """One key."""

    schema: dict[str, Any]
    sentence: str
    example: str
    """A line of YAML."""


def _text(sentence: str, example: str) -> FrontMatterKey:
    return FrontMatterKey(TEXT, sentence, example)


def _text_or_none(sentence: str, example: str) -> FrontMatterKey:
    return FrontMatterKey({"type": ["string", "null"]}, sentence, example)


def _flag(sentence: str, name: str) -> FrontMatterKey:
    return FrontMatterKey(FLAG, sentence, f"{name}: true")


_LEVEL = {"type": "integer", "minimum": 2, "maximum": 6}

KEYS: dict[str, FrontMatterKey] = {
    "title": _text("Title of the page; by default its first heading, else its file's name.", "title: Install"),
    "description": _text("What the page is about, for search results and previews.", "description: Install on Linux."),
    "id": _text("Last part of the document's id; by default the file's name.", "id: install"),
    "slug": _text("Route of the page; relative to its folder, or absolute with a slash in front.", "slug: /install"),
    "layout": FrontMatterKey(
        {"enum": ["doc", "page", "landing", "splash", "reference", "blank", "search"]},
        "Layout of a page outside the sidebars: an ordinary page, a landing page, or the search page.",
        "layout: landing",
    ),
    "sidebar_label": _text("Text of its entry in the sidebar; by default the title.", "sidebar_label: Install"),
    "sidebar_position": FrontMatterKey(
        {"type": "number"}, "Place among the entries of its folder.", "sidebar_position: 2"
    ),
    "sidebar_class_name": _text("Class of its entry, for style sheets of the site.", "sidebar_class_name: is-new"),
    "sidebar_group": _text(
        "Heading in the sidebar below which it is listed with the entries of its folder that give the same one.",
        "sidebar_group: For operators",
    ),
    "sidebar_badge": _text("Short text behind its label in the sidebar.", "sidebar_badge: New"),
    "hide_title": _flag("Do not draw the title above the text.", "hide_title"),
    "hide_table_of_contents": _flag("Do not draw the table of contents.", "hide_table_of_contents"),
    "toc_min_heading_level": FrontMatterKey(
        _LEVEL, "Highest level of headings in the table of contents; by default 2.", "toc_min_heading_level: 2"
    ),
    "toc_max_heading_level": FrontMatterKey(
        _LEVEL, "Lowest level of headings in the table of contents; by default 3.", "toc_max_heading_level: 4"
    ),
    "pagination_label": _text("Text of links to it from its neighbors.", "pagination_label: Install Octavo"),
    "pagination_prev": _text_or_none(
        "Id of the document before it, from the root or from a folder that holds the page; `null` shows no link.",
        "pagination_prev: guides/start",
    ),
    "pagination_next": _text_or_none(
        "Id of the document after it, from the root or from a folder that holds the page; `null` shows no link.",
        "pagination_next: null",
    ),
    "displayed_sidebar": _text_or_none(
        "Id of the sidebar that is shown; `null` shows none.", "displayed_sidebar: docs"
    ),
    "icon": _text(
        "Icon beside the title in sidebars and cards: a file of the folder `icons`, or a name of the built-in set.",
        "icon: rocket",
    ),
    "draft": _flag("Leave the page out of builds; `octavo dev` shows it.", "draft"),
    "unlisted": _flag("Publish the page, but list it nowhere: not in sidebars, search and sitemap.", "unlisted"),
    "search": FrontMatterKey(
        {"anyOf": [FLAG, {"type": "object", "properties": {"exclude": FLAG}, "additionalProperties": False}]},
        "`false` keeps the page out of the site's own search; it stays in sidebars and in the sitemap.",
        "search: false",
    ),
    "keywords": FrontMatterKey(TEXTS, "Keywords for search engines.", "keywords: [install, set up]"),
    "image": _text(
        "Picture for previews: an address, a path in the static folder, or with a dot in front one from the file itself.",
        "image: /img/card.png",
    ),
    "tags": FrontMatterKey(
        {"type": "array", "items": {"anyOf": [TEXT, {"type": "object", "required": ["label"]}]}},
        "Tags of the page.",
        "tags: [linux]",
    ),
    "date": FrontMatterKey(
        DATE, "Date of a post of a blog; the name of its file may begin with it instead.", 'date: "2026-01-31"'
    ),
    "authors": FrontMatterKey(
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string", "minLength": 1}}]},
        "Who wrote a post of a blog: names, or words for which `[[blogs]]` has names.",
        "authors: [ada]",
    ),
    "last_update": FrontMatterKey(
        {
            "anyOf": [
                DATE,
                {"type": "object", "properties": {"date": DATE, "author": TEXT}, "additionalProperties": False},
            ]
        },
        "When and by whom it was last changed; by default what git says.",
        'last_update: { date: "2026-01-31", author: Ada }',
    ),
    "custom_edit_url": _text_or_none(
        "Address of the edit link; `null` shows none.", "custom_edit_url: https://example.com/edit/install.md"
    ),
    "canonical_url": FrontMatterKey(
        {"type": "string", "pattern": "^(?:https?://|/(?!/))\\S*$"},
        "Address of the page that search engines are to take for the original of this one; a path begins at the root of the host.",
        "canonical_url: https://example.com/docs/install",
    ),
    "glossary": FrontMatterKey(
        {"anyOf": [FLAG, {"type": "object", "additionalProperties": TEXT}]},
        "Terms that this page explains beside those of the site, or `false` for none at all.",
        "glossary: { MCP: Model Context Protocol }",
    ),
    "translated_from": _text(
        "In a translation: state of the original that it was made from; `octavo translations mark` writes it.",
        'translated_from: "8f14e45fceea"',
    ),
}


def front_matter_schema() -> dict[str, Any]:
    """Make the JSON Schema of front matter. Keys of other engines are allowed: the build reports those that do nothing."""
    properties = {name: {**key.schema, "description": key.sentence} for name, key in KEYS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Front matter of a page",
        "type": "object",
        "properties": properties,
    }
