"""Every setting of `octavo.toml`, read off the structs: for the reference, and as a JSON Schema for editors."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from octavo.config import Config, SearchRules
from octavo.manual.catalogue import load_catalogue
from octavo.manual.fields import default_of, encoded_names, field_sentences, sentence_of

NO_SETTINGS = frozenset({"search.rules"})
"""Fields of the structs that cannot be written in the file."""
SENTENCES = {
    "Config.title": "Name of the site: in the top bar, in titles of browser tabs, and in previews.",
    "Config.tagline": "What the site is about, in a few words.",
    "Config.favicon": "Small icon of the browser tab, an address under the static folder such as `/img/mark.svg`.",
    "Config.site_version": "Version of the site's content, published with its metadata.",
    "Config.title_delimiter": "What separates a page's title from the site's in the browser tab.",
    "Config.shows_last_update": "Show when a page was last changed, by git or by its front matter.",
    "Config.locales": "Languages of the site; without any, there is one.",
    "Config.versions": "Versions of the documentation; without any, there is one.",
    "Config.sidebars": "Navigation trees. Each document belongs to exactly one.",
    "Config.blogs": "Folders of dated posts: blogs, news.",
    "Config.commands": "Programs whose commands get pages.",
    "Config.openapi": "APIs whose descriptions get pages.",
    "Config.redirects": "Addresses that have moved.",
    "Config.announcements": "Bars above the top bar.",
    "Config.diagnostics": "How much each kind of finding weighs: `error`, `warn` or `ignore`.",
    "Config.navbar": "The top bar.",
    "Config.footer": "The footer of every page.",
    "Config.color_mode": "Light and dark mode.",
    "Locale.label": "Name of the language in its own words.",
    "Locale.dir": "Direction of the text; `auto` goes by the language.",
    "Version.name": "Name by which other settings mean it.",
    "Version.label": "Name that readers see.",
    "Version.banner": "Note above the pages of a version that is not the current one.",
    "Sidebar.id": "Name by which other settings mean it.",
    "Sidebar.label": "Name that readers see.",
    "Sidebar.items": "Its entries, from top to bottom.",
    "SidebarEntry.label": "Text of the entry; by default the document's own.",
    "SidebarEntry.items": "Entries of a category.",
    "SidebarEntry.link": "Where the label of a category leads.",
    "SidebarEntry.is_collapsed": "Show a category closed until the reader is in it.",
    "SidebarEntry.is_collapsible": "Let readers open and close a category.",
    "SidebarEntry.class_name": "Class for style sheets of the site.",
    "CategoryLink.type": "To a document, or to a page with cards of the category's documents.",
    "CategoryLink.title": "Title of the generated page; by default the label.",
    "CategoryLink.description": "What the category is about, for the page and for previews.",
    "CategoryLink.keywords": "Keywords of the generated page.",
    "CategoryLink.image": "Picture for previews of the generated page.",
    "Navbar.title": "Text of the brand link.",
    "Navbar.logo": "Picture of the brand link.",
    "Navbar.hide_on_scroll": "Hide the bar while the reader scrolls down.",
    "Navbar.items": "Entries of the top bar.",
    "Logo.alt": "What the picture shows; empty where a title beside it says the same.",
    "Logo.href": "Where it leads.",
    "NavItem.label": "Text of the entry.",
    "NavItem.position": "Side of the top bar.",
    "Footer.logo": "Picture in the footer.",
    "Footer.copyright": "Last line of the footer.",
    "Footer.columns": "Columns of links.",
    "FooterColumn.title": "Heading of the column.",
    "FooterColumn.items": "Links of the column.",
    "ColorMode.respect_system": "Follow the preference of the reader's system until the reader chooses.",
    "ColorMode.has_switch": "Show the switch between light and dark.",
    "ThemeSettings.widths": "Widths of the parts of a page.",
    "ThemeSettings.code": "Colors of code.",
    "ColorPair.light": "In light mode.",
    "ColorPair.dark": "In dark mode.",
    "Widths.sidebar": "The sidebar.",
    "Fonts.headings": "Font of headings.",
    "Fonts.text": "Font of running text.",
    "Fonts.code": "Font of code.",
    "Font.family": "Name of the font.",
    "FontFile.style": "Upright or italic.",
    "CodeTheme.light": "Style in light mode.",
    "CodeTheme.dark": "Style in dark mode.",
    "Script.is_module": "Load it as a JavaScript module.",
    "HeadTag.tag": "Name of the element.",
    "HeadTag.attributes": "Its attributes.",
    "SocialCards.background": "Ground of the cards.",
    "SocialCards.color": "Color of the titles.",
    "Feedback.is_enabled": "Ask below each document.",
    "Feedback.question": "The question.",
    "Announcement.background": "Ground of the bar, as a color of CSS.",
    "Announcement.color": "Color of its text.",
    "Announcement.is_closeable": "Let readers close it.",
    "Announcement.is_enabled": "Show it.",
    "Search.is_enabled": "Have a search.",
    "Search.app_id": "Application id that search clients send.",
    "Search.index_name": "Name of the index.",
    "Search.placeholder": "Text of the empty search field.",
    "ApiReference.description": "What the reference is about, for previews; by default the description's own.",
    "ApiReference.sidebar_label": "Text of its entry in the sidebar.",
    "ApiReference.sidebar_position": "Place of its entry in the sidebar.",
    "Guide.label": "Text of the link.",
}
"""Fields whose name says enough to a reader of the code, but not to a reader of a table."""


EXAMPLES: dict[str, Any] = {
    "title": "My documentation",
    "label": "Guides",
    "id": "docs",
    "name": "v2",
    "path": "v2",
    "url": "https://docs.example.com",
    "href": "/guides/install",
    "src": "/img/logo.svg",
    "src_dark": "/img/logo-dark.svg",
    "alt": "Logo of Octavo",
    "favicon": "/img/mark.svg",
    "icon": "/img/icon.png",
    "image": "/img/card.png",
    "edit_url": "https://git.example.com/docs/edit/main/",
    "glossary": "glossary.toml",
    "doc": "reference/api",
    "docs": "docs/v2",
    "spec": "openapi/shop.json",
    "source": "commands/pot.yaml",
    "folder": "blog",
    "from": "/old/page",
    "to": "/new/page",
    "content": "Version 2 is out.",
    "slug": "/guides",
    "accent": "#8c1d2f",
    "light": "#2a49c4",
    "dark": "#a5b6ff",
    "text": "42rem",
    "column": "48rem",
    "sidebar": "18rem",
    "contents": "16rem",
    "page": "90rem",
    "family": "Source Sans 3",
    "heading_weight": 500,
    "locales": "en",
    "endpoint": "/feedback",
    "host": "https://insights.example.com",
    "command": "shop serve",
    "introduction": "docs/_shop.md",
    "url_env": "SHOP_SPEC_URL",
    "consent_script": "/consent.js",
    "missing_results_url": "https://example.com/report?q={query}",
    "font": "fonts/title.ttf",
    "sidebar_position": 2,
    "tagline": "Everything about our product",
    "exclude": "docs/internal/**",
    "styles": "/css/site.css",
    "scripts": "/js/site.js",
    "variable_files": "../pyproject.toml",
    "search_origins": "https://www.example.com",
    "allowed_hosts": "docs.example.com",
    "trusted_proxies": "10.0.0.0/8",
    "hosts": "https://search.example.com",
    "google": "G-0123456789",
    "autogenerated": "guides",
    "category": "Guides",
    "routes": "/guides/*",
    "keywords": "install",
    "also": "guides/install",
    "append": "includes/links.md",
    "shortcodes": "layouts/shortcodes",
    "description": "How to install and use it",
    "sidebar_label": "API",
    "copyright": "Copyright 2026 Example",
    "class_name": "is-new",
    "background": "#1c1b19",
    "color": "#ffffff",
    "integrity": "sha384-…",
    "weight": "100 900",
    "synonyms": "frequently asked questions",
    "extensions": "mark",
}
"""Key → what a site could write."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One key of `octavo.toml`."""

    path: str
    """Keys from the root of the file, such as `search.insights.is_enabled`; `[]` marks a list of tables, `*` any key."""
    type: str
    """What it takes, in words."""
    default: Any
    """`msgspec.NODEFAULT` where it must be given."""
    sentence: str

    example: Any
    """A value that it takes."""
    kind: Any
    """Its type in the struct."""


@cache
def list_settings() -> tuple[Setting, ...]:
    """List every setting, tables before what they contain. Reading their sentences out of the source takes 0.3 s."""
    return tuple(_settings_of(Config, "", ()))


def default_in_words(setting: Setting) -> str:
    """Say what holds where a setting is not given: TOML, or that it is required, or that there is no default."""
    if setting.default is msgspec.NODEFAULT:
        return "none, it is required"
    is_table = isinstance(setting.default, msgspec.Struct)
    return "none" if setting.default is None or is_table else to_toml(setting.default)


def _settings_of(struct: type[msgspec.Struct], prefix: str, above: tuple[type, ...]) -> Iterator[Setting]:
    sentences = field_sentences(struct)
    for name, field in encoded_names(struct).items():
        path = f"{prefix}{name}"
        if path in NO_SETTINGS:
            continue
        inner = [(mark, table) for mark, table in tables_in(field.type) if table not in above]
        sentence = sentences.get(field.name) or SENTENCES.get(f"{struct.__name__}.{field.name}", "")
        if struct.__name__ == "DiagnosticLevels" and not sentence:
            sentence = _about_finding(name)
        if not sentence and inner:
            sentence = sentence_of(inner[0][1])
        default = default_of(field)
        yield Setting(
            path=path,
            type=type_in_words(field.type),
            default=default,
            sentence=sentence,
            example=_example(name, field.type, default),
            kind=field.type,
        )
        for mark, table in inner:
            yield from _settings_of(table, f"{path}{mark}.", (*above, struct, table))


def _example(name: str, kind: Any, default: Any) -> Any:
    """Choose a value that a reader could write: not the default where there is a choice."""
    origin, arguments = get_origin(kind), [one for one in get_args(kind) if one is not type(None)]
    if origin in (Union, types.UnionType):
        return _example(name, arguments[0], default)
    if origin is Literal:
        return next(one for one in arguments if one != default)
    if kind is bool:
        return not default
    if kind is str and (name in EXAMPLES or default in (None, "", msgspec.NODEFAULT)):
        return EXAMPLES.get(name, "text")
    if kind in (int, float) and default in (None, msgspec.NODEFAULT):
        return EXAMPLES.get(name, 1)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _table(kind, {})
    is_empty = default is msgspec.NODEFAULT or not default
    if origin is list and is_empty:
        return [_example(name, arguments[0], None)]
    if origin is dict and is_empty:
        return {"name": _example(name, arguments[1], None)}
    return default


def _table(struct: type[msgspec.Struct], given: dict[str, Any]) -> dict[str, Any]:
    """Write a table with the keys that it must have."""
    must = {key: field for key, field in encoded_names(struct).items() if field.required}
    return {**{key: _example(key, field.type, msgspec.NODEFAULT) for key, field in must.items()}, **given}


def _about_finding(name: str) -> str:
    entry = next((entry for entry in load_catalogue().values() if entry.setting == name), None)
    return f"{entry.title}." if entry else ""


def tables_in(kind: Any, mark: str = "") -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """List the tables that a type contains, each with the mark of where: `[]` in a list, `.*` under any key."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield mark, kind
        return
    origin, arguments = get_origin(kind), get_args(kind)
    inner = f"{mark}[]" if origin is list else f"{mark}.*" if origin is dict else mark
    for argument in arguments[-1:] if origin is dict else arguments:
        yield from tables_in(argument, inner)


_WORDS = {str: "text", int: "integer", float: "number", bool: "true or false", Any: "any value", object: "any value"}


def type_in_words(kind: Any) -> str:
    """Say what a type takes."""
    if kind in _WORDS:
        return _WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return "table"
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f"`{argument}`" for argument in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(type_in_words(one) for one in arguments if one is not type(None)))
    if origin is list:
        return f"list of {_PLURALS.get(type_in_words(arguments[0]), type_in_words(arguments[0]))}"
    if origin is dict:
        return f"table of {_PLURALS.get(type_in_words(arguments[1]), type_in_words(arguments[1]))}"
    return str(kind)


_PLURALS = {"text": "texts", "table": "tables", "integer": "integers", "any value": "any values"}


def to_toml(value: Any) -> str:
    """Write a value as TOML, in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, list):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, msgspec.Struct):
        given = {
            field.encode_name: getattr(value, field.name)
            for field in msgspec.structs.fields(value)
            if getattr(value, field.name) != default_of(field)
        }
        return to_toml(given)
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {to_toml(one)}' for key, one in value.items())} }}" if value else "{}"
    return '""'


def settings_schema() -> dict[str, Any]:
    """Make the JSON Schema of `octavo.toml`, with the sentences as descriptions."""
    schema = _described(msgspec.json.schema(Config), "octavo.toml")
    definitions = schema["$defs"]
    # `[markdown]` may hold the keys of a folder, for the whole site, beside the folders: see `tidy_markdown`.
    for form in definitions["Config"]["properties"]["markdown"]["anyOf"]:
        if "additionalProperties" in form:
            form["properties"] = definitions["MarkdownFolder"]["properties"]
    # A table in place of the list has a field of its own here: see `tidy_versions`.
    properties = definitions["Config"]["properties"]
    del properties["versions_from"]
    listed = properties["versions"]
    shape = {key: listed.pop(key) for key in ("type", "items") if key in listed}
    listed["anyOf"] = [shape, {"$ref": "#/$defs/VersionsFrom"}]
    return schema


def search_rules_schema() -> dict[str, Any]:
    """Make the JSON Schema of `search.toml`."""
    return _described(msgspec.json.schema(SearchRules), "search.toml")


def _described(schema: dict[str, Any], title: str) -> dict[str, Any]:
    structs = {struct.__name__: struct for struct in all_tables(Config)}
    for name, definition in schema["$defs"].items():
        struct = structs[name]
        sentences = field_sentences(struct)
        names = encoded_names(struct)
        for key, part in definition.get("properties", {}).items():
            sentence = sentences.get(names[key].name) or SENTENCES.get(f"{name}.{names[key].name}", "")
            if name == "DiagnosticLevels" and not sentence:
                sentence = _about_finding(key)
            if sentence:
                part["description"] = sentence
    schema["$defs"].get("Search", {}).get("properties", {}).pop("rules", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def all_tables(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """List a struct and all that it contains."""
    found = [struct]
    for table in found:
        inner = (one for field in msgspec.structs.fields(table) for _, one in tables_in(field.type))
        found += [one for one in dict.fromkeys(inner) if one not in found]
    return found
